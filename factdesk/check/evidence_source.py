"""What a check looks at: the corpora, and web pages where they were asked for, ranked together.

The web is asked once for each question. Its pages are read into documents whose sentences stand
beside those of the corpora; when it cannot be reached, the corpora answer alone and the certificate says so.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from dataclasses import dataclass
from datetime import date
from importlib.resources import files
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import JsonValue, TypeAdapter

from evidence.open_corpora import OpenCorpora
from evidence.types import Document, Hit, Query, Retriever
from factdesk.bounds import blocked_on_web
from factdesk.corpora.links import open_snapshots
from factdesk.corpora.stored import Corpora
from factdesk.kernel import Failure, Fingerprint, InputError
from factdesk.recording.recorder import LIVE, Recorder, today
from factdesk.settings import Settings
from report.types import CertificateBody, Retrieval
from store.runs import CorpusPin

if TYPE_CHECKING:
    from agent.ports import Bounds
    from agent.tools.web.fetch import PageFetcher
    from agent.tools.web.search import SearchDesk
    from agent.web_ports import FetchedPage
    from evidence.retrieval.in_memory import InMemoryRetriever


Answer = TypeVar("Answer")
PARALLEL = 4
"""Pages fetched at once; of one host one after the other."""
MAX_FAILURES = 20
"""Pages and files that could not be read, told one by one."""


@dataclass(frozen=True)
class ReadPage:
    """A page as fetched, and the document made of it."""

    page: FetchedPage
    document: Document


class WebPages:
    """The web pages of one check. Every page is fetched once."""

    def __init__(self, desk: SearchDesk, fetcher: PageFetcher, loose: InMemoryRetriever, today: date) -> None:
        self._desk = desk
        self._fetcher = fetcher
        self._loose = loose
        self._today = today
        self._lock = threading.Lock()
        self._locks: dict[str, threading.Lock] = {}
        self._pages: dict[str, ReadPage | Failure] = {}

    def retrieve(self, query: Query, *, search: bool) -> tuple[Hit, ...]:
        """Search, fetch, and rank the sentences of this search's pages; without ``search`` of all read so far."""
        if not search:
            return self._loose.retrieve(query, [r.document for r in self.read()])
        urls = self._desk.pages(query.text)
        if not urls:
            return ()
        with ThreadPoolExecutor(max_workers=PARALLEL, thread_name_prefix="factdesk-web") as pool:
            read = list(pool.map(self._read, urls))
        return self._loose.retrieve(query, [r.document for r in read if isinstance(r, ReadPage)])

    def read(self) -> tuple[ReadPage, ...]:
        """All pages that became documents, by address."""
        with self._lock:
            return tuple(found for _, found in sorted(self._pages.items()) if isinstance(found, ReadPage))

    def failures(self) -> tuple[Failure, ...]:
        """Searches and pages that did not work; none is on the deciding path."""
        with self._lock:
            lost = [found for _, found in sorted(self._pages.items()) if isinstance(found, Failure)]
        shown = lost[:MAX_FAILURES]
        if len(lost) > MAX_FAILURES:
            message = f"{len(lost) - MAX_FAILURES} more pages were not read"
            shown.append(Failure(where="web.fetch", kind="several", message=message, deciding=False))
        return (*self._desk.failures(), *shown)

    def _read(self, url: str) -> ReadPage | Failure:
        with self._lock:
            lock = self._locks.setdefault(url, threading.Lock())
        with lock:
            known = self._pages.get(url)
            if known is None:
                known = self._made(url)
                with self._lock:
                    self._pages[url] = known
            return known

    def _made(self, url: str) -> ReadPage | Failure:
        from agent.tools.web.page import read_page, review_page
        from agent.web_ports import FetchOutcome

        review = self._desk.review(url)
        outcome = FetchOutcome(page=review_page(url, review), failure=None) if review else self._fetcher.fetch(url)
        if outcome.page is None:
            return outcome.failure or Failure(
                where="web.fetch", kind="bad_output", message=f"{url!r} gave nothing", deciding=False
            )
        try:
            return ReadPage(outcome.page, read_page(outcome.page, self._today))
        except InputError as error:
            message = f"{url[:300]!r} was not read: {error}"
            return Failure(where="web.fetch", kind="text", message=message, deciding=False)


