"""Variants of ClaimRank: which relations count, how they are aggregated, and the starting values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import NDArray

from factdesk.kernel import ConfigError
from trust.claimrank import TRUSTED, ClaimRankResult, iterate
from trust.types import ALPHA, ClaimLink, ClaimNode, DocumentFacts, RankOptions

SAME_MATTER = 0.60
"""Least cosine of two claims on the same matter (``coverage``)."""
VERBATIM = 0.95
"""Least cosine of two claims in the same words: a copy (``independence``)."""
VARIANTS = ("independence", "coverage", "confidence", "restart", "strongest", "publisher", "decay")
HALF_LIFE = 14.0
"""Days, for the variant ``decay``."""
WALK = 0.85
WALK_STEPS = 60


def options_of(variants: Sequence[str], alpha: float = ALPHA) -> RankOptions:
    """Options from the names of variants and ``alpha``. Raises ``ConfigError`` for an unknown one."""
    unknown = [v for v in variants if v not in VARIANTS]
    if unknown:
        raise ConfigError(f"variant {unknown[0]!r} is unknown; known: {', '.join(VARIANTS)}")
    flags = {name: True for name in variants if name != "decay"}
    return RankOptions(**flags, half_life=HALF_LIFE if "decay" in variants else None, alpha=alpha)


@dataclass(frozen=True)
class VoiceEdge:
    """A document that supports (``sign`` 1) or refutes (-1) a segment of another.

    A segment is the whole document, or one of its claims with ``coverage``.
    """

    source: int
    target: int
    segment: str
    sign: int
    strength: float
    share: float
    """Weight of the segment in its document: 1, or one over its number of claims."""
    source_claim: str
    target_claim: str


def voices_of(
    documents: Sequence[DocumentFacts],
    claims: Mapping[str, ClaimNode],
    links: Sequence[ClaimLink],
    counts: Mapping[str, int],
    options: RankOptions,
) -> list[VoiceEdge]:
    """All relations that count under the options: one a source, segment and side."""
    found: dict[tuple[str, str], list[VoiceEdge]] = {}
    index = {f.doc_id: i for i, f in enumerate(documents)}
    for link, weight in _bearing(documents, claims, links, index, options):
        source, target = index[claims[link.source].doc_id], index[claims[link.target].doc_id]
        facts = documents[source]
        witness = (facts.cluster or facts.doc_id) if options.independence else facts.doc_id
        segment = link.target if options.coverage else documents[target].doc_id
        share = 1 / max(1, counts[documents[target].doc_id]) if options.coverage else 1.0
        voice = VoiceEdge(
            source, target, segment, 1 if weight > 0 else -1, abs(weight), share, link.source, link.target
        )
        found.setdefault((witness, segment), []).append(voice)
    merged = [_one_voice(group, documents) for _, group in sorted(found.items())]
    return [voice for voice in merged if voice is not None]


def _bearing(
    documents: Sequence[DocumentFacts],
    claims: Mapping[str, ClaimNode],
    links: Sequence[ClaimLink],
    index: Mapping[str, int],
    options: RankOptions,
) -> Iterator[tuple[ClaimLink, float]]:
    """Links that count, with their signed weight."""
    for link in links:
        a = documents[index[claims[link.source].doc_id]]
        b = documents[index[claims[link.target].doc_id]]
        if a.doc_id == b.doc_id:
            continue
        if options.independence and (
            (a.cluster or a.doc_id) == (b.cluster or b.doc_id)
            or (link.weight >= 0 and link.similarity >= VERBATIM and _same_words(claims, link))
        ):
            continue
        weight = link.weight
        if weight == 0 and options.coverage and link.similarity >= SAME_MATTER and not link.denied:
            weight = link.similarity
        if weight == 0:
            continue
        if not options.confidence:
            weight = 1.0 if weight > 0 else -1.0
        yield link, weight * _decay(a.published, b.published, options.half_life)


def _same_words(claims: Mapping[str, ClaimNode], link: ClaimLink) -> bool:
    """Whether two claims are verbatim alike; imported relations have no words."""
    return bool(claims[link.source].text and claims[link.target].text)


def _decay(a: str, b: str, half_life: float | None) -> float:
    if half_life is None or not a or not b:
        return 1.0
    return float(0.5 ** (abs((date.fromisoformat(a) - date.fromisoformat(b)).days) / half_life))


def _one_voice(group: Sequence[VoiceEdge], documents: Sequence[DocumentFacts]) -> VoiceEdge | None:
    """Net of one source's links on a segment, attributed to its earliest document."""
    net = sum(v.sign * v.strength for v in group)
    if net == 0:
        return None
    sign = 1 if net > 0 else -1
    agreeing = [v for v in group if v.sign == sign]
    first = min(
        agreeing,
        key=lambda v: (documents[v.source].published or "9999", documents[v.source].doc_id, -v.strength),
    )
    return VoiceEdge(
        first.source,
        first.target,
        first.segment,
        sign,
        abs(net),
        first.share,
        first.source_claim,
        first.target_claim,
    )


