"""The slot guard: a deterministic check beside the model.

It compares numbers, dates, amounts, names, negation, quantifiers, direction and hedges
of a claim with a piece of evidence. A conflict or a missing slot prevents Verified; it
never refutes by itself. It explains itself in words and needs no model.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from language.names import Name, content_stems, find_names, name_in, other_bearer, tokens
from language.quantities.mentions import find_slots
from language.quantities.types import Slot
from verifier.guard.agent_role import maker_findings
from verifier.guard.alternatives import choice_findings
from verifier.guard.amount_date_binding import tied_findings
from verifier.guard.attachment import attached_findings, share_findings
from verifier.guard.causation import cause_findings
from verifier.guard.contrastive_negation import rejects, without_rejected
from verifier.guard.denial import code_findings, denied_findings
from verifier.guard.modality import hedge_findings
from verifier.guard.non_assertive import frame_findings
from verifier.guard.quantities import names_a_thing, quantity_findings
from verifier.guard.rare_terms import uncovered_terms
from verifier.guard.scope import limit_findings
from verifier.guard.topicality import counts_otherwise, published_before, speaks_ahead, told
from verifier.guard.transfer_direction import handed_findings
from verifier.guard.words import (
    denied_matter,
    polarity_findings,
    quantifier_findings,
    role_findings,
)
from verifier.types import GuardFinding, GuardReport

__all__ = ["check", "denies"]

SUBJECT_OVERLAP = 0.34
"""Least share of a claim's telling words that evidence about the same subject contains."""
NAMED_OVERLAP = 0.2
"""The same where the evidence has all of the claim's names."""


@lru_cache(maxsize=65536)
def denies(first: str, second: str) -> bool:
    """Whether one of two statements denies the other, by negation or by opposite words; either way round.

    It says nothing of how near they are: both must be known to speak of the same matter. What is denied must
    stand in the other one: "Nobody died of cholera" denies no count of cases.
    """
    a, b = without_rejected(first), without_rejected(second)
    found = {f.slot for f in (*polarity_findings(a, b), *polarity_findings(b, a)) if f.kind == "conflict"}
    matters = [(m, content_stems(b)) for m in denied_matter(a)]
    matters += [(m, content_stems(a)) for m in denied_matter(b)]
    return "direction" in found or ("negation" in found and any(m <= held for m, held in matters))


def _name_findings(names: tuple[Name, ...], premise: str, around: str) -> list[GuardFinding]:
    found = []
    for name in names:
        if name_in(name, premise) or name_in(name, around):
            continue
        bearer = other_bearer(name, around)
        if bearer:
            message = f"The claim names {name.text!r}; the evidence names {bearer!r}."
            found.append(
                GuardFinding(
                    slot="entity",
                    kind="conflict",
                    claim_value=name.text,
                    evidence_value=bearer,
                    message=message,
                )
            )
        else:
            message = f"The evidence does not name {name.text!r}."
            found.append(GuardFinding(slot="entity", kind="missing", claim_value=name.text, message=message))
    return found


def _same_subject(claim: str, names: tuple[Name, ...], around: str) -> bool:
    if names and not name_in(names[0], around):
        return False
    mine = content_stems(claim)
    least = NAMED_OVERLAP if names and all(name_in(n, around) for n in names) else SUBJECT_OVERLAP
    return bool(mine) and len(mine & content_stems(around)) / len(mine) >= least


def _amounts(claim: str, slots: Sequence[Slot]) -> int:
    """How many of them are no part of a name ("type 2", "line 4")."""
    return sum(not names_a_thing(claim, slot) for slot in slots)


def _overlap(claim: str, around: str) -> float:
    mine = content_stems(claim)
    return len(mine & content_stems(around)) / len(mine) if mine else 0.0


@lru_cache(maxsize=8192)
def check(claim: str, premise: str, context: str = "", published: str = "") -> GuardReport:
    """Compare the slots of ``claim`` with those of ``premise``.

    ``context`` (title, sentence before) may supply names and dates that the premise leaves
    out; amounts and words must stand in the premise itself. ``published`` (ISO day) dates a premise
    that states no date of its own.
    """
    if not tokens(premise):
        return GuardReport(
            findings=(
                GuardFinding(
                    slot="entity", kind="missing", claim_value=claim, message="The evidence is empty."
                ),
            ),
            same_subject=False,
        )
    names = find_names(claim)
    around = f"{context} | {premise}" if context else premise
    otherwise = quantity_findings(claim, premise, context, published)
    findings = [f for f, _, _ in otherwise]
    matched = _amounts(claim, find_slots(claim)) - _amounts(claim, [slot for _, slot, _ in otherwise])
    if not findings:
        findings += tied_findings(without_rejected(claim), without_rejected(premise))
    unnamed = _name_findings(names, premise, around)
    findings += unnamed
    findings += polarity_findings(without_rejected(claim), without_rejected(premise))
    findings += quantifier_findings(claim, premise)
    findings += hedge_findings(claim, premise)
    findings += role_findings(claim, premise)
    findings += frame_findings(claim, premise)
    findings += denied_findings(claim, premise)
    findings += handed_findings(claim, premise)
    findings += cause_findings(claim, premise)
    findings += maker_findings(claim, premise)
    findings += choice_findings(claim, premise)
    findings += limit_findings(claim, premise)
    findings += attached_findings(claim, premise)
    findings += share_findings(claim, premise)
    findings += code_findings(claim, around)
    same = _same_subject(claim, names, around)
    return GuardReport(
        findings=tuple(findings),
        same_subject=same,
        matched=matched,
        named=len(names) - len(unnamed),
        overlap=round(_overlap(claim, around), 4),
        uncovered=uncovered_terms(claim, around),
        rejects=rejects(claim, premise),
        told=round(told(claim, premise, context), 4),
        ahead=speaks_ahead(claim, premise),
        early=published_before(published, find_slots(claim)),
        counts_otherwise=same and counts_otherwise(claim, premise, context, published, tuple(findings)),
    )
