"""Question-answer pairs with three results: answer by its spans, spans for the claim, trust of documents.

An unsupported answer stays in the trail and is hidden from reasoners (``as_told``). Where a claim's description
was resolved to a name, the anchor (the name is what is described) is scored first, then the claim with the name in
it; that steers questions and the proposal only. What is scored is chosen within the caps; no badge is decided here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from statistics import median

from agent.assessment.nli_pairs import (
    MOST,
    MOST_PARTS,
    UNSUPPORTED,
    Scored,
    ground,
    holds,
    pair_of,
    read_both,
    statement_of,
    strongest,
)
from agent.graphs.evidence_lookup import states_otherwise
from agent.graphs.state import Deps
from agent.intake.descriptions import find_description
from agent.types import (
    LEFT_OUT,
    Answer,
    AtomicClaim,
    BranchResult,
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
from evidence.retrieval.selection import source_of
from evidence.types import Hit, Span
from factdesk.kernel import Caps, Failure
from language.names import find_names, name_in
from trust.types import TrustReport
from verifier import pair_decision
from verifier.joint_evidence import MAX_JOINTS, Candidate, joint_premises
from verifier.types import Label, Thresholds

RESERVE = 6
"""Forward passes a single span may take, counterfactuals included."""
ANSWERS_SHARE = 4
"""At most one in so many verifier pairs is spent on answers."""


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

    Reaching the span cap is noted; that it left out a more relevant source, or that the passes ran out, is a
    failure on the deciding path.
    """
    known = {s.hit.span.span_id for s in scored}
    new = [h for h in hits if h.span.span_id not in known]
    room = max(0, caps.max_spans_per_claim - len(known))
    trimmed: tuple[str, ...] = ()
    unheard: Failure | None = None
    if len(new) > room:
        unheard = _unheard(claim, new[room:], [*(s.hit for s in scored), *new[:room]], caps)
        trimmed = (NOT_SCORED.format(claim.claim_id, len(new) - room, caps.max_spans_per_claim),)
        new = new[:room]
    affordable = max(0, left // RESERVE)
    if len(new) <= affordable:
        return new, trimmed, unheard
    unread = len(new) - affordable
    message = f"the cap of {caps.max_pairs} verifier pairs was reached; {unread} sentence(s) stayed unread"
    failure = Failure(where="verifier.assess", kind="budget", message=message, claim_id=claim.claim_id)
    return new[:affordable], (*trimmed, f"{claim.claim_id}: {message}."), failure


def _unheard(claim: AtomicClaim, left_out: Sequence[Hit], read: Sequence[Hit], caps: Caps) -> Failure | None:
    """The failure of a cap that took a source of which nothing is read, and which is more relevant than most
    sentences that are, or states a detail of the claim otherwise.
    """
    if claim.about_image:
        return None
    sources = {source_of(h.span) for h in read}
    usual = median([_relevance(h) for h in read] or [0.0])
    others = (h for h in left_out if source_of(h.span) not in sources)
    lost = next((h for h in others if _relevance(h) > usual or states_otherwise(claim, h)), None)
    if lost is None:
        return None
    message = (
        f"the cap of {caps.max_spans_per_claim} sentences a claim left out {lost.span.doc_id!r}, a source of which "
        "nothing was read and which may tell more than some that were"
    )
    return Failure(where="verifier.assess", kind=LEFT_OUT, message=message, claim_id=claim.claim_id)


def _relevance(hit: Hit) -> float:
    """The score of the last stage; what has none counts as most relevant where it is left out."""
    return 1.0 if hit.scores.last is None else hit.scores.last


def best_label(scored: Sequence[ScoredSpan], cited: Sequence[Span]) -> tuple[Label, float]:
    """Strongest label among the cited spans, with its score; contradiction goes before entailment."""
    ids = {s.span_id for s in cited}
    by_id = {s.hit.span.span_id: s.assessment for s in scored if s.hit.span.span_id in ids}
    label, score, _ = strongest(list(by_id.items()))
    return label, score


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


def joint_evidence(claim: AtomicClaim, scored: Sequence[ScoredSpan], deps: Deps, left: int) -> tuple[JointSpans, ...]:
    """Premises of two sentences where no single one entails or contradicts, within ``left`` passes."""
    contested = any(s.assessment.calibrated.contradiction >= deps.thresholds.tau_contradict for s in scored)
    if contested or left < MAX_JOINTS * RESERVE:
        return ()
    candidates = [
        Candidate.taken_from(s.hit.span, premise=s.hit.span.text, assessment=s.assessment)
        for s in scored
        if s.hit.span.kind == "text"
    ]
    joints = joint_premises(claim.text, candidates, deps.verifier, tau_entail=deps.thresholds.tau_entail)
    return tuple(JointSpans.taken_from(j, claim_id=claim.claim_id) for j in joints)


def read_bridge(
    deps: Deps, claim: AtomicClaim, question: Question, hits: Sequence[Hit], known: Sequence[ScoredSpan], left: int
) -> Bridge | None:
    """The claim with the question's name in it, if there is a name and room; ``None``: nothing was scored.

    ``known``: spans scored for the claim; ``left``: forward passes left. Errors of the verifier are the
    caller's.
    """
    name = resolved_name(question.purpose)
    described = find_description(claim.text) if name is not None else None
    if name is None or described is None or left < 2 * MOST * RESERVE:
        return None
    scored = {s.hit.span.span_id for s in known}
    first = _read(deps, claim, described.anchor(name), [s.hit for s in known if _has(s.hit, name)], scored)
    second = None
    if holds(_items(first)):
        found = {h.span.span_id: h for h in hits if h.span.kind == "text" and _has(h, name)}
        second = _read(deps, claim, described.other(name), list(found.values()), scored)
    return Bridge(question_id=question.question_id, name=name, first_hop=first, second_hop=second)


def _has(hit: Hit, name: str) -> bool:
    return any(name_in(n, f"{hit.span.text} {hit.span.context}") for n in find_names(name))


def _items(reading: Reading | None) -> list[Scored]:
    return [(s.span_id, s.assessment) for s in reading.spans] if reading is not None else []


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


def complete(
    deps: Deps,
    claim: AtomicClaim,
    found: BranchResult,
    known: Sequence[ScoredSpan],
    report: TrustReport | None,
    *,
    left: int,
    for_answers: int,
) -> QAPair:
    """The pair of a question with its results; errors of the verifier are the caller's.

    ``known``: spans scored for the claim; ``left``: forward passes left, of them ``for_answers`` for answers.
    """
    by_id = {h.span.span_id: h.span for h in found.hits}
    cited = tuple(by_id[i] for i in found.answer.span_ids if i in by_id)
    bridge = read_bridge(deps, claim, found.question, found.hits, known, left)
    both = read_both(_items(bridge.first_hop), _items(bridge.second_hop)) if bridge is not None else None
    label, score = both[:2] if both is not None else best_label(known, cited)
    grounding = None
    if found.answer.found:
        room = min(left - _passes_of(bridge), for_answers)
        readable = min(MOST_PARTS, max(0, room // RESERVE))
        grounding = ground(claim, found.answer.text, cited, deps.verifier, deps.thresholds, readable=readable)
    besides = {i for i, _ in _items(bridge.second_hop)} if bridge is not None else set()
    behind = (*cited, *(h.span for h in found.hits if h.span.span_id in besides))
    return QAPair(
        question=found.question,
        answer=found.answer,
        hits=tuple(s.hit for s in known if s.question_id == found.question.question_id),
        cited=cited,
        grounding=grounding,
        label=label,
        score=score,
        trust=least_trust(behind, report),
        reason=UNSUPPORTED if grounding is not None and not grounding.holds else found.trouble,
        bridge=bridge,
    )


def failed_pair(found: BranchResult) -> QAPair:
    """The pair after a failure of the verifier: no results."""
    none = Grounding(label="not_enough_info", score=0.0, unread=1) if found.answer.found else None
    return QAPair(question=found.question, answer=found.answer, grounding=none, reason=found.trouble)


def unread_answer(deps: Deps, pair: QAPair) -> tuple[str, ...]:
    """A note on an answer that was not read by what it cites, where that is so."""
    if pair.grounding is None or not pair.grounding.unread:
        return ()
    most = deps.caps.max_pairs // ANSWERS_SHARE
    return (
        f"{pair.question.claim_id}: an answer was not read by what it cites (at most {MOST_PARTS} sentences an "
        f"answer, and {most} verifier pairs for all answers).",
    )


def passes_of(pair: QAPair) -> int:
    """Forward passes that a pair took."""
    return spent_on([pair]) + _passes_of(pair.bridge)


def _passes_of(bridge: Bridge | None) -> int:
    hops = (bridge.first_hop, bridge.second_hop) if bridge is not None else ()
    return sum(a.passes for hop in hops for _, a in _items(hop))


def spent_on(pairs: Sequence[QAPair]) -> int:
    """Forward passes that reading all answers took."""
    return sum(part.assessment.passes for p in pairs if p.grounding is not None for part in p.grounding.parts)


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
