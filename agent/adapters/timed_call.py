"""One call to code of others, with a time limit, its error handed back as a value."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Value = TypeVar("Value")

GRACE = 0.5
"""Seconds beyond the limit, so that a client with the same limit can end by itself."""


def attempt(call: Callable[[], Value], seconds: float) -> Value | Exception:
    """The outcome of a call, or the error it ended with as a value; a ``TimeoutError`` after ``seconds``.

    Each provider has an error tree of its own that shares nothing but ``Exception``, and a server that
    talks nonsense shows as ``TypeError`` or ``KeyError`` from within its client. The caller makes a typed
    failure of each; what is no ``Exception`` goes on its way. A call that is late is left to end by itself.
    """
    pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="factdesk-llm")
    try:
        future = pool.submit(call)
        try:
            error = future.exception(timeout=seconds + GRACE)
        except TimeoutError as late:
            return late
        if error is None:
            return future.result()
        if isinstance(error, Exception):
            return error
        raise error
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
