"""The three answers for a reader who sees a page and no terminal."""

from __future__ import annotations

from typing import NamedTuple

from report.verification.files import verification_lines
from report.verification.findings import Verification

QUESTIONS = {
    "integrity": "Is it what was signed, and by whom?",
    "completeness": "Is the history it stands in whole?",
    "reverified": "Do models and rules decide the same again?",
}


class AnswerWords(NamedTuple):
    """One of the three answers for a reader."""

    question: str
    answer: str
    tone: str
    """``good``, ``bad`` or ``open``."""
    notes: tuple[str, ...]


def answers_in_words(found: Verification) -> tuple[AnswerWords, ...]:
    """The three answers, each with what it is about, made of the lines for the terminal."""
    rows: list[AnswerWords] = []
    for line in verification_lines(found):
        name, _, answer = line.partition(" ")
        if name in QUESTIONS:
            part = getattr(found, name)
            tone = {True: "good", False: "bad", None: "open"}[part.ok]
            rows.append(AnswerWords(QUESTIONS[name], answer.strip(), tone, ()))
        else:
            rows[-1] = rows[-1]._replace(notes=(*rows[-1].notes, line.removeprefix("  - ")))
    return tuple(rows)
