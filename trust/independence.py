"""Which documents count as one source: copies, and retellings that add nothing of their own.

A cluster is named after its earliest member.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations

from factdesk.kernel import InputError
from language.names import find_names
from language.quantities.mentions import find_slots
from language.tokens import shingles

CONTAINED = 0.5
"""Least share of the shorter document's shingles in the other for a copy."""
TEMPLATE = 0.2
"""Least share of a sentence's shingles in another for the same template."""
REPEATED = 0.8
"""Least such share for a repetition."""
SCALE = 4
"""One shingle in so many is in the sketch of a text (scaled MinHash, which also finds a short text in a long one)."""
CANDIDATE = 0.25
"""Least share of the shorter sketch for an exact comparison."""
POSTINGS = 30
"""Earlier documents kept per shingle."""
SHARED_CLAIMS = 0.6
"""Least share of the shorter document's claims that are nearly verbatim in the other."""
LEAST_CLAIMS = 3
"""Least number of shared claims."""
LONGEST = 2_000
"""Characters of a retelling at most: whoever writes more is taken to have something of his own."""
READ = 20_000
"""Characters of the retold document that are read."""
_NUMBER = re.compile(r"\d[\d.,]*")
_Shingles = frozenset[tuple[str, ...]] | set[tuple[str, ...]]


def same_words(a: str, b: str, least: float = TEMPLATE) -> bool:
    """Whether two sentences share ``least`` (0 to 1) of the shorter one's 4-grams; all numbers are equal."""
    first, second = (shingles(_NUMBER.sub("0", text)) for text in (a, b))
    return _shared(first, second) >= least


def _shared(first: _Shingles, second: _Shingles) -> float:
    return len(first & second) / min(len(first), len(second))


def clusters(texts: Mapping[str, str], order: Sequence[str]) -> dict[str, str]:
    """Cluster of each document: the id of its earliest member. ``texts`` by id, ``order``: ids by publication; single
    linkage over all pairs. Raises ``InputError`` for an id without a text.
    """
    _refuse_lacking(texts, order)
    sets = {doc_id: shingles(texts[doc_id]) for doc_id in order}
    return _joined(order, ((a, b) for a, b in combinations(order, 2) if _shared(sets[a], sets[b]) >= CONTAINED))


def corpus_clusters(
    texts: Mapping[str, str],
    order: Sequence[str],
    *,
    shared: Iterable[tuple[str, str]] = (),
    claim_counts: Mapping[str, int] | None = None,
) -> dict[str, str]:
    """``clusters`` for many documents: only those are compared whose sketches share enough. ``shared``: pairs of
    documents, once per nearly verbatim claim, of which enough make a copy too; ``claim_counts``: claims by document.
    """
    _refuse_lacking(texts, order)
    return _joined(order, chain(_same_text(texts, order), _same_claims(shared, claim_counts or {})))


def _refuse_lacking(texts: Mapping[str, str], order: Sequence[str]) -> None:
    missing = [doc_id for doc_id in order if doc_id not in texts]
    if missing:
        raise InputError(f"no text for document {missing[0]!r}; give the texts of all that are ordered")


def _joined(order: Sequence[str], pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The earliest document that each is joined with, over any number of pairs."""
    place = {doc_id: i for i, doc_id in enumerate(order)}
    parent = {doc_id: doc_id for doc_id in order}

    def root(doc_id: str) -> str:
        while parent[doc_id] != doc_id:
            parent[doc_id] = parent[parent[doc_id]]
            doc_id = parent[doc_id]
        return doc_id

    for pair in pairs:
        first, second = sorted(map(root, pair), key=place.__getitem__)
        parent[second] = first
    return {doc_id: root(doc_id) for doc_id in order}


def _same_text(texts: Mapping[str, str], order: Sequence[str]) -> Iterator[tuple[str, str]]:
    sets = {doc_id: shingles(texts[doc_id]) for doc_id in order if texts[doc_id].strip()}
    sizes: dict[str, int] = {}
    postings: dict[int, list[str]] = {}
    for doc_id, own in sets.items():
        sketch = _sketch(own)
        sizes[doc_id] = len(sketch)
        met = Counter(other for value in sketch for other in postings.get(value, ()))
        for other, number in sorted(met.items()):
            near = number >= CANDIDATE * min(len(sketch), sizes[other])
            if near and _shared(own, sets[other]) >= CONTAINED:
                yield other, doc_id
        for value in sketch:
            known = postings.setdefault(value, [])
            if len(known) < POSTINGS:
                known.append(doc_id)


def _sketch(shingled: Iterable[tuple[str, ...]]) -> list[int]:
    """Sorted hashes of the sketch, the same on every machine."""
    hashes = (zlib.crc32(" ".join(words).encode()) for words in shingled)
    return sorted({value for value in hashes if value % SCALE == 0})


def _same_claims(shared: Iterable[tuple[str, str]], counts: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    common = Counter((min(a, b), max(a, b)) for a, b in shared if a != b)
    for (a, b), number in sorted(common.items()):
        smaller = max(1, min(counts.get(a, 0), counts.get(b, 0)))
        if number >= LEAST_CLAIMS and number / smaller >= SHARED_CLAIMS:
            yield a, b


def with_retellings(
    clusters: Mapping[str, str], sides: Iterable[Iterable[str]], texts: Mapping[str, str], order: Sequence[str]
) -> dict[str, str]:
    """Clusters by document, where each retelling counts with the first document that it retells. ``sides``: groups of
    documents that say the same of a claim; ``order``: ids by publication. A document retells another one of its group
    if it gives no number, day or name beyond those of that one. It joins one document alone, so that a retelling of
    several does not make them one source.
    """
    told = {d: details(texts[d][:READ]) for d in order}
    found = dict(clusters)
    for group in (frozenset(g) for g in sides):
        ordered = [d for d in order if d in group]
        for place, later in enumerate(ordered):
            if len(texts[later]) > LONGEST or found[later] != clusters[later]:
                continue
            retold = (
                d
                for at, d in enumerate(ordered)
                if d != later and (told[later] < told[d] or (told[later] == told[d] and at < place))
            )
            if (first := next(retold, None)) is not None:
                own, other = found[later], found[first]
                found.update({d: other for d, cluster in found.items() if cluster == own})
    return found


def details(text: str) -> frozenset[str]:
    """The numbers, days and names of a text."""
    numbers = {f"{slot.kind} {slot.value or slot.text}" for slot in find_slots(text)}
    return frozenset(numbers | {word for name in find_names(text) for word in name.words})
