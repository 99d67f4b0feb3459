"""The policy: the one place where a badge is decided, from verification records alone.

Nothing a document, an image or a language model says is read here: only scores, guard
findings, trust, kinds and thresholds. The rules are tried in the order of ``RULES``; the
first that applies decides. Each rule's name and reason stand in the certificate.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter

from factdesk.kernel import Failure
from report.policy.answers import other_amounts, own_word_only
from report.policy.evidence_sides import Case, admissible, rated_sources, sources_of, trusted
from report.policy.reasons import apart, how_against, how_far, neither, no_refutation, recorded, verdict_of
from report.types import LABELS, Certificate, ClaimRecord, Decision, SpanRecord, State
from verifier import pair_decision
from verifier.types import Thresholds


def _best(spans: Sequence[SpanRecord], score: Callable[[SpanRecord], float]) -> SpanRecord:
    return min(spans, key=lambda s: (-score(s), s.span.span_id))


_entailment: Callable[[SpanRecord], float] = attrgetter("assessment.calibrated.entailment")
_contradiction: Callable[[SpanRecord], float] = attrgetter("assessment.calibrated.contradiction")


def _refutation(record: SpanRecord) -> float:
    return pair_decision.against(record.assessment)


def _decided(
    case: Case,
    rule: str,
    reason: str,
    spans: Sequence[SpanRecord] = (),
    state: State = "UNVERIFIED",
    *,
    score: float = 0.0,
    conflicting: bool = False,
    voices: Sequence[SpanRecord] = (),
) -> Decision:
    """The decision; ``voices``: the spans whose independent sources a certified one is said to rest on."""
    return Decision(
        claim_id=case.record.claim.claim_id,
        state=state,
        label=LABELS[state],
        score=score,
        rule=rule,
        reason=reason,
        span_ids=tuple(s.span.span_id for s in spans),
        conflicting=conflicting,
        independent=len(sources_of(voices)),
        rated=rated_sources(voices),
    )


def by_design(case: Case) -> Decision | None:
    """Opinions, questions and predictions are never verified."""
    why = case.record.claim.unsupported_by_design
    return _decided(case, "unsupported_by_design", f"No document can settle this: {why.rstrip('.')}.") if why else None


def on_failure(case: Case) -> Decision | None:
    """A failure on the deciding path leaves the claim open."""
    if not case.failures:
        return None
    first = case.failures[0]
    return _decided(case, "failure", f"A part did not work ({first.where}: {first.message}), so nothing is decided.")


def no_evidence(case: Case) -> Decision | None:
    """Nothing was found to score."""
    return None if case.record.spans else _decided(case, "no_evidence", "No evidence was found for this statement.")


def published_earlier(case: Case) -> Decision | None:
    """A record shows the picture in print before the time the claim gives it: it cannot be from then."""
    if not case.earlier:
        return None
    first = min(case.earlier, key=lambda s: (str(s.span.published), s.span.span_id))
    reason = f"{recorded(first)}, before the time the claim gives it (from {case.record.claim.pictured_from} on)."
    if case.support or case.joint or case.untrusted_for:
        return _decided(case, "published_earlier", reason, (first, *case.support[:1]), conflicting=True)
    return _decided(case, "published_earlier", reason, (first,), "BLOCKED", score=1.0)


def placed_elsewhere(case: Case) -> Decision | None:
    """A record of the picture places it in another town, far from the one the claim gives it."""
    claimed = case.record.claim.pictured_place
    if not case.elsewhere or claimed is None:
        return None
    first = min(case.elsewhere, key=lambda s: (str(s.span.published or "9"), s.span.span_id))
    there = first.span.place.name if first.span.place else ""
    reason = f"{recorded(first)}: taken in {there!r}, far from {claimed.name!r}."
    if case.support or case.joint or case.lean or case.untrusted_for:
        return _decided(case, "placed_elsewhere", reason, (first,), conflicting=True)
    return _decided(case, "placed_elsewhere", reason, (first,), "BLOCKED", score=1.0)


def both_ways(case: Case) -> Decision | None:
    """Trusted evidence on both sides."""
    for_it = case.support or case.joined
    if for_it and case.contradict:
        pro, con = _best(for_it, _entailment), _best(case.contradict, _contradiction)
        told = f"{pro.span.doc_id!r} supports it, {how_against(con, case.thresholds)}"
        reason, score = f"Trusted evidence stands on both sides: {told}.", _entailment(pro)
    elif case.refute and case.lean:
        pro, con = _best(case.lean, _entailment), _best(case.refute, _contradiction)
        told = f"{pro.span.doc_id!r} leans towards it ({_entailment(pro):.2f})"
        reason, score = f"{con.span.doc_id!r} contradicts it, but {told}.", _contradiction(con)
    else:
        return None
    return _decided(case, "both_ways", reason, (pro, con), conflicting=True, score=score)


def disputed(case: Case) -> Decision | None:
    """No refutation while any source, even below the trust gate, leans towards the claim."""
    if not case.refute or not case.untrusted_for:
        return None
    pro, con = _best(case.untrusted_for, _entailment), _best(case.refute, _refutation)
    low = f"{pro.span.doc_id!r}, which is below the trust gate, leans towards it ({_entailment(pro):.2f})"
    reason = f"{con.span.doc_id!r} contradicts it, but {low}; nothing is certified."
    return _decided(case, "disputed", reason, (pro, con), score=_refutation(con))


def _clear(case: Case, spans: Sequence[SpanRecord]) -> tuple[SpanRecord, ...]:
    return tuple(s for s in spans if s.span.span_id not in case.contested)


def contested(case: Case) -> Decision | None:
    """Nothing is certified by a sentence that a trusted source refutes; a supporting one is in conflict."""
    joint = [j for j in case.joint if not case.contested & set(j.span_ids)]
    if case.support and not _clear(case, case.support) and not joint:
        spans, conflicting = case.support, True
    elif case.refute and not _clear(case, case.refute):
        spans, conflicting = case.refute, False
    else:
        return None
    best = _best(spans, lambda s: max(_entailment(s), _refutation(s)))
    others = sorted({repr(d.doc_id) for d in best.disputes})
    reason = f"What {best.span.doc_id!r} says of this is refuted by {', '.join(others)}."
    return _decided(case, "contested", reason, (best,), conflicting=conflicting, score=_entailment(best))


def refuted(case: Case) -> Decision | None:
    """Certified refutation."""
    clear = _clear(case, case.refute)
    if len(sources_of(clear)) < least_sources(case, clear):
        return None
    best = _best(clear, _refutation)
    mended = best.assessment.counterfactual
    at, limit = f"{_refutation(best):.2f}", f"{case.thresholds.tau_refute:.2f}"
    reason = f"Refuted at {at} (limit {limit}) by a trusted source about the same subject"
    if mended:
        reason += f"; with that source's detail in it the statement is entailed at {mended.entailment:.2f}"
    return _decided(case, "refuted", f"{reason}.", clear, "BLOCKED", score=_refutation(best), voices=clear)


def least_sources(case: Case, spans: Sequence[SpanRecord]) -> int:
    """How many independent sources are asked for: of unrated ones the desk may ask for more."""
    least = max(1, case.thresholds.min_independent)
    return least if rated_sources(spans) else max(least, case.thresholds.min_unrated)


def untrusted_against(case: Case) -> Decision | None:
    """Sources below the trust gate prevent Verified: two, or one where no rated source supports it."""
    if not (case.support or case.joint) or not case.outspoken:
        return None
    against = case.untrusted_against
    if len(against) == 1:
        reason = f"{against[0]!r}, below the trust gate, contradicts it, and no rated source supports it."
        return _decided(case, "one_untrusted_against", reason, case.support)
    reason = f"{len(against)} independent sources below the trust gate contradict it."
    return _decided(case, "two_untrusted_against", reason, case.support)


def outdated(case: Case) -> Decision | None:
    """A later source contradicts all that supports it: even below the trust gate it prevents Verified."""
    if not (case.support or case.joint) or not case.later_against:
        return None
    best = _best(case.later_against, _contradiction)
    reason = f"The support is older than what speaks against it: {how_against(best, case.thresholds)}."
    return _decided(case, "outdated", reason, (best,))


def own_word(case: Case) -> Decision | None:
    """A statement drafted from the evidence that one source alone bears out, whom nobody has named."""
    if not own_word_only(case) or verified(case) is None:
        return None
    best = _best(case.support or case.joined, _entailment)
    reason = (
        f"It was taken from the evidence, and {best.span.doc_id!r} alone bears it out: neither is that a "
        "source named for its own word, nor does an independent one state it too."
    )
    return _decided(case, "own_word", reason, (best,), score=_entailment(best))


def other_amount(case: Case) -> Decision | None:
    """A drafted statement beside which a trusted source gives another amount: the sources differ."""
    spans = other_amounts(case)
    if not spans or verified(case) is None:
        return None
    first = min(spans, key=lambda s: s.span.span_id)
    reason = f"It was taken from the evidence, and {first.span.doc_id!r} gives another amount on its matter."
    return _decided(case, "other_amount", reason, (first,))


def verified(case: Case) -> Decision | None:
    """Certified support: the only rule that gives Verified."""
    if case.contradict or case.later_against or case.outspoken:
        return None
    support, limit = _clear(case, case.support), f"{case.thresholds.tau_entail:.2f}"
    if support and len(sources_of(support)) >= least_sources(case, support):
        best = _best(support, _entailment)
        sums = "".join(f" ({how})" for how in best.assessment.guard.worked_out)
        reason = (
            f"Entailed at {_entailment(best):.2f} (limit {limit}) by {best.span.doc_id!r}; numbers, dates and names "
            f"agree{sums}; {len(sources_of(support))} independent source(s), {rated_sources(support)} of them rated."
        )
        return _decided(case, "verified", reason, (best,), "VERIFIED", score=_entailment(best), voices=support)
    clear = [j for j in case.joint if not case.contested & set(j.span_ids)]
    spans = {s.span.span_id: s for s in case.record.spans if any(s.span.span_id in j.span_ids for j in clear)}
    if not clear or least_sources(case, tuple(spans.values())) != 1:
        return None
    joint = min(clear, key=lambda j: (-j.assessment.calibrated.entailment, j.span_ids))
    score, chosen = joint.assessment.calibrated.entailment, [spans[i] for i in joint.span_ids]
    reason = f"Entailed at {score:.2f} (limit {limit}) by {len(chosen)} sentences together."
    return _decided(case, "verified", reason, chosen, "VERIFIED", score=score, voices=chosen)


def not_enough(case: Case) -> Decision | None:
    """Says what was missing, from the span that came nearest."""
    spans = case.record.spans
    near = _best(spans, lambda s: max(_entailment(s), _contradiction(s)))
    return _decided(case, "not_enough", _why_open(case, near), (near,), score=near.assessment.calibrated.neutral)


def _why_open(case: Case, near: SpanRecord) -> str:
    limits, found = case.thresholds, near.assessment
    if near.span.frame:
        return FRAMED[near.span.frame]
    if not admissible(near, case.record):
        return _no_witness(case, near)
    if not trusted(near, limits):
        trust, gate = apart(near.trust or 0.0, limits.tau_trust)
        return f"The nearest evidence stands in {near.span.doc_id!r}, whose trust {trust} is below {gate}."
    if max(_entailment(near), _contradiction(near)) < found.calibrated.neutral:
        return neither(found, limits)
    if _contradiction(near) > _entailment(near):
        return no_refutation(found, limits)
    if _entailment(near) < limits.tau_entail:
        score, limit = apart(_entailment(near), limits.tau_entail)
        return f"The nearest evidence entails it at {score}, below the limit {limit}."
    if doubts := found.guard.findings or found.guard.structure:
        return f"The evidence comes near, but: {doubts[0].message}"
    if not pair_decision.near(found):
        return f"The nearest evidence entails it at {_entailment(near):.2f}, but {how_far(found)}."
    return f"Fewer than {least_sources(case, case.support)} independent sources support it."


def _no_witness(case: Case, near: SpanRecord) -> str:
    """Why what is read of a picture, or beside one, settles nothing here."""
    if near.span.kind == "caption":
        whose = "a caption of the picture on a web page" if near.span.url else "a language model's view of the picture"
        return f"Only {whose} says so, which settles nothing."
    if case.record.claim.image_aspect == "scene":
        return _no_record_settles(case)
    if near.span.kind == "record":
        return "Only a record of the picture's earlier use says so; the statement is not about the picture."
    if near.span.kind != "text":
        return "Only the submitted image itself says so, and an image is no witness for its own truth."
    return "The statement is about the picture, and nothing read from the picture settles it."


def _no_record_settles(case: Case) -> str:
    """What a picture depicts, when and where, is left open; names the records that were found."""
    itself = "What a picture depicts, when and where, it cannot settle itself"
    records = {s.span.doc_id: s.span for s in case.record.spans if s.span.kind == "record"}
    if not records:
        return f"{itself}, and no record of it is known."
    first = min(records.values(), key=lambda s: (str(s.published or "9"), s.span_id))
    when = f"published on {first.published}" if first.published else "undated"
    return f"{itself}, and its record ({first.doc_id!r}, {when}) neither bears this out nor speaks against it."


FRAMED = {
    "claimed": "The nearest evidence is shown by its page as somebody's claim, not stated as a fact.",
    "rated_false": "The nearest evidence is a statement that its own page rates as false.",
    "made_up": "By its nearest record the picture shows no event: it is generated, altered, drawn or staged.",
    "fiction": "The nearest evidence stands on a page of satire or fiction.",
    "supposed": "The nearest evidence is a supposition, a question or an exercise.",
    "cut": "The nearest evidence is the rest of a sentence that was too long to be read with its beginning.",
}
"""Why a sentence that its page does not assert settles nothing."""

RULES: tuple[Callable[[Case], Decision | None], ...] = (
    by_design,
    on_failure,
    no_evidence,
    published_earlier,
    placed_elsewhere,
    both_ways,
    disputed,
    contested,
    refuted,
    untrusted_against,
    outdated,
    own_word,
    other_amount,
    verified,
    not_enough,
)


def decide(record: ClaimRecord, thresholds: Thresholds, failures: Sequence[Failure] = ()) -> Decision:
    """Decide one atomic claim. Pure: the same records give the same decision, in any order of spans."""
    case = Case(record, thresholds, failures)
    for rule in RULES:
        decision = rule(case)
        if decision is not None:
            return _unless_left_out(case, decision)
    return _decided(case, "not_enough", "No rule applied.")


def _unless_left_out(case: Case, decision: Decision) -> Decision:
    """The decision; an open one in the place of a certificate where a cap left out what may tell more."""
    if decision.state == "UNVERIFIED" or not case.left_out:
        return decision
    reason = f"It would be decided, but {case.left_out[0].message}."
    near = [s for s in case.record.spans if s.span.span_id in decision.span_ids]
    return _decided(case, "left_out", reason, near, score=decision.score)


def withheld(certificate: Certificate, doubt: str) -> Certificate:
    """A certificate that nothing vouches for, as it may be shown: every claim open, whatever it records."""
    decisions = tuple(
        Decision(
            claim_id=d.claim_id,
            state="UNVERIFIED",
            label="not_enough_info",
            score=0.0,
            rule="certificate",
            reason=f"Not verified, {doubt}: what this certificate records does not count.",
        )
        for d in certificate.body.decisions
    )
    shown = {"decisions": decisions, "verdict": verdict_of(decisions)}
    return certificate.model_copy(update={"body": certificate.body.model_copy(update=shown)})
