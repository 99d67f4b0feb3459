"""JSON Lines: one document a line, with ``doc_id``, ``title``, ``text`` and optional metadata."""

from __future__ import annotations

import io
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from evidence.ingest.page import Page, dated, web_address
from evidence.ingest.text import clean_line
from factdesk.kernel import InputError

MAX_LINE_BYTES = 20_000_000
MAX_FILE_BYTES = 512_000_000
"""Of the unpacked file."""


@dataclass(frozen=True)
class Line:
    """One line: its number from 1, and the id and page it holds, or why it holds none."""

    number: int
    doc_id: str = ""
    page: Page | None = None
    reason: str = ""


def read_jsonl(path: Path) -> Iterator[Line]:
    """All lines of a ``.jsonl`` or ``.jsonl.gz`` file that are not empty; broken ones with a reason.

    Raises:
        InputError: the file is larger than 512 MB unpacked, or the gzip data are damaged.
        OSError: it cannot be read.
    """
    total = 0
    with path.open("rb") as raw:
        file = _unpacked(raw) if path.name.lower().endswith(".gz") else raw
        number = 0
        try:
            while data := file.readline(MAX_LINE_BYTES + 1):
                number += 1
                total += len(data)
                if total > MAX_FILE_BYTES:
                    raise InputError(f"is larger than {MAX_FILE_BYTES // 1_000_000} MB; split it")
                if len(data) > MAX_LINE_BYTES:
                    raise InputError(f"line {number} is longer than {MAX_LINE_BYTES // 1_000_000} MB")
                if data.strip():
                    yield _line(number, data)
        except (EOFError, zlib.error) as error:
            raise InputError(f"the gzip data are damaged after line {number}") from error


def _unpacked(raw: io.BufferedReader) -> io.BufferedIOBase:
    import gzip

    return gzip.GzipFile(fileobj=raw, mode="rb")


def _line(number: int, data: bytes) -> Line:
    try:
        record = json.loads(data.decode("utf-8-sig" if number == 1 else "utf-8"))
    except UnicodeDecodeError:
        return Line(number, reason="is not UTF-8 text")
    except (ValueError, RecursionError) as error:
        return Line(number, reason=f"is not valid JSON ({error})")
    if not isinstance(record, dict):
        return Line(number, reason=f"is not a JSON object but {type(record).__name__}")
    doc_id = clean_line(record.get("doc_id"))
    if doc_id is None:
        return Line(number, reason="has no 'doc_id'")
    text = record.get("text")
    if not isinstance(text, str) or not text.strip():
        return Line(number, reason=f"has no 'text' (doc_id {doc_id!r})")
    notes: list[str] = []
    page = Page(
        text=text,
        title=clean_line(record.get("title")),
        url=web_address(record.get("url")),
        publisher=clean_line(record.get("publisher")),
        published=dated(record.get("published"), notes),
        retrieved=dated(record.get("retrieved"), notes, "retrieved"),
        notes=tuple(notes),
    )
    return Line(number, doc_id, page)
