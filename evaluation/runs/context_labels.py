"""CommunityKG-RAG's own experiment: a language model labels claims from all sentences that a retriever gives.

No verifier and no policy take part; it compares retrievers and percentages for one model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

import numpy as np

from agent.prompts import load_prompt
from agent.reasoners.chat_model import ChatError
from agent.reasoners.llm_schemas import as_data
from evaluation.data.claims import ClaimRow, read_claims
from evidence.graph.communities import share
from evidence.graph.entity_graph import verbalised
from evidence.graph.retrieval import KAPING_TRIPLES, CommunityRetriever, GraphParts, ranked_triples
from factdesk.corpora.stored import Corpora
from factdesk.kernel import Record

if TYPE_CHECKING:
    from agent.reasoners.chat_model import ChatModel
    from factdesk.settings import Settings

ContextRetriever = Literal["none", "semantic", "kaping", "community"]
SEMANTIC_SENTENCES = 10
_LABELS = {"true": "supported", "false": "refuted", "not_enough_information": "not_enough_evidence"}


class ContextLabel(Record):
    """A model's one word."""

    label: Literal["true", "false", "not_enough_information"]


class ContextFigures(Record):
    """One setting over all claims; a call that failed counts as wrong."""

    backbone: str
    retriever: ContextRetriever
    delta: float | None = None
    lam: float | None = None
    n: int
    accuracy: float
    sentences: float
    """Mean number of sentences in the context."""
    failed: int


class Contexts:
    """The sentences that each retriever gives a claim, over one corpus."""

    def __init__(self, settings: Settings, corpus: str) -> None:
        corpora = Corpora(settings)
        self._embedder, self._index = corpora.embedder, corpora.index(corpus)
        self._parts = corpora.graph(corpus)

    def of(self, claim: str, retriever: ContextRetriever, delta: float, lam: float) -> list[str] | None:
        """Sentences in the order of the corpus; ``None`` without retrieval. KAPING gives its triples."""
        if retriever == "none":
            return None
        if retriever == "kaping":
            graph = self._parts.graph
            found = ranked_triples(graph, self._embedder, claim, KAPING_TRIPLES)
            return [verbalised(edge, graph) for edge, _ in found]
        vector = self._embedder.embed([claim])[0]
        if retriever == "semantic":
            rows, kept = np.arange(len(self._index)), min(SEMANTIC_SENTENCES, len(self._index))
        else:
            parts = GraphParts(self._parts.graph, self._parts.communities, delta, lam)
            rows = CommunityRetriever(self._index, self._embedder, parts).rows_for(claim)
            kept = share(len(rows), lam)
        scores = np.round(self._index.vectors(rows) @ vector, 6)
        chosen = np.sort(rows[np.lexsort((rows, -scores))[:kept]])
        return [span.text for span in self._index.spans([int(r) for r in chosen])]


def settings_of(
    retrievers: Sequence[ContextRetriever], deltas: Sequence[float], lams: Sequence[float]
) -> Iterator[tuple[ContextRetriever, float, float]]:
    """Every setting to be measured; percentages concern the communities alone."""
    for retriever in retrievers:
        if retriever == "community":
            yield from ((retriever, delta, lam) for delta, lam in product(deltas, lams))
        else:
            yield retriever, 0.0, 0.0


def measure(
    file: Path,
    contexts: Contexts,
    backbone: tuple[str, Callable[[], ChatModel]],
    setting: tuple[ContextRetriever, float, float],
    limit: int | None = None,
) -> ContextFigures:
    """One model and one setting over the claims of a file; each claim has a budget of its own."""
    name, make_chat = backbone
    retriever, delta, lam = setting
    right = failed = sentences = n = 0
    for row in read_claims(file, limit):
        context = contexts.of(row.claim, retriever, delta, lam)
        found = _label(row, context, make_chat())
        n, right, failed = n + 1, right + (found == row.label), failed + (found is None)
        sentences += len(context or ())
    community = retriever == "community"
    return ContextFigures(
        backbone=name,
        retriever=retriever,
        delta=delta if community else None,
        lam=lam if community else None,
        n=n,
        accuracy=round(right / n, 4) if n else 0.0,
        sentences=round(sentences / n, 2) if n else 0.0,
        failed=failed,
    )


def _label(row: ClaimRow, context: list[str] | None, chat: ChatModel) -> str | None:
    system = f"{load_prompt('rules')}\n\n{load_prompt('context_label')}"
    try:
        found = chat.complete(system, as_data(claim=row.claim, context=context), ContextLabel)
    except ChatError:
        return None
    return _LABELS[cast(str, found.label)]
