"""What a re-run found, and how a recorded assessment is compared with a fresh one."""

from __future__ import annotations

from dataclasses import dataclass, field

from report.verification.types import BadgeMismatch, Reverified
from verifier.types import Assessment, Counterfactual, NLIScores

TOLERANCE = 0.001
"""Largest difference of a score that another machine may make."""


@dataclass
class Findings:
    """What was found so far."""

    problems: list[str] = field(default_factory=list)
    differences: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    mismatches: list[BadgeMismatch] = field(default_factory=list)
    diff: float | None = None
    spans: int = 0

    def scored(self, recorded: float, fresh: float) -> bool:
        """Compare two scores; whether they agree."""
        found = abs(recorded - fresh)
        self.diff = max(self.diff or 0.0, round(found, 6))
        return found <= TOLERANCE

    def answer(self) -> Reverified:
        """``False`` where something does not hold, ``None`` where models or rules differ, else ``True``."""
        return Reverified(
            ok=False if self.problems or self.mismatches else None if self.differences else True,
            max_score_diff=self.diff,
            badge_mismatches=tuple(self.mismatches),
            problems=tuple(self.problems),
            differences=tuple(self.differences),
            notes=tuple(self.notes),
            spans=self.spans,
        )


def compare(where: str, recorded: Assessment, fresh: Assessment, found: Findings) -> None:
    """Scores within ``TOLERANCE``, everything else to the letter; what differs is a problem."""
    agree = [*_scores(recorded.raw, fresh.raw, found), *_scores(recorded.calibrated, fresh.calibrated, found)]
    if not all(agree):
        found.problems.append(f"{where}: the recorded scores are not what the verifier says")
    if recorded.guard != fresh.guard:
        found.problems.append(f"{where}: the guard finds something else")
    if recorded.passes != fresh.passes:
        found.problems.append(f"{where}: {recorded.passes} forward passes recorded, {fresh.passes} needed")
    old, new = recorded.counterfactual, fresh.counterfactual
    if (old is None) != (new is None) or (old and new and (old.claim, old.literal) != (new.claim, new.literal)):
        found.problems.append(f"{where}: the mended claim is another")
    elif old and new and not _same_counterfactual(old, new, found):
        found.problems.append(f"{where}: the mended claim has another score")


def _same_counterfactual(old: Counterfactual, new: Counterfactual, found: Findings) -> bool:
    same = found.scored(old.entailment, new.entailment)
    if old.refutation is None or new.refutation is None:
        return same and old.refutation is new.refutation
    return found.scored(old.refutation, new.refutation) and same


def _scores(recorded: NLIScores, fresh: NLIScores, found: Findings) -> list[bool]:
    return [
        found.scored(getattr(recorded, name), getattr(fresh, name))
        for name in ("entailment", "neutral", "contradiction")
    ]
