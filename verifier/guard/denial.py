"""Claims that deny all of a statement ("It is false that …"), and names with a number ("COVID-19")."""

from __future__ import annotations

import re

from verifier.guard.words import finding_of, polarity_findings
from verifier.types import GuardFinding

_FALSE = re.compile(
    r"^\W*(?:it (?:is|was) (?:simply |just |plainly )?"
    r"(?:false|untrue|wrong|incorrect|not true|not the case|no longer true|a lie|a myth)(?: to say)?"
    r"|there is no truth in the (?:claim|statement|rumou?r)) that\s+",
    re.IGNORECASE,
)
_CODE = re.compile(r"\b(?P<letters>[A-Za-z]{2,}-?|[A-Za-z]-|[A-Z](?=\d\d))(?P<number>\d+)\b")


def denied_findings(claim: str, premise: str) -> list[GuardFinding]:
    """A claim that denies all of a statement, and evidence that denies nothing of it.

    That both have some denial is not enough: evidence of "colleagues who were defeated" denies something,
    but not that they were.
    """
    frame = _FALSE.match(claim)
    if frame is None or _FALSE.match(premise):
        return []
    if any(f.kind == "conflict" for f in polarity_findings(claim[frame.end() :], premise)):
        return []
    denial = frame[0].strip()
    message = f"The claim denies a statement as a whole ({denial!r}); the evidence does not deny it."
    return [finding_of("negation", "missing", denial, "", message)]


def code_findings(claim: str, around: str) -> list[GuardFinding]:
    """A name with a number ("COVID-19", "A320") whose letters the evidence has with another number only."""
    theirs: dict[str, set[str]] = {}
    for code in _CODE.finditer(around):
        theirs.setdefault(code["letters"].rstrip("-").lower(), set()).add(code["number"])
    found = []
    for code in _CODE.finditer(claim):
        others = theirs.get(code["letters"].rstrip("-").lower(), set())
        if others and code["number"] not in others:
            instead = f"{code['letters']}{min(others)}"
            message = f"The claim names {code[0]!r}; the evidence names {instead!r}."
            found.append(finding_of("entity", "conflict", code[0], instead, message))
    return found
