"""Files and folders to documents, in every format that ``READERS`` names, text, JSON Lines, ClaimReview. Each file is
read in a process that it alone can end (``reader_process``): one that cannot be used is skipped with a reason and stops
nothing else. The libraries that read the formats are imported there. Nothing touches the network.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from pkgutil import resolve_name

from evidence.ingest.files import READERS, SUFFIXES, Found, Names, file_id, printable, walk
from evidence.ingest.jsonl import Line, read_claimreviews, read_jsonl
from evidence.ingest.page import Page
from evidence.ingest.reader_process import ReaderProcess
from evidence.ingest.text import BROKEN, decode, normalise
from evidence.types import Document
from factdesk.kernel import InputError, sha256_text

__all__ = ["INGEST_VERSION", "SUFFIXES", "IngestResult", "read_file", "read_paths", "walk"]

INGEST_VERSION = "5"
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
    """Hashes of the texts that lines have under an id."""


def read_paths(paths: Sequence[Path]) -> IngestResult:
    """Read files and folders (recursively, sorted, hidden files left out). A file's ``doc_id`` is its path relative to
    the folder that was added, without its ending; of two files with one id the later gets its ending, its folder or
    ``~2`` added. Raises ``InputError``: no path was given, one does not exist, or nothing in them can be used.
    """
    if not paths:
        raise InputError("no path was given; name at least one file or folder")
    batch = _Batch()
    with ReaderProcess() as reader:
        for found in walk(paths):
            if found.reason:
                batch.skipped.append((printable(found.relative), found.reason))
            else:
                _add(found, batch, reader)
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
    name, media_type = READERS[suffix]
    read: Callable[[bytes], Page] = resolve_name(f"{__name__}.{name}")
    try:
        return replace(read(data), media_type=media_type)
    except InputError:
        raise
    except BROKEN as error:
        raise InputError(f"is damaged and cannot be read ({type(error).__name__})") from error


def _add(found: Found, batch: _Batch, reader: ReaderProcess) -> None:
    """The documents of a file."""
    broken: list[tuple[str, str]] = []
    try:
        for line in _lines(found, reader):
            where = f"{found.relative}:{line.number}" if line.number else found.relative
            if line.page is None:
                broken.append((where, line.reason))
            else:
                _keep(found, where, line, line.page, batch)
    except InputError as error:
        batch.skipped.append((found.relative, str(error)))
    except (OSError, zlib.error) as error:
        batch.skipped.append((found.relative, f"cannot be read: {error}"))
    batch.skipped.extend(broken[:MAX_BROKEN_LINES])
    if len(broken) > MAX_BROKEN_LINES:
        batch.skipped.append((found.relative, f"{len(broken) - MAX_BROKEN_LINES} more broken lines"))


def _lines(found: Found, reader: ReaderProcess) -> Iterable[Line]:
    """What a file holds: its only document without a number, or those of JSON by line."""
    if found.suffix == ".json":
        return read_claimreviews(found.path.read_bytes())
    if found.suffix.startswith(".json"):
        return read_jsonl(found.path)
    plain = file_id(found.relative, found.suffix)
    page = reader.read(found.path, found.suffix)
    name = PurePosixPath(plain).name.replace("-", " ").replace("_", " ").strip()
    return [Line(0, plain, replace(page, title=page.title or name or plain))]


def _keep(found: Found, where: str, line: Line, page: Page, batch: _Batch) -> None:
    """Take a document in, under an id of its own."""
    text = normalise(page.text)
    if not text.strip():
        batch.skipped.append((where, f"has no text (doc_id {line.doc_id!r})" if line.number else "has no text"))
        return
    digest = sha256_text(text)
    known = batch.lines.setdefault(line.doc_id, set()) if line.number else set()
    if digest in known:
        batch.skipped.append((where, f"repeats doc_id {line.doc_id!r} with the same text"))
        return
    known.add(digest)
    ending, root = ("", "") if line.number else (found.relative[-len(found.suffix) :], found.root)
    doc_id = batch.names.take(line.doc_id, ending=ending, root=root)
    if doc_id != line.doc_id:
        other = "document" if line.number else "file"
        batch.notes.append((where, f"kept as {doc_id!r}, since {line.doc_id!r} is another {other}"))
    batch.notes.extend((where, note) for note in page.notes)
    kept = {"title": page.title or "", "text": text, "locators": page.locators if text == page.text else ()}
    batch.documents.append(Document.taken_from(page, doc_id=doc_id, sha256=digest, source=where, **kept))


def _nothing(paths: Sequence[Path], skipped: Sequence[tuple[str, str]]) -> str:
    names = ", ".join(repr(str(path)) for path in paths)
    reasons = "; ".join(f"{name!r}: {reason}" for name, reason in skipped[:3])
    if reasons:
        more = f" (and {len(skipped) - 3} more)" if len(skipped) > 3 else ""
        return f"nothing in {names} can be used: {reasons}{more}"
    return f"nothing in {names} can be used; add files of type {', '.join(SUFFIXES)}"
