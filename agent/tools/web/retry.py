"""Trying again what may work the next time: ``TransientError`` and nothing else."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from factdesk.kernel import TransientError

T = TypeVar("T")


def retried(fn: Callable[[], T], *, attempts: int, sleep: Callable[[float], None] = time.sleep) -> T:
    """``fn``'s result, tried up to ``attempts`` times with 0.5, 1, 2, ... (at most 8) seconds between.

    The last ``TransientError`` is raised; any other error at once.
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
