"""Independence clusters: documents whose texts mostly repeat each other count as one source."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from factdesk.kernel import InputError
from language.tokens import shingles

CONTAINED = 0.5
"""Least share of the shorter document's shingles in the other for a copy."""
TEMPLATE = 0.2
"""Least share of a sentence's shingles in another for the same template."""

REPEATED = 0.8
"""Least such share for a repetition."""

_NUMBER = re.compile(r"\d[\d.,]*")


def same_words(a: str, b: str, least: float = TEMPLATE) -> bool:
    """Whether two sentences share ``least`` (0 to 1) of the shorter one's 4-grams.

    All numbers count as equal.
    """
    first, second = (shingles(_NUMBER.sub("0", text)) for text in (a, b))
    return len(first & second) / min(len(first), len(second)) >= least


def clusters(texts: Mapping[str, str], order: Sequence[str]) -> dict[str, str]:
    """Cluster of each document: the id of its earliest member.

    ``texts`` by id, ``order``: ids by publication; single linkage. Raises ``InputError`` for an id
    without a text.
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
