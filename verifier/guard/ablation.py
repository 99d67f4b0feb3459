"""Rules left out, and rules that spoke, to measure what each of them changes.

Nothing is certified or run again meanwhile (``report.policy.fingerprints``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_left_out: ContextVar[frozenset[str]] = ContextVar("left_out", default=frozenset())
_heard: ContextVar[set[str] | None] = ContextVar("heard", default=None)


@contextmanager
def leaving_out(rules: frozenset[str]) -> Iterator[None]:
    """Within it no rule with one of these ids is asked, of words or of structure."""
    token = _left_out.set(rules)
    try:
        yield
    finally:
        _left_out.reset(token)


@contextmanager
def hearing() -> Iterator[set[str]]:
    """The set into which the ids of all rules go that find something within it."""
    heard: set[str] = set()
    token = _heard.set(heard)
    try:
        yield heard
    finally:
        _heard.reset(token)


def left_out() -> frozenset[str]:
    """Ids of the rules that are not asked here."""
    return _left_out.get()


def hear(rules: Iterable[str]) -> None:
    """Note the rules that found something, where somebody listens."""
    heard = _heard.get()
    if heard is not None:
        heard.update(rules)
