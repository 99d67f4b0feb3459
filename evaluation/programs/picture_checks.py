"""What the programs share that check claims about pictures: a home of their own, and a tally of verdicts."""

from __future__ import annotations

import os
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from factdesk.checker import FactChecker

OPEN = "not_enough_evidence"


@contextmanager
def own_home() -> Iterator[Path]:
    """A folder that is removed at the end, with the home of factdesk in it."""
    with tempfile.TemporaryDirectory() as name:
        os.environ["FACTDESK_HOME"] = str(Path(name) / "home")
        yield Path(name)


def spread(values: Sequence[float]) -> dict[str, float]:
    """Median and 95th percentile."""
    return {"median": round(float(np.median(values)), 2), "p95": round(float(np.quantile(values, 0.95)), 2)}


class Tally:
    """Checks claims about pictures, and counts what came out."""

    def __init__(self, checker: FactChecker) -> None:
        self._checker = checker
        self._right: dict[str, list[bool]] = defaultdict(list)
        self._counts, self._seconds, self._missed = Counter[str](), list[float](), list[str]()

    def check(
        self, kind: str, claim: str, expected: str, picture: Path, corpus: tuple[str, ...] = ()
    ) -> dict[str, Any]:
        """The JSON of one check, whose verdict is compared with the expected one."""
        start = time.perf_counter()
        found = self._checker.check(claim, images=[picture], corpus=corpus, record=False).json()
        self._seconds.append(time.perf_counter() - start)
        verdict = found["verdict"]
        self._right[kind].append(verdict == expected)
        self._counts["wrong verified"] += verdict == "supported" != expected
        self._counts["wrong refuted"] += verdict == "refuted" != expected
        self._counts["decidable"] += expected != OPEN
        self._counts["certified"] += verdict == expected != OPEN
        if verdict != expected:
            why = found["claims"][0]["reason"][:160]
            self._missed.append(f"{kind}: {claim} -> {verdict} instead of {expected}: {why}")
        return found

    def figures(self) -> dict[str, object]:
        """Right by kind, wrong certifications, the certified share, seconds, and what was missed."""
        return {
            "pairs": len(self._seconds),
            "right": {kind: f"{sum(found)}/{len(found)}" for kind, found in self._right.items()},
            "wrong verified": self._counts["wrong verified"],
            "wrong refuted": self._counts["wrong refuted"],
            "certified of decidable": f"{self._counts['certified']}/{self._counts['decidable']}",
            "seconds a pair": spread(self._seconds),
            "missed": self._missed,
        }