class Evidence:
    """Corpora and web as one retriever (``evidence.types.Retriever``), with the documents behind it. What the corpora
    answer is recorded, or comes from a recording; they are not opened then.
    """

    def __init__(
        self,
        open_: Callable[[], OpenCorpora],
        recorder: Recorder = LIVE,
        web: WebPages | None = None,
        fingerprints: Sequence[Fingerprint] = (),
    ) -> None:
        self._corpora = None if recorder.replaying else open_()
        self._recorder, self._web, self._searches = recorder, web, True
        self.fingerprint = self._told("fingerprint", "corpora", lambda c: c.fingerprint, Fingerprint)
        self.fingerprints = (self.fingerprint, *fingerprints)
        """Of all parts that find evidence."""

    def _told(self, kind: str, key: str, ask: Callable[[OpenCorpora], Answer], shape: type[Answer] | Any) -> Answer:
        """What the corpora answer, or answered when it was recorded."""
        corpora = self._corpora
        if corpora is not None and self._recorder is LIVE:
            return ask(corpora)
        adapter = TypeAdapter[Answer](shape)

        def answer() -> JsonValue:
            if corpora is None:
                raise InputError("a replay asked for the corpora themselves; the recording does not fit")
            found: JsonValue = adapter.dump_python(ask(corpora), mode="json")
            return found

        return adapter.validate_python(self._recorder.call(kind, key, answer))

    @property
    def retriever(self) -> Retriever:
        """What answers questions: the corpora themselves where nothing is recorded and no web asked."""
        return self._corpora if self._corpora and self._recorder is LIVE and self._web is None else self

    @property
    def probing(self) -> Evidence:
        """The same without new searches: for looking around a document that was found."""
        found = copy(self)
        found._searches = False
        return found

    def retrieve(self, query: Query) -> tuple[Hit, ...]:
        """Hits of both, best first."""
        key = query.model_dump_json(exclude=None if query.connect else {"connect"})
        found = self._told("retrieve", key, lambda c: c.retrieve(query), tuple[Hit, ...])
        if self._web is None:
            return found
        return merged(found, self._web.retrieve(query, search=self._searches), query.limit)

    def document(self, doc_id: str) -> Document | None:
        """A document by its id, web pages first: their ids begin with ``web:``."""
        for item in self.pages():
            if item.document.doc_id == doc_id:
                return item.document
        return self._told("document", doc_id, lambda c: c.document(doc_id), Document | None)

    def document_text(self, doc_id: str) -> str | None:
        """Full text of a document, or ``None``."""
        document = self.document(doc_id)
        return document.text if document else None

    def pages(self) -> tuple[ReadPage, ...]:
        """Web pages read so far."""
        return self._web.read() if self._web else ()

    def pins(self) -> tuple[CorpusPin, ...]:
        """The corpora as they are, for a run that may be taken up again; none in a replay."""
        states = self._corpora.states() if self._corpora is not None else ()
        return tuple(CorpusPin(name=name, updated=updated) for name, updated in states)

    def snapshot_id(self) -> str:
        """Hash over all documents of the corpora."""
        return self._told("fingerprint", "snapshot", lambda c: c.snapshot_id(), str)

    def size(self) -> int:
        """How many documents the corpora have; web pages are not counted."""
        return self._told("fingerprint", "size", lambda c: c.size(), int)

    def failures(self) -> tuple[Failure, ...]:
        """What did not work on the web so far, and files that could not be used."""
        unread = self._told("fingerprint", "unread", lambda c: c.unread, tuple[tuple[str, str], ...])
        return (*unread_failures(unread), *(self._web.failures() if self._web else ()))


