"""Hybrid retrieval without its last stage, for ablations: both rankings fused, nothing reranked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluation.runs.runner import MeasuredChecker, MeasuredCorpora
from evidence.retrieval.hybrid import IndexRetriever
from evidence.retriever_factory import make_retriever
from evidence.types import Embedder, Retriever
from factdesk.settings import Settings

if TYPE_CHECKING:
    from evidence.graph.retrieval import GraphParts
    from evidence.index.corpus_index import CorpusIndex


def fused(
    spec: str, index: CorpusIndex | None, embedder: Embedder | None, graph: GraphParts | None = None
) -> Retriever:
    """As ``evidence.retriever_factory.make_retriever``, but ``hybrid`` is not reranked."""
    if spec == "hybrid" and index is not None:
        return IndexRetriever("fused", index, embedder)
    return make_retriever(spec, index, embedder, graph)


class FusedChecker(MeasuredChecker):
    """A measured check over such corpora; it records nothing."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.corpora = MeasuredCorpora(settings, self.counts, fused)
