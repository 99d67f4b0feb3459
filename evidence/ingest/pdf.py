"""PDF files by pypdf: the text layer, with lines joined into paragraphs."""

from __future__ import annotations

import io
import re
import struct
import zlib
from typing import TYPE_CHECKING

from evidence.ingest.page import Page
from evidence.ingest.text import clean_line, normalise, quiet
from factdesk.kernel import InputError

if TYPE_CHECKING:
    from pypdf import PdfReader

MAX_PAGES = 2_000
"""Pages read of one file; a note tells when there were more."""
_BROKEN = (
    ValueError,
    KeyError,
    TypeError,
    IndexError,
    AttributeError,
    RecursionError,
    NotImplementedError,
    AssertionError,
    OSError,
    OverflowError,
    zlib.error,
    struct.error,
)
_JUNK_TITLE = re.compile(r"^(untitled|microsoft word\b.*|.*\.(docx?|pdf|tex|indd|qxd))$", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?:;][\"'”\u2019)\]]*$")


def read_pdf(data: bytes) -> Page:
    """Text of a PDF's text layer and the title it gives itself. Its dates are those of the file, not of
    publication, and are not used.

    Raises:
        InputError: it is encrypted, damaged, or has no text layer.
    """
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    quiet("pypdf")
    try:
        reader = PdfReader(io.BytesIO(data))
        _unlock(reader)
        pages = [reader.pages[i].extract_text() for i in range(min(len(reader.pages), MAX_PAGES))]
        total = len(reader.pages)
        title = clean_line(reader.metadata.title) if reader.metadata else None
    except InputError:
        raise
    except (PyPdfError, *_BROKEN) as error:
        raise InputError(f"the PDF is damaged and cannot be read ({type(error).__name__})") from error
    text = "\n\n".join(part for part in (join_lines(normalise(page)) for page in pages) if part)
    if not text:
        raise InputError("the PDF has no text layer (only pictures); run text recognition on it first")
    return Page(
        text=text,
        title=None if title is None or _JUNK_TITLE.match(title) else title,
        media_type="application/pdf",
        notes=(f"only the first {MAX_PAGES} of {total} pages were read",) if total > MAX_PAGES else (),
    )


def _unlock(reader: PdfReader) -> None:
    from pypdf.errors import DependencyError

    if not reader.is_encrypted:
        return
    try:
        opened = bool(reader.decrypt(""))
    except (DependencyError, NotImplementedError) as error:
        raise InputError("the PDF is encrypted; save a copy without encryption and add that") from error
    if not opened:
        raise InputError("the PDF is encrypted with a password; save a copy without it and add that")


def join_lines(text: str) -> str:
    """Lines of a page joined into paragraphs; words parted by a hyphen at a line's end are made whole.

    A paragraph ends at an empty line, and where a sentence ends on a line with room to spare.
    """
    paragraphs = []
    for block in re.split(r"\n\s*\n", text):
        lines = [" ".join(line.split()) for line in block.split("\n") if line.strip()]
        width = max((len(line) for line in lines), default=0)
        current = ""
        for line in lines:
            current = _joined(current, line)
            if _SENTENCE_END.search(line) and len(line) < 0.7 * width:
                paragraphs.append(current)
                current = ""
        if current:
            paragraphs.append(current)
    return "\n\n".join(paragraphs)


def _joined(before: str, line: str) -> str:
    if not before:
        return line
    if re.search(r"[^\W\d_]-$", before) and line[:1].islower():
        return before[:-1] + line
    return f"{before} {line}"
