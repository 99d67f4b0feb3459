"""``factdesk eval retrieval``: how much gold evidence each retriever finds."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path

from evidence.types import Document, Query, Retriever
from factdesk.corpora.stored import Corpora
from factdesk.kernel import InputError, Record
from factdesk.settings import Settings


class RetrievalFigures(Record):
    """Figures of one retriever over all claims with gold evidence."""

    retriever: str
    claims: int
    recall_5: float
    """Share of claims with a gold sentence among the first five."""
    recall_20: float
    document_20: float
    """Share of claims with a gold document among the first twenty sentences."""
    milliseconds: float
    """Mean of a query, wall clock."""


class _Gold(Record):
    claim: str
    quotes: tuple[tuple[str, str], ...]
    """(doc_id, the gold sentence's words)."""


def read_gold(path: Path, documents: dict[str, Document], limit: int | None = None) -> tuple[_Gold, ...]:
    """Claims with their gold sentences: ``quote`` or ``sentences`` (numbers) in ``gold_evidence``."""
    found = []
    try:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    except (OSError, ValueError) as error:
        raise InputError(f"{str(path)!r} cannot be read as JSON Lines ({error})") from error
    for row in rows:
        quotes: list[tuple[str, str]] = []
        for gold in row.get("gold_evidence", ()) if row.get("label") != "not_enough_evidence" else ():
            document = documents.get(gold["doc_id"])
            if document is None:
                continue
            if "quote" in gold:
                quotes.append((document.doc_id, gold["quote"]))
            sentences = document.text.split(". ")
            quotes += [(document.doc_id, sentences[n]) for n in gold.get("sentences", ()) if n < len(sentences)]
        if quotes:
            found.append(_Gold(claim=row["claim"], quotes=tuple(quotes)))
    return tuple(found[:limit])


def evaluate_retrieval(
    settings: Settings, corpus: str, path: Path, retrievers: Sequence[str], limit: int | None = None
) -> tuple[RetrievalFigures, ...]:
    """Ask every retriever for every claim with gold evidence. Raises ``InputError`` when there is none."""
    corpora = Corpora(settings)
    name, store, _ = corpora.resolve(corpus)
    gold = read_gold(path, {d.doc_id: d for d in store.iter_documents(name)}, limit)
    if not gold:
        raise InputError(f"{path.name!r} names no gold evidence in corpus {corpus!r}")
    return tuple(_figures(spec, corpora.open((corpus,), spec), gold) for spec in retrievers)


def _figures(spec: str, retriever: Retriever, gold: Sequence[_Gold]) -> RetrievalFigures:
    five = twenty = documents = 0
    start = time.monotonic()
    for row in gold:
        hits = retriever.retrieve(Query(text=row.claim, limit=20, max_chunks=20, max_spans_per_chunk=20))
        right = [any(h.span.doc_id == d and _same(h.span.text, quote) for d, quote in row.quotes) for h in hits]
        five += any(right[:5])
        twenty += any(right)
        documents += bool({h.span.doc_id for h in hits} & {d for d, _ in row.quotes})
    seconds = time.monotonic() - start
    n = len(gold)
    return RetrievalFigures(
        retriever=spec,
        claims=n,
        recall_5=round(five / n, 4),
        recall_20=round(twenty / n, 4),
        document_20=round(documents / n, 4),
        milliseconds=round(1000 * seconds / n, 2),
    )


def _same(text: str, quote: str) -> bool:
    """One holds the other, or at least 40 characters of it: sentences may be cut otherwise."""
    a, b = " ".join(text.split()), " ".join(quote.split()).rstrip(".")
    return bool(b) and (b in a or a.rstrip(".") in b or b[:40] in a)
