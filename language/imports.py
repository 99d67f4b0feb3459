"""What stands before Python's own finders of modules for a block's time, in one thread only."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec
from types import ModuleType

Found = Callable[[str, Sequence[str] | None, ModuleType | None], ModuleSpec | None]
"""The spec of a named module, by name, path and target; ``None``: as the finders behind find it."""


class _Finder:
    """A meta-path finder for some modules as one thread imports them."""

    def __init__(self, names: Collection[str], found: Found) -> None:
        self._names, self._found = frozenset(names), found
        self._thread = threading.get_ident()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname not in self._names or threading.get_ident() != self._thread:
            return None
        return self._found(fullname, path, target)


@contextmanager
def found_first(names: Collection[str], found: Found) -> Iterator[None]:
    """Find these modules (full names) this way, for the block's time; modules that are loaded stay."""
    finder = _Finder(names, found)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
