"""Questions about parses that another process may answer: it has spaCy loaded already, this one need not.

Only functions of texts and plain values that give plain values take part; the same code answers there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from importlib import import_module
from typing import ParamSpec, TypeVar

Plain = str | int | float | bool | list["Plain"] | None
Ask = Callable[[str, list[Plain]], "tuple[Plain] | None"]
"""Takes the name of a function and its arguments, gives its result in a tuple; ``None``: no answer."""
P = ParamSpec("P")
R = TypeVar("R")
_ASK: ContextVar[Ask | None] = ContextVar("language_elsewhere", default=None)


@contextmanager
def answered_by(ask: Ask) -> Iterator[None]:
    """Let ``ask`` answer for the block's time; what it does not answer is worked out here."""
    token = _ASK.set(ask)
    try:
        yield
    finally:
        _ASK.reset(token)


def answerable(function: Callable[P, R]) -> Callable[P, R]:
    """Marks a function that may be answered elsewhere; its arguments are given by position."""
    name = f"{function.__module__}:{function.__qualname__}"

    @wraps(function)
    def answer(*args: P.args, **named: P.kwargs) -> R:
        ask = _ASK.get()
        found = ask(name, list(args)) if ask is not None and not named else None  # type: ignore[arg-type]
        return found[0] if found is not None else function(*args, **named)  # type: ignore[return-value]

    return answer


def answer(name: str, arguments: list[Plain]) -> Plain:
    """The result of a function that is marked as answerable, by its name."""
    module, _, function = name.partition(":")
    found: Plain = getattr(import_module(module), function)(*arguments)
    return found
