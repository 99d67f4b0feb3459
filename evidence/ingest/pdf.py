"""PDF files by pdfminer.six: the text layer, column by column, without running heads and footnotes' marks."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby, islice
from statistics import median
from typing import TYPE_CHECKING

from evidence.ingest.page import Page
from evidence.ingest.text import EXPRESSIONS, clean_line, normalise, raised
from evidence.types import Locator
from factdesk.kernel import InputError

if TYPE_CHECKING:
    from pdfminer.layout import LTAnno, LTPage, LTTextLine
    from pdfminer.pdfdocument import PDFDocument


MAX_PAGES = 2_000
"""Pages read of one file; a note tells when there were more."""
LINE_OVERLAP = 0.3
"""Share of their height by which characters of one line overlap: low, so that CO₂ stays in its line."""


def read_pdf(data: bytes) -> Page:
    """Text of a PDF's text layer and the title it gives itself. Its dates are those of the file, not of publication,
    and are not used. Raises ``InputError``: it is encrypted, damaged, or has no text layer.
    """
    from pdfminer.pdfdocument import PDFEncryptionError, PDFPasswordIncorrect
    from pdfminer.psexceptions import PSException

    try:
        title, pages, more = _read(data)
    except PDFPasswordIncorrect as error:
        raise InputError("is encrypted with a password; save a copy without it and add that") from error
    except PDFEncryptionError as error:
        raise InputError("is encrypted; save a copy without encryption and add that") from error
    except PSException as error:
        raise InputError(f"is damaged and cannot be read ({type(error).__name__})") from error
    text, locators = join_pages(pages)
    if not text:
        raise InputError("has no text layer (only pictures); run text recognition on it first")
    return Page(
        text=text,
        title=None if title is None or EXPRESSIONS["junk_title"].match(title) else title,
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


SMALLER = 0.88
"""Size of a raised mark at most, as a share of its line's."""
HIGHER = 0.12
"""How far it stands above the foot of its line's characters at least, as a share of their size."""


@dataclass(frozen=True)
class Piece:
    """Lines that stand together in one column; ``margin``: at the upper or lower edge of the page."""

    lines: tuple[str, ...]
    margin: bool = False


def line_of(line: LTTextLine) -> str:
    """A line's text with raised marks told apart from the number before them; one blank between words."""
    from pdfminer.layout import LTChar

    chars = [char for char in line if isinstance(char, LTChar)]
    if not chars:
        return ""
    size = Counter(round(char.size, 1) for char in chars if char.get_text().strip()).most_common(1)
    usual = size[0][0] if size else 0.0
    foot = median([char.y0 for char in chars if round(char.size, 1) == usual] or [line.y0])

    def stands_high(part: LTChar | LTAnno) -> bool:
        return isinstance(part, LTChar) and part.size <= SMALLER * usual and part.y0 >= foot + HIGHER * usual

    runs = [
        (high, "".join(EXPRESSIONS["no_letter"].sub("\ufffd", part.get_text()) for part in parts))
        for high, parts in groupby(line, key=stands_high)
    ]
    told = ""
    for (high, text), (_, after) in zip(runs, [*runs[1:], (False, "")], strict=True):
        told += raised(told, text, after) + (" " if text[-1:].isspace() else "") if high else text
    return " ".join(normalise(told).split())


def join_pages(pages: Sequence[Sequence[Piece]]) -> tuple[str, tuple[Locator, ...]]:
    """Paragraphs of all pages, without page numbers and running heads, an empty line between them; where each page
    starts. What breaks off at the end of a column or page goes on where the next one starts with a small letter.
    """
    heads = _running(pages)
    words = Counter(word for page in pages for piece in page for line in piece.lines for word in line.split())
    paragraphs: list[str] = []
    begun: list[tuple[int, int, int]] = []  # paragraph, offset in it, number of the page
    for number, page in enumerate(pages, start=1):
        for piece in page:
            if piece.margin and _masked(piece) in heads:
                continue
            for paragraph in join_lines(piece.lines, words):
                open_end = paragraphs and not EXPRESSIONS["sentence_end"].search(paragraphs[-1])
                goes_on = bool(open_end and paragraph[:1].islower())
                if not begun or begun[-1][2] != number:
                    begun.append((len(paragraphs) - goes_on, len(paragraphs[-1]) if goes_on else 0, number))
                if goes_on:
                    paragraphs[-1] = joined(paragraphs[-1], paragraph, words)
                else:
                    paragraphs.append(paragraph)
    starts = [0, *accumulate(len(paragraph) + 2 for paragraph in paragraphs)]
    places = tuple(Locator(start=starts[at] + into, place=f"page {number}") for at, into, number in begun)
    return "\n\n".join(paragraphs), places


def _masked(piece: Piece) -> str:
    return re.sub(r"\d+", "#", " ".join(piece.lines)).lower()


def _running(pages: Sequence[Sequence[Piece]]) -> set[str]:
    """What stands at the edge of several pages, its numbers apart, and page numbers."""
    edge = [{_masked(piece): piece for piece in page if piece.margin} for page in pages]
    count = Counter(text for page in edge for text in page)
    number = EXPRESSIONS["page_number"]
    numbers = {t for page in edge for t, piece in page.items() if number.fullmatch(" ".join(piece.lines))}
    return numbers | {text for text, times in count.items() if times > 1}


def join_lines(lines: Iterable[str], words: Counter[str] | None = None) -> list[str]:
    """Lines joined into paragraphs; one ends where a sentence ends on a line with room to spare. ``words``: those of
    the whole document, which tell whether a hyphen belongs to a word.
    """
    lines = list(lines)
    width = max((len(line) for line in lines), default=0)
    paragraphs, current = [], ""
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        current = joined(current, line, words or Counter())
        if EXPRESSIONS["sentence_end"].search(line) and len(line) < 0.7 * width and not _broken_number(line, after):
            paragraphs.append(current)
            current = ""
    return [*paragraphs, current] if current else paragraphs


def joined(before: str, line: str, words: Counter[str]) -> str:
    """Two lines as one: words and numbers that were broken at the end of the first are made whole."""
    if not before:
        return line
    if _broken_number(before, line) or re.search(r"\d-$", before):
        return before + line
    if re.search(r"[^\W\d_]-$", before) and line[:1].islower():
        first, second = before.split()[-1], line.split()[0].rstrip(".,;:!?)")
        keep = EXPRESSIONS["kept_hyphen"].search(before) or words[first + second] > words[first[:-1] + second]
        return before + line if keep else before[:-1] + line
    return f"{before} {line}"


def _broken_number(before: str, line: str) -> bool:
    """Whether "4,500," goes on as "000", or "1." as "5 million"."""
    if re.search(r"\d,$", before):
        return re.match(r"\d{3}(?!\d)", line) is not None
    return re.search(r"\d\.$", before) is not None and EXPRESSIONS["scale"].match(line) is not None
