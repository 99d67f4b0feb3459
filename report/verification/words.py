"""The three answers in words: lines for a terminal, and records for a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from report.sanitize import foreign
from report.verification.findings import Verification

MOST = 20
"""So many notes of a kind stand with an answer."""
_HOLDS = {True: "holds", False: "DOES NOT HOLD", None: "could not decide"}
_TONES = {True: "good", False: "bad", None: "open"}


class AnswerWords(NamedTuple):
    """One of the three answers for a reader."""

    name: str
    question: str
    answer: str
    tone: str
    """``good``, ``bad`` or ``open``."""
    notes: tuple[str, ...]


def verification_lines(found: Verification) -> list[str]:
    """The answers for the terminal, each with what it rests on below it."""
    rows = answers_in_words(found)
    return [line for row in rows for line in (f"{row.name:<14}{row.answer}", *(f"  - {note}" for note in row.notes))]


def answers_in_words(found: Verification) -> tuple[AnswerWords, ...]:
    """The three answers, each with what it is about."""
    again = found.reverified
    mismatches = (
        f"{m.certificate_id}/{m.claim_id}: {m.recorded} there, {m.recomputed} worked out again"
        for m in again.badge_mismatches
    )
    diff = "" if again.max_score_diff is None else f" (largest difference of a score {again.max_score_diff:.6f})"
    lists = (tuple(mismatches), again.problems, again.differences, again.notes) if again.asked else ()
    reverified = f"{_HOLDS[again.ok]}{diff}" if again.asked else "not asked (--rerun)"
    whole = found.completeness
    rows = (
        ("integrity", "Is it what was signed, and by whom?", _integrity(found), found.integrity.ok),
        ("completeness", "Is the history it stands in whole?", _HOLDS[whole.ok], whole.ok),
        ("reverified", "Do models and rules decide the same again?", reverified, again.ok),
    )
    told = ((found.integrity.problems,), (whole.problems,), lists)
    return tuple(
        AnswerWords(name, question, answer, _TONES[ok], tuple(note for texts in notes for note in _notes(texts)))
        for (name, question, answer, ok), notes in zip(rows, told, strict=True)
    )


def _integrity(found: Verification) -> str:
    """The answer; of what is open because its key came along with it, that it is intact."""
    states = {c.integrity.signature for file in found.files for c in file.certificates}
    if found.integrity.ok is None and states <= {"valid", "offered_key"}:
        return "intact; signed by a key you have not named"
    return _HOLDS[found.integrity.ok]


def _notes(texts: Sequence[str]) -> list[str]:
    more = [f"and {len(texts) - MOST} more"] if len(texts) > MOST else []
    return [foreign(text, 300) for text in texts[:MOST]] + more
