"""A language model as reasoner: it asks, answers from given evidence, and proposes.

Evidence is data; citations must be given sentences; the other side is always asked for; decisions are
made elsewhere. On a failure the extractive reasoner takes over, or with ``fallback`` off the claim stays
open.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any, TypeVar

from agent.ports import Elimination, Plan
from agent.prompts import load_prompt, prompt_fingerprints
from agent.reasoners import llm_schemas as s
from agent.reasoners import plans
from agent.reasoners.chat_model import ChatError, ChatModel
from agent.reasoners.extractive import MIN_QUESTIONS, ExtractiveReasoner
from agent.types import Answer, AtomicClaim, ClaimIR, ImageContext, Proposal, QAPair, Question, Usage, VeracityMethod
from evidence.types import Hit
from factdesk.kernel import Failure, Fingerprint, Record, sha256_text
from language.names import content_stems, find_names

ASKED = "asked:"
"""Purpose of a question of the model's own, followed by its reason."""
NO_ANSWER = Answer(text="The language model gave no usable answer.", found=False)
NO_PROPOSAL = "The language model gave no usable judgement."
Out = TypeVar("Out", bound=Record)


class LLMReasoner:
    """Reasoner over any ``ChatModel``.

    ``fallback``: the extractive reasoner replaces failed calls; otherwise the claim stays open.
    ``images``: data URLs of the submitted pictures. ``claim_date``: the day on which the claim was made, told
    with every question to the model.
    """

    def __init__(
        self, chat: ChatModel, *, fallback: bool = True, images: Sequence[str] = (), claim_date: date | None = None
    ) -> None:
        self._chat, self._fallback, self._images = chat, fallback, tuple(images)
        self._claim_date = claim_date
        self._rules = ExtractiveReasoner(claim_date=claim_date)
        self._lock = threading.Lock()
        self._failures: dict[tuple[str, str, str | None], Failure] = {}

    @property
    def fingerprint(self) -> Fingerprint:
        """The model's name, and a hash over all prompts."""
        prompts = "".join(f"{f.name}={f.sha256}\n" for f in prompt_fingerprints())
        name = self._chat.fingerprint.name.removeprefix("chat:")
        return Fingerprint(name=f"reasoner:{name}", version="1", sha256=sha256_text(prompts))

    @property
    def fingerprints(self) -> tuple[Fingerprint, ...]:
        """Reasoner, model, every prompt, and the rules that may take over."""
        rules = (self._rules.fingerprint,)
        return (self.fingerprint, self._chat.fingerprint, *rules, *prompt_fingerprints())

    @property
    def usage(self) -> Usage:
        """Calls and tokens up to now."""
        return self._chat.usage

    def failures(self) -> tuple[Failure, ...]:
        """What failed up to now, sorted."""
        with self._lock:
            return tuple(sorted(self._failures.values(), key=lambda f: (f.claim_id or "", f.where, f.kind)))

    def questions(
        self,
        plan: Plan,
        claim: AtomicClaim,
        pairs: Sequence[QAPair],
        image: ImageContext | None,
        limit: int,
        draft: Proposal | None = None,
    ) -> tuple[Question, ...]:
        """The model's questions, the other side among them."""
        if plan == "chain":
            found = self._follow_up(claim, pairs, image) if pairs else self._first(claim, image)
            return (found,) if found is not None else ()
        if plan == "checks" and draft is not None:
            prompt, more, image = "verification_questions", {"draft": s.draft_data(draft), **_told(pairs)}, None
        elif plan == "tree" and pairs:
            prompt, more = "branch_questions", {**_told(pairs), "picture": s.image_data(image)}
        else:
            return self._opening("sub_questions" if plan == "subq" else "root_questions", claim, image, limit)
        out = self._ask(prompt, s.AskedQuestions, claim, image, **more, limit=limit)
        found_ones = self._distinct(claim, out, pairs, limit)
        if found_ones or not self._fallback:
            return found_ones
        return self._rules.questions("chain", claim, pairs, image, limit)

    def _first(self, claim: AtomicClaim, image: ImageContext | None) -> Question:
        """The model's first question, or the claim as a question."""
        out = self._ask("first_question", s.AskedQuestion, claim, image, picture=s.image_data(image))
        [rule] = self._rules.questions("chain", claim, (), image, 1)
        words = s.clean(out.question, s.MAX_QUESTION) if out else ""
        return rule.model_copy(update={"text": words}) if words else rule

    def _follow_up(self, claim: AtomicClaim, pairs: Sequence[QAPair], image: ImageContext | None) -> Question | None:
        """The question for the other side first, then the model's, then the plan's."""
        if not any("dispute" in p.question.purpose for p in pairs):
            return plans.other_side(claim)
        out = self._ask(
            "follow_up_question", s.AskedQuestion, claim, image, **_told(pairs), picture=s.image_data(image)
        )
        if out is None and not self._fallback:
            return None
        question = self._asked(claim, out) if out else None
        if question is not None and s.is_new(question, pairs):
            return question
        return next(iter(self._rules.questions("chain", claim, pairs, image, 1)), None)

    def _opening(self, prompt: str, claim: AtomicClaim, image: ImageContext | None, limit: int) -> tuple[Question, ...]:
        """First questions of a claim: the model's, then the other side."""
        tail = (plans.other_side(claim),) if limit > 1 else ()
        room = limit - len(tail)
        out = self._ask(prompt, s.AskedQuestions, claim, image, picture=s.image_data(image), limit=room)
        if out is None and self._fallback:
            return self._rules.questions("chain", claim, (), image, limit)
        found = self._distinct(claim, out, (), room)
        [rule] = self._rules.questions("chain", claim, (), image, 1)
        first = rule.model_copy(update={"text": found[0].text if found else rule.text})
        return (first, *found[1:], *tail)

    def _distinct(
        self, claim: AtomicClaim, out: s.AskedQuestions | None, pairs: Sequence[QAPair], limit: int
    ) -> tuple[Question, ...]:
        found: list[Question] = []
        for item in out.questions if out is not None else ():
            question = self._asked(claim, item)
            if len(found) < limit and s.is_new(question, pairs, found):
                found.append(question)
        return tuple(found)

    def _asked(self, claim: AtomicClaim, out: s.AskedQuestion) -> Question:
        purpose = f"{ASKED} {s.clean(out.why, s.MAX_REASON)}".strip()
        return plans.question(claim, (purpose, s.clean(out.question, s.MAX_QUESTION)))

    def route(self, question: Question, claim: AtomicClaim, image: ImageContext | None) -> Question:
        """Image or text by the model; by rule for the first question and those of the rules."""
        if image is None or question.purpose == "image" or ASKED not in question.purpose:
            return self._rules.route(question, claim, image)
        about: dict[str, Any] = {
            "question": question.text,
            "claim": s.claim_data(claim),
            "picture": s.image_data(image),
        }
        out = self._ask("route", s.RouteChoice, claim, image, **about)
        return question.model_copy(update={"route": out.route if out else "text"})

    def search_text(self, question: Question, claim: AtomicClaim) -> str:
        """The claim's words for the first question; else the question with the claim's names."""
        if ASKED in question.purpose:
            return f"{question.text} {' '.join(n.text for n in find_names(claim.text))}".strip()
        words = self._rules.search_text(question, claim)
        if question.purpose == "claim" and content_stems(question.text) - content_stems(claim.text):
            return f"{words} {question.text}"
        return words

    def statements(self, text: str) -> tuple[str, ...]:
        """Atomic claims that the model finds in a text; a suggestion only (``agent.intake.model_claims``)."""
        out = self._ask("intake", s.FoundClaims, None, None, deciding=False, text=text[: s.MAX_TEXT])
        return _cleaned(c.claim for c in (out.claims if out else ()) if c.source.strip() in text)

    def draft_answer(self, question: str, hits: Sequence[Hit], limit: int = 4) -> tuple[str, ...]:
        """Statements proposed as an answer, to be checked; none without evidence."""
        if not hits:
            return ()
        evidence, _ = s.evidence_data(hits)
        out = self._ask("draft_answer", s.DraftAnswer, None, None, question=question, evidence=evidence, limit=limit)
        return _cleaned((out.statements if out else ())[:limit])

    def describe(self, number: int) -> tuple[str, ...]:
        """What the model sees in a picture, one fact a sentence; none if it is not shown pictures.

        A failure is not on the deciding path.
        """
        if number >= len(self._images):
            return ()
        shown = (self._images[number],)
        out = self._ask("image_description", s.SeenPicture, None, None, shown, deciding=False, picture=number + 1)
        return tuple(dict.fromkeys(_cleaned(out.sentences if out else ())))[: s.MAX_SEEN]

    def answer(self, question: Question, claim: AtomicClaim, hits: Sequence[Hit]) -> Answer:
        """The model's answer with valid citations; without any, no answer."""
        if not hits:
            return self._rules.answer(question, claim, hits)
        rows, spans = s.evidence_data(hits)
        seen = self._images if question.route == "image" else ()
        about: dict[str, Any] = {"question": question.text, "claim": s.claim_data(claim), "evidence": rows}
        out = self._ask("answer", s.GroundedAnswer, claim, None, seen, **about)
        if out is None:
            return self._rules.answer(question, claim, hits) if self._fallback else NO_ANSWER
        cited = tuple(dict.fromkeys(spans[i] for i in out.evidence_ids if i in spans))
        if unknown := sum(i not in spans for i in out.evidence_ids):
            message = f"the language model cited {unknown} sentence(s) it was not given; they were dropped"
            self._note("answer", "bad_output", message, claim, deciding=False)
        text = s.clean(out.answer, s.MAX_ANSWER)
        if not out.answerable or not text:
            return Answer(text=text or "The sources at hand do not answer this.", found=False)
        if not cited:
            return Answer(text="The language model's answer named no sentence it rests on.", found=False)
        return Answer(text=text, span_ids=cited)

    def follow_up_check(self, claim: AtomicClaim, pairs: Sequence[QAPair], settled: bool) -> bool:
        """The model's view, once the other side was asked for."""
        if len(pairs) < MIN_QUESTIONS:
            return False
        out = self._ask("follow_up_check", s.Enough, claim, None, **_told(pairs))
        if out is not None:
            return out.enough
        return self._rules.follow_up_check(claim, pairs, settled) if self._fallback else True

    def eliminate(self, claim: AtomicClaim, kept: Sequence[QAPair], round_: Sequence[QAPair]) -> Elimination:
        """The best pair by the model, which is shown them ordered by question."""
        order = sorted(range(len(round_)), key=lambda i: round_[i].question.text)
        shown = [{"index": n, **row} for n, row in enumerate(s.pair_data([round_[i] for i in order]))]
        out = self._ask("elimination", s.Best, claim, None, kept=s.pair_data(kept), candidates=shown)
        if out is None:
            return self._rules.eliminate(claim, kept, round_)
        best = order[out.best] if 0 <= out.best < len(order) else None
        if best is not None and not round_[best].answer.found:
            best = None
        reasons = {i: s.clean(r, s.MAX_REASON) for i, r in zip(order, out.reasons, strict=False)}
        return Elimination(kept=best, reasons=tuple(reasons.get(i, "") for i in range(len(round_))))

    def propose(self, claims: ClaimIR, pairs: Sequence[QAPair], method: VeracityMethod = "standard") -> Proposal:
        """The model's proposal; for ``cove``, the draft that ``correct`` corrects; for ``cot``, after steps."""
        about = {"claims": s.claims_data(claims), **_told(pairs)}
        schema: Any = s.ReasonedJudgement if method == "cot" else s.Judgement
        return self._proposal(self._ask(f"veracity_{method}", schema, None, None, **about), claims, pairs, method)

    def correct(self, claims: ClaimIR, pairs: Sequence[QAPair], draft: Proposal, checks: Sequence[QAPair]) -> Proposal:
        """The draft, corrected by the answers to its verification questions."""
        about = {"claims": s.claims_data(claims), **_told(pairs), "draft": s.draft_data(draft)}
        out = self._ask("correction", s.Judgement, None, None, **about, checks=s.pair_data(checks))
        return self._proposal(out, claims, [*pairs, *checks], "cove")

    def _proposal(
        self,
        out: s.Judgement | s.ReasonedJudgement | None,
        claims: ClaimIR,
        pairs: Sequence[QAPair],
        method: VeracityMethod,
    ) -> Proposal:
        if out is not None:
            text = s.clean(out.explanation, s.MAX_EXPLANATION)
            return Proposal(label=out.label, explanation=text, method=method)
        if not self._fallback:
            return Proposal(label="failed", explanation=NO_PROPOSAL, method=method)
        return self._rules.propose(claims, pairs).model_copy(update={"method": method})

    def _ask(
        self,
        prompt: str,
        schema: type[Out],
        claim: AtomicClaim | None,
        image: ImageContext | None,
        images: Sequence[str] | None = None,
        /,
        *,
        deciding: bool = True,
        **data: Any,
    ) -> Out | None:
        """The model's record, or ``None`` with the failure noted.

        ``data``: what it is told, after the claim unless that stands in it; ``images``: the pictures shown, by
        default all where there is an ``image``.
        """
        about = {"claim": s.claim_data(claim)} if claim is not None and "claim" not in data else {}
        dated = {"claim_made_on": self._claim_date.isoformat()} if self._claim_date is not None else {}
        system = f"{load_prompt('rules')}\n\n{load_prompt(prompt)}"
        shown = images if images is not None else self._images if image is not None else ()
        try:
            return self._chat.complete(system, s.as_data(**dated, **about, **data), schema, shown)
        except ChatError as error:
            took_over = "the extractive reasoner took over"
            tail = took_over if self._fallback else "nothing takes its place (llm.fallback is off)"
            self._note(prompt, error.kind, f"{error}; {tail}", claim, deciding=deciding and not self._fallback)
            return None

    def _note(self, prompt: str, kind: str, message: str, claim: AtomicClaim | None, *, deciding: bool) -> None:
        """Record a failure once per prompt, kind and claim."""
        claim_id = claim.claim_id if claim else None
        failure = Failure(
            where=f"agent.reasoner.{prompt}", kind=kind, message=message, claim_id=claim_id, deciding=deciding
        )
        with self._lock:
            self._failures.setdefault((prompt, kind, claim_id), failure)


def _told(pairs: Sequence[QAPair]) -> dict[str, Any]:
    return {"pairs": s.pair_data(pairs)}


def _cleaned(texts: Iterable[str]) -> tuple[str, ...]:
    """Sentences of a model, cleaned; empty ones are left out."""
    return tuple(text for text in (s.clean(t, s.MAX_QUESTION) for t in texts) if text)
