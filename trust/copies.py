"""Copies in a whole corpus: one wire story on fifty sites counts as one witness.

Candidates come from a sketch of each text's word shingles (never all pairs); two of them are one when most
of the shorter text's shingles stand in the other, or when most of its claims do, nearly word for word. The
cluster is named after its earliest member.

The sketch is scaled MinHash: all shingles whose hash falls into the lowest quarter. Unlike a sketch of fixed
length it finds a short text inside a long one, which is how stories are cut and padded.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from factdesk.kernel import InputError
from trust.independence import CONTAINED, shingles

SCALE = 4
"""One shingle in so many is in the sketch."""
CANDIDATE = 0.25
"""Share of the shorter sketch found in the other, from which on two documents are compared exactly."""
POSTINGS = 30
"""Earlier documents kept for one shingle: a later copy need only meet one of them."""
SHARED_CLAIMS = 0.6
"""Share of the shorter document's claims that the other has nearly word for word."""
LEAST_CLAIMS = 3
"""So many must be shared: one quotation makes no copy."""


def corpus_clusters(
    texts: Mapping[str, str],
    order: Sequence[str],
    *,
    shared: Iterable[tuple[str, str]] = (),
    claim_counts: Mapping[str, int] | None = None,
) -> dict[str, str]:
    """Cluster of each document: the id of its cluster's earliest member.

    Args:
        texts: full text by document id.
        order: the ids from the earliest to the latest publication.
        shared: pairs of documents, once for each claim they have nearly word for word.
        claim_counts: claims of each document, to tell what share that is.

    Raises ``InputError`` for an id without a text.
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
    """Hashes of the shingles that are in the sketch, sorted; the same on every machine."""
    hashes = (zlib.crc32(" ".join(words).encode()) for words in shingled)
    return sorted({value for value in hashes if value % SCALE == 0})


def _same_claims(shared: Iterable[tuple[str, str]], counts: Mapping[str, int]) -> Iterable[tuple[str, str]]:
    common = Counter((min(a, b), max(a, b)) for a, b in shared if a != b)
    for (a, b), number in sorted(common.items()):
        smaller = max(1, min(counts.get(a, 0), counts.get(b, 0)))
        if number >= LEAST_CLAIMS and number / smaller >= SHARED_CLAIMS:
            yield a, b


def members(clusters: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Documents of each cluster that has several, sorted by id."""
    found: dict[str, list[str]] = {}
    for doc_id, cluster in sorted(clusters.items()):
        found.setdefault(cluster, []).append(doc_id)
    return {cluster: tuple(ids) for cluster, ids in found.items() if len(ids) > 1}
