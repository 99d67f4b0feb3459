"""Knowledge graphs of corpora, wired: store, pipeline, embedder and the folder of what is worked out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from evidence.graph.types import BuildResult, Explanation
from factdesk.kernel import InputError, sha256_text
from factdesk.settings import Settings

if TYPE_CHECKING:
    from evidence.graph.communities import Communities
    from evidence.graph.entity_graph import KnowledgeGraph
    from evidence.graph.retrieval import GraphParts
    from evidence.graph.stats import GraphStats
    from evidence.types import Document, Embedder
    from store.documents import SqlDocumentStore
    from store.graphs import SqlGraphStore

ProgressCallback = Callable[[int, int], None]


class CorpusSource(Protocol):
    """Where the documents of a corpus are (``factdesk.corpora.stored.Corpora``)."""

    @property
    def embedder(self) -> Embedder: ...

    def resolve(self, name: str) -> tuple[str, SqlDocumentStore, Path]:
        """Name, documents and index folder of a corpus or path."""
        ...

    def add_documents(self, corpus: str, documents: Sequence[Document]) -> SqlDocumentStore:
        """Add documents made elsewhere."""
        ...


class Graphs:
    """The graphs of all corpora of one source; paths are read into the cache like corpora."""

    def __init__(self, settings: Settings, corpora: CorpusSource) -> None:
        self._settings = settings
        self._corpora = corpora

    def build(
        self,
        name: str,
        extractor: str = "rules",
        progress: ProgressCallback | None = None,
        *,
        anew: bool = False,
    ) -> BuildResult:
        """Build or update the graph of a corpus, given by name or path; ``anew`` parses all of it again. Raises
        ``InputError`` for an unknown corpus, ``ConfigError`` for an unknown extractor.
        """
        from evidence.graph.build import make_extractor, sync_graph
        from language.nlp.pipeline import load_nlp, nlp_fingerprint

        corpus, documents, graphs = self._at(name)
        if anew:
            graphs.drop_graph(corpus)
        made = make_extractor(extractor, load_nlp(), nlp_fingerprint())
        return sync_graph(documents, graphs, corpus, made, self._corpora.embedder, progress)

    def open(self, name: str, *, build: bool = False) -> KnowledgeGraph:
        """The stored graph of a corpus; ``build`` makes or updates it. Raises ``InputError`` where there is none."""
        from evidence.graph.entity_graph import KnowledgeGraph

        if build:
            self.build(name)
        corpus, _, graphs = self._at(name)
        if not graphs.graph_documents(corpus):
            raise InputError(f"corpus {name!r} has no graph yet; make it with: factdesk graph build {name}")
        return KnowledgeGraph(graphs.entities(corpus), graphs.triples(corpus))

    def has(self, name: str) -> bool:
        """Whether a graph of this corpus is stored that holds all its documents as they are."""
        corpus, documents, graphs = self._at(name)
        known = {d: sha for d, (sha, _) in graphs.graph_documents(corpus).items()}
        return bool(known) and known == documents.document_hashes(corpus)

    def state(self, name: str) -> str:
        """Hash over a corpus' documents and what the stored graph was made of: the same, the same graph."""
        corpus, documents, graphs = self._at(name)
        known = sorted(graphs.graph_documents(corpus).items())
        wanted = sorted(documents.document_hashes(corpus).items())
        return sha256_text(repr((corpus, wanted, known, self._settings.delta, self._settings.lam)))

    def import_file(self, name: str, path: Path, format_: str | None = None, source: str | None = None) -> BuildResult:
        """Add a file of triples to a stored corpus, made when missing; see
        ``evidence.graph.triple_import``.
        """
        from evidence.corpora import check_corpus_name
        from evidence.graph.triple_import import documents_of, read_statements

        check_corpus_name(name)
        statements = read_statements(path, format_)
        made = documents_of(statements, source or path.stem, datetime.now(UTC).date())
        self._corpora.add_documents(name, [document for document, _ in made])
        _, documents, graphs = self._at(name)
        hashes = documents.document_hashes(name)
        rows = [t.model_copy(update={"row_sha256": hashes[t.doc_id]}) for _, t in made]
        graphs.put_triples(name, rows)
        return self.build(name)

    def parts(self, name: str) -> GraphParts:
        """Graph and communities of a corpus, brought in step first, as retrievers need them."""
        from evidence.graph.retrieval import GraphParts

        graph = self.open(name, build=not self.has(name))
        return GraphParts(graph, self.communities(name, graph), self._settings.delta, self._settings.lam)

    def communities(self, name: str, graph: KnowledgeGraph) -> Communities:
        """The communities of a corpus's graph, worked out once and kept."""
        from evidence.graph.communities import open_communities

        return open_communities(graph, self._corpora.embedder, self.folder(name))

    def stats(self, name: str, claims: Sequence[str] = ()) -> GraphStats:
        """The stored graph in numbers; with claims, what each delta gives them."""
        from evidence.graph.stats import graph_stats

        graph = self.open(name)
        return graph_stats(graph, self.communities(name, graph), self._corpora.embedder, claims)

    def paths(self, name: str, names: Sequence[str]) -> tuple[Explanation, ...]:
        """How entities are connected. Raises ``InputError`` for a name that the graph does not have."""
        from evidence.graph.paths import find_paths

        graph = self.open(name)
        found = {n: graph.find(n) for n in names}
        for given, entity in found.items():
            if entity is None:
                raise InputError(f"the graph of {name!r} has no entity {given!r}; factdesk graph show lists triples")
        return find_paths(graph, [e for e in found.values() if e is not None])

    def folder(self, name: str) -> Path:
        """Where communities and vectors of a corpus's graph are kept."""
        corpus, _, index = self._corpora.resolve(name)
        return index.parent / "graph" / corpus

    def _at(self, name: str) -> tuple[str, SqlDocumentStore, SqlGraphStore]:
        from store.graphs import SqlGraphStore

        corpus, documents, _ = self._corpora.resolve(name)
        return corpus, documents, SqlGraphStore(documents.engine)
