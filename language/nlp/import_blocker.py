"""Modules that look absent while others are imported that can do without them."""

from __future__ import annotations

import sys
import threading
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec
from types import ModuleType


class _Absent:
    """A meta-path finder for which modules are not installed, in one thread only."""

    def __init__(self, names: Collection[str]) -> None:
        self._names = frozenset(names)
        self._thread = threading.get_ident()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Refuse the modules that are to look absent; leave all others to the finders behind."""
        del path, target
        if threading.get_ident() == self._thread and fullname in self._names:
            raise ModuleNotFoundError(f"{fullname!r} is kept out for now", name=fullname)
        return None


@contextmanager
def look_absent(names: Collection[str]) -> Iterator[None]:
    """Make modules (full names) look absent to imports of this thread, for the block's time.

    ``sys.modules`` is not touched: what is imported already stays so, other threads import as they like, and
    so does everybody afterwards.
    """
    finder = _Absent(names)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
