"""Import a library without the heavy optional ones it would pull in just because they are installed."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import cast

_LOCK = threading.Lock()


@contextmanager
def without(*names: str) -> Iterator[None]:
    """Within the block, importing one of these modules raises ``ImportError``, as if it were not installed.

    Modules that are loaded already stay as they are, and afterwards all can be imported again.
    """
    with _LOCK:
        hidden = [name for name in names if name not in sys.modules]
        for name in hidden:
            sys.modules[name] = cast(ModuleType, None)
        try:
            yield
        finally:
            for name in hidden:
                if sys.modules.get(name) is None:
                    sys.modules.pop(name, None)
