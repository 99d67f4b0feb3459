"""The public JSON of ``ask``: ``factdesk.answer/1``. Its JSON Schema is ``docs/schemas/answer-1.json``."""

from __future__ import annotations

from typing import Literal

from factdesk.kernel import Record
from report.render.check_types import CheckResult


class SourceJson(Record):
    """A document that an answer rests on, with the sentence."""

    doc_id: str
    publisher: str | None
    url: str | None
    published: str | None
    """ISO date, or ``None`` for an undated document."""
    text: str


class AnswerJson(Record):
    """One verified statement of the answer."""

    claim_id: str
    text: str
    answer_text: str | None
    """What it puts in the place of the question word."""
    question_coverage: float
    """Share of the question's telling words that it holds, 0 to 1."""
    score: float
    """Calibrated probability that it is entailed, 0 to 1."""
    independent: int
    """Independent sources that support it."""
    according_to: str | None
    """The one source it rests on, as whose word it is to be told; ``None``: several."""
    sources: tuple[SourceJson, ...]
    """The minimal sufficient evidence."""


class AnswerResult(Record):
    """All of ``factdesk ask --json``."""

    schema_version: Literal["factdesk.answer/1"] = "factdesk.answer/1"
    question: str
    answered: bool
    answer: tuple[AnswerJson, ...]
    """Best first; empty where nothing that answers could be verified."""
    why_not: str
    """Why there is no answer, in words; empty where there is one."""
    certificate_id: str
    body_sha256: str
    check: CheckResult
    """The check of the whole draft: every statement with its state, reason and evidence."""
