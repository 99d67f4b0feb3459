"""Stored corpora and folders read on the fly: adding, listing, removing, and opening them for a check."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence, Set
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from evidence.types import AddResult, CorpusInfo, Document, Hit, Query, Retriever
from factdesk.corpora.span_integrity import refuse_altered
from factdesk.corpora.unread import keep_unread, read_unread
from factdesk.kernel import Fingerprint, InputError, sha256_text
from factdesk.settings import Settings
from store.runs import CorpusPin

if TYPE_CHECKING:
    from evidence.graph.retrieval import GraphParts
    from evidence.index.corpus_index import CorpusIndex
    from evidence.retrieval.embedder import OnnxEmbedder
    from evidence.types import Embedder
    from factdesk.parallel.stages import Executor
    from store.documents import SqlDocumentStore
    from store.location import Place

ProgressCallback = Callable[[int, int], None]
_CACHED = "path-"
"""Names of corpora that were read from a path begin so; the rest is the hash of what was read."""


KEPT = 200
"""Documents that an open corpus keeps at hand."""
KEPT_GRAPHS = 2
"""Knowledge graphs that stay loaded."""


class Library(Retriever, Protocol):
    """Retrieval with the documents behind it."""

    def document(self, doc_id: str) -> Document | None: ...

    def pins(self) -> tuple[CorpusPin, ...]: ...

    def size(self) -> int: ...

    def snapshot_id(self) -> str: ...

    def unread(self) -> tuple[tuple[str, str], ...]: ...


class MakeRetriever(Protocol):
    """See ``evidence.retrieval.hybrid.make_retriever``."""

    def __call__(
        self, spec: str, index: CorpusIndex | None, embedder: Embedder | None, graph: GraphParts | None
    ) -> Retriever: ...


class OpenCorpora:
    """Retrieval over one or several corpora at once, with their documents (implements ``Library``)."""

    def __init__(
        self,
        spec: str,
        parts: Sequence[tuple[str, SqlDocumentStore, Retriever]],
        *,
        by_rank: bool = False,
        unread: Sequence[tuple[str, str]] = (),
    ) -> None:
        """``by_rank``: the parts' own orders count when hits are put together, not their scores."""
        self._spec = spec
        self._unread = tuple(unread)
        self._parts = tuple(parts)
        self._by_rank = by_rank
        self._documents: dict[tuple[int, str], Document | None] = {}

    @property
    def fingerprint(self) -> Fingerprint:
        """Of the retrievers of all parts together."""
        from evidence.retriever_factory import make_retriever

        if not self._parts:
            return make_retriever("none", None, None).fingerprint
        prints = [r.fingerprint for _, _, r in self._parts]
        if len(prints) == 1:
            return prints[0]
        joined = "|".join(f"{p.name} {p.version} {p.sha256}" for p in prints)
        return Fingerprint(name=f"retriever:{self._spec}", version="several", sha256=sha256_text(joined))

    def retrieve(self, query: Query) -> tuple[Hit, ...]:
        """Hits of all parts, best first; of a document id that several parts have, the first counts."""
        owners: dict[str, int] = {}
        merged: list[Hit] = []
        for number, (_, _, retriever) in enumerate(self._parts):
            hits = retriever.retrieve(query)
            self._fetch(number, {hit.span.doc_id for hit in hits})
            for hit in hits:
                if owners.setdefault(hit.span.doc_id, number) == number:
                    refuse_altered(hit.span, self._stored(number, hit.span.doc_id))
                    merged.append(hit)
        if len(self._parts) == 1:
            return tuple(merged)
        best = sorted(merged, key=self._place)[: query.limit]
        return tuple(hit.model_copy(update={"rank": rank}) for rank, hit in enumerate(best, 1))

    def _place(self, hit: Hit) -> tuple[float, str]:
        return (float(hit.rank) if self._by_rank else -(hit.scores.last or 0.0)), hit.span.span_id

    def pins(self) -> tuple[CorpusPin, ...]:
        """Each part with the time of its last change; names that ``Corpora.open`` takes."""
        found = []
        for corpus, store, _ in self._parts:
            updated = next((i.updated for i in store.list_corpora() if i.name == corpus), "")
            found.append(CorpusPin(name=corpus, updated=updated))
        return tuple(found)

    def snapshot_id(self) -> str:
        """Hex SHA-256 over ids and hashes of all documents."""
        return sha256_text(json.dumps(sorted(self.document_hashes()), ensure_ascii=False))

    def document(self, doc_id: str) -> Document | None:
        """A document by its id, from the first part that has it."""
        found = (self._stored(number, doc_id) for number in range(len(self._parts)))
        return next((document for document in found if document is not None), None)

    def _stored(self, number: int, doc_id: str) -> Document | None:
        """A document of one part; those that were asked for last are kept at hand."""
        key = (number, doc_id)
        try:
            return self._documents[key]
        except KeyError:
            corpus, store, _ = self._parts[number]
            document = store.get_document(corpus, doc_id)
        self._keep({key: document})
        return document

    def _fetch(self, number: int, doc_ids: Set[str]) -> None:
        """Have some documents of one part at hand, with one look into the store."""
        wanted = sorted(d for d in doc_ids if (number, d) not in self._documents)
        if len(wanted) > 1:
            corpus, store, _ = self._parts[number]
            found = store.get_documents(corpus, wanted)
            self._keep({(number, d): found.get(d) for d in wanted})

    def _keep(self, documents: dict[tuple[int, str], Document | None]) -> None:
        """Checks run in several threads: what is kept is put in place whole."""
        kept = self._documents if len(self._documents) + len(documents) <= KEPT else {}
        self._documents = {**kept, **documents}

    def document_hashes(self) -> list[tuple[str, str]]:
        """Id and hash (text and metadata) of every document of every part."""
        return [pair for corpus, store, _ in self._parts for pair in store.document_hashes(corpus).items()]

    def unread(self) -> tuple[tuple[str, str], ...]:
        """Files that a check was given and could not use, each with the reason."""
        return self._unread

    def size(self) -> int:
        """How many documents all parts have."""
        return sum(
            info.documents
            for corpus, store, _ in self._parts
            for info in store.list_corpora()
            if info.name == corpus
        )

    def document_text(self, doc_id: str) -> str | None:
        """Full text of a document, or ``None``."""
        document = self.document(doc_id)
        return document.text if document else None


