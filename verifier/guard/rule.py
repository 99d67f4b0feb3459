"""A rule of the guard: how it is found, and from ``rules.json`` what it says to a reader and examples both ways.

Declarative rules, from ``patterns.toml``, are found by a pattern of the evidence that the claim does not share.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import Any, Generic, Literal, TypeVar

from pydantic import TypeAdapter

from language.names import stem
from language.types import SlotKind
from language.wordlists import read_table
from verifier.guard.text import Text, TextPair, text_of
from verifier.types import GuardFinding

T = TypeVar("T")
_left_out: ContextVar[frozenset[str]] = ContextVar("left_out", default=frozenset())
_heard: ContextVar[set[str] | None] = ContextVar("heard", default=None)


@contextmanager
def _set(variable: ContextVar[T], value: T) -> Iterator[None]:
    token = variable.set(value)
    try:
        yield
    finally:
        variable.reset(token)


def leaving_out(rules: frozenset[str]) -> AbstractContextManager[None]:
    """Within it no rule with one of these ids is asked, of words or of structure."""
    return _set(_left_out, rules)


@contextmanager
def hearing() -> Iterator[set[str]]:
    """The set into which the ids of all rules go that find something within it."""
    heard: set[str] = set()
    with _set(_heard, heard):
        yield heard


def left_out() -> frozenset[str]:
    """Ids of the rules that are not asked here."""
    return _left_out.get()


def hear(rules: Iterable[str]) -> None:
    """Note the rules that found something, where somebody listens."""
    heard = _heard.get()
    if heard is not None:
        heard.update(rules)


Effect = Literal["conflict", "missing", "support", "contradiction", "refutation"]
"""``conflict``: the premise states a slot of the claim otherwise; ``missing``: it does not state it;
``support``: by its parse it does not assert the claim; ``contradiction``: by its parse it does not speak
against the claim; ``refutation``: by its parse it does not refute the claim, though it may speak against it."""
Example = tuple[str, str]
"""Claim and premise."""
P = TypeVar("P")
"""What a rule reads: ``verifier.guard.text.TextPair``, or ``verifier.guard.structure.pairing.Pairing``."""


@dataclass(frozen=True)
class Hit:
    """What a rule found: the claim's words, what the premise has there, and more for the sentence."""

    claim_value: str = ""
    evidence_value: str = ""
    detail: str = ""


@dataclass(frozen=True)
class Rule(Generic[P]):
    """One rule. ``says`` is for the reader, with ``{claim}``, ``{evidence}`` and ``{detail}`` of the hit."""

    id: str
    slot: SlotKind
    effect: Effect
    says: str
    detect: Callable[[P], Hit | tuple[Hit, ...] | None]
    fires: list[Example]
    """Pairs on which it must fire."""
    silent: list[Example]
    """Pairs on which it must not."""
    group: str = ""
    """Of the rules of a group only the first that fires is told."""

    def findings(self, pair: P) -> tuple[GuardFinding, ...]:
        """What it finds on a pair, as findings of the guard."""
        found = self.detect(pair)
        if found is None:
            return ()
        return tuple(self._told(hit) for hit in ((found,) if isinstance(found, Hit) else found))

    def _told(self, hit: Hit) -> GuardFinding:
        return GuardFinding(
            slot=self.slot,
            kind="conflict" if self.effect == "conflict" else "missing",
            claim_value=hit.claim_value,
            evidence_value=hit.evidence_value,
            message=self.says.format(claim=hit.claim_value, evidence=hit.evidence_value, detail=hit.detail),
            rule=self.id,
        )


def rules_of(detectors: Mapping[str, Callable[[P], Hit | tuple[Hit, ...] | None]]) -> tuple[Rule[P], ...]:
    """The rules that have these detectors, by id. Raises ``KeyError`` for one that ``rules.json`` does not have."""
    return tuple(Rule(id=rule, detect=detect, **_written()[rule]) for rule, detect in detectors.items())


@lru_cache(maxsize=1)
def _written() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads(files("verifier.guard").joinpath("rules.json").read_text("utf-8"))
    return found


_LONGEST = 60
"""Letters of a match that are told to the reader, from its end."""
_SAME = "same"
_SENTENCE_PART = re.compile(r"[;:.]")


@dataclass(frozen=True)
class Pattern:
    """What a rule of ``patterns.toml`` looks for; regular expressions are lists of parts, joined, without case."""

    evidence: list[str]
    """Must be found. Group ``what``: a word that the claim has; ``new``: words that it has none of."""
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


_PATTERN = TypeAdapter(Pattern)


def _declared(entry: dict[str, Any]) -> Rule[TextPair]:
    """A rule of ``patterns.toml``: what the pattern does not take is for the registry and the reader."""
    sought = {field.name: entry.pop(field.name) for field in fields(Pattern) if field.name in entry}
    return Rule(**entry, detect=_PATTERN.validate_python(sought).detect)


PATTERN_RULES: tuple[Rule[TextPair], ...] = tuple(map(_declared, read_table("verifier.guard", "patterns.toml")["rule"]))
"""The declarative rules, in the order of the file."""
