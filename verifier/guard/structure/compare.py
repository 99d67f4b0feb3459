"""All rules of structure on one claim and one premise."""

from __future__ import annotations

from functools import lru_cache

from language.nlp.delegation import answerable
from verifier.guard.rule import Rule, hear, left_out
from verifier.guard.structure import (
    assertion,
    denial,
    difference,
    roles,
    scope,
)
from verifier.guard.structure.pairing import Pairing
from verifier.types import GuardFinding

RULES: tuple[Rule[Pairing], ...] = (
    *roles.RULES,
    *denial.RULES,
    *assertion.RULES,
    *scope.RULES,
    *difference.RULES,
)
"""In the order in which they are asked; the first hit on each side is told."""


def unsupported(claim: str, premise: str, context: str = "") -> tuple[GuardFinding, ...]:
    """What keeps the premise from supporting the claim, by its structure; empty: nothing."""
    return _kept(_findings(claim, premise, context, "support"))


def unopposed(claim: str, premise: str, context: str = "") -> tuple[GuardFinding, ...]:
    """What keeps the premise from speaking against the claim: it tells of something else. Empty: nothing."""
    return _kept(_findings(claim, premise, context, "contradiction"))


def _kept(findings: tuple[GuardFinding, ...]) -> tuple[GuardFinding, ...]:
    hear(f.rule for f in findings)
    without = left_out()
    return tuple(f for f in findings if f.rule not in without) if without else findings


@lru_cache(maxsize=16384)
def _findings(claim: str, premise: str, context: str, effect: str) -> tuple[GuardFinding, ...]:
    return tuple(GuardFinding.model_validate_json(found) for found in compare(claim, premise, context, effect))


@answerable
def compare(claim: str, premise: str, context: str, effect: str) -> list[str]:
    """What the rules of an effect find, each finding as JSON."""
    pair = Pairing(claim, premise, context)
    found = (finding for rule in RULES if rule.effect == effect for finding in rule.findings(pair))
    return [finding.model_dump_json() for finding in found]
