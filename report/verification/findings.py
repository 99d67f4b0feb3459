"""The three answers of a verification, and what a re-run found: a recorded assessment beside a fresh one.

``docs/threat-model.md`` says what each answer proves and does not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from agent.types import AtomicClaim
from evidence.types import Span
from factdesk.kernel import Fingerprint, Record
from report.certificate.signing import SignatureState
from report.types import State
from verifier.types import Assessment, Counterfactual, NLIScores, PairText, Verifier


class Integrity(Record):
    """Whether it is what was signed, by a key that is known, in a form that holds together."""

    ok: bool | None
    """``None``: nothing is wrong with it, but the key is not known, so whose it is stays open."""
    signature: SignatureState
    key_id: str | None = None
    problems: tuple[str, ...] = ()
    intact: bool = True
    """Hashes and all that follows from them hold, whoever signed it."""


class Completeness(Record):
    """Whether the history is whole: from its beginning to a known head, without gap or fork."""

    ok: bool | None
    """``None``: there was no history to look at."""
    scope: str
    """``"export"``, ``"local history"`` or ``"none"``."""
    certificates: int = 0
    head: int | None = None
    """Number of the signed head it was held against."""
    problems: tuple[str, ...] = ()


class BadgeMismatch(Record):
    """A claim whose recorded state is not the one that was worked out again."""

    certificate_id: str
    claim_id: str
    recorded: State
    recomputed: State
    how: str
    """``"policy"``: from the recorded scores; ``"model"``: from the scores of this run."""


class Reverified(Record):
    """Whether verifier, guard, trust and policy say the same again."""

    ok: bool | None
    """``None``: could not decide; ``differences`` say why."""
    max_score_diff: float | None = None
    """Largest difference of a score, 0 to 1; ``None`` where nothing was scored again."""
    badge_mismatches: tuple[BadgeMismatch, ...] = ()
    problems: tuple[str, ...] = ()
    differences: tuple[str, ...] = ()
    """What differs between the certificate's models and rules and those here."""
    notes: tuple[str, ...] = ()
    """What was taken as recorded, and thresholds looser than calibrated."""
    spans: int = 0
    """Premises that were scored again, joint ones and relations of documents included."""


class CertificateResult(Record):
    """The answers on one certificate of a file."""

    certificate_id: str | None
    integrity: Integrity
    reverified: Reverified | None
    """``None``: not asked for."""


class FileResult(Record):
    """The answers on one file."""

    file: str
    certificates: tuple[CertificateResult, ...]
    completeness: Completeness


class AnswerSum(Record):
    """Integrity over all certificates, or completeness over all files."""

    ok: bool | None
    problems: tuple[str, ...]


class ReverifiedSum(Record):
    """Over all certificates."""

    ok: bool | None
    asked: bool
    max_score_diff: float | None
    badge_mismatches: tuple[BadgeMismatch, ...]
    problems: tuple[str, ...]
    differences: tuple[str, ...]
    notes: tuple[str, ...]


class Verification(Record):
    """All of ``factdesk verify --json``."""

    schema_version: str = "factdesk.verification/1"
    integrity: AnswerSum
    completeness: AnswerSum
    reverified: ReverifiedSum
    max_score_diff: float | None
    badge_mismatches: tuple[BadgeMismatch, ...]
    files: tuple[FileResult, ...]

    @property
    def holds(self) -> bool:
        """Whether every answer that was asked for holds; one that could not be given does not."""
        asked = [c.ok for c in (f.completeness for f in self.files) if c.scope != "none"]
        return self.integrity.ok is True and all(asked) and (not self.reverified.asked or self.reverified.ok is True)


A = TypeVar("A", Integrity, Completeness)


def failed(answer: A, *problems: str) -> A:
    """The answer, which does not hold because of these problems too."""
    return answer.model_copy(update={"ok": False, "problems": (*answer.problems, *problems)})


def together(answers: list[bool | None]) -> bool | None:
    """``False`` if any is; else ``None`` if any is, or there are none; else ``True``."""
    if any(a is False for a in answers):
        return False
    return True if answers and all(answers) else None


TOLERANCE = 0.001
"""Largest difference of a score that another machine may make."""


@dataclass(frozen=True)
class Tools:
    """What a re-run is made with."""

    verifier: Verifier
    rules: tuple[Fingerprint, ...]
    """Of the rules on this side that a re-run needs to be the same."""
    pair_of: Callable[[AtomicClaim, Span], PairText]


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
        return Reverified.taken_from(
            self,
            ok=False if self.problems or self.mismatches else None if self.differences else True,
            max_score_diff=self.diff,
            badge_mismatches=self.mismatches,
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
