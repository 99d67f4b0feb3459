"""Copies in a corpus count as one source; a cluster is named after its earliest member.

Candidates share parts of a scaled MinHash sketch, which also finds a short text inside a long one; they
are one if most of the shorter text's shingles, or of its claims, stand in the other.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from factdesk.kernel import InputError
from language.tokens import shingles
from trust.independence import CONTAINED

SCALE = 4
"""One shingle in so many is in the sketch."""
CANDIDATE = 0.25
"""Least share of the shorter sketch for an exact comparison."""
POSTINGS = 30
"""Earlier documents kept per shingle."""
SHARED_CLAIMS = 0.6
"""Least share of the shorter document's claims that are nearly verbatim in the other."""
LEAST_CLAIMS = 3
"""Least number of shared claims."""


def corpus_clusters(
    texts: Mapping[str, str],
    order: Sequence[str],
    *,
    shared: Iterable[tuple[str, str]] = (),
    claim_counts: Mapping[str, int] | None = None,
) -> dict[str, str]:
    """Cluster of each document: the id of its earliest member.

    ``texts`` by id; ``order``: ids by publication; ``shared``: pairs of documents, once per nearly
    verbatim claim; ``claim_counts``: claims by document. Raises ``InputError`` for an id without a text.
    """
    missing = [doc_id for doc_id in order if doc_id not in texts]
    if missing:
        raise InputError(f"no text for document {missing[0]!r}; give the texts of all that are ordered")
    place = {doc_id: i for i, doc_id in enumerate(order)}
    parent = {doc_id: doc_id for doc_id in order}

    def root(doc_id: str) -> str:
        while parent[doc_id] != doc_id:
            parent[doc_id] = parent[parent[doc_id]]
            doc_id = parent[doc_id]
        return doc_id

    def join(a: str, b: str) -> None:
        first, second = sorted((root(a), root(b)), key=place.__getitem__)
        parent[second] = first

    for a, b in _same_text(texts, order):
        join(a, b)
    for a, b in _same_claims(shared, claim_counts or {}):
        join(a, b)
    return {doc_id: root(doc_id) for doc_id in order}


def _same_text(texts: Mapping[str, str], order: Sequence[str]) -> Iterable[tuple[str, str]]:
    sets = {doc_id: shingles(texts[doc_id]) for doc_id in order if texts[doc_id].strip()}
    sizes: dict[str, int] = {}
    postings: dict[int, list[str]] = {}
    for doc_id, own in sets.items():
        sketch = sketch_of(own)
        sizes[doc_id] = len(sketch)
        met = Counter(other for value in sketch for other in postings.get(value, ()))
        for other, number in sorted(met.items()):
            if number < CANDIDATE * min(len(sketch), sizes[other]):
                continue
            if len(own & sets[other]) / min(len(own), len(sets[other])) >= CONTAINED:
                yield other, doc_id
        for value in sketch:
            known = postings.setdefault(value, [])
            if len(known) < POSTINGS:
                known.append(doc_id)


def sketch_of(shingled: Iterable[tuple[str, ...]]) -> list[int]:
    """Sorted hashes of the sketch, the same on every machine."""
    hashes = (zlib.crc32(" ".join(words).encode()) for words in shingled)
    return sorted({value for value in hashes if value % SCALE == 0})


def _same_claims(shared: Iterable[tuple[str, str]], counts: Mapping[str, int]) -> Iterable[tuple[str, str]]:
    common = Counter((min(a, b), max(a, b)) for a, b in shared if a != b)
    for (a, b), number in sorted(common.items()):
        smaller = max(1, min(counts.get(a, 0), counts.get(b, 0)))
        if number >= LEAST_CLAIMS and number / smaller >= SHARED_CLAIMS:
            yield a, b


def members(clusters: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Documents of each cluster of several, sorted by id."""
    found: dict[str, list[str]] = {}
    for doc_id, cluster in sorted(clusters.items()):
        found.setdefault(cluster, []).append(doc_id)
    return {cluster: tuple(ids) for cluster, ids in found.items() if len(ids) > 1}
