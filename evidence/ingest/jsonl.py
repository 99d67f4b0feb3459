"""Files of several documents: JSON Lines, one a line with ``doc_id``, ``title``, ``text`` and optional metadata, and
fact checks in the form of schema.org's ClaimReview (.json), each of which becomes a document about its claim.

That document says who rated the claim how, in words of ours around those of the review, and asserts nothing of
what was claimed. Read are a review, a list of reviews, an ``@graph``, and answers of the Google Fact Check Tools API.
"""

from __future__ import annotations

import gzip
import io
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evidence.ingest.page import Page, page_of
from evidence.ingest.text import clean_line
from factdesk.kernel import InputError, sha256_text

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
    """All lines of a ``.jsonl`` or ``.jsonl.gz`` file that are not empty; broken ones with a reason. Raises
    ``InputError`` (the file is larger than 512 MB unpacked, or the gzip data are damaged), ``OSError`` (it cannot be
    read).
    """
    total = 0
    with path.open("rb") as raw:
        file: io.BufferedIOBase = gzip.GzipFile(fileobj=raw) if path.name.lower().endswith(".gz") else raw
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
    said = {field: record.get(field) for field in ("title", "url", "publisher", "published", "retrieved")}
    return Line(number, doc_id, page_of(text, (), said))


MAX_REVIEWS = 10_000


def read_claimreviews(data: bytes) -> Iterator[Line]:
    """One document a review; those that lack the claim, the rating or the publisher with a reason. Raises
    ``InputError``: it is no JSON, or holds no ClaimReview.
    """
    try:
        found = list(_reviews(json.loads(data.decode("utf-8-sig"))))
    except (ValueError, RecursionError) as error:
        raise InputError(f"is not valid JSON in UTF-8 ({error})") from error
    if not found:
        raise InputError("holds no ClaimReview; of JSON, only fact checks in that form are read")
    for number, review in enumerate(found[:MAX_REVIEWS], start=1):
        yield _review_line(number, review)


def _reviews(data: Any) -> Iterator[dict[str, Any]]:
    """All reviews, in schema.org's fields."""
    if isinstance(data, list):
        for item in data:
            yield from _reviews(item)
    elif isinstance(data, dict):
        kind = data.get("@type")
        if kind == "ClaimReview" or (isinstance(kind, list) and "ClaimReview" in kind):
            yield data
        yield from _reviews(data.get("@graph", []))
        for claim in _items(data.get("claims")):
            yield from (_of_api(claim, review) for review in _items(claim.get("claimReview")))


def _of_api(claim: dict[str, Any], review: dict[str, Any]) -> dict[str, Any]:
    site = _object(review.get("publisher"))
    return {
        "claimReviewed": claim.get("text"),
        "itemReviewed": {"author": {"name": claim.get("claimant")}, "datePublished": claim.get("claimDate")},
        "author": {"name": site.get("name") or site.get("site")},
        "datePublished": review.get("reviewDate"),
        "reviewRating": {"alternateName": review.get("textualRating")},
        "name": review.get("title"),
        "url": review.get("url"),
    }


def _review_line(number: int, review: dict[str, Any]) -> Line:
    claim, rating = clean_line(review.get("claimReviewed")), _rating(review.get("reviewRating"))
    publisher = _name(review.get("author")) or _name(review.get("publisher"))
    lacking = [n for n, v in (("claimReviewed", claim), ("author", publisher), ("reviewRating", rating)) if not v]
    if lacking:
        return Line(number, reason=f"a review without {' and '.join(lacking)}")
    source = _object(review.get("itemReviewed"))
    said_by, said_on = _name(source.get("author")), clean_line(source.get("datePublished"))
    by = f" by {said_by}" if said_by else ""
    on = f", made on {said_on[:10]}" if said_on else ""
    text = f"{publisher} rated the claim{by}{on} as “{rating}”: “{claim}”"
    if body := clean_line(review.get("reviewBody")):
        text += f"\n\nThe reasons that {publisher} gives: “{body}”"
    title = clean_line(review.get("name")) or clean_line(review.get("headline")) or f"Fact check by {publisher}"
    said = {"title": title, "publisher": publisher, "published": review.get("datePublished"), "url": review.get("url")}
    page = page_of(text, (), said)
    return Line(number, f"review:{sha256_text(f'{publisher} {claim} {page.url}')[:12]}", page)


def _rating(rating: Any) -> str | None:
    """The words of a rating, or its number with the scale."""
    if words := clean_line(_object(rating).get("alternateName")):
        return words
    value, best, worst = (clean_line(_object(rating).get(n)) for n in ("ratingValue", "bestRating", "worstRating"))
    return f"{value} on a scale from {worst} (false) to {best} (true)" if value and best and worst else None


def _name(maker: Any) -> str | None:
    """The name of a person or organisation, or of the first of several."""
    first = maker[0] if isinstance(maker, list) and maker else maker
    return clean_line(first.get("name")) if isinstance(first, dict) else clean_line(first)


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _items(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
