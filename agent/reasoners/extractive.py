"""The default reasoner: no language model, only the claim's slots and the evidence.

Per claim it asks: the claim, who disputes it, each open slot, then bridge entities. Answers are evidence
sentences, word for word.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Literal

from agent.ports import Elimination, Plan
from agent.reasoners import elimination, plans
from agent.reasoners.elimination import weight
from agent.reasoners.plans import open_slots, other_values
from agent.types import (
    CHECK,
    Answer,
    AtomicClaim,
    ClaimIR,
    ImageContext,
    Proposal,
    QAPair,
    Question,
    Route,
    VeracityMethod,
)
from evidence.types import Hit, Span
from factdesk.kernel import Fingerprint, Record
from language.names import content_stems
from verifier.types import Label

MARGIN = 0.2
"""Least difference between the sides where there is evidence for both."""
_WORDS: dict[Label, str] = {"entailed": "for", "contradicted": "against", "not_enough_info": "neither for nor against"}


class View(Record):
    """The proposal for one atomic claim, with an explanation."""

    side: Label
    words: str


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
    side: Label = "not_enough_info"
    if max(pro, con) > 0 and abs(pro - con) >= MARGIN:
        side = "entailed" if pro > con else "contradicted"
    end = (
        f"Weighed with the trust of their sources, these answers speak {_WORDS[side]} it "
        f"({pro:.2f} for, {con:.2f} against)."
    )
    return View(side=side, words=" ".join([claim.text, *steps, end]))


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


MIN_QUESTIONS = 2
"""Least number of questions per claim; the second looks for the other side."""


class ExtractiveReasoner:
    """Deterministic reasoner over claim slots and evidence sentences.

    ``graph``: questions that connect two names go to the knowledge graph. ``claim_date``: the day on which
    the claim was made; its question names it.
    """

    def __init__(self, *, graph: bool = False, claim_date: date | None = None) -> None:
        self._graph, self._claim_date = graph, claim_date

    @property
    def fingerprint(self) -> Fingerprint:
        """Name and version of the rules."""
        return Fingerprint(name="reasoner:extractive", version="4")

    def questions(
        self,
        plan: Plan,
        claim: AtomicClaim,
        pairs: Sequence[QAPair],
        image: ImageContext | None,
        limit: int,
        draft: Proposal | None = None,
    ) -> tuple[Question, ...]:
        """The plan's first steps that were not asked yet."""
        if plan == "chain":
            return plans.not_asked(claim, self.chain_plan(claim, pairs, image), pairs, limit)
        if plan == "checks":
            steps = plans.check_plan(claim, pairs, draft)
        elif plan == "tree" and pairs:
            steps = plans.branch_plan(claim, pairs, image)
        else:
            steps = plans.sub_plan(claim, image)
        return plans.not_asked(claim, steps, pairs, limit, by_query=True)

    def route(self, question: Question, claim: AtomicClaim, image: ImageContext | None) -> Question:
        """Image for claims about the picture, graph for connections of names, else text."""
        route: Route = "image" if question.purpose == "image" and image is not None else "text"
        if self._graph and plans.connects(question.purpose, claim):
            route = "graph"
        return question.model_copy(update={"route": route})

    def search_text(self, question: Question, claim: AtomicClaim) -> str:
        """The claim, the claim without the open slot, or with a bridge entity."""
        return plans.search_text(question.purpose, claim)

    def answer(self, question: Question, claim: AtomicClaim, hits: Sequence[Hit]) -> Answer:
        """The best one or two sentences that share words with the question."""
        wanted = content_stems(self.search_text(question, claim))
        distinct: dict[str, Hit] = {}
        for hit in hits:
            if wanted & content_stems(f"{hit.span.text} {hit.span.context}"):
                distinct.setdefault(hit.span.text, hit)  # copies answer once
        fitting = list(distinct.values())[:2]
        if not fitting:
            return Answer(text="The sources at hand do not answer this.", found=False)
        return Answer(text=" ".join(h.span.text for h in fitting), span_ids=tuple(h.span.span_id for h in fitting))

    def follow_up_check(self, claim: AtomicClaim, pairs: Sequence[QAPair], settled: bool) -> bool:
        """Enough when the claim is settled and the other side was asked for, or nothing new comes."""
        del claim
        if settled and len(pairs) >= MIN_QUESTIONS:
            return True
        last = sorted({p.question.depth for p in pairs})[-2:]
        return len(pairs) >= 3 and len(last) == 2 and not any(p.hits for p in pairs if p.question.depth in last)

    def eliminate(self, claim: AtomicClaim, kept: Sequence[QAPair], round_: Sequence[QAPair]) -> Elimination:
        """By four weighted figures; see ``agent.reasoners.elimination``."""
        return elimination.eliminate(claim, kept, round_)

    def propose(self, claims: ClaimIR, pairs: Sequence[QAPair], method: VeracityMethod = "standard") -> Proposal:
        """Supported where every claim is, refuted where one is; otherwise failed."""
        view = weighed if method == "cot" else best_pair
        views = [view(claim, _about(claim, pairs)) for claim in claims.claims]
        return Proposal(label=_label(views), explanation=" ".join(v.words for v in views), method=method)

    def correct(self, claims: ClaimIR, pairs: Sequence[QAPair], draft: Proposal, checks: Sequence[QAPair]) -> Proposal:
        """The draft with its checks weighed in, and what each check found."""
        lines, views = [f"Draft: {draft.label}."], []
        for claim in claims.claims:
            mine = _about(claim, checks)
            views.append(weighed(claim, [*_about(claim, pairs), *mine]))
            lines += [f"Checked: {_step(number, p)}" for number, p in enumerate(mine, 1)]
            lines.append(views[-1].words)
        label = _label(views)
        change = "The checks leave it at that" if label == draft.label else "The checks change it to"
        lines.append(f"{change}: {label}.")
        return Proposal(label=label, explanation=" ".join(lines), method="cove")

    def chain_plan(
        self, claim: AtomicClaim, pairs: Sequence[QAPair], image: ImageContext | None
    ) -> Iterator[plans.Step]:
        """The claim as a question, first about the picture where it speaks of it; the other side, slots, names."""
        if not pairs and claim.about_image and image is not None:
            yield plans.image_step(claim)
        told = f" (claimed on {self._claim_date.isoformat()})" if self._claim_date is not None else ""
        yield "claim", plans.claim_question(claim) + told
        yield "dispute", plans.dispute_question(claim)
        yield from plans.resolutions(claim, pairs)
        if image is not None and image.matters:
            yield plans.image_step(claim)
        if self._graph and (step := plans.connection(claim)) is not None:
            yield step
        yield from (plans.slot_step(claim, field) for field in open_slots(claim))
        found = (hit.span.text for pair in pairs[:2] for hit in pair.hits[:2])
        for name in plans.new_names(claim, found)[:2]:
            yield f"bridge:{name}", f"What is known of {name} in connection with this: {claim.text}"
