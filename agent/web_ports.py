"""Ports to the web and to everything else outside a run.

All of it goes through :class:`Outside`, so that a run can be recorded and replayed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from pydantic import JsonValue

from factdesk.kernel import Failure, Fingerprint, Record


class Outside(Protocol):
    """Source of answers from outside: the world, or a recording."""

    def call(self, kind: str, key: str, fn: Callable[[], JsonValue]) -> JsonValue:
        """The answer of ``fn``, or the one recorded for ``kind`` and ``key``.

        ``fn`` returns JSON. ``BackendUnavailable`` and ``TransientError`` are recorded and raised again.
        Raises ``InputError`` for what was not recorded.
        """
        ...


class Direct:
    """The world itself, without recording (implements :class:`Outside`)."""

    def call(self, kind: str, key: str, fn: Callable[[], JsonValue]) -> JsonValue:
        """Call ``fn``."""
        del kind, key
        return fn()


DIRECT = Direct()


def failed(kind: str, message: str) -> JsonValue:
    """A failure in the form in which it is recorded."""
    return {"failure": {"kind": kind, "message": message}}


def failure_in(answer: JsonValue) -> tuple[str, str] | None:
    """Kind and message of a recorded failure; ``None`` for any other answer."""
    failure = answer.get("failure") if isinstance(answer, dict) else None
    return (str(failure.get("kind")), str(failure.get("message"))) if isinstance(failure, dict) else None


class SearchResult(Record):
    """One search result. Title and snippet are never evidence."""

    url: str
    title: str = ""
    snippet: str = ""
    review: str = ""
    """A fact check in ClaimReview form (JSON) that the engine itself gives; it is read, not its page."""


class WebSearch(Protocol):
    """A search engine; for reverse image search, one that is asked with the public address of a picture."""

    @property
    def fingerprint(self) -> Fingerprint: ...

    def search(self, query: str, limit: int) -> tuple[SearchResult, ...]:
        """At most ``limit`` results, best first.

        Raises ``TransientError``, which may be retried, or ``BackendUnavailable``.
        """
        ...


class FetchedPage(Record):
    """A fetched page, after redirects."""

    url: str
    """The address asked for."""
    final_url: str
    media_type: str
    charset: str | None
    """As named by the server; may be wrong."""
    body: bytes


class FetchOutcome(Record):
    """A page, or the reason why there is none."""

    page: FetchedPage | None
    failure: Failure | None
