"""All rules of the guard, in the order in which they are asked."""

from __future__ import annotations

from verifier.guard import (
    amount_date_binding,
    amounts,
    antonyms,
    attachment,
    causation,
    entities,
    modality,
    negation,
    patterns,
    quantifiers,
    roles,
    scope,
    shares,
)
from verifier.guard.rule import Rule
from verifier.guard.structure.compare import RULES as STRUCTURE_RULES
from verifier.guard.structure.pairing import Pairing
from verifier.guard.text import TextPair

SLOT_RULES: tuple[Rule[TextPair], ...] = (
    *amounts.RULES,
    *amount_date_binding.RULES,
    *entities.RULES,
    *antonyms.RULES,
    *negation.RULES,
    *quantifiers.RULES,
    *modality.RULES,
    *roles.RULES,
    *causation.RULES,
    *scope.RULES,
    *patterns.RULES,
    *attachment.RULES,
    *shares.RULES,
)
"""Rules that compare the words of both sides."""
RULES: tuple[Rule[TextPair] | Rule[Pairing], ...] = (entities.EMPTY, *SLOT_RULES, *STRUCTURE_RULES)
"""Every rule: those on words, and those on the parses of both sides."""
