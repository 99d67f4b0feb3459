"""Which statements of a draft answer are the answer, and the extra ground that a statement drafted from evidence needs.

A sentence taken from a document is entailed by it, whatever it says. So such a statement needs one of these
besides: one source is enough for whoever asked (``Witness.least`` is 1), and is named with the answer; it rests on a
named source (``Witness.sources``); two independent sources support it; or one does and another states it too
(``seconds``). And no trusted source may give another amount on its matter (``gives_another``).
"""

from __future__ import annotations

from agent.types import Fit
from evidence.domains import on_site
from factdesk.kernel import Record
from report.policy.evidence_sides import STATED, Case, admissible, sources_of, trusted
from report.types import CertificateBody, SpanRecord, State
from verifier.pair_decision import LEANS, LEAST_TOLD
from verifier.types import QUANTITIES, Assessment

UNRELATED_SURELY = 0.8
"""Raw probability of "neutral" from which on the model takes two sentences to be about different facts."""


def own_word_only(case: Case) -> bool:
    """Whether all that supports a drafted statement is the word of one source that nobody has named."""
    rule = case.record.witness
    if rule is None or rule.least < 2:
        return False
    if not case.support:
        joined = {i for j in case.joint for i in j.span_ids}
        return not all(on_site(s.span.url, rule.sources) for s in case.record.spans if s.span.span_id in joined)
    if any(on_site(s.span.url, rule.sources) for s in case.support):
        return False
    if len(sources_of(case.support)) > 1:
        return False
    seconding = [s for s in case.lean if seconds(s.assessment)]
    return len(sources_of((*case.support, *seconding))) == 1


def seconds(found: Assessment) -> bool:
    """States the claim too: no detail missing or otherwise, and likelier entailing than not, or with the
    claim's numbers and most of its words.
    """
    guard = found.guard
    if not guard.agrees or guard.uncovered or found.calibrated.contradiction >= LEANS:
        return False
    stated = guard.matched > 0 and guard.overlap >= STATED
    return found.calibrated.entailment >= LEANS or stated


def other_amounts(case: Case) -> tuple[SpanRecord, ...]:
    """Of a drafted statement: trusted spans that give another amount on its matter."""
    if case.record.witness is None:
        return ()
    return tuple(
        s
        for s in case.record.spans
        if admissible(s, case.record) and trusted(s, case.thresholds) and gives_another(s.assessment)
    )


def gives_another(found: Assessment) -> bool:
    """Same subject, some of the statement's own words, another amount, for no other day, not as a plan, and
    the model does not surely take it for another fact.
    """
    guard = found.guard
    slots = {f.slot for f in guard.findings if f.kind == "conflict"}
    aside = guard.premise_future or "date" in slots or any(f.slot == "modality" for f in guard.findings)
    told = guard.same_subject and guard.premise_overlap >= LEAST_TOLD
    return told and not aside and bool(slots & QUANTITIES) and found.raw.neutral < UNRELATED_SURELY


NOT_VERIFIED = "None of the sentences that answer the question could be verified."
OWN_WORD = (
    "Only one source answers it, and two were asked for; name its site with --source SITE if its word is "
    "enough, or ask with --answer-sources 1."
)


class Answer(Record):
    """What a certificate says to its question."""

    claim_ids: tuple[str, ...]
    """Verified and fitting, best first; empty: not answered."""
    why_not: str = ""
    """Why there is no answer, in words; empty where there is one."""


def answer_of(body: CertificateBody) -> Answer:
    """The answer of a certificate, from its decisions and fits alone.

    Where statements that fit as well give another amount or day, the sources differ on what was asked, and
    there is no answer. Refuted statements do not count, and neither does a plan beside what came of it, nor a
    statement that a trusted source refutes and only sources below the trust gate bear out (``disputed``).
    """
    if body.asked is None:
        return Answer(claim_ids=())
    states: dict[str, State] = {d.claim_id: d.state for d in body.decisions}
    fits = [f for f in body.asked.fits if f.answers]
    good = [f for f in fits if states.get(f.claim_id) == "VERIFIED"]
    if not fits:
        return Answer(claim_ids=(), why_not="No sentence was found that answers the question.")
    if not good:
        rules = {d.claim_id: d.rule for d in body.decisions}
        alone = any(rules.get(f.claim_id) == "own_word" for f in fits)
        return Answer(claim_ids=(), why_not=OWN_WORD if alone else NOT_VERIFIED)
    gone = {d.claim_id for d in body.decisions if d.state == "BLOCKED" or d.rule == "disputed"}
    if any(f.claim_id not in gone and _rivals(f, good) for f in fits):
        return Answer(claim_ids=(), why_not="The sources differ on what was asked.")
    return Answer(claim_ids=tuple(f.claim_id for f in sorted(good, key=lambda f: -f.question_coverage)))


def _rivals(other: Fit, good: list[Fit]) -> bool:
    """Whether ``other`` fits as well as one of ``good`` and fills the question word's place otherwise."""
    return any(
        other.values
        and found.values
        and not _agree(other, found)
        and other.question_coverage >= found.question_coverage
        and not (other.plan and not found.plan)
        for found in good
    )


def _agree(a: Fit, b: Fit) -> bool:
    """A common value; a day agrees with its month and its year."""
    return any(
        x == y or (x.startswith("date|") and (x[:-1].startswith(y[:-1]) or y[:-1].startswith(x[:-1])))
        for x in a.values
        for y in b.values
    )
