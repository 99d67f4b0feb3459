"""What replaces a language model that gives nothing: the extractive reasoner, or a blank."""

from __future__ import annotations

from collections.abc import Sequence

from agent.ports import Elimination
from agent.reasoners.extractive import ExtractiveReasoner
from agent.types import Answer, AtomicClaim, ImageContext, Proposal, QAPair, Question, VeracityMethod

NO_ANSWER = Answer(text="The language model gave no usable answer.", found=False)
NO_PROPOSAL = "The language model gave no usable judgement."


def plan_questions(
    rules: ExtractiveReasoner,
    claim: AtomicClaim,
    pairs: Sequence[QAPair],
    image: ImageContext | None,
    limit: int,
) -> tuple[Question, ...]:
    """At most ``limit`` next questions of the extractive plan, without repeats."""
    known, found = list(pairs), list[Question]()
    if not known:
        found.append(rules.first_question(claim, image))
    while len(found) < limit:
        drafts = [QAPair(question=q, answer=NO_ANSWER) for q in found]
        question = rules.follow_up(claim, [*known, *drafts], image)
        if question is None:
            break
        found.append(question)
    return tuple(found[:limit])


def dispute_question(
    rules: ExtractiveReasoner, claim: AtomicClaim, pairs: Sequence[QAPair], image: ImageContext | None
) -> Question | None:
    """The question for the other side, unless it was asked."""
    if any("dispute" in p.question.purpose for p in pairs):
        return None
    plan = plan_questions(rules, claim, pairs, image, 3)
    return next((q for q in plan if q.purpose == "dispute"), None)


def keep_strongest(round_: Sequence[QAPair]) -> Elimination:
    """The pair with the strongest evidence for or against; ties by the question's text."""

    def order(index: int) -> tuple[bool, float, str]:
        pair = round_[index]
        return (pair.label != "not_enough_info", pair.score, pair.question.text)

    found = [i for i, p in enumerate(round_) if p.answer.found]
    kept = max(found, key=order, default=None)
    return Elimination(
        kept=kept,
        reasons=tuple(
            "its evidence speaks most clearly"
            if i == kept
            else "another answer speaks more clearly"
            if i in found
            else "no answer was found"
            for i in range(len(round_))
        ),
    )


def no_proposal(method: VeracityMethod) -> Proposal:
    """An empty proposal."""
    return Proposal(label="failed", explanation=NO_PROPOSAL, method=method)
