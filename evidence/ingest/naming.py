"""Ids for documents: short, stable, and never the same for two different files."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator


def file_id(relative: str, suffix: str) -> str:
    """The relative path without its ending, NFC, with control characters made ``_``."""
    return _clean(relative[: len(relative) - len(suffix)] or relative)


def _clean(name: str) -> str:
    name = unicodedata.normalize("NFC", name)
    return "".join("_" if unicodedata.category(c).startswith("C") else c for c in name)


class Names:
    """Hands out ids. The first to ask gets the plain id; others the next free, more telling one."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def take(self, plain: str, *, ending: str = "", root: str = "") -> str:
        """A free id: ``a``, else ``a.md`` (its ending), else ``folder/a.md``, else ``a~2``, ``a~3``, …."""
        for name in self._choices(plain, ending, _clean(root)):
            if name not in self._taken:
                self._taken.add(name)
                return name
        raise RuntimeError("unreachable: the choices have no end")

    @staticmethod
    def _choices(plain: str, ending: str, root: str) -> Iterator[str]:
        yield plain
        if ending:
            yield plain + ending
        if root:
            yield f"{root}/{plain}{ending}"
        number = 2
        while True:
            yield f"{plain}~{number}"
            number += 1
