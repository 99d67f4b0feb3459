"""Whether one sentence certifies a claim, refutes it, or speaks against it, and the limits that decide.

Below the report, since agent and calibration go by the same words;
what a claim is certified by in the end: ``report.policy``.
"""

from __future__ import annotations

from verifier.types import QUANTITIES, Assessment, Thresholds

LEAST_OVERLAP = 0.15
"""Share of the claim's telling words that evidence and its context must hold to support it."""
LEAST_TOLD = 0.2
"""Share of the claim's own words (names, amounts and dates aside) from which on a sentence without another
amount or date may refute it, and one with another may speak against it."""
LEAST_TOLD_SILENT = 0.5
"""The same for a sentence that says nothing of the claim's amounts."""
LEAST_SHARED = 0.3
"""The same for one whose other account need not be entailed at ``tau_entail`` to refute (``tau_mended``)."""
SURELY = 0.95
"""Probability of a refutation from which on the other account need only be likelier than not (``LEANS``), in
the claim's own words: what the sentence lacks of it (``is buying`` for ``bought``) is then a small matter."""
LEAST_NEAR = 0.5
"""Share of the claim's own words from which on a sentence is near the claim; no other certifies it."""
LEAST_STATED = 2
"""An amount or a date of the claim, and so many of its amounts, dates and names in all, are enough too."""
LEANS = 0.5
"""Probability from which on a score leans to one side."""
_POLARITY = frozenset({"negation", "direction"})


def supports(found: Assessment, thresholds: Thresholds) -> bool:
    """Calibrated entailment at ``tau_entail`` with the slot guard agreeing, on the claim's own matter.

    A sentence that is not ``near`` the claim is about something else, however sure the model is: it is
    often surest about texts unlike those it was trained on.
    """
    return found.calibrated.entailment >= thresholds.tau_entail and found.guard.agrees and near(found)


def near(found: Assessment) -> bool:
    """It has enough of the claim's own words, and all its rare ones, to be about what the claim says: a
    shared name or number is no shared statement.
    """
    covered = not found.guard.uncovered and found.guard.overlap >= LEAST_OVERLAP
    stated = found.guard.matched > 0 and found.guard.matched + found.guard.named >= LEAST_STATED
    return covered and (stated or found.guard.premise_overlap >= LEAST_NEAR)


def refutes(found: Assessment, thresholds: Thresholds) -> bool:
    """It ``opposes`` the claim, and is about it.

    What asserts no more than what the claim denies certifies the opposite, and must be as ``near`` as
    support. Else it sets an amount or a date against the claim's, or has ``LEAST_TOLD`` of its own words.
    """
    findings = found.guard.findings
    if found.guard.unsettled:
        return False
    if findings and all(f.slot == "negation" and f.claim_value for f in findings):
        about = near(found)
    else:
        amount = any(f.kind == "conflict" and f.slot in QUANTITIES for f in findings)
        about = amount or found.guard.premise_overlap >= LEAST_TOLD
    return about and opposes(found, thresholds)


def opposes(found: Assessment, thresholds: Thresholds) -> bool:
    """Same subject, the mended claim entailed, and ``tau_refute`` reached or the claim stated otherwise.

    The limit is for the calibrated probability of a refutation; where that is not calibrated, for
    contradiction itfound. With it the mended claim must be entailed at ``tau_entail``, or at
    ``tau_mended`` by a sentence with ``LEAST_SHARED`` of the claim's own words (``LEANS`` where the
    refutation is at ``SURELY``); a sentence that ``states_otherwise`` needs the mended claim alone, and
    so does one that ``says_the_opposite``, at ``tau_entail``. Where all that stands against the claim is
    a negation, both limits are ``tau_entail`` at least, and what was planned or feared denies nothing.
    """
    mended = found.counterfactual
    if mended is None or not found.guard.same_subject or (found.guard.denied and found.guard.premise_future):
        return False
    if found.guard.apart:
        return False
    known = mended.refutation
    limit, least = thresholds.tau_refute, thresholds.least_mended
    if found.guard.premise_overlap < LEAST_SHARED:
        least = thresholds.tau_entail
    elif thresholds.tau_mended is not None and known is not None and known >= max(SURELY, limit):
        least = min(least, LEANS)
    if found.guard.denied:
        limit, least = max(limit, thresholds.tau_entail), max(least, thresholds.tau_entail)
    strong = (found.calibrated.contradiction if known is None else known) >= limit
    if (strong or states_otherwise(found)) and mended.entailment >= least:
        return True
    return says_the_opposite(found) and mended.entailment >= max(least, thresholds.tau_entail)


def states_otherwise(found: Assessment) -> bool:
    """It names the claim's own value only to reject it, or it has the claim word for word but for the
    mended detail and does not lean towards it.
    """
    mended = found.counterfactual
    if mended is None or not found.guard.same_subject or found.guard.apart:
        return False
    return found.guard.value_rejected or (mended.literal and found.calibrated.entailment < LEANS)


def says_the_opposite(found: Assessment) -> bool:
    """It leans against the claim, and all that stands otherwise in it is an opposite word ("allowed" for
    "forbidden"), which it does not say of what is to come.

    How often such pairs of the development sets are contradictions: ``design/notebook/verifier.md``.
    """
    mended = found.counterfactual
    if mended is None or mended.refutation is None or not found.guard.same_subject or found.guard.premise_future:
        return False
    opposite = {(f.slot, f.kind) for f in found.guard.findings} == {("direction", "conflict")}
    return opposite and found.calibrated.contradiction >= LEANS


def elsewhere(found: Assessment, thresholds: Thresholds) -> bool:
    """It speaks of another matter than a claim with an amount or a date: its contradiction is none.

    That is so where it lacks an amount or a date of the claim, or gives another, and has hardly any of
    the claim's own words (``GuardReport.premise_overlap``). A denial, an opposite word, a rejected value,
    an amount with which the claim would be entailed, and a likely refutation are always on the matter.
    """
    guard, mended = found.guard, found.counterfactual
    if guard.apart:
        return True
    slots = {f.slot for f in guard.findings if f.slot in QUANTITIES}
    denied = any(f.slot in _POLARITY for f in guard.findings if f.kind == "conflict")
    if not slots or denied or guard.value_rejected or guard.count_differs:
        return False
    if mended is not None and guard.same_subject:
        likely = mended.refutation is not None and mended.refutation >= thresholds.tau_refute
        if likely or mended.entailment >= LEANS:
            return False
    silent = not guard.conflicts and bool(slots - {"date"})
    return guard.premise_overlap < (LEAST_TOLD_SILENT if silent else LEAST_TOLD)


def against(found: Assessment) -> float:
    """How surely it speaks against the claim: the refutation's probability where there is one; where it
    states the claim otherwise, how surely it says what it says instead.
    """
    mended = found.counterfactual
    known = (mended.refutation if mended is not None else None) or 0.0
    told = states_otherwise(found) or says_the_opposite(found)
    instead = mended.entailment if mended is not None and told else 0.0
    return max(known, instead, found.calibrated.contradiction)
