"""The Kaggle set of fake and real news (``True.csv``, ``Fake.csv``) as ClaimTrust takes it."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path

from evaluation.data.articles import Article
from evidence.types import Document
from factdesk.kernel import InputError, sha256_text

FILES = {"True.csv": True, "Fake.csv": False}
FIRST, LAST = date(2017, 5, 1), date(2017, 6, 30)
_FORMS = ("%B %d, %Y", "%b %d, %Y", "%d-%b-%y", "%Y-%m-%d")


def read_kaggle(folder: Path) -> list[Article]:
    """Political articles of May and June 2017 of both files, with ids of four digits in their order.

    Raises ``InputError`` for a missing file or column, and where nothing of one label is left.
    """
    found: list[Article] = []
    for name, label in FILES.items():
        before = len(found)
        for row in _rows(folder / name):
            day = _day(row["date"])
            if "politic" not in row["subject"].casefold() or day is None or not FIRST <= day <= LAST:
                continue
            text = " ".join(row["text"].split())
            if not text:
                continue
            document = Document(
                doc_id=f"{len(found) + 1:04}",
                title=" ".join(row["title"].split()),
                text=text,
                sha256=sha256_text(text),
                published=day,
            )
            found.append(Article(document=document, label=label))
        if len(found) == before:
            raise InputError(f"{str(folder / name)!r} has no political articles of May and June 2017")
    return found


def _rows(path: Path) -> Iterator[dict[str, str]]:
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
    try:
        with path.open(encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file)
            lacking = {"title", "text", "subject", "date"} - set(reader.fieldnames or ())
            if lacking:
                raise InputError(f"{str(path)!r} lacks the column {min(lacking)!r}")
            yield from ({key: value or "" for key, value in row.items()} for row in reader)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{str(path)!r} cannot be read: {error}") from error


def _day(text: str) -> date | None:
    for form in _FORMS:
        try:
            return datetime.strptime(text.strip(), form).date()
        except ValueError:
            continue
    return None
