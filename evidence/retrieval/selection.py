"""Which sentences of a ranking are taken: those that repeat each other have the places of a few, then the caps cut."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import lru_cache
from itertools import islice
from typing import NamedTuple, TypeVar

from evidence.types import Hit, Query, RetrievalScores, Span
from language.lexicon import DENIALS, NEGATIONS
from language.names import content_stems
from language.tokens import shingles

Item = TypeVar("Item")
KEPT_COPIES = 2
"""Sentences of a group of near copies that are kept: two, so that independent sources can agree."""
REPEATED = 0.8
"""Least share of the shorter sentence's word 4-grams in the other for a near copy, numbers aside."""
_NUMBER = re.compile(r"\d[\d.,]*")
_DENIES = re.compile(rf"n['’]t\b|\b(?:{'|'.join(sorted(NEGATIONS | DENIALS))})\b", re.IGNORECASE)


class _NearCopies:
    """Takes sentences best first, and says of each whether its group has places left.

    Two sentences are no copies, however alike they are, where one may refute the other: they have other words
    of what was ``asked``, one alone has a word of denying, or they have other numbers. Where ``asked`` has numbers,
    these alone count, so that a number in passing makes no copy another sentence. Of a group a publisher has one
    place, so that one site cannot take them all.
    """

    def __init__(self, asked: str) -> None:
        self._asked, self._asked_words = _numbers(asked), content_stems(asked)
        self._groups: list[_Group] = []
        self._by_shingle: dict[tuple[str, ...], list[int]] = defaultdict(list)

    def takes(self, span: Span) -> bool:
        """Whether the sentence is kept; it counts as seen then."""
        own, source = _shingles_of(span.text), source_of(span)
        met = Counter(number for shingle in own for number in self._by_shingle.get(shingle, ()))
        for number, common in sorted(met.items()):
            group = self._groups[number]
            alike = common >= REPEATED * min(len(own), len(group.shingles))
            if alike and self._told(group.text) == self._told(span.text):
                if len(group.sources) >= KEPT_COPIES or source in group.sources:
                    return False
                group.sources.append(source)
                return True
        for shingle in own:
            self._by_shingle[shingle].append(len(self._groups))
        self._groups.append(_Group(own, span.text, [source]))
        return True

    def _told(self, text: str) -> frozenset[str]:
        """What two copies have in common: numbers, words that were asked for, and whether they deny."""
        numbers = _numbers(text) & self._asked if self._asked else _numbers(text)
        denies = {"not"} if _DENIES.search(text) else set[str]()
        return numbers | (content_stems(text) & self._asked_words) | denies


class _Group(NamedTuple):
    """Near copies of one sentence, and who says those that were kept."""

    shingles: frozenset[tuple[str, ...]]
    text: str
    sources: list[str]


@lru_cache(maxsize=1024)
def _shingles_of(text: str) -> frozenset[tuple[str, ...]]:
    """Its word 4-grams, all numbers alike."""
    return shingles(_NUMBER.sub("0", text))


def source_of(span: Span) -> str:
    """Who says it: the publisher, or the document where none is named."""
    return (span.publisher or span.doc_id).casefold()


def _numbers(text: str) -> frozenset[str]:
    return frozenset(n.rstrip(".,") for n in _NUMBER.findall(text))


def without_copies(items: Iterable[tuple[Item, Span]], limit: int, asked: str = "") -> list[tuple[Item, Span]]:
    """The first ``limit`` of a ranking (best first) for a query that are no copies of what stands before them."""
    groups = _NearCopies(asked)
    return list(islice(((item, span) for item, span in items if groups.takes(span)), limit))


def capped(ranked: Iterable[tuple[RetrievalScores, Span]], query: Query) -> tuple[Hit, ...]:
    """The first of a ranking (best first) within the query's caps, ranks from 1."""
    per_chunk: Counter[str] = Counter()
    hits: list[Hit] = []
    for scores, span in ranked:
        if len(hits) == query.limit:
            break
        full = span.chunk_id not in per_chunk and len(per_chunk) >= query.max_chunks
        if full or per_chunk[span.chunk_id] >= query.max_spans_per_chunk:
            continue
        per_chunk[span.chunk_id] += 1
        hits.append(Hit(span=span, scores=scores, rank=len(hits) + 1))
    return tuple(hits)
