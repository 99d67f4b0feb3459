"""Opening the trust desk of a corpus: which database, which models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from factdesk.corpus_trust.ranking import TrustDesk
from factdesk.parallel.stages import Executor, LocalExecutor, Models
from factdesk.settings import Settings

if TYPE_CHECKING:
    from evidence.types import Document
    from store.documents import SqlDocumentStore
    from store.location import Place

CACHE = "trust.sqlite"
"""Claims of files that are only measured, below ``paths.cache``."""


def open_desk(
    settings: Settings, corpus: str, executor: Executor | None = None, models: Models | None = None
) -> TrustDesk:
    """The desk of a stored corpus; ``executor`` does what needs models, ``models`` are those at hand. Raises
    ``InputError`` where there is no corpus of that name.
    """
    return desk_of(settings, corpus, _documents(settings.store), executor, models)


def desk_of(
    settings: Settings,
    corpus: str,
    documents: SqlDocumentStore,
    executor: Executor | None = None,
    models: Models | None = None,
) -> TrustDesk:
    """The desk of a corpus in any store of documents: that of files in the cache too."""
    from store.trust import TrustStore

    models = models or Models.of(settings)
    executor = executor or LocalExecutor(models)
    return TrustDesk(corpus, documents, TrustStore(documents.engine), models, executor, settings.claimrank)


def named_seeds(settings: Settings, names: Sequence[str]) -> list[str]:
    """Documents that users named as trusted, themselves or by publisher, in some stored corpora."""
    from store.location import exists

    if not exists(settings.store):
        return []
    store = _documents(settings.store)
    found = [open_desk(settings, name).seeds() for name in names if store.state(name)]
    return sorted({doc_id for seeds in found for doc_id in seeds})


def open_cached(settings: Settings, corpus: str, documents: Sequence[Document]) -> TrustDesk:
    """The desk of documents that are kept in the cache only."""
    store = _documents(settings.paths.cache / CACHE)
    store.put_documents(corpus, documents)
    gone = store.document_hashes(corpus).keys() - {d.doc_id for d in documents}
    if gone:
        store.remove_documents(corpus, sorted(gone))
    return desk_of(settings, corpus, store)


def _documents(place: Place) -> SqlDocumentStore:
    from store.documents import SqlDocumentStore
    from store.engine import open_engine

    return SqlDocumentStore(open_engine(place))
