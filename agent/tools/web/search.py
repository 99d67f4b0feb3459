"""Web searches of a check: each query once, retried, capped, without blocked sites."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import urldefrag, urlsplit

from pydantic import JsonValue

from agent.tools.web import search_engines
from agent.tools.web.http import retried
from agent.web_ports import Outside, SearchResult, WebSearch, failed, failure_in
from factdesk.kernel import BackendUnavailable, ConfigError, Failure, TransientError
from factdesk.registry import Registry

MAX_QUERY = 300
"""Characters of a query."""
MAX_SEARCHES = 30
"""Searches in one check."""


class SearchGiven(NamedTuple):
    """What an engine is made with: ``websearch.url`` and ``websearch.api_key``."""

    url: str | None = None
    api_key: str = ""


SEARCH_ENGINES = Registry[Callable[[SearchGiven], WebSearch]]("search engine")
"""Factories by name."""


def make_search(provider: str, given: SearchGiven) -> WebSearch:
    """The search engine that a setting names. Raises ``ConfigError``."""
    make, _ = SEARCH_ENGINES.find(provider)
    return make(given)


@SEARCH_ENGINES.register("duckduckgo")
def _duckduckgo(given: SearchGiven) -> WebSearch:
    from agent.tools.web.ddgs_search import DuckDuckGoSearch

    del given
    return DuckDuckGoSearch()


@SEARCH_ENGINES.register("searxng")
def _searxng(given: SearchGiven) -> WebSearch:
    if not given.url:
        raise ConfigError("websearch.provider 'searxng' needs websearch.url, the address of an instance")
    return search_engines.SearxngSearch(given.url)


@SEARCH_ENGINES.register("google-factcheck", "published fact checks; needs a key")
def _google_factcheck(given: SearchGiven) -> WebSearch:
    return search_engines.GoogleFactChecks(given.api_key, given.url or search_engines.FACT_CHECKS)


@SEARCH_ENGINES.register("wikipedia")
def _wikipedia(given: SearchGiven) -> WebSearch:
    return search_engines.WikipediaSearch(given.url)


@SEARCH_ENGINES.register("wikidata", "English articles on the items found")
def _wikidata(given: SearchGiven) -> WebSearch:
    return search_engines.WikidataSearch(given.url)


class SearchDesk:
    """The searches of one check. After a failure to reach the engine, it is not asked again."""

    def __init__(
        self,
        make: Callable[[], WebSearch],
        outside: Outside,
        blocked: Callable[[str], bool],
        *,
        limit: int = 10,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """``make`` is called for the first search, and not in a replay."""
        self._make = make
        self._outside = outside
        self._blocked = blocked
        self._limit = limit
        self._sleep = sleep
        self._engine: WebSearch | None = None
        self._lock = threading.Lock()
        self._known: dict[str, tuple[str, ...]] = {}
        self._reviews: dict[str, str] = {}
        self._asked = 0
        self._down = ""
        self._failures: dict[str, str] = {}

    def pages(self, query: str) -> tuple[str, ...]:
        """At most ``limit`` addresses for a query, best first; empty when the web is not reachable."""
        query = shortened(query)
        with self._lock:  # one search at a time is polite enough, and each query is asked once
            if query not in self._known:
                self._known[query] = self._wanted(self._outside.call("search", query, lambda: self._ask(query)))
            return self._known[query]

    def review(self, url: str) -> str:
        """The fact check that the engine gave for an address, in ClaimReview form; ``""``: none."""
        with self._lock:
            return self._reviews.get(url, "")

    def failures(self) -> tuple[Failure, ...]:
        """Failures, each reason once; never on the deciding path."""
        return tuple(
            Failure(where="web.search", kind=kind, message=message, deciding=False)
            for message, kind in sorted(self._failures.items())
        )

    def _ask(self, query: str) -> JsonValue:
        if self._down:
            return failed("unavailable", self._down)
        if self._asked >= MAX_SEARCHES:
            message = f"the cap of {MAX_SEARCHES} web searches was reached; then the corpus answered alone"
            return failed("budget", message)
        self._asked += 1
        try:
            engine = self._engine = self._engine or self._make()
            found = retried(lambda: engine.search(query, self._limit), attempts=3, sleep=self._sleep)
        except (TransientError, BackendUnavailable) as error:
            self._down = f"the web was not reachable ({error}); the corpus answered alone"
            return failed("unavailable", self._down)
        return {"results": [r.model_dump(mode="json") for r in found]}

    def _wanted(self, answer: JsonValue) -> tuple[str, ...]:
        if failure := failure_in(answer):
            kind, message = failure
            self._failures[message] = kind
            return ()
        rows = answer.get("results") if isinstance(answer, dict) else None
        results = [SearchResult.model_validate(row) for row in rows] if isinstance(rows, list) else []
        usable = [(urldefrag(r.url.strip())[0], r.review) for r in results if self._usable(r.url.strip())]
        self._reviews.update({url: review for url, review in usable if review})
        return tuple(dict.fromkeys(url for url, _ in usable))[: self._limit]

    def _usable(self, url: str) -> bool:
        try:
            parts = urlsplit(url)
            host = parts.hostname or ""
        except ValueError:
            return False
        return parts.scheme in ("http", "https") and bool(host) and not self._blocked(host)


def shortened(query: str) -> str:
    """One line within ``MAX_QUERY``, cut between words."""
    line = " ".join(query.split())
    if len(line) <= MAX_QUERY:
        return line
    return line[: MAX_QUERY + 1].rpartition(" ")[0] or line[:MAX_QUERY]
