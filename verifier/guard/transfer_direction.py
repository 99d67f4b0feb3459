"""Slot guard: who handed something to whom, in whatever words ("sold to", "took over from", "succeeded")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

from language.names import Name, find_names, name_in
from verifier.guard.words import finding_of
from verifier.types import GuardFinding

_GIVING = (
    r"\b(?:hand(?:s|ed|ing)?|pass(?:es|ed|ing)?|giv(?:e|es|en|ing)|gave|s(?:ell|ells|old|elling)|transfer(?:s|red|ring)?"
    r"|ced(?:e|es|ed|ing)|le(?:nd|nds|nt|nding)|donat(?:e|es|ed|ing)|bequeath(?:s|ed)?|le(?:ft|aves?)|award(?:s|ed|ing)?"
    r"|lost|loses|los(?:e|ing)|yield(?:s|ed|ing)?|send(?:s|ing)?|sent)\b"
)
_TAKING = (
    r"\b(?:took|tak(?:e|es|en|ing)|b(?:uy|uys|ought|uying)|receiv(?:e|es|ed|ing)|inherit(?:s|ed|ing)?|acquir(?:e|es|ed|ing)"
    r"|borrow(?:s|ed|ing)?|g(?:et|ets|ot|etting)|won|wins?|purchas(?:e|es|ed|ing))\b"
)
_FOLLOWING = r"\b(?:succeed(?:s|ed|ing)?|replac(?:e|es|ed|ing)|follow(?:s|ed)?)\b"
_FEW = r"(?:[\w'’-]+\s+){0,4}"
"""Words that may stand before a name: "to the former mayor Ida Holm"."""
_TO = re.compile(rf"{_GIVING}.*\bto\s+{_FEW}$", re.IGNORECASE)
_FROM = re.compile(rf"{_TAKING}.*\bfrom\s+{_FEW}$", re.IGNORECASE)
_AFTER = re.compile(rf"^\s*(?:has\s+|had\s+|then\s+)?{_FOLLOWING}\s+{_FEW}$", re.IGNORECASE)
_BY = re.compile(rf"\b(?:was|were|been|is|being)\b.*{_FOLLOWING}.*\bby\s+{_FEW}$", re.IGNORECASE)
_NEXT = re.compile(r"[.;:?!]|\b(?:who|which|whom|whose|while|whereas|but)\b", re.IGNORECASE)


def handed_findings(claim: str, premise: str) -> list[GuardFinding]:
    """A claim that has giver and receiver the other way round than the evidence."""
    theirs = list(_handed(premise))
    for giver, receiver in _handed(claim):
        for their_giver, their_receiver in theirs:
            if _same(giver, their_receiver) and _same(receiver, their_giver):
                message = (
                    f"In the claim something goes from {giver.text!r} to {receiver.text!r}; in the evidence "
                    "it goes the other way."
                )
                mine, other = f"{giver.text} → {receiver.text}", f"{their_giver.text} → {their_receiver.text}"
                return [finding_of("entity", "conflict", mine, other, message)]
    return []


def _handed(text: str) -> Iterator[tuple[Name, Name]]:
    """(who had it, who has it then), as far as the words between two names tell."""
    for first, second in combinations(find_names(text), 2):
        between = text[first.end : second.start]
        if _NEXT.search(between):
            continue
        if _TO.search(between) or _BY.search(between):
            yield first, second
        elif _FROM.search(between) or _AFTER.search(between):
            yield second, first


def _same(one: Name, other: Name) -> bool:
    return name_in(one, other.text) or name_in(other, one.text)
