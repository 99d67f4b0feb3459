"""Proposals of the extractive reasoner: ``standard``, ``cot`` (all pairs), ``cove`` (corrected).

Decides no badge. Explanations quote sentences word for word.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from agent.reasoners.plans import other_values
from agent.types import CHECK, AtomicClaim, ClaimIR, Proposal, QAPair, VeracityMethod
from evidence.types import Span
from factdesk.kernel import Record

Side = Literal["entailed", "contradicted", "not_enough_info"]
MARGIN = 0.2
"""Least difference between the sides where there is evidence for both."""
_WORDS: dict[Side, str] = {
    "entailed": "for",
    "contradicted": "against",
    "not_enough_info": "neither for nor against",
}


class View(Record):
    """The proposal for one atomic claim, with an explanation."""

    side: Side
    words: str


def propose(claims: ClaimIR, pairs: Sequence[QAPair], method: VeracityMethod) -> Proposal:
    """Supported where every claim is, refuted where one is; otherwise failed."""
    view = weighed if method == "cot" else best_pair
    views = [view(claim, _about(claim, pairs)) for claim in claims.claims]
    return Proposal(label=_label(views), explanation=" ".join(v.words for v in views), method=method)


def correct(claims: ClaimIR, pairs: Sequence[QAPair], draft: Proposal, checks: Sequence[QAPair]) -> Proposal:
    """The draft with its checks weighed in, and what each check found."""
    lines = [f"Draft: {draft.label}."]
    views = []
    for claim in claims.claims:
        mine = _about(claim, checks)
        view = weighed(claim, [*_about(claim, pairs), *mine])
        views.append(view)
        lines += [f"Checked: {_step(number, p)}" for number, p in enumerate(mine, 1)]
        lines.append(view.words)
    label = _label(views)
    change = "The checks leave it at that" if label == draft.label else "The checks change it to"
    lines.append(f"{change}: {label}.")
    return Proposal(label=label, explanation=" ".join(lines), method="cove")


def best_pair(claim: AtomicClaim, pairs: Sequence[QAPair]) -> View:
    """The side of the pair with the highest score."""
    telling = [p for p in pairs if p.label != "not_enough_info"]
    best = max(telling, key=lambda p: (p.score, p.question.question_id), default=None)
    if best is None:
        return View(side="not_enough_info", words=f"{claim.text} No answer speaks clearly for or against it.")
    words = f"{claim.text} It was asked: {best.question.text} {_sentence(best)} {_why(claim, best)}"
    return View(side=best.label, words=words)


def _sentence(pair: QAPair) -> str:
    """Who says what, one sentence a source."""
    if pair.grounding is not None and pair.grounding.exact and pair.cited:
        return " ".join(f"{_source(span)} says: “{span.text}”" for span in pair.cited)
    return f"The answer, in words of its own: {pair.answer.text.rstrip('.')}."


def _source(span: Span) -> str:
    """Publisher or title, and the day."""
    name = span.publisher or (f"“{span.title}”" if span.title else span.doc_id)
    return f"{name} ({span.published.isoformat()})" if span.published else name


def _why(claim: AtomicClaim, pair: QAPair) -> str:
    """Why that decides: the detail it gives otherwise, or that it says the same."""
    sure = f"({pair.score:.2f})"
    if pair.label == "entailed":
        return f"That says what the claim says, so it speaks for it {sure}."
    other = next(iter(other_values(claim, [pair])), None)
    if other is not None:
        return f"It has {other[1]} where the claim has {other[0]}, so it speaks against it {sure}."
    return f"Both cannot be so, so it speaks against it {sure}."


def weighed(claim: AtomicClaim, pairs: Sequence[QAPair]) -> View:
    """Both sides over all pairs, weighted by trust; close calls stay open."""
    steps = [_step(number, p) for number, p in enumerate(pairs, 1) if not p.question.purpose.startswith(CHECK)]
    pro = max((weight(p) for p in pairs if p.label == "entailed"), default=0.0)
    con = max((weight(p) for p in pairs if p.label == "contradicted"), default=0.0)
    side: Side = "not_enough_info"
    if max(pro, con) > 0 and abs(pro - con) >= MARGIN:
        side = "entailed" if pro > con else "contradicted"
    end = (
        f"Weighed with the trust of their sources, these answers speak {_WORDS[side]} it "
        f"({pro:.2f} for, {con:.2f} against)."
    )
    return View(side=side, words=" ".join([claim.text, *steps, end]))


def weight(pair: QAPair) -> float:
    """Score of a pair times the trust of its document, 0 to 1."""
    trust = 1.0 if pair.trust is None else min(1.0, max(0.0, pair.trust))
    return round(pair.score * (0.5 + 0.5 * trust), 6)


def _step(number: int, pair: QAPair) -> str:
    if not pair.answer.found:
        return f"{number}. {pair.question.text} No answer."
    trust = "" if pair.trust is None else f", trust {pair.trust:.2f}"
    words = f"{_WORDS[pair.label]} ({pair.score:.2f}{trust})"
    return f"{number}. {pair.question.text} {_sentence(pair)} That is {words}."


def _about(claim: AtomicClaim, pairs: Sequence[QAPair]) -> list[QAPair]:
    return [p for p in pairs if p.question.claim_id == claim.claim_id]


def _label(views: Sequence[View]) -> Literal["supported", "refuted", "failed"]:
    sides = {v.side for v in views}
    if "contradicted" in sides:
        return "refuted"
    return "supported" if sides == {"entailed"} else "failed"
