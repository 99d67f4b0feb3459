"""One call to third-party code with a time limit; its error is returned as a value."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Value = TypeVar("Value")

GRACE = 0.5
"""Seconds beyond the limit, so that a client with the same limit can end first."""


def attempt(call: Callable[[], Value], seconds: float) -> Value | Exception:
    """The outcome of a call, or its ``Exception`` as a value; ``TimeoutError`` after ``seconds``.

    A late call is left to end by itself.
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
