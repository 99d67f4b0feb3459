"""What stands before Python's own finders of modules for a block's time, in one thread only."""

from __future__ import annotations

import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec
from types import ModuleType


class NamedFinder(ABC):
    """A meta-path finder for some modules (full names) as this thread imports them; ``found`` says what they are."""

    def __init__(self, names: Collection[str]) -> None:
        self._names = frozenset(names)
        self._thread = threading.get_ident()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """What ``found`` gives for the named modules; all others are left to the finders behind."""
        if fullname not in self._names or threading.get_ident() != self._thread:
            return None
        return self.found(fullname, path, target)

    @abstractmethod
    def found(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None) -> ModuleSpec | None:
        """The spec of a named module; ``None``: as the finders behind find it."""


@contextmanager
def before_others(finder: NamedFinder) -> Iterator[None]:
    """Ask this finder first, for the block's time; modules that are loaded stay."""
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
