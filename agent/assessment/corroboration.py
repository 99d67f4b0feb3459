"""Whether a document is isolated (``stranger``): no other document reports anything else it says.

Compared are sentences that are not about the claim with neighbours in other words that share a name,
amount, date or rare word which the claim lacks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from agent.assessment.document_relations import Standing
from agent.ports import Bounds
from evidence.segmentation.spans import spans_of
from evidence.types import Document, Query, Retriever, Span
from language.names import content_stems, find_names
from language.quantities.mentions import find_slots
from trust.independence import same_words
from trust.types import SAME_MATTER
from verifier.guard import denies
from verifier.guard.check import common_stems

Embed = Callable[[Sequence[str]], NDArray[np.float32]]
"""Unit vectors of texts, in order. *Shape:* (n_texts, dimension)."""


class Archive(Protocol):
    """The documents of a check."""

    @property
    def probing(self) -> Retriever: ...

    def size(self) -> int:
        """How many documents there are."""
        ...

    def document(self, doc_id: str) -> Document | None:
        """A document by its id."""
        ...


LEAST_DOCUMENTS = 200
"""Smaller corpora have no isolated documents."""
SENTENCES = 8
NEIGHBOURS = 4
ABOUT = 0.5
"""Share of the claim's telling words from which on a sentence is about the claim."""
SHORTEST, LONGEST = 30, 400
"""Characters of a sentence that is looked at."""


def make_standing(embed: Embed, evidence: Archive, bounds: Bounds) -> Standing:
    """``agent.assessment.document_relations.Standing`` over the documents of a check."""
    large: list[bool] = []

    def stands(doc_id: str, claim: str) -> bool:
        if not large:
            large.append(evidence.size() >= LEAST_DOCUMENTS)
        found = evidence.document(doc_id) if large[0] else None
        if found is None or doc_id.startswith("web:"):
            return True
        telling = content_stems(claim)
        others = [s for s in spans_of(found) if SHORTEST <= len(s.text) <= LONGEST and not _about(s.text, telling)]
        told = details(claim)
        return any(_reported(span, details(span.text) - told, embed, evidence, bounds) for span in others[:SENTENCES])

    return stands


def details(text: str) -> frozenset[str]:
    """Stems of names and rare words, and values of amounts and dates, of a text."""
    rare = content_stems(text) - common_stems()
    return frozenset({*rare, *(slot.value for slot in find_slots(text))})


def _about(text: str, telling: frozenset[str] | set[str]) -> bool:
    return bool(telling) and len(telling & content_stems(text)) / len(telling) >= ABOUT


def _reported(span: Span, wanted: frozenset[str], embed: Embed, evidence: Archive, bounds: Bounds) -> bool:
    """Whether another document reports the sentence in its own words, with a shared detail."""
    if not wanted:
        return False
    found = _others(evidence.probing, span, bounds, NEIGHBOURS * 3)
    near = [s for s in found if not same_words(span.text, s.text)]
    if not near:
        return False
    vectors = embed([span.text, *(s.text for s in near[:NEIGHBOURS])])
    alike = zip(near[:NEIGHBOURS], vectors[1:] @ vectors[0], strict=True)
    return any(
        cosine >= SAME_MATTER and wanted & details(s.text) and not denies(span.text, s.text) for s, cosine in alike
    )


PROBED_SENTENCES = 5
PROBED_NEIGHBOURS = 3


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
        spans = [s for s in spans_of(found) if SHORTEST <= len(s.text) <= LONGEST and _checkable(s.text)]
        chosen = sorted(spans, key=lambda s: (-_checkable(s.text), s.start))[:PROBED_SENTENCES]
        near = ((span, _others(retriever, span, bounds, PROBED_NEIGHBOURS + 4)) for span in chosen)
        return [(span, others[:PROBED_NEIGHBOURS]) for span, others in near]

    return probe


def _checkable(text: str) -> int:
    """Number of names and amounts of a sentence."""
    return len(find_names(text)) + len(find_slots(text))


def _others(retriever: Retriever, span: Span, bounds: Bounds, limit: int) -> list[Span]:
    """Of the ``limit`` sentences nearest to one those of other documents."""
    hits = retriever.retrieve(Query.taken_from(bounds, text=span.text, limit=limit, max_spans_per_chunk=2))
    return [h.span for h in hits if h.span.doc_id != span.doc_id]
