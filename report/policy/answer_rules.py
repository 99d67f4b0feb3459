"""When a source's own word is enough: the extra ground that a statement drafted from the evidence needs.

A sentence taken from a document is entailed by that document, whatever it says. So for such a statement
entailment proves nothing by itself, and one of four things is asked for besides:

- whoever asked is content with one source (``Witness.least`` is 1), whose word the answer is then shown as,
- it rests on a source that whoever asked has named (``Witness.sources``), or
- sources of two independence clusters support it, or
- one source supports it, and an independent trusted one states it too, if not as clearly (``seconds``).

Besides, no trusted source may give another amount on its matter (``gives_another``): whoever drafts an answer
from one sentence has not chosen between two.

Both can only take a Verified away.
"""

from __future__ import annotations

from collections.abc import Iterable

from evidence.domains import on_site
from report.policy.evidence_sides import STATED, Case, admissible, sources_of, trusted
from report.types import SpanRecord
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
        return not all(named(s, rule.sources) for s in case.record.spans if s.span.span_id in joined)
    if any(named(s, rule.sources) for s in case.support):
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


def named(record: SpanRecord, sources: Iterable[str]) -> bool:
    """Whether the document's address is on one of the sites, or on a part of one."""
    return on_site(record.span.url, sources)