def merged(corpus: Sequence[Hit], web: Sequence[Hit], limit: int) -> tuple[Hit, ...]:
    """One order of both: by the score of the last stage where all hits have it, else by rank in turn."""
    hits = [(0, h) for h in corpus] + [(1, h) for h in web]
    if all(h.scores.rerank is not None for _, h in hits):
        hits.sort(key=lambda item: (-(item[1].scores.rerank or 0.0), item[1].span.span_id))
    else:
        hits.sort(key=lambda item: (item[1].rank, item[0]))
    return tuple(h.model_copy(update={"rank": n}) for n, (_, h) in enumerate(hits[:limit], 1))


def unread_failures(unread: Sequence[tuple[str, str]]) -> tuple[Failure, ...]:
    """One for each file, at most ``MAX_FAILURES``; none is on the deciding path. What is "kept …" was read."""
    shown, more = unread[:MAX_FAILURES], len(unread) - MAX_FAILURES
    told = [f"{name!r} was {why if why.startswith('kept ') else f'not read: {why}'}" for name, why in shown]
    if more > 0:
        told.append(f"{more} more files were not read or were kept with a doubt")
    return tuple(Failure(where="evidence.ingest", kind="unread", message=message, deciding=False) for message in told)


def open_evidence(
    settings: Settings, corpora: Corpora, open_: Callable[[], OpenCorpora], recorder: Recorder
) -> Evidence:
    """The evidence of one check by its settings. ``open_`` opens the corpora; not called in a replay."""
    if not settings.web:
        return Evidence(open_, recorder)
    from agent.tools.web.fetch import PageFetcher
    from agent.tools.web.search import SearchDesk, SearchGiven, make_search
    from evidence.retrieval.in_memory import InMemoryRetriever

    options = settings.websearch
    blocked = blocked_on_web(settings)
    key = options.api_key.get_secret_value() if options.api_key else ""
    given = SearchGiven(options.url, key)

    def searcher() -> JsonValue:
        return make_search(options.provider, given).fingerprint.model_dump(mode="json")

    engine = Fingerprint.model_validate(recorder.call("fingerprint", "websearch", searcher))
    embedder = None if settings.retriever == "bm25" else corpora.embedder
    fetcher = PageFetcher(recorder, blocked)
    desk = SearchDesk(lambda: make_search(options.provider, given), recorder, blocked, limit=options.results)
    pages = WebPages(desk, fetcher, InMemoryRetriever(embedder), today(recorder))
    return Evidence(open_, recorder, pages, (engine, fetcher.fingerprint, reading_fingerprint()))


def reading_fingerprint() -> Fingerprint:
    """What turns a page into text."""
    from importlib.metadata import version

    from evidence.retrieval.in_memory import IN_MEMORY_VERSION

    parts = ", ".join(f"{name} {version(name)}" for name in ("trafilatura", "htmldate"))
    return Fingerprint(name="page:trafilatura", version=f"{parts}, ranking {IN_MEMORY_VERSION}")


def keep_snapshots(settings: Settings, evidence: Evidence, body: CertificateBody) -> int:
    """Put the web pages among a certificate's documents into the store; how many there are."""
    cited = {(str(d.get("doc_id")), str(d.get("sha256"))) for d in body.documents}
    pages = [p for p in evidence.pages() if (p.document.doc_id, p.document.sha256) in cited]
    if pages:
        from store.snapshots import Snapshot

        open_snapshots(settings).keep(
            [Snapshot(document=p.document, body=p.page.body, charset=p.page.charset) for p in pages]
        )
    return len(pages)


def prompts_sha256() -> str:
    """Hex SHA-256 over names and bytes of all prompt files, in the order of their names."""
    digest = hashlib.sha256()
    found = {p.name: p.read_bytes() for p in files("agent.prompts").iterdir() if p.name.endswith(".md")}
    for name in sorted(found):
        digest.update(f"{name}\0{len(found[name])}\0".encode() + found[name])
    return digest.hexdigest()


def retrieval_of(evidence: Evidence, bounds: Bounds) -> Retrieval:
    """The retrieval configuration of a check; web pages stand by their own hashes, not in the snapshot."""
    return Retrieval.taken_from(bounds, retriever=evidence.fingerprint, snapshot_id=evidence.snapshot_id())
