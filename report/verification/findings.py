"""The three answers of a verification, and what a re-run found: a recorded assessment beside a fresh one.

``docs/threat-model.md`` says what each answer proves and does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from agent.types import AtomicClaim
from evidence.types import Span
from factdesk.kernel import Fingerprint, Record
from report.certificate.signing import SignatureState
from report.types import State
from verifier.types import Assessment, PairText, Verifier


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
_SCORES = frozenset({"entailment", "neutral", "contradiction", "refutation", "score", "trust"})
"""Fields of records that are compared with ``TOLERANCE``."""


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

    def same(self, where: str, recorded: object, fresh: object) -> bool:
        """Compare two records: scores within ``TOLERANCE``, all else to the letter; a difference is a problem."""
        apart = list(self._apart(recorded, fresh, ""))
        if apart:
            self.problems.append(f"{where}: recorded otherwise than worked out again ({', '.join(apart)})")
        return not apart

    def _apart(self, recorded: object, fresh: object, name: str) -> Iterator[str]:
        if isinstance(recorded, Record) and type(recorded) is type(fresh):
            for field_name in type(recorded).model_fields:
                yield from self._apart(getattr(recorded, field_name), getattr(fresh, field_name), field_name)
        elif isinstance(recorded, tuple) and isinstance(fresh, tuple) and len(recorded) == len(fresh):
            for old, now in zip(recorded, fresh, strict=True):
                yield from self._apart(old, now, name)
        elif name in _SCORES and isinstance(recorded, float) and isinstance(fresh, float):
            if not self.scored(recorded, fresh):
                yield name
        elif recorded != fresh:
            yield name

    def assess(self, verifier: Verifier, pairs: Sequence[PairText]) -> tuple[Assessment, ...]:
        """What the verifier says of the pairs now. Raises ``BackendUnavailable``."""
        self.spans += len(pairs)
        return tuple(verifier.assess(pairs)) if pairs else ()

    def answer(self) -> Reverified:
        """``False`` where something does not hold, ``None`` where models or rules differ, else ``True``."""
        return Reverified.taken_from(
            self,
            ok=False if self.problems or self.mismatches else None if self.differences else True,
            max_score_diff=self.diff,
            badge_mismatches=self.mismatches,
        )
