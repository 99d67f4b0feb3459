"""Choosing a retriever by its name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evidence.index.corpus_index import CorpusIndex
from evidence.retrieval.hybrid import RETRIEVE_VERSION, IndexRetriever, RetrieverSpec
from evidence.types import Embedder, Hit, Query, Retriever
from factdesk.kernel import ConfigError, Fingerprint
from factdesk.registry import Registry

if TYPE_CHECKING:
    from evidence.graph.retrieval import GraphParts

THROUGH_GRAPH = ("community", "both", "kaping")


@dataclass(frozen=True)
class RetrieverInputs:
    """What a retriever may be made of; asking for a part that was not given is a ``ConfigError``."""

    name: str
    given_index: CorpusIndex | None = None
    given_embedder: Embedder | None = None
    given_graph: GraphParts | None = None
    """Of the corpus; there where the name goes through the graph or ``graph`` is on in the settings."""

    @property
    def index(self) -> CorpusIndex:
        """The open index of a corpus."""
        if self.given_index is None:
            raise ConfigError(f"retriever {self.name!r} needs an index; add documents to a corpus, or choose 'none'")
        return self.given_index

    @property
    def embedder(self) -> Embedder:
        """What turns text into vectors."""
        if self.given_embedder is None:
            raise ConfigError(f"retriever {self.name!r} needs an embedder; give one, or choose 'bm25'")
        return self.given_embedder

    @property
    def graph(self) -> GraphParts:
        """Knowledge graph and communities of the corpus."""
        if self.given_graph is None:
            raise ConfigError(f"retriever {self.name!r} needs a graph; make it with: factdesk graph build CORPUS")
        return self.given_graph


MakeRetriever = Callable[[RetrieverInputs], Retriever]
RETRIEVERS = Registry[MakeRetriever]("retriever")


def make_retriever(
    spec: str, index: CorpusIndex | None, embedder: Embedder | None, graph: GraphParts | None = None
) -> Retriever:
    """The retriever that a name stands for. ``none`` needs neither index nor embedder, ``bm25`` no embedder;
    ``community``, ``both`` and ``kaping`` need a graph. Raises ``ConfigError``: the name is unknown, or what it needs
    was not given.
    """
    make, _ = RETRIEVERS.find(spec)
    return make(RetrieverInputs(spec, index, embedder, graph))


def _from_index(spec: RetrieverSpec) -> MakeRetriever:
    return lambda given: IndexRetriever(spec, given.index, given.embedder)


RETRIEVERS.register("hybrid")(_from_index("hybrid"))


@RETRIEVERS.register("bm25")
def _bm25(given: RetrieverInputs) -> Retriever:
    return IndexRetriever("bm25", given.index, given.given_embedder)


RETRIEVERS.register("dense")(_from_index("dense"))
RETRIEVERS.register("semantic")(_from_index("dense"))


@RETRIEVERS.register("none")
def _none(given: RetrieverInputs) -> Retriever:
    del given
    return NoRetriever()


def _through_graph(given: RetrieverInputs) -> Retriever:
    from evidence.graph.retrieval import make_graph_retriever

    index, embedder, graph = given.index, given.embedder, given.graph
    return make_graph_retriever(given.name, index, embedder, graph, IndexRetriever("hybrid", index, embedder))


for name in THROUGH_GRAPH:
    RETRIEVERS.register(name)(_through_graph)


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
