"""Files and folders to documents, in every format that ``READERS`` names, text, JSON Lines, ClaimReview. Each file is
read in a process that it alone can end (``reader_process``): one that cannot be used is skipped with a reason and stops
nothing else. The libraries that read the formats are imported there. Nothing touches the network.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from pkgutil import resolve_name

from evidence.ingest.files import MAX_FILE_BYTES, READERS, SUFFIXES, Found, Names, file_id, printable, walk
from evidence.ingest.jsonl import Line, read_claimreviews, read_jsonl
from evidence.ingest.page import Page
from evidence.ingest.reader_process import ReaderProcess
from evidence.ingest.text import decode, normalise
from evidence.types import Document
from factdesk.kernel import InputError, sha256_text

__all__ = ["INGEST_VERSION", "MAX_FILE_BYTES", "SUFFIXES", "IngestResult", "read_file", "read_paths", "walk"]

INGEST_VERSION = "4"
"""Raised when the same file would give another text, so that caches are made anew."""
MAX_BROKEN_LINES = 20
"""Broken lines of one JSON Lines file that are told one by one."""


@dataclass(frozen=True)
class IngestResult:
    """What was read. ``skipped`` pairs a relative name (``notes.jsonl:7`` for a line) with the reason; ``notes``
    likewise for documents that were kept but not wholly understood.
    """

    documents: tuple[Document, ...]
    skipped: tuple[tuple[str, str], ...] = ()
    notes: tuple[tuple[str, str], ...] = ()


@dataclass
class _Batch:
    names: Names = field(default_factory=Names)
    documents: list[Document] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    notes: list[tuple[str, str]] = field(default_factory=list)
    lines: dict[str, set[str]] = field(default_factory=dict)


def read_paths(paths: Sequence[Path]) -> IngestResult:
    """Read files and folders (recursively, sorted, hidden files left out).

    A file's ``doc_id`` is its path relative to the folder that was added, without its ending. When two
    different files would get the same id, the later one gets its ending, its folder or ``~2`` added.

    Raises ``InputError``: no path was given, one does not exist, or nothing in them can be used.
    """
    if not paths:
        raise InputError("no path was given; name at least one file or folder")
    batch = _Batch()
    with ReaderProcess() as reader:
        for found in walk(paths):
            if found.reason:
                batch.skipped.append((printable(found.relative), found.reason))
            elif found.suffix.startswith(".json"):
                _add_lines(found, batch)
            else:
                _add_file(found, batch, reader)
    if not batch.documents:
        raise InputError(_nothing(paths, batch.skipped))
    return IngestResult(tuple(batch.documents), tuple(batch.skipped), tuple(batch.notes))


def read_file(path: Path, suffix: str) -> Page:
    """One file that is one document, as a page (``suffix`` in lower case decides how). Raises ``InputError`` (it cannot
    be used; the message is the reason), ``OSError`` (it cannot be read).
    """
    data = path.read_bytes()
    if suffix not in READERS:
        return Page(text=decode(data))
    read: Callable[[bytes], Page] = resolve_name(f"{__name__}.{READERS[suffix]}")
    return read(data)


def _add_file(found: Found, batch: _Batch, reader: ReaderProcess) -> None:
    try:
        page = reader.read(found.path, found.suffix)
    except InputError as error:
        batch.skipped.append((found.relative, str(error)))
        return
    plain = file_id(found.relative, found.suffix)
    text = normalise(page.text)
    if not text.strip():
        batch.skipped.append((found.relative, "has no text"))
        return
    doc_id = batch.names.take(plain, ending=found.relative[-len(found.suffix) :], root=found.root)
    if doc_id != plain:
        batch.notes.append((found.relative, f"kept as {doc_id!r}, since {plain!r} is another file"))
    title = page.title or PurePosixPath(plain).name.replace("-", " ").replace("_", " ").strip() or plain
    _keep(batch, found.relative, doc_id, title, text, page)


def _add_lines(found: Found, batch: _Batch) -> None:
    broken: list[Line] = []
    try:
        one = found.suffix == ".json"
        for line in read_claimreviews(found.path.read_bytes()) if one else read_jsonl(found.path):
            if line.page is None:
                broken.append(line)
            else:
                _add_line(found, line.number, line.doc_id, line.page, batch)
    except InputError as error:
        batch.skipped.append((found.relative, str(error)))
    except (OSError, zlib.error) as error:
        batch.skipped.append((found.relative, f"cannot be read: {error}"))
    batch.skipped.extend((f"{found.relative}:{line.number}", line.reason) for line in broken[:MAX_BROKEN_LINES])
    if len(broken) > MAX_BROKEN_LINES:
        batch.skipped.append((found.relative, f"{len(broken) - MAX_BROKEN_LINES} more broken lines"))


def _add_line(found: Found, number: int, doc_id: str, page: Page, batch: _Batch) -> None:
    where = f"{found.relative}:{number}"
    text = normalise(page.text)
    if not text.strip():
        batch.skipped.append((where, f"has no text (doc_id {doc_id!r})"))
        return
    digest = sha256_text(text)
    known = batch.lines.setdefault(doc_id, set())
    if digest in known:
        batch.skipped.append((where, f"repeats doc_id {doc_id!r} with the same text"))
        return
    known.add(digest)
    own = batch.names.take(doc_id)
    if own != doc_id:
        batch.notes.append((where, f"kept as {own!r}, since {doc_id!r} is another document"))
    _keep(batch, where, own, page.title or "", text, page)


def _keep(batch: _Batch, where: str, doc_id: str, title: str, text: str, page: Page) -> None:
    batch.notes.extend((where, note) for note in page.notes)
    batch.documents.append(
        Document.taken_from(
            page,
            doc_id=doc_id,
            title=title,
            text=text,
            sha256=sha256_text(text),
            source=where,
            locators=page.locators if text == page.text else (),
        )
    )


def _nothing(paths: Sequence[Path], skipped: Sequence[tuple[str, str]]) -> str:
    names = ", ".join(repr(str(path)) for path in paths)
    reasons = "; ".join(f"{name!r}: {reason}" for name, reason in skipped[:3])
    if reasons:
        more = f" (and {len(skipped) - 3} more)" if len(skipped) > 3 else ""
        return f"nothing in {names} can be used: {reasons}{more}"
    return f"nothing in {names} can be used; add files of type {', '.join(SUFFIXES)}"
