"""factdesk: check claims against text and image evidence; every "Verified" can be re-run by a stranger.

Importing this package loads nothing else of ours; the names below load on first use (PEP 562)::

    from factdesk import FactChecker

    report = FactChecker.from_config().check("…", images=["a.jpg"])
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from factdesk.checker import FactChecker, Report
    from factdesk.kernel import __version__

__all__ = ["FactChecker", "Report", "__version__"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'factdesk' has no attribute {name!r}")
    from importlib import import_module

    found: object = getattr(import_module("factdesk.kernel" if name == "__version__" else "factdesk.checker"), name)
    return found
