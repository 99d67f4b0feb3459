"""The slot guard: all rules in their order, and those on words asked about one claim and one premise."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from language.quantities.types import Slot
from verifier.guard import (
    amounts,
    attachment,
    causation,
    entities,
    modality,
    negation,
    patterns,
    quantifiers,
    roles,
    scope,
)
from verifier.guard.contrastive_negation import rejects
from verifier.guard.entities import EMPTY, unnamed
from verifier.guard.quantities import names_a_thing, quantity_findings
from verifier.guard.rule import Rule, hear, left_out
from verifier.guard.structure.compare import RULES as STRUCTURE_RULES
from verifier.guard.structure.pairing import Pairing
from verifier.guard.text import TextPair
from verifier.guard.topicality import (
    counts_otherwise,
    overlap,
    published_before,
    same_subject,
    speaks_ahead,
    told,
    uncovered_terms,
)
from verifier.types import GuardFinding, GuardReport

SLOT_RULES: tuple[Rule[TextPair], ...] = (
    *amounts.RULES,
    *entities.RULES,
    *negation.RULES,
    *quantifiers.RULES,
    *modality.RULES,
    *roles.RULES,
    *causation.RULES,
    *scope.RULES,
    *patterns.RULES,
    *attachment.RULES,
)
"""Rules that compare the words of both sides."""
RULES: tuple[Rule[TextPair] | Rule[Pairing], ...] = (entities.EMPTY, *SLOT_RULES, *STRUCTURE_RULES)
"""Every rule: those on words, and those on the parses of both sides."""


def check(
    claim: str,
    premise: str,
    context: str = "",
    published: str = "",
    without: frozenset[str] = frozenset(),
) -> GuardReport:
    """Compare the slots of ``claim`` with those of ``premise``.

    ``context`` (title, sentence before) may supply names and dates that the premise leaves
    out; amounts and words must stand in the premise itself. ``published`` (ISO day) dates a premise
    that states no date of its own. ``without``: ids of rules that are not asked.
    """
    without |= left_out()
    report = compare(claim, premise, context, published, frozenset())
    hear(f.rule for f in report.findings)
    if without.isdisjoint(f.rule for f in report.findings):
        return report
    return compare(claim, premise, context, published, without)


@lru_cache(maxsize=8192)
def compare(claim: str, premise: str, context: str, published: str, without: frozenset[str]) -> GuardReport:
    """What the rules find, and how far the premise speaks of the claim's matter."""
    pair = TextPair(claim, premise, context, published)
    if empty := EMPTY.findings(pair):
        return GuardReport(findings=empty, same_subject=False)
    findings = _findings(pair, without)
    same = same_subject(pair)
    return GuardReport(
        findings=findings,
        same_subject=same,
        matched=_stated_amounts(pair),
        named=len(pair.claim.names) - len(unnamed(pair)),
        overlap=round(overlap(pair), 4),
        uncovered=uncovered_terms(pair),
        value_rejected=rejects(claim, premise),
        premise_overlap=round(told(claim, premise, context), 4),
        premise_future=speaks_ahead(claim, premise),
        predates_claim=published_before(published, pair.claim.slots),
        count_differs=same and counts_otherwise(claim, premise, context, published, findings),
    )


def _stated_amounts(pair: TextPair) -> int:
    """How many amounts and dates of the claim the premise states, those in names ("line 4") left aside."""
    claim = pair.claim.raw
    otherwise = [s for _, s, _ in quantity_findings(claim, pair.premise.raw, pair.context, pair.published)]
    return _amounts(claim, pair.claim.slots) - _amounts(claim, otherwise)


def _amounts(claim: str, slots: Sequence[Slot]) -> int:
    return sum(not names_a_thing(claim, slot) for slot in slots)


def _findings(pair: TextPair, without: frozenset[str]) -> tuple[GuardFinding, ...]:
    found: list[GuardFinding] = []
    told: set[str] = set()
    for rule in SLOT_RULES:
        if rule.id in without or rule.group in told:
            continue
        hits = rule.findings(pair)
        found += hits
        if hits and rule.group:
            told.add(rule.group)
    return tuple(found)
