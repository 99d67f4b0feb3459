"""Sentences that repeat each other take the places of a few, before any cap cuts the others off."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeVar

from evidence.types import Span
from language.tokens import shingles

Item = TypeVar("Item")
KEPT_COPIES = 2
"""Sentences of a group of near copies that are kept: two, so that independent sources can agree."""
REPEATED = 0.8
"""Least share of the shorter sentence's word 4-grams in the other for a near copy, numbers aside."""
_NUMBER = re.compile(r"\d[\d.,]*")


class NearCopies:
    """Takes sentences best first, and says of each whether its group has places left.

    Two sentences with other numbers are no copies, however alike they are: one may refute the other. Where
    ``asked`` has numbers, these alone count, so that a number in passing makes no copy another sentence. Of a
    group a publisher has one place, so that one site cannot take them all.
    """

    def __init__(self, asked: str = "") -> None:
        self._asked = _numbers(asked)
        self._groups: list[list[Span]] = []
        self._by_shingle: dict[tuple[str, ...], set[int]] = {}
        self._sets: list[frozenset[tuple[str, ...]]] = []
        self._numbers: list[frozenset[str]] = []

    def takes(self, span: Span) -> bool:
        """Whether the sentence is kept; it counts as seen then."""
        own, numbers = shingles(_NUMBER.sub("0", span.text)), _numbers(span.text)
        numbers = numbers & self._asked if self._asked else numbers
        group = self._group_of(own, numbers)
        if group is None:
            self._add(span, own, numbers)
            return True
        members = self._groups[group]
        full = len(members) >= KEPT_COPIES or source_of(span) in map(source_of, members)
        if not full:
            members.append(span)
        return not full

    def _group_of(self, own: frozenset[tuple[str, ...]], numbers: frozenset[str]) -> int | None:
        met: dict[int, int] = {}
        for shingle in own:
            for group in self._by_shingle.get(shingle, ()):
                met[group] = met.get(group, 0) + 1
        for group, common in sorted(met.items()):
            smaller = min(len(own), len(self._sets[group]))
            if common >= REPEATED * smaller and self._numbers[group] == numbers:
                return group
        return None

    def _add(self, span: Span, own: frozenset[tuple[str, ...]], numbers: frozenset[str]) -> None:
        number = len(self._groups)
        self._groups.append([span])
        self._sets.append(own)
        self._numbers.append(numbers)
        for shingle in own:
            self._by_shingle.setdefault(shingle, set()).add(number)


def source_of(span: Span) -> str:
    """Who says it: the publisher, or the document where none is named."""
    return (span.publisher or span.doc_id).casefold()


def _numbers(text: str) -> frozenset[str]:
    return frozenset(n.rstrip(".,") for n in _NUMBER.findall(text))


def without_copies(items: Iterable[tuple[Item, Span]], limit: int, asked: str = "") -> list[tuple[Item, Span]]:
    """The first ``limit`` of a ranking (best first) for a query that are no copies of what stands before them."""
    groups = NearCopies(asked)
    kept: list[tuple[Item, Span]] = []
    for item, span in items:
        if len(kept) == limit:
            break
        if groups.takes(span):
            kept.append((item, span))
    return kept
