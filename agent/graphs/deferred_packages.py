"""Packages whose ``__init__`` runs once something is asked of it, for libraries that gather in theirs all they have.

Submodules are imported as ever; nothing is left out, and nothing is replaced.
"""

from __future__ import annotations

import importlib.abc
import threading
from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType

from language.imports import found_first

_LOCK = threading.RLock()


class _Deferred(ModuleType):
    """A package before its ``__init__`` has run."""

    def __getattr__(self, name: str) -> object:
        """Run ``__init__``, then give what was asked for. Names of Python's own (``__wrapped__``) are not there."""
        if not name.startswith("__"):
            with _LOCK:
                loader = self.__dict__.pop("_later", None)
                if loader is not None:
                    self._run(loader)
            if name in self.__dict__:
                return self.__dict__[name]
            if found := self.__dict__.get("__getattr__"):
                return found(name)
        raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")

    def _run(self, loader: importlib.abc.Loader) -> None:
        """Run ``__init__``; one that fails is run again when something else is asked for."""
        try:
            loader.exec_module(self)
        except BaseException:
            vars(self)["_later"] = loader
            raise


class _Later(importlib.abc.Loader):
    """Makes the module, and leaves its ``__init__`` to the module itself."""

    def __init__(self, loader: importlib.abc.Loader) -> None:
        self._loader = loader

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """A package that can wait."""
        return _Deferred(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Leave the true loader with the module, and as its own."""
        vars(module).update(_later=self._loader, __loader__=self._loader)
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader


def _deferred(fullname: str, path: Sequence[str] | None, target: ModuleType | None) -> ModuleSpec | None:
    """The package's own spec with a loader that waits."""
    spec = PathFinder.find_spec(fullname, path, target)
    if spec is not None and spec.loader is not None:
        spec.loader = _Later(spec.loader)
    return spec


def deferred(names: Collection[str]) -> AbstractContextManager[None]:
    """Within it, what this thread imports of these packages (full names) has its ``__init__`` deferred."""
    return found_first(names, _deferred)
