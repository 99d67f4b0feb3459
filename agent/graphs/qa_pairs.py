"""Question-answer pairs with three results: answer by its spans, spans for the claim, trust of documents.

An unsupported answer stays in the trail and is hidden from reasoners (``as_told``). Where a claim's description
was resolved to a name, the anchor (the name is what is described) is scored first, then the claim with the name in
it; that steers questions and the proposal only. What is scored is chosen within the caps; no badge is decided here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence

from agent.assessment.nli_pairs import (
    MOST,
    MOST_PARTS,
    UNSUPPORTED,
    Scored,
    ground,
    holds,
    read_both,
    statement_of,
    strongest,
)
from agent.assessment.nli_pairs import pair_of as pair_of
from agent.graphs.state import Deps
from agent.intake.descriptions import find_description
from agent.types import (
    Answer,
    AtomicClaim,
    Bridge,
    Grounding,
    JointSpans,
    QAPair,
    Question,
    Reading,
    ReadSpan,
    ScoredSpan,
    resolved_name,
)
from evidence.types import Hit, Span
from factdesk.kernel import Caps, Failure, Record
from language.names import find_names, name_in
from trust.types import TrustReport
from verifier import pair_decision
from verifier.joint_evidence import MAX_JOINTS, Candidate, joint_premises
from verifier.types import Label, Thresholds

RESERVE = 6
"""Forward passes a single span may take, counterfactuals included."""


NOT_SCORED = "{}: {} retrieved sentence(s) not scored (at most {} a claim)."
_NOT_SCORED = re.compile(re.escape(NOT_SCORED).replace(r"\{\}", "(.+?)"))


def summed(notes: Sequence[str]) -> tuple[str, ...]:
    """Notes on caps, each once; of a claim's sentences that were not scored, one note with all of them."""
    counts: Counter[tuple[str, str]] = Counter()
    found: dict[object, str] = {}
    for note in notes:
        if match := _NOT_SCORED.fullmatch(note):
            claim, count, cap = match.groups()
            counts[claim, cap] += int(count)
            found[claim, cap] = NOT_SCORED.format(claim, counts[claim, cap], cap)
        else:
            found[note] = note
    return tuple(found.values())


