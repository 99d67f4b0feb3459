"""Back ends by name: those of factdesk, and those that installed packages add by entry point.

A package adds a verifier ``mine`` with an entry point in the group ``factdesk.verifiers``::

    [project.entry-points."factdesk.verifiers"]
    mine = "my_package:make_verifier"

The object it names takes what factdesk's own of that kind take. This module imports the kernel alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Generic, NamedTuple, TypeVar, cast

from factdesk.kernel import BackendUnavailable, ConfigError

BackEnd = TypeVar("BackEnd")
GROUPS = {
    "verifier": "factdesk.verifiers",
    "reasoner": "factdesk.reasoners",
    "retriever": "factdesk.retrievers",
    "search engine": "factdesk.searches",
    "format": "factdesk.formats",
    "export": "factdesk.exports",
}
"""Kind of back end -> group of its entry points."""


class Registered(NamedTuple, Generic[BackEnd]):
    """One of factdesk's own."""

    made: BackEnd
    usage: str
    """How it is written: ``gguf:PATH``; a part in capitals stands for any text."""
    note: str


class Registry(Generic[BackEnd]):
    """Back ends of one kind. One of factdesk's own is never replaced by one of the same name."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.group = GROUPS[kind]
        self._own: dict[str, Registered[BackEnd]] = {}

    def register(self, usage: str, note: str = "") -> Callable[[BackEnd], BackEnd]:
        """Decorator: the object is the back end named by the first part of ``usage``."""

        def add(made: BackEnd) -> BackEnd:
            self._own[usage.partition(":")[0]] = Registered(made, usage, note)
            return made

        return add

    def __iter__(self) -> Iterator[str]:
        """Names of all, ours first."""
        return iter(dict.fromkeys([*self._own, *(found.name for found in installed(self.kind))]))

    def find(self, spec: str) -> tuple[BackEnd, str]:
        """The back end that a spec ``NAME`` or ``NAME:REST`` names, and its ``REST``. Raises ``ConfigError`` for an
        unknown one, with the known ones, ``BackendUnavailable`` where an installed package names an object that cannot
        be loaded.
        """
        self.refuse_unknown(spec)
        name, _, rest = spec.partition(":")
        if name in self._own:
            return self._own[name].made, rest
        return cast(BackEnd, load(self.kind, _installed(self.kind, name)[0])), rest

    def refuse_unknown(self, spec: str) -> None:
        """Raise ``ConfigError`` for a spec that names nothing. Loads nothing."""
        name = spec.partition(":")[0]
        fits = _fits(spec, self._own[name].usage) if name in self._own else _installed(self.kind, name)
        if not fits:
            meant = did_you_mean(name, tuple(self)) if name not in self._own else ""
            raise ConfigError(f"unknown {self.kind} {spec!r};{meant} known: {self.known()}")

    def known(self) -> str:
        """All of them as they are written, for messages."""
        ours = [f"{own.usage} ({own.note})" if own.note else own.usage for own in self._own.values()]
        others = [found.name for found in installed(self.kind) if found.name not in self._own]
        return ", ".join([*ours, *others])


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`` did you mean 'news'?`` where a known word is near, else ``""``."""
    near = get_close_matches(word, list(known), n=1, cutoff=0.7)
    return f" did you mean {near[0]!r}?" if near else ""


def installed(kind: str) -> tuple[EntryPoint, ...]:
    """What installed packages add to a kind, by name."""
    return tuple(sorted(entry_points(group=GROUPS[kind]), key=lambda found: found.name))


def _installed(kind: str, name: str) -> list[EntryPoint]:
    return [found for found in installed(kind) if found.name == name]


def load(kind: str, found: EntryPoint) -> Any:
    """What an installed package adds. Raises ``BackendUnavailable`` where it cannot be loaded."""
    try:
        return found.load()
    except (ImportError, AttributeError) as error:
        package = found.dist.name if found.dist is not None else "an installed package"
        raise BackendUnavailable(
            f"the {kind} {found.name!r} of {package} cannot be loaded ({error}); reinstall that package"
        ) from error


def _fits(spec: str, usage: str) -> bool:
    """Whether a spec has as many parts as its usage, none of them empty; the last may hold colons."""
    parts = usage.split(":")
    given = spec.split(":", max(len(parts) - 1, 1))
    return len(given) == len(parts) and all(given)
