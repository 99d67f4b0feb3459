"""``factdesk demo``: a few of the shipped example claims, checked for real."""

from __future__ import annotations

import json
from collections.abc import Callable

from agent.types import Progress
from factdesk.checker import FactChecker, Report
from factdesk.import_guard import examples_dir
from factdesk.settings import Settings

SHOWN = ("c44", "c39", "c06")
"""A supported claim, one that comes with a picture and is refuted, and one without enough evidence."""


def run_demo(settings: Settings, progress: Callable[[Progress], None]) -> tuple[Report, ...]:
    """Check the shown examples against the shipped articles; the certificates go into the history."""
    folder = examples_dir()
    rows = [json.loads(line) for line in (folder / "claims.jsonl").read_text(encoding="utf-8").splitlines()]
    chosen = {row["id"]: row for row in rows if row["id"] in SHOWN}
    checker = FactChecker(settings)
    return tuple(
        checker.check(
            chosen[name]["claim"],
            images=[folder / chosen[name]["image"]] if chosen[name].get("image") else [],
            corpus=(str(folder / "corpus"),),
            progress=progress,
        )
        for name in SHOWN
    )
