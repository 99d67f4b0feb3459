"""The fixtures of the command line's tests, for faults too."""

from __future__ import annotations

from tests.factdesk.conftest import articles, home, pipeline, run, stocked_home

__all__ = ["articles", "home", "pipeline", "run", "stocked_home"]
