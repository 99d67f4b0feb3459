"""Probing a document: its most checkable sentences with the nearest sentences of other documents."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from agent.bounds import Bounds
from evidence.segmentation.spans import spans_of
from evidence.types import Document, Query, Retriever, Span
from language.names import find_names
from language.quantities.mentions import find_slots

SENTENCES = 5
NEIGHBOURS = 3


def make_probe(
    retriever: Retriever, document: Callable[[str], Document | None], bounds: Bounds
) -> Callable[[str], Sequence[tuple[Span, Sequence[Span]]]]:
    """A probe over a retriever, within the bounds of the check.

    Sentences without a name or amount are left out.
    """

    def probe(doc_id: str) -> Sequence[tuple[Span, Sequence[Span]]]:
        found = document(doc_id)
        if found is None:
            return ()
        spans = [s for s in spans_of(found) if 30 <= len(s.text) <= 400 and _checkable(s.text)]
        chosen = sorted(spans, key=lambda s: (-_checkable(s.text), s.start))[:SENTENCES]
        return [(span, _others(retriever, span, bounds)) for span in chosen]

    return probe


def _checkable(text: str) -> int:
    """Number of names and amounts of a sentence."""
    return len(find_names(text)) + len(find_slots(text))


def _others(retriever: Retriever, span: Span, bounds: Bounds) -> list[Span]:
    query = Query.of(bounds, text=span.text, limit=NEIGHBOURS + 4, max_spans_per_chunk=2)
    hits = retriever.retrieve(query)
    return [h.span for h in hits if h.span.doc_id != span.doc_id][:NEIGHBOURS]
