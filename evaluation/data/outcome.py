"""What a run keeps of each claim: one line of figures, and the records they came from."""

from __future__ import annotations

from collections.abc import Sequence
from unicodedata import normalize

from agent.types import Proposal, Question
from evaluation.data.formats.types import EvalLabel, EvalRow, Gold
from evidence.types import Span
from factdesk.kernel import Failure, Record
from report.policy.evidence_sides import admissible, trusted
from report.types import CertificateBody, ClaimRecord, Decision, Verdict
from verifier import pair_decision
from verifier.types import Thresholds

MIN_QUOTE = 40
"""Characters of a quoted sentence that are enough to recognise it where it was cut otherwise."""


class Trace(Record):
    """What a verdict was made of. Nothing here is a certificate, and none is ever made from it."""

    id: str
    claims: tuple[ClaimRecord, ...]
    decisions: tuple[Decision, ...]
    verdict: Verdict
    thresholds: Thresholds
    failures: tuple[Failure, ...] = ()
    trimmed: tuple[str, ...] = ()
    trimmed_claims: int = 0
    questions: tuple[Question, ...] = ()
    answers: tuple[tuple[str, str], ...] = ()
    """(question, answer) pairs for which something was found."""
    proposal: Proposal | None = None
    gold_ids: tuple[str, ...] = ()
    """Of the sentences scored, those that are gold."""


class Cost(Record):
    """What one claim took."""

    seconds: float = 0.0
    """Wall clock."""
    cpu_seconds: float = 0.0
    """Of the processor: on a machine that is shared with other work, the more honest one."""
    pairs: int = 0
    """Forward passes of the verifier, those of trust included."""
    retrieval_calls: int = 0
    tokens: int = 0
    certificate_bytes: int | None = None
    """Canonical bytes; ``None`` where no certificate belongs to it."""


class EvalItem(Record):
    """One claim of a run."""

    id: str
    group: str = ""
    claim: str
    label: EvalLabel
    verdict: Verdict
    support: float
    """How sure support is, 0 to 1: the least over the atomic claims of the best sentence's probability."""
    against: float
    """How sure a refutation is: the greatest over the atomic claims."""
    atomic: int
    questions: int
    rules: tuple[str, ...]
    failures: int
    gold_found: bool | None
    """A whole set of gold sentences was scored; ``None`` without gold evidence."""
    cited: tuple[str, ...]
    """Ids of the sentences that a certified verdict rests on."""
    cited_right: int | None
    """Of those, how many are gold."""
    gold_cited: bool | None
    """A whole set of gold sentences is cited."""
    cost: Cost


def trace_of(row: EvalRow, body: CertificateBody) -> Trace:
    """The trace of a check."""
    texts = {q.question_id: q.text for q in body.questions}
    return Trace(
        id=row.id,
        gold_ids=gold_ids(body.claims, row),
        claims=body.claims,
        decisions=body.decisions,
        verdict=body.verdict,
        thresholds=body.thresholds,
        failures=body.failures,
        trimmed=body.trimmed,
        trimmed_claims=body.trimmed_claims,
        questions=body.questions,
        proposal=body.proposal,
        answers=tuple((texts.get(a.question_id, ""), a.text) for a in body.answers if a.found),
    )


def item_of(row: EvalRow, trace: Trace, cost: Cost) -> EvalItem:
    """The line of figures of one claim."""
    spans = [s for record in trace.claims for s in record.spans]
    certified = [d for d in trace.decisions if d.state != "UNVERIFIED"]
    cited = tuple(dict.fromkeys(i for d in certified for i in d.span_ids))
    named = [s for s in spans if s.span.span_id in cited]
    right = {s.span.span_id for s in named} & set(trace.gold_ids)
    whole = [any(covers([s.span for s in some], g) for g in row.gold) for some in (spans, named)]
    return EvalItem(
        id=row.id,
        group=row.group,
        claim=row.claim,
        label=row.label,
        verdict=trace.verdict,
        support=support_of(trace.claims, trace.thresholds),
        against=against_of(trace.claims, trace.thresholds),
        atomic=len(trace.claims),
        questions=len(trace.questions),
        rules=tuple(d.rule for d in trace.decisions),
        failures=len(trace.failures),
        gold_found=whole[0] if row.gold else None,
        cited=cited,
        cited_right=len(right) if row.gold and cited else None,
        gold_cited=whole[1] if row.gold and cited else None,
        cost=cost,
    )


def support_of(claims: Sequence[ClaimRecord], thresholds: Thresholds) -> float:
    """The least, over atomic claims, of the best admissible and trusted sentence that the guard lets pass."""
    return round(min((_support(c, thresholds) for c in claims), default=0.0), 6)


def _support(claim: ClaimRecord, thresholds: Thresholds) -> float:
    if claim.claim.unsupported_by_design:
        return 0.0
    inside = [s for s in claim.spans if admissible(s, claim) and trusted(s, thresholds)]
    single = [
        s.assessment.calibrated.entailment
        for s in inside
        if s.assessment.guard.agrees and pair_decision.near(s.assessment)
    ]
    ids = {s.span.span_id for s in inside}
    joint = [
        j.assessment.calibrated.entailment for j in claim.joint if set(j.span_ids) <= ids and j.assessment.guard.agrees
    ]
    return max([*single, *joint], default=0.0)


def against_of(claims: Sequence[ClaimRecord], thresholds: Thresholds) -> float:
    """The greatest probability of a refutation by an admissible and trusted sentence on the same subject."""
    found = [
        s.assessment.counterfactual.refutation or 0.0
        if s.assessment.counterfactual is not None and s.assessment.counterfactual.refutation is not None
        else s.assessment.calibrated.contradiction
        for c in claims
        for s in c.spans
        if admissible(s, c) and trusted(s, thresholds) and s.assessment.guard.same_subject
    ]
    return round(max(found, default=0.0), 6)


def is_gold(span: Span, gold: Gold) -> bool:
    """Whether a sentence is one that annotators named; sentences may be cut otherwise."""
    if span.doc_id != normalize("NFC", gold.doc_id):
        return False
    if not gold.quote:
        return True
    text, quote = (" ".join(t.split()).rstrip(".") for t in (span.text, gold.quote))
    return bool(quote) and (quote in text or text in quote or quote[:MIN_QUOTE] in text)


def gold_ids(claims: Sequence[ClaimRecord], row: EvalRow) -> tuple[str, ...]:
    """Ids of the scored sentences that annotators named."""
    gold = [g for group in row.gold for g in group]
    spans = [s for record in claims for s in record.spans]
    return tuple(dict.fromkeys(s.span.span_id for s in spans if any(is_gold(s.span, g) for g in gold)))


def covers(spans: Sequence[Span], group: Sequence[Gold]) -> bool:
    """Whether every sentence of a set of gold evidence is among the spans."""
    return bool(group) and all(any(is_gold(s, g) for s in spans) for g in group)
