"""PDF files by pdfminer.six: the text layer, column by column, without running heads and footnotes' marks."""

from __future__ import annotations

import io
import re
import struct
import zlib
from itertools import islice
from typing import TYPE_CHECKING

from evidence.ingest.page import Page
from evidence.ingest.pdf_lines import Piece, join_pages, line_of
from evidence.ingest.text import clean_line, quiet
from factdesk.kernel import InputError

if TYPE_CHECKING:
    from pdfminer.layout import LTPage
    from pdfminer.pdfdocument import PDFDocument

MAX_PAGES = 2_000
"""Pages read of one file; a note tells when there were more."""
LINE_OVERLAP = 0.3
"""Share of their height by which characters of one line overlap: low, so that CO₂ stays in its line."""
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


def read_pdf(data: bytes) -> Page:
    """Text of a PDF's text layer and the title it gives itself. Its dates are those of the file, not of
    publication, and are not used.

    Raises:
        InputError: it is encrypted, damaged, or has no text layer.
    """
    from pdfminer.pdfdocument import PDFEncryptionError, PDFPasswordIncorrect
    from pdfminer.psexceptions import PSException

    quiet("pdfminer")
    try:
        title, pages, more = _read(data)
    except PDFPasswordIncorrect as error:
        raise InputError("the PDF is encrypted with a password; save a copy without it and add that") from error
    except PDFEncryptionError as error:
        raise InputError("the PDF is encrypted; save a copy without encryption and add that") from error
    except (PSException, *_BROKEN) as error:
        raise InputError(f"the PDF is damaged and cannot be read ({type(error).__name__})") from error
    text, locators = join_pages(pages)
    if not text:
        raise InputError("the PDF has no text layer (only pictures); run text recognition on it first")
    return Page(
        text=text,
        title=None if title is None or _JUNK_TITLE.match(title) else title,
        media_type="application/pdf",
        locators=locators,
        notes=(f"kept with its first {MAX_PAGES} pages only",) if more else (),
    )


def _read(data: bytes) -> tuple[str | None, list[list[Piece]], bool]:
    """Title, the pieces of text of each page in reading order, and whether there are more pages."""
    from pdfminer.converter import PDFPageAggregator
    from pdfminer.layout import LAParams
    from pdfminer.pdfdocument import PDFDocument
    from pdfminer.pdfinterp import PDFPageInterpreter, PDFResourceManager
    from pdfminer.pdfpage import PDFPage
    from pdfminer.pdfparser import PDFParser

    document = PDFDocument(PDFParser(io.BytesIO(data)))
    resources = PDFResourceManager()
    device = PDFPageAggregator(resources, laparams=LAParams(line_overlap=LINE_OVERLAP))
    interpreter = PDFPageInterpreter(resources, device)
    found = PDFPage.create_pages(document)
    pages = []
    for page in islice(found, MAX_PAGES):
        interpreter.process_page(page)
        pages.append(_pieces(device.get_result()))
    return _title(document), pages, next(found, None) is not None


def _title(document: PDFDocument) -> str | None:
    from pdfminer.pdftypes import resolve1
    from pdfminer.utils import decode_text

    raw = next((resolve1(info["Title"]) for info in document.info if "Title" in info), None)
    return clean_line(decode_text(raw)) if isinstance(raw, bytes) else None


def _pieces(page: LTPage) -> list[Piece]:
    """The boxes of text of a page; ``margin`` where one stands at its upper or lower edge."""
    from pdfminer.layout import LTTextBox, LTTextLine

    pieces = []
    for box in page:
        if isinstance(box, LTTextBox):
            lines = tuple(line for line in (line_of(part) for part in box if isinstance(part, LTTextLine)) if line)
            edge = box.y0 > page.y0 + 0.9 * page.height or box.y1 < page.y0 + 0.1 * page.height
            if lines:
                pieces.append(Piece(lines, margin=edge))
    return pieces
