"""The default reasoner: no language model, only the claim's open slots and what the evidence brought up.

Its questions follow a plan per claim: the claim as a whole, whether anybody disputes it, then
each open slot (how many, when, who, where), then bridge entities that the evidence named.
Answers are evidence sentences, word for word.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.ports import FollowUp
from agent.types import Answer, AtomicClaim, ClaimIR, Field, ImageContext, Proposal, QAPair, Question
from evidence.types import Hit
from factdesk.kernel import Fingerprint
from verifier.names import content_stems, find_names, name_in

MIN_QUESTIONS = 2
"""A claim is never taken for settled before the second question, which looks for the other side."""
_SLOT_QUESTIONS = {
    "number": "What number is given",
    "unit": "What amount is given",
    "date": "When was it",
    "place": "Where was it",
    "person": "Who was it",
    "organisation": "Which organisation was it",
}
_DISPUTE_WORDS = "denied corrected revised false error not instead"


class ExtractiveReasoner:
    """Deterministic reasoner over claim slots and evidence sentences."""

    @property
    def fingerprint(self) -> Fingerprint:
        """Name and version of the rules."""
        return Fingerprint(name="reasoner:extractive", version="1")

    def first_question(self, claim: AtomicClaim, image: ImageContext | None) -> Question:
        """The claim as a question; about the picture where the claim speaks of it."""
        if claim.about_image and image is not None:
            return _question(
                claim, 0, f"What does the picture show or say about this: {claim.text}", "image", "image"
            )
        return _question(claim, 0, f"What do the sources say about this: {claim.text}", "text", "claim")

    def route(self, question: Question, claim: AtomicClaim, image: ImageContext | None) -> Question:
        """Questions asked of the picture go to the picture, all others to the corpus."""
        del claim
        route = "image" if question.purpose == "image" and image is not None else "text"
        return question.model_copy(update={"route": route})

    def search_text(self, question: Question, claim: AtomicClaim) -> str:
        """The claim, the claim without the slot that is asked for, or the claim with a bridge entity."""
        kind, _, detail = question.purpose.partition(":")
        if kind == "slot":
            return _without(claim.text, detail)
        if kind == "bridge":
            return f"{detail} {' '.join(n.text for n in find_names(claim.text))}"
        if kind == "dispute":
            return f"{claim.text} {_DISPUTE_WORDS}"
        return claim.text

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
        return Answer(
            text=" ".join(h.span.text for h in fitting), span_ids=tuple(h.span.span_id for h in fitting)
        )

    def follow_up_check(self, claim: AtomicClaim, pairs: Sequence[QAPair], settled: bool) -> FollowUp:
        """Enough when the scores settle the claim and the other side was looked for, or nothing new comes."""
        del claim
        asked = len(pairs)
        if settled and asked >= MIN_QUESTIONS:
            return FollowUp(enough=True, reason="the evidence settles it, and the other side was looked for")
        if asked >= 3 and not any(p.hits for p in pairs[-2:]):
            return FollowUp(enough=True, reason="the last two questions brought nothing new")
        return FollowUp(enough=False, reason="open")

    def follow_up(
        self, claim: AtomicClaim, pairs: Sequence[QAPair], image: ImageContext | None
    ) -> Question | None:
        """Next step of the plan that was not asked yet."""
        asked = {p.question.purpose for p in pairs}
        for purpose, text in self._plan(claim, pairs, image):
            if purpose not in asked:
                return _question(claim, len(pairs), text, "text", purpose)
        return None

    def propose(self, claims: ClaimIR, pairs: Sequence[QAPair]) -> Proposal:
        """Supported or refuted where every claim's best pair says so; otherwise failed."""
        lines, labels = [], []
        for claim in claims.claims:
            mine = [
                p for p in pairs if p.question.claim_id == claim.claim_id and p.label != "not_enough_info"
            ]
            best = max(mine, key=lambda p: (p.score, p.question.question_id), default=None)
            labels.append(best.label if best else "not_enough_info")
            if best is None:
                lines.append(f"{claim.text} No answer speaks clearly for or against it.")
            else:
                side = "for" if best.label == "entailed" else "against"
                lines.append(
                    f"{claim.text} The answer {best.answer.text!r} speaks {side} it ({best.score:.2f})."
                )
        label = (
            "refuted"
            if "contradicted" in labels
            else "supported"
            if labels and set(labels) == {"entailed"}
            else "failed"
        )
        return Proposal(label=label, explanation=" ".join(lines), method="standard")  # type: ignore[arg-type]

    def _plan(
        self, claim: AtomicClaim, pairs: Sequence[QAPair], image: ImageContext | None
    ) -> list[tuple[str, str]]:
        plan = [("claim", f"What do the sources say about this: {claim.text}")]
        plan.append(("dispute", f"Does any source dispute or correct this: {claim.text}"))
        if image is not None and image.matters:
            plan.append(("image", f"What does the picture show or say about this: {claim.text}"))
        plan += [
            (
                f"slot:{field.text}",
                f"{_SLOT_QUESTIONS[field.role]} in this: {_without(claim.text, field.text)}",
            )
            for field in _open_slots(claim)
        ]
        plan += [
            (f"bridge:{name}", f"What is known of {name} in connection with this: {claim.text}")
            for name in _bridges(claim, pairs)
        ]
        return plan


def _question(claim: AtomicClaim, depth: int, text: str, route: str, purpose: str) -> Question:
    return Question(
        question_id=f"{claim.claim_id}.q{depth + 1}", claim_id=claim.claim_id, text=text, route=route,  # type: ignore[arg-type]
        depth=depth, purpose=purpose,
    )  # fmt: skip


def _without(text: str, part: str) -> str:
    return re.sub(r"\s{2,}", " ", text.replace(part, " ", 1)).strip()


def _open_slots(claim: AtomicClaim) -> list[Field]:
    """At most two slots worth asking for: numbers and dates first, then who and where."""
    order = ("number", "unit", "date", "person", "place", "organisation")
    fields = [f for f in claim.fields if f.role in order and f.text.strip()]
    return sorted(fields, key=lambda f: (order.index(f.role), f.start))[:2]


def _bridges(claim: AtomicClaim, pairs: Sequence[QAPair]) -> list[str]:
    """Names that the best evidence brought up and the claim does not have."""
    found: dict[str, None] = {}
    for pair in pairs[:2]:
        for hit in pair.hits[:2]:
            for name in find_names(hit.span.text):
                if not name_in(name, claim.text) and len(name.words) <= 4 and not name.opens:
                    found.setdefault(name.text, None)
    return list(found)[:2]
