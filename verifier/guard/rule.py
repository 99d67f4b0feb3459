"""A rule of the guard: how it is found, and from ``rules.json`` what it says to a reader and examples both ways."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, Generic, Literal, TypeVar

from language.quantities.types import SlotKind
from verifier.types import GuardFinding

_left_out: ContextVar[frozenset[str]] = ContextVar("left_out", default=frozenset())
_heard: ContextVar[set[str] | None] = ContextVar("heard", default=None)


@contextmanager
def leaving_out(rules: frozenset[str]) -> Iterator[None]:
    """Within it no rule with one of these ids is asked, of words or of structure."""
    token = _left_out.set(rules)
    try:
        yield
    finally:
        _left_out.reset(token)


@contextmanager
def hearing() -> Iterator[set[str]]:
    """The set into which the ids of all rules go that find something within it."""
    heard: set[str] = set()
    token = _heard.set(heard)
    try:
        yield heard
    finally:
        _heard.reset(token)


def left_out() -> frozenset[str]:
    """Ids of the rules that are not asked here."""
    return _left_out.get()


def hear(rules: Iterable[str]) -> None:
    """Note the rules that found something, where somebody listens."""
    heard = _heard.get()
    if heard is not None:
        heard.update(rules)


Effect = Literal["conflict", "missing", "support", "contradiction"]
"""``conflict``: the premise states a slot of the claim otherwise; ``missing``: it does not state it;
``support``: by its parse it does not assert the claim; ``contradiction``: by its parse it does not speak
against the claim."""
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
