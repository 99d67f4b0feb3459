"""Choosing a retriever by its spec."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from evidence.index.corpus_index import CorpusIndex
from evidence.retrieval.hybrid import KNOWN, RETRIEVE_VERSION, IndexRetriever, RetrieverSpec
from evidence.types import Embedder, Hit, Query, Retriever
from factdesk.kernel import ConfigError, Fingerprint

if TYPE_CHECKING:
    from evidence.graph.retrieval import GraphParts

THROUGH_GRAPH = ("community", "both", "kaping")


def make_retriever(
    spec: str, index: CorpusIndex | None, embedder: Embedder | None, graph: GraphParts | None = None
) -> Retriever:
    """The retriever that a spec names.

    ``none`` needs neither index nor embedder, ``bm25`` no embedder; ``community``, ``both`` and ``kaping``
    need a graph.

    Raises:
        ConfigError: the spec is unknown or not available yet, or what it needs was not given.
    """
    if spec == "none":
        return NoRetriever()
    if spec not in KNOWN + THROUGH_GRAPH:
        raise ConfigError(f"retriever {spec!r} is unknown; choose one of {', '.join(KNOWN + THROUGH_GRAPH)}")
    if index is None:
        raise ConfigError(f"retriever {spec!r} needs an index; add documents to a corpus, or choose 'none'")
    if embedder is None and spec != "bm25":
        raise ConfigError(f"retriever {spec!r} needs an embedder; give one, or choose 'bm25'")
    if spec in THROUGH_GRAPH:
        if graph is None or embedder is None:
            raise ConfigError(f"retriever {spec!r} needs a graph; make it with: factdesk graph build CORPUS")
        from evidence.graph.retrieval import make_graph_retriever

        hybrid = IndexRetriever("hybrid", index, embedder)
        return make_graph_retriever(spec, index, embedder, graph, hybrid)
    plain = "dense" if spec == "semantic" else spec
    return IndexRetriever(cast(RetrieverSpec, plain), index, embedder)


class NoRetriever:
    """Finds nothing: for checks that rest on images alone."""

    @property
    def fingerprint(self) -> Fingerprint:
        """Name and version."""
        return Fingerprint(name="retriever:none", version=RETRIEVE_VERSION)

    def retrieve(self, query: Query) -> tuple[Hit, ...]:
        """Always empty."""
        del query
        return ()
