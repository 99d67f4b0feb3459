"""JSON to and from a language model.

Every field is required and no other allowed, for providers with strict schemas; lengths are cut
afterwards (``clean``).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from agent.types import AtomicClaim, ClaimIR, ImageContext, Proposal, QAPair, Question
from evidence.types import Hit
from factdesk.kernel import Record

MAX_QUESTION = 300
"""Characters kept of a question."""
MAX_ANSWER = 800
MAX_EXPLANATION = 2_000
MAX_REASON = 200
MAX_SEEN = 6
"""Sentences kept of a picture's description."""
MAX_TEXT = 4_000
"""Characters of a text or of readings that a model is given."""


class AskedQuestion(Record):
    """One question, and what its answer would show."""

    question: str
    why: str


class AskedQuestions(Record):
    """Several questions, the most telling one first."""

    questions: tuple[AskedQuestion, ...]


class RouteChoice(Record):
    """Where to look."""

    route: Literal["text", "image"]


class GroundedAnswer(Record):
    """An answer and the ids of the sentences it rests on."""

    evidence_ids: tuple[str, ...]
    answer: str
    answerable: bool


class SeenPicture(Record):
    """What is to be seen in a picture, one fact a sentence."""

    sentences: tuple[str, ...]


class DraftAnswer(Record):
    """Statements that answer a question."""

    statements: tuple[str, ...]


class Enough(Record):
    """Outcome of the follow-up check."""

    enough: bool
    reason: str


class Best(Record):
    """Which candidate is kept, and a reason for each, in the order given."""

    best: int
    reasons: tuple[str, ...]


class Judgement(Record):
    """A proposal."""

    label: Literal["supported", "refuted", "failed"]
    explanation: str


class ReasonedJudgement(Record):
    """A proposal with the steps that lead to it."""

    steps: tuple[str, ...]
    label: Literal["supported", "refuted", "failed"]
    explanation: str


class FoundClaim(Record):
    """One atomic claim with the words of the input it stems from."""

    source: str
    claim: str


class FoundClaims(Record):
    """All atomic claims of a text."""

    claims: tuple[FoundClaim, ...]


def clean(text: str, limit: int) -> str:
    """One line of at most ``limit`` printable characters."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def as_data(**parts: Any) -> str:
    """The user message: one JSON object."""
    return json.dumps(parts, ensure_ascii=False, indent=1)


def claim_data(claim: AtomicClaim) -> dict[str, Any]:
    """A claim as given to a model."""
    return {"text": claim.text, "about_the_picture": claim.about_image, "said_by": claim.attribution}


def image_data(image: ImageContext | None) -> dict[str, Any] | None:
    """What was read from the picture."""
    if image is None:
        return None
    taken = image.date.isoformat() if image.date else None
    described = {"as_you_described_it": image.description[:MAX_TEXT]} if image.description else {}
    return {"text_read_from_it": image.text[:MAX_TEXT], "date": taken, "place": image.place, **described}


def pair_data(pairs: Sequence[QAPair]) -> list[dict[str, Any]]:
    """Questions with their answers."""
    return [
        {
            "claim_id": p.question.claim_id,
            "question": p.question.text,
            "answer": p.answer.text,
            "found": p.answer.found,
            "kept": p.kept,
        }
        for p in pairs
    ]


def evidence_data(hits: Sequence[Hit]) -> tuple[list[dict[str, Any]], Mapping[str, str]]:
    """Distinct sentences under short ids, and the span of each id."""
    distinct = {hit.span.text: hit.span for hit in reversed(hits)}
    spans = [distinct[text] for text in dict.fromkeys(hit.span.text for hit in hits)]
    chosen = {f"e{number}": span for number, span in enumerate(spans, start=1)}
    rows = [
        {
            "id": alias,
            "sentence": span.text,
            "title": span.title,
            "publisher": span.publisher,
            "published": span.published.isoformat() if span.published else None,
        }
        for alias, span in chosen.items()
    ]
    return rows, {alias: span.span_id for alias, span in chosen.items()}


def claims_data(claims: ClaimIR) -> list[dict[str, Any]]:
    """All checkable claims with their ids."""
    return [{"claim_id": c.claim_id, **claim_data(c)} for c in claims.claims if not c.unsupported_by_design]


def draft_data(draft: Proposal) -> dict[str, str]:
    """A draft as given to a model."""
    return {"label": draft.label, "explanation": draft.explanation}


def is_new(question: Question, pairs: Sequence[QAPair], others: Sequence[Question] = ()) -> bool:
    """Whether a question was not asked yet, in a pair or among ``others``; case, spaces and marks aside."""
    asked = {_plain(q.text) for q in (*(p.question for p in pairs), *others)}
    return bool(question.text) and _plain(question.text) not in asked


def _plain(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())
