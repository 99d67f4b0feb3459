"""Declarative rules, from ``patterns.toml``: a pattern of the evidence that the claim does not share."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files

from pydantic import TypeAdapter

from language.names import stem
from language.quantities.types import SlotKind
from verifier.guard.rule import Effect, Example, Hit, Rule
from verifier.guard.text import Text, TextPair, text_of

_LONGEST = 60
"""Letters of a match that are told to the reader, from its end."""
_SAME = "same"
_SENTENCE_PART = re.compile(r"[;:.]")


@dataclass(frozen=True)
class Pattern:
    """One rule of ``patterns.toml``; regular expressions are lists of parts, joined, without case."""

    id: str
    slot: SlotKind
    effect: Effect
    says: str
    evidence: list[str]
    """Must be found. Group ``what``: a word that the claim has; ``new``: words that it has none of."""
    fires: list[Example]
    silent: list[Example]
    group: str = ""
    claim: str = ""
    """Must be found in the claim."""
    unless_claim: str = ""
    """Must not be found in the claim; ``same``: the evidence's pattern."""
    unless_evidence: str = ""
    """Must not be found in the evidence."""
    shared: float = 0.0
    """Least share of the claim's telling words that the clause of the match has."""

    @cached_property
    def expressions(self) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
        """The compiled patterns: of evidence and claim, and what must be in neither of them."""
        evidence = "".join(self.evidence)
        unless = evidence if self.unless_claim == _SAME else self.unless_claim
        found, claim, not_claim, not_evidence = (
            re.compile(text or "(?!)", re.IGNORECASE)
            for text in (evidence, self.claim or "", unless, self.unless_evidence)
        )
        return found, claim, not_claim, not_evidence

    def detect(self, pair: TextPair) -> Hit | None:
        """The first match in the premise that holds."""
        evidence, claim, not_claim, not_evidence = self.expressions
        mine, theirs = pair.claim.raw.strip(), pair.premise.raw.strip()
        if (self.claim and not claim.search(mine)) or not_claim.search(mine) or not_evidence.search(theirs):
            return None
        for match in evidence.finditer(theirs):
            if self._holds(match, pair.claim, theirs):
                return Hit("", match[0].strip()[-_LONGEST:])
        return None

    def _holds(self, match: re.Match[str], claim: Text, premise: str) -> bool:
        groups = match.groupdict()
        said = claim.stems | claim.token_stems
        if "what" in groups and stem(groups["what"].lower()) not in said:
            return False
        if any(stem(w) in said for w in re.split(r"[\s-]+", (groups.get("new") or "").lower()) if w):
            return False
        if not self.shared:
            return True
        part = next((c for c in _SENTENCE_PART.split(premise) if match[0] in c), premise)
        return len(claim.stems & text_of(part).stems) >= self.shared * len(claim.stems)

    def rule(self) -> Rule[TextPair]:
        """The pattern as a rule of the registry."""
        return Rule(
            id=self.id,
            slot=self.slot,
            effect=self.effect,
            says=self.says,
            detect=self.detect,
            fires=self.fires,
            silent=self.silent,
            group=self.group,
        )


def _read() -> tuple[Pattern, ...]:
    text = files("verifier.guard").joinpath("patterns.toml").read_text(encoding="utf-8")
    return TypeAdapter(tuple[Pattern, ...]).validate_python(tomllib.loads(text)["rule"])


PATTERNS = _read()
"""In the order of the file."""
RULES: tuple[Rule[TextPair], ...] = tuple(pattern.rule() for pattern in PATTERNS)
"""The declarative rules."""
