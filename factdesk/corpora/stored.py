"""Stored corpora and folders read on the fly: adding, listing, removing, and opening them for a check."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from evidence.open_corpora import OpenCorpora
from evidence.types import AddResult, CorpusInfo, Document, Retriever
from factdesk.corpora.links import is_link, read_link
from factdesk.kernel import BackendUnavailable, InputError, private_folder, sha256_text
from factdesk.registry import did_you_mean
from factdesk.settings import Settings

if TYPE_CHECKING:
    from evidence.graph.retrieval import GraphParts
    from evidence.index.corpus_index import CorpusIndex
    from evidence.index.sync import IndexRoot
    from evidence.retrieval.embedder import OnnxEmbedder
    from evidence.types import Embedder
    from factdesk.parallel.stages import Executor
    from store.documents import SqlDocumentStore

ProgressCallback = Callable[[int, int], None]
_CACHED = "path-"
"""Names of corpora that were read from a path begin so; the rest is the hash of what was read."""
KEPT_GRAPHS = 2
"""Knowledge graphs that stay loaded."""


class MakeRetriever(Protocol):
    """See ``evidence.retriever_factory.make_retriever``."""

    def __call__(
        self, spec: str, index: CorpusIndex | None, embedder: Embedder | None, graph: GraphParts | None
    ) -> Retriever: ...


class Place(NamedTuple):
    """A corpus by its name, the database that holds it, and the folder of the indexes."""

    name: str
    store: SqlDocumentStore
    indexes: Path


class Corpora:
    """All corpora below one home folder."""

    def __init__(self, settings: Settings, executor: Executor | None = None, make: MakeRetriever | None = None) -> None:
        """``executor`` embeds the sentences of documents that are added; this process does without one. ``make`` makes
        each corpus's retriever; ``None``: as shipped.
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
        """Add files, folders and web pages (``https://…``); what is there already stays as it is. Raises ``InputError``
        where nothing can be used; pages that cannot be had are ``skipped``.
        """
        from evidence.corpora import check_corpus_name

        check_corpus_name(corpus)
        documents, lost = list[Document](), list[tuple[str, str]]()
        for link in (str(path) for path in paths if is_link(str(path))):
            try:
                documents.append(read_link(self._settings, link))
            except InputError as error:
                lost.append((link, str(error)))
        files = [Path(path) for path in paths if not is_link(str(path))]
        if lost and not documents and not files:
            raise InputError("; ".join(why for _, why in lost))
        outcome = self._put(self._stored(corpus), documents, files, progress)
        return outcome.model_copy(update={"skipped": (*outcome.skipped, *lost)})

    def add_documents(self, corpus: str, documents: Sequence[Document]) -> SqlDocumentStore:
        """Add documents made elsewhere, and bring the index in step; gives the store they are in."""
        place = self._stored(corpus)
        place.store.put_documents(corpus, documents)
        self._index(place, None)
        return place.store

    def list(self) -> tuple[CorpusInfo, ...]:
        """Stored corpora in numbers."""
        return self._stored().store.list_corpora()

    def has(self, corpus: str) -> bool:
        """Whether a corpus of that name is stored."""
        return bool(self._stored().store.state(corpus))

    def remove(self, corpus: str, doc_ids: Sequence[str] = ()) -> int:
        """Remove documents, or the whole corpus when none are named; returns how many documents went. Raises
        ``InputError`` for an unknown corpus or document.
        """
        place = self._stored(corpus)
        store = place.store
        if not store.state(corpus):
            raise InputError(f"there is no corpus {corpus!r}; factdesk corpus list shows them")
        if not doc_ids:
            count = len(store.document_hashes(corpus))
            store.drop_corpus(corpus)
            self._root(place).drop(corpus)
            return count
        there = store.get_documents(corpus, doc_ids)
        unknown = [doc_id for doc_id in doc_ids if doc_id not in there]
        if unknown:
            raise InputError(f"corpus {corpus!r} has no document {unknown[0]!r}; factdesk corpus search shows the ids")
        removed = store.remove_documents(corpus, doc_ids)
        self._index(place, None)
        return removed

    def open(
        self,
        names: Sequence[str],
        spec: str,
        progress: ProgressCallback | None = None,
        *,
        graph: bool = False,
    ) -> OpenCorpora:
        """Open corpora by name, or files and folders by path (ingested into a cache keyed by content). With ``graph``,
        queries that connect entities are answered by the knowledge graph first. With ``spec`` ``"none"`` nothing is
        looked for, so no corpus is needed or opened. Raises ``InputError`` for a name that is neither.
        """
        from evidence.retriever_factory import THROUGH_GRAPH, make_retriever

        if spec == "none":
            return OpenCorpora(spec, ())
        parts, unread = [], list[tuple[str, str]]()
        self._links = {link: key for link, key in self._links.items() if link not in names}  # fetched anew
        for name in names:
            place = self.resolve(name, progress)
            unread += self._unread(place.name)
            index = self._open_index(place, progress)
            known = self.graph(name) if graph or spec in THROUGH_GRAPH else None
            retriever = (self._make or make_retriever)(spec, index, self.embedder, known)
            if known is not None and graph:
                from evidence.graph.paths import PathRetriever

                retriever = PathRetriever(retriever, index, known)
            if self._settings.ranking == "score":
                retriever = self._by_trust(retriever, place)
            parts.append((place.name, place.store, retriever))
        return OpenCorpora(spec, parts, by_rank=self._settings.ranking == "score", unread=unread)

    def index(self, name: str) -> CorpusIndex:
        """The open index of a corpus, by name or path."""
        return self._open_index(self.resolve(name), None)

    def _by_trust(self, retriever: Retriever, place: Place) -> Retriever:
        """The same evidence in the order of similarity and stored trust together."""
        from evidence.retrieval.rerank import TrustedOrder
        from factdesk.corpus_trust.open import desk_of

        ranking = desk_of(self._settings, place.name, place.store).rank()
        if not ranking.connected:
            raise InputError(
                f"ranking 'score' needs the trust of {place.name!r}, which is not worked out; run factdesk trust rank "
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

    def resolve(self, name: str, progress: ProgressCallback | None = None) -> Place:
        """Where a corpus is, by its name; a path or link is read into the cache first. Raises ``InputError`` for a name
        that is neither.
        """
        stored = self._stored(name)
        if stored.store.state(name):
            return stored
        if is_link(name):
            return self._resolve_link(name, progress)
        path, cached = Path(name).expanduser(), self._cached(name)
        if name.startswith(_CACHED) and cached.store.state(name):
            return cached  # a folder that an earlier process read
        if not path.exists():
            raise self._unknown(name)
        from evidence.corpora import corpus_key

        key = f"{_CACHED}{corpus_key([path])[:32]}"
        cached = cached._replace(name=key)
        if not any(info.name == key and info.spans for info in cached.store.list_corpora()):
            self._keep_unread(key, self._put(cached, (), [path], progress).skipped)
        return cached

    def _resolve_link(self, address: str, progress: ProgressCallback | None) -> Place:
        """A page as a corpus of its own in the cache; fetched once by each opening."""
        if address not in self._links:
            document = read_link(self._settings, address)
            key = f"{_CACHED}{sha256_text(document.doc_id)[:32]}"
            self._put(self._cached(key), [document], (), progress)
            self._links = {**self._links, address: key}
        return self._cached(self._links[address])

    def refuse_unknown(self, names: Sequence[str]) -> None:
        """Raise ``InputError`` for a name that is no stored corpus, path or link. Loads no model."""
        for name in names:
            other = name == "default" or name.startswith(_CACHED) or is_link(name) or Path(name).expanduser().exists()
            if not other and not (name.isprintable() and self.has(name)):
                raise self._unknown(name)

    def _unknown(self, name: str) -> InputError:
        if name == "default":
            hint = " make one with: factdesk corpus add PATH"
        else:
            folder = Path(name).expanduser().parent
            known = [info.name for info in self.list()]
            if folder.is_dir():
                known += [str(folder / path.name) for path in islice(folder.iterdir(), 1000)]
            hint = f"{did_you_mean(name.rstrip('/'), known)} give a stored corpus, a path or a link"
        return InputError(f"there is no corpus and no file or folder {name!r};{hint}")

    def _put(
        self, place: Place, documents: Sequence[Document], files: Sequence[Path], progress: ProgressCallback | None
    ) -> AddResult:
        """Add documents, and those of files, with the index in step; ``skipped`` and ``notes`` tell of the files."""
        from evidence.ingest import IngestResult, read_paths

        read = read_paths(files) if files or not documents else IngestResult(())
        outcome = place.store.put_documents(place.name, [*documents, *read.documents])
        self._index(place, progress)
        return outcome.model_copy(update={"skipped": (*outcome.skipped, *read.skipped), "notes": read.notes})

    def _index(self, place: Place, progress: ProgressCallback | None) -> None:
        """Bring the index in step with the store."""
        synced = self._root(place, adding=True).sync(place.store, place.name, progress)
        place.store.set_span_count(place.name, synced.spans)

    def _open_index(self, place: Place, progress: ProgressCallback | None) -> CorpusIndex:
        """The index; one that is missing, damaged, behind or of an older version is brought in step."""
        indexes = self._root(place)
        try:
            index = indexes.open(place.name)
            if index.manifest.store_state == place.store.state(place.name):
                return index
            index.close()  # a process was killed before it had indexed, or others write into the store
        except BackendUnavailable:
            pass
        self._index(place, progress)
        return indexes.open(place.name)

    def _root(self, place: Place, *, adding: bool = False) -> IndexRoot:
        """The indexes beside a database; the executor embeds what is ``adding``."""
        from evidence.index.sync import IndexRoot

        embedder: Embedder = self.embedder
        if adding and self._executor is not None:
            from factdesk.parallel.stages import StageEmbedder

            embedder = StageEmbedder(self.embedder, self._executor)
        return IndexRoot(place.indexes, embedder)

    def _stored(self, corpus: str = "") -> Place:
        from store.documents import SqlDocumentStore
        from store.engine import open_engine

        return Place(corpus, SqlDocumentStore(open_engine(self._settings.store)), self._settings.paths.index)

    def _cached(self, corpus: str) -> Place:
        from store.documents import SqlDocumentStore
        from store.engine import open_engine

        cache = self._settings.paths.cache
        return Place(corpus, SqlDocumentStore(open_engine(cache / "corpora.sqlite")), cache / "index")

    def _keep_unread(self, corpus: str, skipped: Sequence[tuple[str, str]]) -> None:
        """Write down what was left out of a cached corpus: a later check finds the cache, and must tell the same."""
        path = self._unread_file(corpus)
        try:
            private_folder(path.parent)
            path.write_text(json.dumps(skipped), encoding="utf-8")
        except OSError as error:
            raise InputError(f"{str(path)!r} cannot be written ({error.strerror}); free space") from error

    def _unread(self, corpus: str) -> Sequence[tuple[str, str]]:
        """What was left out of a cached corpus; stored ones tell it when files are added."""
        path = self._unread_file(corpus)
        try:
            return [(str(name), str(why)) for name, why in json.loads(path.read_text(encoding="utf-8"))]
        except FileNotFoundError:
            return []
        except (OSError, ValueError, TypeError) as error:
            raise InputError(f"{str(path)!r} is damaged ({error}); remove the cache folder") from error

    def _unread_file(self, corpus: str) -> Path:
        return self._settings.paths.cache / "unread" / f"{corpus}.json"
