"""From a fetched page to a document: main text and day of publication.

Address and host are those it was fetched from, whatever the page says.
"""

from __future__ import annotations

import re
from datetime import date
from urllib.parse import urlsplit

from agent.web_ports import FetchedPage
from evidence.ingest.page import Page
from evidence.types import Document
from factdesk.kernel import InputError, sha256_text

MAX_TEXT = 200_000
"""Characters kept of a page's main text."""
REVIEW = "application/json"
"""Media type of a fact check in ClaimReview form; the fetcher takes no page of it."""
_META_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset=[\"']?\s*([A-Za-z0-9_.:-]{2,40})", re.IGNORECASE)


def read_page(page: FetchedPage, today: date) -> Document:
    """The page as a document; another text at the same address gets another id.

    The day of publication is marked, or from the address or head (``evidence.ingest.html``); none
    after ``today``. Raises ``InputError`` for a page without text.
    """
    from evidence.ingest.text import clean_line, normalise

    if page.media_type == REVIEW:
        found = _review(page)
    elif page.media_type == "text/plain":
        found = Page(text=normalise(_decoded(page)))
    else:
        found = _parsed(_decoded(page), page.final_url)
    if not found.text.strip():
        raise InputError("the page has no text")
    host = (urlsplit(page.final_url).hostname or "").rstrip(".")
    text = _shortened(found.text)
    digest = sha256_text(text)
    return Document(
        doc_id=f"web:{host}/{sha256_text(page.final_url + ' ' + digest)[:12]}",
        title=found.title or host,
        text=text,
        sha256=digest,
        url=page.final_url,
        publisher=clean_line(found.publisher) or host,
        published=found.published if found.published and found.published <= today else None,
        retrieved=today,
        source=page.url,
        media_type=page.media_type,
    )


def review_page(url: str, review: str) -> FetchedPage:
    """A fact check that an engine gave (ClaimReview as JSON), in the place of its page."""
    return FetchedPage(url=url, final_url=url, media_type=REVIEW, charset="utf-8", body=review.encode())


def _review(page: FetchedPage) -> Page:
    """What the import of ClaimReview makes of it (``evidence.ingest.jsonl``)."""
    from evidence.ingest.jsonl import read_claimreviews

    line = next(iter(read_claimreviews(page.body)), None)
    if line is None or line.page is None:
        raise InputError(line.reason if line is not None else "holds no ClaimReview")
    return line.page


def _decoded(page: FetchedPage) -> str:
    """Text by byte order mark, server's charset, UTF-8 or the page's charset, where one fits.

    Otherwise UTF-8 with replacement marks if most non-ASCII is sound, else Windows-1252.
    """
    from evidence.ingest.text import decode, decode_as

    body = page.body
    if body.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")) or b"\x00" in body:
        return decode(body)  # refuses what is binary
    declared = _META_CHARSET.search(body[:4096])
    for charset in (page.charset, "utf-8", declared[1].decode("ascii") if declared else None):
        if charset and (found := decode_as(body, charset)) is not None:
            return found
    text = body.decode("utf-8", "replace")
    sound = sum(1 for c in text if c > "\x7f" and c != "\ufffd")
    return text if sound >= text.count("\ufffd") else body.decode("windows-1252", "replace")


def _parsed(source: str, url: str) -> Page:
    from evidence.ingest.reader_process import ReaderProcess

    return ReaderProcess.shared().read_page(source, url)


def _shortened(text: str) -> str:
    if len(text) <= MAX_TEXT:
        return text
    cut = text.rfind("\n\n", MAX_TEXT // 2, MAX_TEXT)
    return text[: cut if cut > 0 else MAX_TEXT].rstrip()