class Corpora:
    """All corpora below one home folder."""

    def __init__(
        self, settings: Settings, executor: Executor | None = None, make: MakeRetriever | None = None
    ) -> None:
        """``executor`` embeds the sentences of documents that are added; this process does without one.

        ``make`` makes each corpus's retriever; ``None``: as shipped.
        """
        self._settings = settings
        self._make = make
        self._executor = executor
        self._embedder: OnnxEmbedder | None = None
        self._graphs: dict[str, GraphParts] = {}

    @property
    def embedder(self) -> OnnxEmbedder:
        """The embedder, loaded on first use."""
        if self._embedder is None:
            from evidence.retrieval.embedder import OnnxEmbedder

            self._embedder = OnnxEmbedder()
        return self._embedder

    def add(self, corpus: str, paths: Sequence[Path], progress: ProgressCallback | None = None) -> AddResult:
        """Add files and folders; what is there already stays as it is."""
        return self._add(
            self._store(self._settings.store), self._settings.paths.index, corpus, paths, progress
        )

    def add_documents(self, corpus: str, documents: Sequence[Document]) -> SqlDocumentStore:
        """Add documents made elsewhere, and bring the index in step; gives the store they are in."""
        store = self._store(self._settings.store)
        store.put_documents(corpus, documents)
        self._index(store, self._settings.paths.index, corpus, None)
        return store

    def list(self) -> tuple[CorpusInfo, ...]:
        """Stored corpora in numbers."""
        return self._store(self._settings.store).list_corpora()

    def has(self, corpus: str) -> bool:
        """Whether a corpus of that name is stored."""
        return any(info.name == corpus for info in self.list())

    def remove(self, corpus: str, doc_ids: Sequence[str] = ()) -> int:
        """Remove documents, or the whole corpus when none are named; returns how many documents went.

        Raises ``InputError`` for an unknown corpus or document.
        """
        from evidence.index.sync import IndexRoot

        store = self._store(self._settings.store)
        self._known(store, corpus)
        root = IndexRoot(self._settings.paths.index, self.embedder)
        if not doc_ids:
            count = len(store.document_hashes(corpus))
            store.drop_corpus(corpus)
            root.drop(corpus)
            return count
        unknown = [d for d in doc_ids if store.get_document(corpus, d) is None]
        if unknown:
            raise InputError(
                f"corpus {corpus!r} has no document {unknown[0]!r}; factdesk corpus search shows the ids"
            )
        removed = store.remove_documents(corpus, doc_ids)
        self._index(store, self._settings.paths.index, corpus, None)
        return removed

    def open(
        self,
        names: Sequence[str],
        spec: str,
        progress: ProgressCallback | None = None,
        *,
        graph: bool = False,
    ) -> Library:
        """Open corpora by name, or files and folders by path (ingested into a cache keyed by content).

        With ``graph``, queries that connect entities are answered by the knowledge graph first.
        With ``spec`` ``"none"`` nothing is looked for, so no corpus is needed or opened.
        Raises ``InputError`` for a name that is neither.
        """
        from evidence.retriever_factory import THROUGH_GRAPH, make_retriever

        if spec == "none":
            return OpenCorpora(spec, ())
        parts, unread = [], list[tuple[str, str]]()
        for name in names:
            corpus, store, root = self.resolve(name, progress)
            unread += read_unread(self._settings.paths.cache, corpus)
            index = self._open_index(store, root, corpus, progress)
            known = self.graph(name) if graph or spec in THROUGH_GRAPH else None
            retriever = (self._make or make_retriever)(spec, index, self.embedder, known)
            if known is not None and graph:
                from evidence.graph.paths import PathRetriever

                retriever = PathRetriever(retriever, index, known)
            if self._settings.ranking == "score":
                retriever = self._by_trust(retriever, name)
            parts.append((corpus, store, retriever))
        return OpenCorpora(spec, parts, by_rank=self._settings.ranking == "score", unread=unread)

    def index(self, name: str) -> CorpusIndex:
        """The open index of a corpus, by name or path."""
        corpus, store, root = self.resolve(name)
        return self._open_index(store, root, corpus, None)

    def _by_trust(self, retriever: Retriever, name: str) -> Retriever:
        """The same evidence in the order of similarity and stored trust together."""
        from evidence.retrieval.trust_rerank import TrustedOrder
        from factdesk.corpus_trust.open import open_desk

        ranking = open_desk(self._settings, name).rank() if self.has(name) else None
        if ranking is None or not ranking.connected:
            raise InputError(
                f"ranking 'score' needs the trust of {name!r}, which is not worked out; store it (factdesk "
                "corpus add PATH --name NAME) and run: factdesk trust rank NAME"
            )
        return TrustedOrder(retriever, ranking.scores, self._settings.trust_weight)

    def graph(self, name: str) -> GraphParts:
        """Graph and communities, built or brought in step; those used last are kept at hand."""
        from factdesk.corpora.graphs import Graphs

        graphs = Graphs(self._settings, self)
        state = graphs.state(name)
        kept = self._graphs.get(state)
        parts = graphs.parts(name) if kept is None else kept
        last = list({**self._graphs, state if kept is not None else graphs.state(name): parts}.items())
        self._graphs = dict(last[-KEPT_GRAPHS:])  # put in place whole: checks run in several threads
        return parts

    def _open_index(
        self, store: SqlDocumentStore, root: Path, corpus: str, progress: ProgressCallback | None
    ) -> CorpusIndex:
        """The index; one that is missing, damaged, behind or of an older version is brought in step.

        Where others write into the store too, the index of this machine is first brought in step with it.
        """
        from evidence.index.sync import IndexRoot
        from factdesk.kernel import BackendUnavailable

        if self._settings.database is not None and root == self._settings.paths.index:
            self._index(store, root, corpus, progress)
        indexes = IndexRoot(root, self.embedder)
        try:
            index = indexes.open(corpus)
        except BackendUnavailable:
            self._index(store, root, corpus, progress)
            return indexes.open(corpus)
        stored = next((info.documents for info in store.list_corpora() if info.name == corpus), 0)
        if index.manifest.documents == stored:
            return index
        index.close()  # a process was killed between the documents and their index
        self._index(store, root, corpus, progress)
        return indexes.open(corpus)

    def resolve(
        self, name: str, progress: ProgressCallback | None = None
    ) -> tuple[str, SqlDocumentStore, Path]:
        """Name, documents and index folder of a corpus; a path is read into the cache first.

        Raises ``InputError`` for a name that is neither.
        """
        paths = self._settings.paths
        store = self._store(self._settings.store)
        if any(info.name == name for info in store.list_corpora()):
            return name, store, paths.index
        path, cache = Path(name).expanduser(), self._store(paths.cache / "corpora.sqlite")
        if name.startswith(_CACHED) and any(info.name == name for info in cache.list_corpora()):
            return name, cache, paths.cache / "index"  # a folder that an earlier process read
        if not path.exists():
            hint = (
                "make one with: factdesk corpus add PATH"
                if name == "default"
                else "give a stored corpus or a path"
            )
            raise InputError(f"there is no corpus and no file or folder {name!r}; {hint}")
        from evidence.corpora import corpus_key

        key = f"{_CACHED}{corpus_key([path])[:32]}"
        if not any(info.name == key and info.spans for info in cache.list_corpora()):
            outcome = self._add(cache, paths.cache / "index", key, [path], progress)
            keep_unread(paths.cache, key, outcome.skipped)
        return key, cache, paths.cache / "index"

    def _add(
        self, store: SqlDocumentStore, root: Path, corpus: str, paths: Sequence[Path],
        progress: ProgressCallback | None,
    ) -> AddResult:  # fmt: skip
        from evidence.corpora import add_paths

        outcome = add_paths(store, root, corpus, paths, self._indexing(), progress)
        self._index(store, root, corpus, progress)
        return outcome

    def _index(
        self, store: SqlDocumentStore, root: Path, corpus: str, progress: ProgressCallback | None
    ) -> None:
        from evidence.index.sync import IndexRoot

        synced = IndexRoot(root, self._indexing()).sync(store, corpus, progress)
        store.set_span_count(corpus, synced.spans)

    def _indexing(self) -> Embedder:
        """What embeds the sentences of documents."""
        if self._executor is None:
            return self.embedder
        from factdesk.parallel.stages import StageEmbedder

        return StageEmbedder(self.embedder, self._executor)

    @staticmethod
    def _store(place: Place) -> SqlDocumentStore:
        from store.documents import SqlDocumentStore
        from store.engine import open_engine

        return SqlDocumentStore(open_engine(place))

    @staticmethod
    def _known(store: SqlDocumentStore, corpus: str) -> None:
        if not any(info.name == corpus for info in store.list_corpora()):
            raise InputError(f"there is no corpus {corpus!r}; factdesk corpus list shows them")
