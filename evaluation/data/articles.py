"""Labelled articles for ``factdesk eval trust``, and the relations between them that others found."""

from __future__ import annotations

import csv
import gzip
import json
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from evidence.types import Document
from factdesk.kernel import InputError, Record, sha256_text
from trust.types import ClaimLink, ClaimNode

_DAY = re.compile(r"(\d{4})[/-](\d{1,2})[/-](\d{1,2})")
_TRUE, _FALSE = frozenset({"true", "real", "1"}), frozenset({"fake", "false", "0"})


class Article(Record):
    """An article with its label: whether it is to be believed."""

    document: Document
    label: bool


def read_articles(path: Path) -> list[Article]:
    """Articles of JSON Lines (``.gz`` allowed): ``doc_id``, ``title``, ``text``, ``published``, ``label``.

    A ``published`` that is no day counts as not known. Raises ``InputError`` for lines without text, label
    or id, for an id that comes twice, and for a file with fewer than one article of each label.
    """
    found: dict[str, Article] = {}
    for number, line in enumerate(_lines(path), 1):
        try:
            row = json.loads(line)
            doc_id, text, label = str(row["doc_id"]), str(row["text"]), str(row["label"]).lower()
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(f"{path.name} line {number}: {error!r}; a line needs doc_id, text and label") from error
        if label not in _TRUE | _FALSE or doc_id in found:
            raise InputError(
                f"{path.name} line {number}: label {label!r} is not true or fake, or {doc_id!r} comes twice"
            )
        document = Document(
            doc_id=doc_id,
            title=str(row.get("title") or ""),
            text=text,
            sha256=sha256_text(text),
            published=_day(row.get("published")),
            publisher=row.get("publisher") or None,
        )
        found[doc_id] = Article(document=document, label=label in _TRUE)
    labels = {article.label for article in found.values()}
    if len(labels) < 2:
        raise InputError(f"{path.name} needs articles labelled true and articles labelled fake")
    return [found[doc_id] for doc_id in sorted(found)]


def read_relations(path: Path) -> tuple[list[ClaimNode], list[ClaimLink]]:
    """Claims and links of a table ``claim1,claim2,doc1,doc2,relation`` (1 supports, -1 refutes).

    Which of the two speaks is not told, so each relation counts both ways; relations of a document with
    itself are passed over. Raises ``InputError`` for another header or relation.
    """
    claims: dict[str, ClaimNode] = {}
    links: list[ClaimLink] = []
    with path.open(encoding="utf-8", newline="") as file:
        for number, row in enumerate(csv.DictReader(file), 2):
            try:
                a, b, first, second = row["claim1"], row["claim2"], row["doc1"], row["doc2"]
                weight = int(row["relation"])
            except (KeyError, ValueError, TypeError) as error:
                raise InputError(
                    f"{path.name} line {number}: {error!r}; it needs claim1, claim2, doc1, doc2 and relation"
                ) from error
            if weight not in (1, -1, 0):
                raise InputError(f"{path.name} line {number}: relation {weight!r} is not 1, -1 or 0")
            claims[a], claims[b] = (
                ClaimNode(claim_id=a, doc_id=first, text=""),
                ClaimNode(claim_id=b, doc_id=second, text=""),
            )
            if first != second:
                links += [ClaimLink(source=x, target=y, weight=weight, similarity=1.0) for x, y in ((a, b), (b, a))]
    return list(claims.values()), links


def _lines(path: Path) -> Iterator[str]:
    try:
        if path.suffix == ".gz":
            with gzip.open(path, "rt", encoding="utf-8") as file:
                yield from (line for line in file if line.strip())
        else:
            with path.open(encoding="utf-8") as file:
                yield from (line for line in file if line.strip())
    except (OSError, UnicodeDecodeError, EOFError) as error:
        raise InputError(f"{str(path)!r} cannot be read: {error}") from error


def _day(value: object) -> date | None:
    match = _DAY.fullmatch(str(value or "").strip())
    if match is None:
        return None
    try:
        return date(*map(int, match.groups()))
    except ValueError:
        return None