class Influence:
    """``I = P - N``: mean (or strongest) by segment, summed over segments."""

    def __init__(self, size: int, voices: Sequence[VoiceEdge], *, strongest: bool = False) -> None:
        order = sorted(voices, key=lambda v: (v.segment, v.sign, v.source))
        self._size, self._voices, self._strongest = size, order, strongest
        keys = [(v.segment, v.sign) for v in order]
        starts = [i for i, key in enumerate(keys) if i == 0 or keys[i - 1] != key]
        self._starts = np.array(starts, dtype=np.int64)
        lengths = np.diff([*starts, len(order)]) if starts else np.empty(0, dtype=np.int64)
        strength = np.array([v.strength for v in order])
        totals = np.add.reduceat(strength, self._starts) if starts else np.empty(0)
        self._source = np.array([v.source for v in order], dtype=np.int64)
        self._part = strength / np.repeat(totals, lengths) if starts else strength
        first = [order[i] for i in starts]
        self._target = np.array([v.target for v in first], dtype=np.int64)
        self._scale = np.array([v.sign * v.share for v in first])
        tops = np.maximum.reduceat(strength, self._starts) if starts else np.empty(0)
        self._strength = strength / np.repeat(tops, lengths) if starts else strength

    def __call__(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """*Shape:* ``(n_documents,)`` in and out; -1 to 1."""
        if not len(self._starts):
            return np.zeros(self._size)
        if self._strongest:
            values = np.maximum.reduceat(scores[self._source] * self._strength, self._starts)
        else:
            values = np.add.reduceat(scores[self._source] * self._part, self._starts)
        weighed = np.bincount(self._target, weights=values * self._scale, minlength=self._size)
        return weighed.astype(np.float64, copy=False)

    def effects(self, target: int, scores: NDArray[np.float64], alpha: float) -> Iterator[tuple[VoiceEdge, float]]:
        """The relations of a document with what each adds to its score."""
        if self._strongest:
            yield from self._strongest_effects(target, scores, alpha)
            return
        for voice, part in zip(self._voices, self._part, strict=True):
            if voice.target == target:
                yield voice, float(alpha / 2 * voice.sign * voice.share * part * scores[voice.source])

    def _strongest_effects(
        self, target: int, scores: NDArray[np.float64], alpha: float
    ) -> Iterator[tuple[VoiceEdge, float]]:
        best: dict[tuple[str, int], tuple[float, VoiceEdge]] = {}
        for voice, strength in zip(self._voices, self._strength, strict=True):
            value = float(scores[voice.source] * strength)
            key = (voice.segment, voice.sign)
            if voice.target == target and (key not in best or value > best[key][0]):
                best[key] = (value, voice)
        for value, voice in best.values():
            yield voice, alpha / 2 * voice.sign * voice.share * value


def rank_voices(
    influence: Influence, start: NDArray[np.float64], seeds: Sequence[int], alpha: float = ALPHA
) -> ClaimRankResult:
    """The fixed point from ``start``, with seeds at 1."""
    begun = start.copy()
    begun[list(seeds)] = TRUSTED
    return iterate(influence, begun, alpha)


class Walk:
    """Proximity to trusted seeds: a random walk with restart along links, both ways.

    Refuting and denying links are left out; visits are divided by degree.
    """

    def __init__(
        self,
        documents: Sequence[DocumentFacts],
        claims: Mapping[str, ClaimNode],
        links: Sequence[ClaimLink],
        options: RankOptions,
    ) -> None:
        from scipy.sparse import csr_matrix

        index = {f.doc_id: i for i, f in enumerate(documents)}
        walked = options.model_copy(update={"coverage": True, "confidence": False, "half_life": None})
        open_links = [
            link.model_copy(update={"weight": 1.0}) if link.weight == 0 else link
            for link in links
            if link.weight >= 0 and not link.denied
        ]
        bearing = _bearing(documents, claims, open_links, index, walked)
        pairs = [(index[claims[x.source].doc_id], index[claims[x.target].doc_id]) for x, _ in bearing]
        rows, columns = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
        self._size = len(documents)
        one_way = csr_matrix((np.ones(len(pairs)), (rows, columns)), shape=(self._size, self._size))
        both = one_way + one_way.T
        self._degree = np.asarray(both.sum(axis=0)).ravel()
        self._step = both.multiply(1 / np.maximum(self._degree, 1)[None, :]).tocsr()

    def near(self, seeds: Sequence[int]) -> NDArray[np.float64]:
        """Proximity as a quantile among linked documents, 0 to 1; 0.5 without links."""
        from scipy.stats import rankdata

        begin = np.zeros(self._size)
        begin[list(seeds)] = 1 / len(seeds)
        visits = begin.copy()
        for _ in range(WALK_STEPS):
            visits = (1 - WALK) * begin + WALK * (self._step @ visits)
        linked = self._degree > 0
        found = np.full(self._size, 0.5)
        if linked.any():
            found[linked] = rankdata(visits[linked] / self._degree[linked]) / linked.sum()
        return found
