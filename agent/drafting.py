"""From a question and the sentences found for it to a draft answer: statements that stand on their own.

The draft is extractive: sentences of the evidence, split into atomic claims by the intake, that answer the
question (``agent.fitting``). A language model may add statements of its own; they pass the same sieve.
Nothing here is verified: every statement goes through the whole check afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from agent.fitting import fit
from agent.types import AtomicClaim, ClaimIR
from evidence.types import Hit
from factdesk.kernel import InputError

MAX_STATEMENTS = 4
"""Statements of a draft; the caps on claims bound it too."""
MARGIN = 0.25
"""A statement that covers so much less of the question than the best one is left out."""
MAX_LENGTH = 300
"""Characters of one statement."""
_JOIN = "\n\n"
_CONTEXT_JOIN = " | "

Compile = Callable[[str], ClaimIR]


@dataclass(frozen=True)
class _Candidate:
    text: str
    covered: float
    order: int


def draft_answer(
    question: str, hits: Sequence[Hit], compile_claims: Compile, proposed: Sequence[str] = (),
    limit: int = MAX_STATEMENTS,
) -> str:  # fmt: skip
    """The draft, statements apart by a blank line, the best fitting first; ``""``: nothing answers.

    Args:
        question: as the user asked it.
        hits: sentences found for it, best first.
        compile_claims: the intake.
        proposed: statements of a language model; looked at before the evidence's own sentences.
        limit: statements at most.
    """
    found: dict[str, _Candidate] = {}
    for order, text in enumerate(_statements(hits, compile_claims, proposed)):
        judged = fit(question, text)
        if judged.answers and len(text) <= MAX_LENGTH:
            found.setdefault(_plain(text), _Candidate(text, judged.covered, order))
    ranked = sorted(found.values(), key=lambda c: (-c.covered, c.order))
    kept = [c for c in ranked if c.covered >= ranked[0].covered - MARGIN][:limit]
    return _JOIN.join(_sentence(c.text) for c in kept)


def _statements(hits: Sequence[Hit], compile_claims: Compile, proposed: Sequence[str]) -> Iterator[str]:
    for text in proposed:
        yield from (c.text for c in _claims(text, 0, compile_claims))
    for hit in hits:
        before = hit.span.context.partition(_CONTEXT_JOIN)[2].rpartition(_CONTEXT_JOIN)[2]
        start = len(before) + 1 if before else 0
        text = f"{before} {hit.span.text}" if before else hit.span.text
        yield from (c.text for c in _claims(text, start, compile_claims))


def _claims(text: str, start: int, compile_claims: Compile) -> list[AtomicClaim]:
    """Claims of ``text[start:]`` that any document could settle; what stands before resolves pronouns."""
    try:
        compiled = compile_claims(text)
    except InputError:
        return []
    return [c for c in compiled.claims if c.start >= start and c.unsupported_by_design is None]


def _plain(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())


def _sentence(text: str) -> str:
    """With an end mark, so that the intake takes each statement for a sentence of its own."""
    return text if text.rstrip("\"”’')").endswith((".", "!", "?")) else f"{text}."
