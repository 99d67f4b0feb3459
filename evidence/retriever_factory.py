"""Choosing a retriever by its name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from evidence.index.corpus_index import CorpusIndex
from evidence.retrieval.hybrid import RETRIEVE_VERSION, IndexRetriever, RetrieverSpec
from evidence.types import Embedder, Hit, Query, Retriever
from factdesk.kernel import ConfigError, Fingerprint
from factdesk.registry import Registry

if TYPE_CHECKING:
    from evidence.graph.retrieval import GraphParts

Part = TypeVar("Part")
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
        return self._needed(self.given_index, "an index; add documents to a corpus, or choose 'none'")

    @property
    def embedder(self) -> Embedder:
        """What turns text into vectors."""
        return self._needed(self.given_embedder, "an embedder; give one, or choose 'bm25'")

    @property
    def graph(self) -> GraphParts:
        """Knowledge graph and communities of the corpus."""
        return self._needed(self.given_graph, "a graph; make it with: factdesk graph build CORPUS")

    def _needed(self, given: Part | None, what: str) -> Part:
        if given is None:
            raise ConfigError(f"retriever {self.name!r} needs {what}")
        return given


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
    return lambda given: IndexRetriever(spec, given.index, given.given_embedder if spec == "bm25" else given.embedder)


_OF_INDEX: dict[str, RetrieverSpec] = {"hybrid": "hybrid", "bm25": "bm25", "dense": "dense", "semantic": "dense"}
for _name, _spec in _OF_INDEX.items():
    RETRIEVERS.register(_name)(_from_index(_spec))
RETRIEVERS.register("none")(lambda _: NoRetriever())


def _through_graph(given: RetrieverInputs) -> Retriever:
    from evidence.graph.retrieval import BothRetriever, CommunityRetriever, KapingRetriever

    index, embedder, graph = given.index, given.embedder, given.graph
    if given.name == "kaping":
        return KapingRetriever(index, embedder, graph.graph)
    community = CommunityRetriever(index, embedder, graph)
    if given.name == "community":
        return community
    return BothRetriever(IndexRetriever("hybrid", index, embedder), community)


for _name in THROUGH_GRAPH:
    RETRIEVERS.register(_name)(_through_graph)


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
