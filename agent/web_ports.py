"""The agent's ports to the web: searching, fetching, and whatever else comes from outside a run.

All that comes from outside goes through :class:`Outside`, so that a run can be recorded and replayed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from pydantic import JsonValue

from factdesk.kernel import Failure, Fingerprint, Record


class Outside(Protocol):
    """Where answers from outside come from: the world itself, or the recording of an earlier run."""

    def call(self, kind: str, key: str, fn: Callable[[], JsonValue]) -> JsonValue:
        """The answer of ``fn``, or what was recorded for ``kind`` and ``key`` (then ``fn`` is not called).

        What ``fn`` returns must be JSON. ``BackendUnavailable`` and ``TransientError`` are recorded
        and raised again; any other error passes. Raises ``InputError`` for what was not recorded.
        """
        ...


class Direct:
    """The world itself: nothing is recorded (implements :class:`Outside`)."""

    def call(self, kind: str, key: str, fn: Callable[[], JsonValue]) -> JsonValue:
        """Call ``fn``."""
        del kind, key
        return fn()


DIRECT = Direct()


class SearchResult(Record):
    """One result of a web search. Title and snippet are never evidence: only the fetched page is."""

    url: str
    title: str = ""
    snippet: str = ""


class WebSearch(Protocol):
    """A search engine."""

    @property
    def fingerprint(self) -> Fingerprint: ...

    def search(self, query: str, limit: int) -> tuple[SearchResult, ...]:
        """At most ``limit`` results, best first; empty when nothing was found.

        Raises:
            TransientError: may work when tried again.
            BackendUnavailable: will not.
        """
        ...


class PictureMatch(Record):
    """A page that a reverse image search names. Its words are a hint where to look, never evidence."""

    page: str
    title: str = ""
    caption: str = ""


class ReverseImageSearch(Protocol):
    """An engine that finds pages on which a picture stands."""

    @property
    def fingerprint(self) -> Fingerprint: ...

    def search(self, address: str, limit: int) -> tuple[PictureMatch, ...]:
        """At most ``limit`` pages for the picture at a public address; raises as ``WebSearch`` does."""
        ...


class FetchedPage(Record):
    """A page as it came, after redirects."""

    url: str
    """As asked for."""
    final_url: str
    media_type: str
    charset: str | None
    """As the server names it; may be wrong."""
    body: bytes


class FetchOutcome(Record):
    """A page, or why there is none. Exactly one of the two is there."""

    page: FetchedPage | None
    failure: Failure | None


class Fetcher(Protocol):
    """Fetches pages under the rules of ``docs/web.md``."""

    @property
    def fingerprint(self) -> Fingerprint: ...

    def fetch(self, url: str) -> FetchOutcome:
        """One page. Never raises for what the web does."""
        ...
