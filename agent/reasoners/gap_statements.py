"""What a question's statement says with the phrases of the evidence in its gap, as the verifier reads it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent.assessment.nli_pairs import pair_of
from agent.assessment.statement_form import StatementForm
from agent.reasoners.answer_candidates import fills
from agent.types import AtomicClaim
from evidence.types import Hit
from verifier import pair_decision
from verifier.types import Assessment, Thresholds, Verifier

MOST_READ = 48
"""Statements of one question that are read against the sentence that they come from."""


@dataclass(frozen=True)
class GapReading:
    """Statements that their own sentence supports, surest first, and the spans that lean to answering."""

    statements: tuple[str, ...]
    leaning: frozenset[str]
    passes: int


def read_gap(
    question: str, form: StatementForm, hits: Sequence[Hit], verifier: Verifier, thresholds: Thresholds
) -> GapReading:
    """Fill the gap from each sentence, and let the verifier say which statements the sentence supports.

    Raises ``BackendUnavailable`` when the verifier cannot run.
    """
    tried = [(hit, text) for hit in hits for text in _statements(form, question, hit)][:MOST_READ]
    found = verifier.assess([pair_of(_claim(text), hit.span) for hit, text in tried]) if tried else ()
    read = [(hit, text, a) for (hit, text), a in zip(tried, found, strict=True)]
    borne = sorted((r for r in read if _bears(r[2], thresholds)), key=lambda r: -r[2].calibrated.entailment)
    leaning = frozenset(hit.span.span_id for hit, _, a in read if a.calibrated.entailment >= pair_decision.LEANS)
    return GapReading(tuple(dict.fromkeys(text for _, text, _ in borne)), leaning, sum(a.passes for a in found))


def _statements(form: StatementForm, question: str, hit: Hit) -> tuple[str, ...]:
    if form.gap == "polarity":
        return form.statements()
    return tuple(form.filled(fill) for fill in fills(form, question, hit.span.text))


def _claim(text: str) -> AtomicClaim:
    return AtomicClaim(claim_id="draft", text=text, start=0, end=len(text), source=text)


def _bears(found: Assessment, thresholds: Thresholds) -> bool:
    return pair_decision.supports(found, thresholds)
