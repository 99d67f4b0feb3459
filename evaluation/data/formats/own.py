"""Our own records: labelled claims, and labelled pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path

from evaluation.data.formats.reading import JsonRow, companion, digest, first_rows, json_rows, label_of, need
from evaluation.data.formats.types import LABELS, Dataset, EvalLabel, EvalRow, Gold, document
from evidence.types import Document
from factdesk.kernel import InputError, sha256_text

CLAIM_LABELS: Mapping[str, EvalLabel] = {label: label for label in LABELS}
PAIR_LABELS: Mapping[str, EvalLabel] = {
    "entailment": "supported",
    "contradiction": "refuted",
    "neutral": "not_enough_evidence",
}


def load_claims(path: Path, companions: Sequence[Path] = (), limit: int | None = None) -> Dataset:
    """``{"id", "claim", "label", "date", "image", "gold_evidence": [{"doc_id", "quote"|"sentences"}]}``.

    A ``.jsonl`` of documents (``doc_id``, ``title``, ``text``) as companion is the corpus.
    """
    corpus = companion(companions, "the corpus as JSON Lines", folder=False)
    documents = _documents(corpus) if corpus else {}

    def made(row: JsonRow, number: int) -> EvalRow:
        image = row.get("image")
        return EvalRow(
            id=str(row.get("id") or number),
            claim=str(row["claim"]),
            date=day_of(row, path, number),
            label=label_of(row["label"], CLAIM_LABELS, path, number),
            images=(str(path.parent / str(image)),) if image else (),
            gold=_gold(row, documents),
            group=str(row.get("topic") or ""),
        )

    return Dataset(
        format="claims",
        rows=first_rows(path, limit, made, "claim", "label"),
        documents=tuple(documents.values()),
        sha256=digest([path, *companions]),
    )


def load_pairs(path: Path, companions: Sequence[Path] = (), limit: int | None = None) -> Dataset:
    """``{"id", "premise", "hypothesis", "label"}`` a line: entailment, neutral or contradiction."""
    del companions

    def made(row: JsonRow, number: int) -> EvalRow:
        premise = str(row["premise"])
        return EvalRow(
            id=f"{row.get('id', number)}",
            claim=str(row["hypothesis"]),
            given=(document(f"pair-{sha256_text(premise)[:16]}", premise),),
            label=label_of(row["label"], PAIR_LABELS, path, number),
        )

    rows = first_rows(path, limit, made, "premise", "hypothesis", "label")
    return Dataset(format="pairs", rows=rows, sha256=digest([path]))


def _documents(path: Path) -> dict[str, Document]:
    found = {}
    for number, row in json_rows(path):
        need(row, path, number, "doc_id", "text")
        day = row.get("published")
        found[str(row["doc_id"])] = document(
            str(row["doc_id"]),
            str(row["text"]),
            title=str(row.get("title") or ""),
            published=date.fromisoformat(day) if day else None,
            url=row.get("url"),
            publisher=row.get("publisher"),
        )
    return found


def day_of(row: JsonRow, path: Path, number: int) -> date | None:
    """The day of a claim; ``None`` where it has none. Raises ``InputError`` for what is no day."""
    try:
        return date.fromisoformat(str(row["date"])) if row.get("date") else None
    except ValueError as error:
        raise InputError(f"{path.name} entry {number}: date {row['date']!r} is not like 2024-05-31") from error


def _gold(row: JsonRow, documents: Mapping[str, Document]) -> tuple[tuple[Gold, ...], ...]:
    """Each named sentence is enough by itself; ``sentences`` counts them in ``documents``, split at ". "."""
    found: list[tuple[Gold, ...]] = []
    for item in row.get("gold_evidence") or ():
        doc_id = str(item["doc_id"])
        if item.get("quote"):
            found.append((Gold(doc_id=doc_id, quote=str(item["quote"])),))
            continue
        parts = documents[doc_id].text.split(". ") if doc_id in documents else []
        chosen = [int(n) for n in item.get("sentences") or ()]
        if parts and chosen:
            found.append(tuple(Gold(doc_id=doc_id, quote=parts[n]) for n in chosen if n < len(parts)))
        else:
            found.append((Gold(doc_id=doc_id),))
    return tuple(group for group in found if group)
