"""Slot guard: evidence that leaves open which of two things it is ("either a cable or a switch")."""

from __future__ import annotations

import re

from verifier.guard.words import finding_of, negated_stems, stems_of
from verifier.types import GuardFinding

_EITHER = re.compile(
    r"\beither\b(?P<one>(?:\s+[\w'’-]+){1,6}?)\s+or\b(?P<other>(?:\s+[\w'’-]+){1,4})", re.IGNORECASE
)
_FREE = re.compile(r"\b(?:can|could|may|might|free to|allowed to|able to)\b", re.IGNORECASE)
"""Where both stand open to somebody, each does: "can be reached either by bus or by ferry"."""


def choice_findings(claim: str, premise: str) -> list[GuardFinding]:
    """A claim that takes one of two things for settled between which the evidence does not choose."""
    found = _EITHER.search(premise)
    if found is None or _FREE.search(premise) or negated_stems(premise)[0]:
        return []
    if re.search(r"\bor\b|\beither\b", claim, re.IGNORECASE):
        return []
    mine = stems_of(claim) - stems_of(f"{premise[: found.start()]} {premise[found.end() :]}")
    one, other = stems_of(found["one"]), stems_of(found["other"])
    first, second = mine & (one - other), mine & (other - one)
    if bool(first) == bool(second):
        return []
    word = sorted(first or second)[0]
    message = (
        f"The evidence leaves open which of two things it is ({found[0].strip()!r}); the claim takes one."
    )
    return [finding_of("modality", "missing", word, "either", message)]
