"""Stored corpora and folders read on the fly: adding, listing, removing, and opening them for a check."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from evidence.types import AddResult, CorpusInfo, Document, Retriever
from factdesk.corpora.links import is_link, read_link
from factdesk.corpora.opened import Library, OpenCorpora
from factdesk.corpora.unread import keep_unread, read_unread
from factdesk.kernel import InputError, sha256_text
from factdesk.registry import did_you_mean
from factdesk.settings import Settings

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


KEPT_GRAPHS = 2
"""Knowledge graphs that stay loaded."""


class MakeRetriever(Protocol):
    """See ``evidence.retrieval.hybrid.make_retriever``."""

    def __call__(
        self, spec: str, index: CorpusIndex | None, embedder: Embedder | None, graph: GraphParts | None
    ) -> Retriever: ...


class Corpora:
    """All corpora below one home folder."""

    def __init__(self, settings: Settings, executor: Executor | None = None, make: MakeRetriever | None = None) -> None:
        """``executor`` embeds the sentences of documents that are added; this process does without one.

        ``make`` makes each corpus's retriever; ``None``: as shipped.
        """
        self._settings = settings
        self._make = make
        self._executor = executor
        self._embedder: OnnxEmbedder | None = None
        self._graphs: dict[str, GraphParts] = {}
        self._links: dict[str, str] = {}

    @property
    def embedder(self) -> OnnxEmbedder:
        """The embedder, loaded on first use."""
        if self._embedder is None:
            from evidence.retrieval.embedder import OnnxEmbedder

            self._embedder = OnnxEmbedder()
        return self._embedder

    def add(self, corpus: str, paths: Sequence[Path | str], progress: ProgressCallback | None = None) -> AddResult:
        """Add files, folders and web pages (``https://…``); what is there already stays as it is.

        Raises ``InputError`` where nothing can be used; pages that cannot be had are ``skipped``.
        """
        store, root = self._store(self._settings.store), self._settings.paths.index
        links = [str(path) for path in paths if is_link(str(path))]
        files = [Path(path) for path in paths if not is_link(str(path))]
        if not links:
            return self._add(store, root, corpus, files, progress)
        from evidence.corpora import check_corpus_name

        check_corpus_name(corpus)
        documents, lost = self._read_links(links)
        if not documents and not files:
            raise InputError("; ".join(why for _, why in lost))
        outcome = store.put_documents(corpus, documents)
        if files:
            more = self._add(store, root, corpus, files, progress)
            counts = {n: getattr(outcome, n) + getattr(more, n) for n in ("added", "unchanged", "replaced")}
            outcome = more.model_copy(update={**counts, "skipped": (*outcome.skipped, *more.skipped)})
        else:
            self._index(store, root, corpus, progress)
        return outcome.model_copy(update={"skipped": (*outcome.skipped, *lost)})

    def _read_links(self, links: Sequence[str]) -> tuple[list[Document], list[tuple[str, str]]]:
        documents, lost = [], []
        for link in links:
            try:
                documents.append(read_link(self._settings, link))
            except InputError as error:
                lost.append((link, str(error)))
        return documents, lost

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
        return bool(self._store(self._settings.store).state(corpus))

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
        there = store.get_documents(corpus, doc_ids)
        unknown = [doc_id for doc_id in doc_ids if doc_id not in there]
        if unknown:
            raise InputError(f"corpus {corpus!r} has no document {unknown[0]!r}; factdesk corpus search shows the ids")
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
        self._links = {link: key for link, key in self._links.items() if link not in names}  # fetched anew
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
                retriever = self._by_trust(retriever, corpus, store)
            parts.append((corpus, store, retriever))
        return OpenCorpora(spec, parts, by_rank=self._settings.ranking == "score", unread=unread)

    def index(self, name: str) -> CorpusIndex:
        """The open index of a corpus, by name or path."""
        corpus, store, root = self.resolve(name)
        return self._open_index(store, root, corpus, None)

    def _by_trust(self, retriever: Retriever, name: str, store: SqlDocumentStore) -> Retriever:
        """The same evidence in the order of similarity and stored trust together."""
        from evidence.retrieval.rerank import TrustedOrder
        from factdesk.corpus_trust.open import desk_of

        ranking = desk_of(self._settings, name, store).rank()
        if not ranking.connected:
            raise InputError(
                f"ranking 'score' needs the trust of {name!r}, which is not worked out; run factdesk trust rank "
                "NAME (or PATH)"
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
        """The index; one that is missing, damaged, behind or of an older version is brought in step."""
        from evidence.index.sync import IndexRoot
        from factdesk.kernel import BackendUnavailable

        indexes = IndexRoot(root, self.embedder)
        try:
            index = indexes.open(corpus)
            if index.manifest.store_state == store.state(corpus):
                return index
            index.close()  # a process was killed before it had indexed, or others write into the store
        except BackendUnavailable:
            pass
        self._index(store, root, corpus, progress)
        return indexes.open(corpus)

    def resolve(self, name: str, progress: ProgressCallback | None = None) -> tuple[str, SqlDocumentStore, Path]:
        """Name, documents and index folder of a corpus; a path is read into the cache first.

        Raises ``InputError`` for a name that is neither.
        """
        paths = self._settings.paths
        store = self._store(self._settings.store)
        if store.state(name):
            return name, store, paths.index
        if is_link(name):
            return self._resolve_link(name, progress)
        path, cache = Path(name).expanduser(), self._store(paths.cache / "corpora.sqlite")
        if name.startswith(_CACHED) and cache.state(name):
            return name, cache, paths.cache / "index"  # a folder that an earlier process read
        if not path.exists():
            raise self._unknown(name, store)
        from evidence.corpora import corpus_key

        key = f"{_CACHED}{corpus_key([path])[:32]}"
        if not any(info.name == key and info.spans for info in cache.list_corpora()):
            outcome = self._add(cache, paths.cache / "index", key, [path], progress)
            keep_unread(paths.cache, key, outcome.skipped)
        return key, cache, paths.cache / "index"

    def _resolve_link(self, address: str, progress: ProgressCallback | None) -> tuple[str, SqlDocumentStore, Path]:
        """A page as a corpus of its own in the cache; fetched once by each opening."""
        root = self._settings.paths.cache / "index"
        cache = self._store(self._settings.paths.cache / "corpora.sqlite")
        if address not in self._links:
            document = read_link(self._settings, address)
            key = f"{_CACHED}{sha256_text(document.doc_id)[:32]}"
            cache.put_documents(key, [document])
            self._index(cache, root, key, progress)
            self._links = {**self._links, address: key}
        return self._links[address], cache, root

    def refuse_unknown(self, names: Sequence[str]) -> None:
        """Raise ``InputError`` for a name that is no stored corpus, path or link. Loads no model."""
        store = self._store(self._settings.store)
        for name in names:
            other = name == "default" or name.startswith(_CACHED) or is_link(name) or Path(name).expanduser().exists()
            if not other and not (name.isprintable() and store.state(name)):
                raise self._unknown(name, store)

    @staticmethod
    def _unknown(name: str, store: SqlDocumentStore) -> InputError:
        if name == "default":
            hint = " make one with: factdesk corpus add PATH"
        else:
            folder = Path(name).expanduser().parent
            known = [info.name for info in store.list_corpora()]
            if folder.is_dir():
                known += [str(folder / path.name) for path in islice(folder.iterdir(), 1000)]
            hint = f"{did_you_mean(name.rstrip('/'), known)} give a stored corpus, a path or a link"
        return InputError(f"there is no corpus and no file or folder {name!r};{hint}")

    def _add(
        self,
        store: SqlDocumentStore,
        root: Path,
        corpus: str,
        paths: Sequence[Path],
        progress: ProgressCallback | None,
    ) -> AddResult:
        from evidence.corpora import add_paths

        outcome = add_paths(store, root, corpus, paths, self._indexing(), progress)
        self._index(store, root, corpus, progress)
        return outcome

    def _index(self, store: SqlDocumentStore, root: Path, corpus: str, progress: ProgressCallback | None) -> None:
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
        if not store.state(corpus):
            raise InputError(f"there is no corpus {corpus!r}; factdesk corpus list shows them")
