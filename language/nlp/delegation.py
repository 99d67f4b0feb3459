"""Questions about parses that another process may answer: it has spaCy loaded already, this one need not.

Only functions of texts and plain values take part, whose results can be written as JSON; the same code answers there.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, wraps
from importlib import import_module
from typing import Any, ParamSpec, TypeVar, get_type_hints

from pydantic import TypeAdapter

Ask = Callable[[str, tuple[object, ...], dict[str, object]], str | None]
"""Takes the name of a function and its arguments by place and name, gives its result as JSON; ``None``: no answer."""
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
    """Marks a function that may be answered elsewhere."""

    @wraps(function)
    def answer(*args: P.args, **named: P.kwargs) -> R:
        ask = _ASK.get()
        found = ask(f"{function.__module__}:{function.__qualname__}", args, named) if ask else None
        if found is None:
            return function(*args, **named)
        result: R = _result_of(inspect.unwrap(function)).validate_json(found)
        return result

    return answer


@cache
def _result_of(function: Callable[..., object]) -> TypeAdapter[Any]:
    return TypeAdapter(get_type_hints(function)["return"])


def answer(name: str, args: list[object], named: dict[str, object]) -> str:
    """The result, as JSON, of a function that is marked as answerable, by its name."""
    module, _, function = name.partition(":")
    asked: Callable[..., object] = getattr(import_module(module), function)
    return _result_of(inspect.unwrap(asked)).dump_json(asked(*args, **named)).decode()
