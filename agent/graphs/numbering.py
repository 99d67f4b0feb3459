"""Ids, depths and branches of questions; given here only."""

from __future__ import annotations

from agent.types import CHECK, Question


def in_chain(question: Question, asked: int) -> Question:
    """The next question of a chain, after ``asked`` others of its claim."""
    return _placed(question, f"q{asked + 1}", depth=asked)


def in_round(question: Question, depth: int, number: int) -> Question:
    """A question of a tree's round."""
    return _placed(question, f"q{depth + 1}.{number + 1}", depth=depth, branch=number)


def side_by_side(question: Question, number: int) -> Question:
    """One of the sub-questions asked at once."""
    return _placed(question, f"q{number + 1}", depth=0, branch=number)


def as_check(question: Question, depth: int, number: int) -> Question:
    """A verification question of ``cove``, marked as such."""
    marked = question.model_copy(update={"purpose": CHECK + question.purpose})
    return _placed(marked, f"v{number + 1}", depth=depth, branch=number)


def _placed(question: Question, number: str, *, depth: int, branch: int = 0) -> Question:
    place = {"question_id": f"{question.claim_id}.{number}", "depth": depth, "branch": branch}
    return question.model_copy(update=place)
