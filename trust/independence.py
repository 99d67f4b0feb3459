"""Copies count once: documents whose texts mostly repeat each other form one independence cluster."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from factdesk.kernel import InputError

SHINGLE = 4
"""Words per shingle."""
CONTAINED = 0.5
"""Share of the shorter document's shingles found in the other, from which on it counts as a copy."""
TEMPLATE = 0.2
"""Share of a sentence's shingles in another from which on the two count as the same words."""

REPEATED = 0.8
"""The same share from which on the one repeats the other, whatever documents they stand in."""

_NUMBER = re.compile(r"\d[\d.,]*")
_WORD = re.compile(r"\w+")


def shingles(text: str) -> frozenset[tuple[str, ...]]:
    """Set of word 4-grams of a text, lower case."""
    words = _WORD.findall(text.lower())
    return frozenset(tuple(words[i : i + SHINGLE]) for i in range(max(1, len(words) - SHINGLE + 1)))


def same_words(a: str, b: str, least: float = TEMPLATE) -> bool:
    """Whether two sentences are of one template: they share ``least`` of the shorter one's 4-grams, 0 to 1.

    Numbers count as equal: a template is filled with others each time.
    """
    first, second = (shingles(_NUMBER.sub("0", text)) for text in (a, b))
    return len(first & second) / min(len(first), len(second)) >= least


def clusters(texts: Mapping[str, str], order: Sequence[str]) -> dict[str, str]:
    """Cluster id of each document: the id of the cluster's earliest member.

    ``texts`` maps ids to full texts, ``order`` lists the ids from the earliest to the latest
    publication. Copies of copies end in one cluster (single linkage). Raises ``InputError`` for an
    id without a text.
    """
    missing = [doc_id for doc_id in order if doc_id not in texts]
    if missing:
        raise InputError(f"no text for document {missing[0]!r}; give the texts of all that are ordered")
    sets = {doc_id: shingles(texts[doc_id]) for doc_id in order}
    parent = {doc_id: doc_id for doc_id in order}

    def root(doc_id: str) -> str:
        while parent[doc_id] != doc_id:
            doc_id = parent[doc_id]
        return doc_id

    for position, later in enumerate(order):
        for earlier in order[:position]:
            smaller = min(len(sets[later]), len(sets[earlier]))
            if len(sets[later] & sets[earlier]) / smaller >= CONTAINED:
                first, second = sorted((root(earlier), root(later)), key=order.index)
                parent[second] = first
    return {doc_id: root(doc_id) for doc_id in order}
