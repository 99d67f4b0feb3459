"""Rules left out, to measure what each of them changes; no check leads here."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_left_out: ContextVar[frozenset[str]] = ContextVar("left_out", default=frozenset())


@contextmanager
def leaving_out(rules: frozenset[str]) -> Iterator[None]:
    """Within it no rule with one of these ids is asked, of words or of structure."""
    token = _left_out.set(rules)
    try:
        yield
    finally:
        _left_out.reset(token)


def left_out() -> frozenset[str]:
    """Ids of the rules that are not asked here."""
    return _left_out.get()