def select_new(
    claim: AtomicClaim, hits: Sequence[Hit], scored: Sequence[ScoredSpan], caps: Caps, left: int
) -> tuple[list[Hit], tuple[str, ...], Failure | None]:
    """Hits not yet scored for the claim, within the span cap and ``left`` forward passes.

    Reaching the span cap is noted; running out of passes is a failure on the deciding path.
    """
    known = {s.hit.span.span_id for s in scored}
    new = [h for h in hits if h.span.span_id not in known]
    room = max(0, caps.max_spans_per_claim - len(known))
    trimmed: tuple[str, ...] = ()
    if len(new) > room:
        trimmed = (NOT_SCORED.format(claim.claim_id, len(new) - room, caps.max_spans_per_claim),)
        new = new[:room]
    affordable = max(0, left // RESERVE)
    if len(new) <= affordable:
        return new, trimmed, None
    unread = len(new) - affordable
    message = f"the cap of {caps.max_pairs} verifier pairs was reached; {unread} sentence(s) stayed unread"
    failure = Failure(where="verifier.assess", kind="budget", message=message, claim_id=claim.claim_id)
    return new[:affordable], (*trimmed, f"{claim.claim_id}: {message}."), failure


def best_label(fresh: Sequence[ScoredSpan]) -> tuple[Label, float, ScoredSpan | None]:
    """Strongest label among new spans; contradiction goes before entailment."""
    by_id = {s.hit.span.span_id: s for s in fresh}
    label, score, best = strongest([(i, s.assessment) for i, s in by_id.items()])
    return label, score, by_id[best] if best is not None else None


def is_settled(
    claim: AtomicClaim, scored: Sequence[ScoredSpan], trust: TrustReport | None, thresholds: Thresholds
) -> bool:
    """Whether a trusted span already certifies or refutes, by the thresholds.

    Picture readings settle only claims about the picture.
    """
    for span in scored:
        if (span.hit.span.kind != "text") != claim.about_image or span.hit.span.kind == "caption":
            continue
        if claim.image_aspect == "scene" and span.hit.span.kind != "record":
            continue
        value = trust.at(span.hit.span.doc_id, span.hit.span.span_id) if trust is not None else None
        if value is not None and value < thresholds.tau_trust:
            continue
        found = span.assessment
        if pair_decision.supports(found, thresholds) or pair_decision.refutes(found, thresholds):
            return True
    return False


def joint_evidence(
    claim: AtomicClaim, scored: Sequence[ScoredSpan], deps: Deps, left: int
) -> tuple[tuple[JointSpans, ...], int]:
    """Premises of two sentences where no single one entails or contradicts, and the passes used."""
    if left < MAX_JOINTS * RESERVE:
        return (), 0
    if any(s.assessment.calibrated.contradiction >= deps.thresholds.tau_contradict for s in scored):
        return (), 0
    candidates = [
        Candidate(
            span_id=s.hit.span.span_id,
            premise=s.hit.span.text,
            context=s.hit.span.context,
            assessment=s.assessment,
        )
        for s in scored
        if s.hit.span.kind == "text"
    ]
    joints = joint_premises(claim.text, candidates, deps.verifier, tau_entail=deps.thresholds.tau_entail)
    found = tuple(JointSpans(claim_id=claim.claim_id, span_ids=j.span_ids, assessment=j.assessment) for j in joints)
    return found, sum(j.assessment.passes for j in found)


class Bridged(Record):
    """Label and score (0 to 1) of a resolved pair, and the forward passes used."""

    label: Label = "not_enough_info"
    score: float = 0.0
    passes: int = 0
    best: ScoredSpan | None = None
    bridge: Bridge | None = None
    """The statements that were scored; ``None`` if none were."""

    def or_else(self, label: Label, score: float, best: ScoredSpan | None) -> tuple[Label, float, ScoredSpan | None]:
        """This reading if it has a label, otherwise the given one."""
        if self.best is None:
            return label, score, best
        return self.label, self.score, self.best


def read_bridge(
    deps: Deps,
    claim: AtomicClaim,
    question: Question,
    hits: Sequence[Hit],
    known: Sequence[ScoredSpan],
    left: int,
) -> Bridged:
    """Label of the claim with the question's name in it, if there is a name and room.

    ``known``: spans scored for the claim; ``left``: forward passes left. Errors of the verifier are the
    caller's.
    """
    name = resolved_name(question.purpose)
    described = find_description(claim.text) if name is not None else None
    if name is None or described is None or left < 2 * MOST * RESERVE:
        return Bridged()
    scored = {s.hit.span.span_id for s in known}
    first = _read(deps, claim, described.anchor(name), [s.hit for s in known if _has(s.hit, name)], scored)
    passes = _passes(first)
    if not holds(_items(first)):
        bridge = Bridge(question_id=question.question_id, name=name, first_hop=first, second_hop=None)
        return Bridged(passes=passes, bridge=bridge)
    found = {h.span.span_id: h for h in hits if h.span.kind == "text" and _has(h, name)}
    second = _read(deps, claim, described.other(name), list(found.values()), scored)
    passes += _passes(second)
    bridge = Bridge(question_id=question.question_id, name=name, first_hop=first, second_hop=second)
    said = read_both(_items(first), _items(second))
    best = next((s for s in second.spans if said and s.span_id == said[2]), None)
    if said is None or best is None:
        return Bridged(passes=passes, bridge=bridge)
    chosen = ScoredSpan(
        claim_id=claim.claim_id,
        question_id=question.question_id,
        hit=found[best.span_id],
        assessment=best.assessment,
    )
    return Bridged(label=said[0], score=said[1], passes=passes, best=chosen, bridge=bridge)


def _has(hit: Hit, name: str) -> bool:
    return any(name_in(n, f"{hit.span.text} {hit.span.context}") for n in find_names(name))


def _items(reading: Reading) -> list[Scored]:
    return [(s.span_id, s.assessment) for s in reading.spans]


def _passes(reading: Reading) -> int:
    return sum(s.assessment.passes for s in reading.spans)


def _read(deps: Deps, claim: AtomicClaim, text: str, hits: Sequence[Hit], scored: Collection[str]) -> Reading:
    """``text`` scored against the first of these sentences."""
    asked = statement_of(claim, text)
    unique = list({h.span.span_id: h for h in hits[:MOST]}.values())
    assessed = deps.verifier.assess([pair_of(asked, h.span) for h in unique]) if unique else ()
    spans = (
        ReadSpan(span_id=h.span.span_id, assessment=a, span=None if h.span.span_id in scored else h.span)
        for h, a in zip(unique, assessed, strict=True)
    )
    return Reading(text=text, spans=tuple(spans))


ANSWERS_SHARE = 4
"""At most one in so many verifier pairs is spent on answers."""


class Completed(Record):
    """A pair with all its results, and its cost."""

    pair: QAPair
    passes: int
    trimmed: tuple[str, ...]


class Asked(Record):
    """A question with what was found and answered."""

    question: Question
    answer: Answer
    hits: tuple[Hit, ...]
    """All spans found for the question."""
    fresh: tuple[ScoredSpan, ...]
    """Those that no earlier question found."""
    reason: str = ""


def complete(
    deps: Deps,
    claim: AtomicClaim,
    asked: Asked,
    known: Sequence[ScoredSpan],
    report: TrustReport | None,
    *,
    passes: int,
    on_answers: int,
) -> Completed:
    """The pair of a question; errors of the verifier are the caller's.

    ``known``: spans scored for the claim; ``passes``: forward passes used before, of them ``on_answers``
    on answers.
    """
    by_id = {h.span.span_id: h.span for h in asked.hits}
    cited = tuple(by_id[i] for i in asked.answer.span_ids if i in by_id)
    left = deps.caps.max_pairs - passes
    bridged = read_bridge(deps, claim, asked.question, asked.hits, known, left)
    label, score, _ = bridged.or_else(*best_label(_among(known, cited)))
    room = min(left - bridged.passes, deps.caps.max_pairs // ANSWERS_SHARE - on_answers)
    grounding = _grounded(deps, claim, asked.answer, cited, room)
    behind = (*cited, *_read_besides(bridged, asked.hits))
    unsupported = grounding is not None and not grounding.holds
    pair = QAPair(
        question=asked.question,
        answer=asked.answer,
        hits=tuple(s.hit for s in asked.fresh),
        cited=cited,
        grounding=grounding,
        label=label,
        score=score,
        trust=least_trust(behind, report),
        reason=UNSUPPORTED if unsupported else asked.reason,
        bridge=bridged.bridge,
    )
    return Completed(pair=pair, passes=bridged.passes + passes_of(grounding), trimmed=_trimmed(deps, claim, grounding))


def _read_besides(bridged: Bridged, hits: Sequence[Hit]) -> list[Span]:
    """The sentences that a resolved claim was read with."""
    rest = bridged.bridge.second_hop if bridged.bridge is not None else None
    ids = {s.span_id for s in rest.spans} if rest is not None else set()
    return [h.span for h in hits if h.span.span_id in ids]


def _among(known: Sequence[ScoredSpan], cited: Sequence[Span]) -> list[ScoredSpan]:
    ids = {s.span_id for s in cited}
    return [s for s in known if s.hit.span.span_id in ids]


def _grounded(deps: Deps, claim: AtomicClaim, answer: Answer, cited: Sequence[Span], room: int) -> Grounding | None:
    if not answer.found:
        return None
    readable = min(MOST_PARTS, max(0, room // RESERVE))
    return ground(claim, answer.text, cited, deps.verifier, deps.thresholds, readable=readable)


def _trimmed(deps: Deps, claim: AtomicClaim, grounding: Grounding | None) -> tuple[str, ...]:
    if grounding is None or not grounding.unread:
        return ()
    most = deps.caps.max_pairs // ANSWERS_SHARE
    return (
        f"{claim.claim_id}: an answer was not read by what it cites (at most {MOST_PARTS} sentences an "
        f"answer, and {most} verifier pairs for all answers).",
    )


def passes_of(grounding: Grounding | None) -> int:
    """Forward passes that reading an answer took."""
    return sum(p.assessment.passes for p in grounding.parts) if grounding is not None else 0


def spent_on(pairs: Sequence[QAPair]) -> int:
    """Forward passes that reading all answers took."""
    return sum(passes_of(p.grounding) for p in pairs)


def least_trust(spans: Sequence[Span], report: TrustReport | None) -> float | None:
    """Least trust of the cited documents; ``None`` if trust is off or nothing is rated."""
    if report is None:
        return None
    entries = [report.of(s.doc_id) for s in spans if s.kind == "text"]
    return min((entry.score if entry else 0.0 for entry in entries), default=None)


def as_told(pair: QAPair) -> QAPair:
    """The pair as a reasoner sees it: an unsupported answer is blank and unlabelled."""
    if not pair.answer.found or pair.supported:
        return pair
    blank = Answer(text=f"An answer was given that is {UNSUPPORTED}.", found=False)
    return pair.model_copy(
        update={"answer": blank, "label": "not_enough_info", "score": 0.0, "trust": None, "cited": ()}
    )


def failed_pair(asked: Asked) -> QAPair:
    """The pair after a failure of the verifier: no results."""
    none = Grounding(label="not_enough_info", score=0.0, unread=1) if asked.answer.found else None
    return QAPair(question=asked.question, answer=asked.answer, grounding=none, reason=asked.reason)
