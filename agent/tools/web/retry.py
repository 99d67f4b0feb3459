"""Retries of ``TransientError``."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from factdesk.kernel import TransientError

T = TypeVar("T")


def retried(fn: Callable[[], T], *, attempts: int, sleep: Callable[[float], None] = time.sleep) -> T:
    """``fn``'s result after at most ``attempts`` tries, with growing pauses of 0.5 to 8 seconds.

    Raises the last ``TransientError``, and any other error at once.
    """
    from tenacity import Retrying, retry_if_exception_type, stop_after_attempt, wait_exponential

    retrying = Retrying(
        retry=retry_if_exception_type(TransientError),
        stop=stop_after_attempt(attempts),
        wait=wait_exponential(multiplier=0.5, max=8.0),
        sleep=sleep,
        reraise=True,
    )
    return retrying(fn)
