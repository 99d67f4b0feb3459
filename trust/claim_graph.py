"""The claim graph of a corpus: documents, their claims, relations between claims, and ClaimRank over them.

The variants of ClaimRank say which relations count, how they are aggregated, and the starting values.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from factdesk.kernel import InputError
from trust.claimrank import S0, ClaimRankResult, iterate
from trust.types import SAME_MATTER, VERBATIM, ClaimLink, ClaimNode, DocumentFacts, RankOptions, Voice

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

TOP = 10
"""Supports and refutations that an explanation lists, of each kind."""
WALK = 0.85
WALK_STEPS = 60


@dataclass(frozen=True)
class VoiceEdge:
    """A document that supports (``sign`` 1) or refutes (-1) a segment of another. A segment is the whole document, or
    one of its claims with ``coverage``.
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


class Influence:
    """``I = P - N``: mean (or strongest) by segment, summed over segments."""

    def __init__(self, size: int, voices: Sequence[VoiceEdge], *, strongest: bool = False) -> None:
        order = sorted(voices, key=lambda v: (v.segment, v.sign, v.source))
        self.voices = order
        self._size, self._strongest = size, strongest
        keys = [(v.segment, v.sign) for v in order]
        starts = [i for i, key in enumerate(keys) if i == 0 or keys[i - 1] != key]
        self._starts = np.array(starts, dtype=np.int64)
        lengths = np.diff([*starts, len(order)]) if starts else np.empty(0, dtype=np.int64)
        strength = np.array([v.strength for v in order])
        joined = np.maximum if strongest else np.add
        totals = joined.reduceat(strength, self._starts) if starts else np.empty(0)
        self._part = strength / np.repeat(totals, lengths) if starts else strength
        """Of the voices on a segment: the share in their sum, or in the strongest one."""
        self._source = np.array([v.source for v in order], dtype=np.int64)
        first = [order[i] for i in starts]
        self._target = np.array([v.target for v in first], dtype=np.int64)
        self._scale = np.array([v.sign * v.share for v in first])

    def __call__(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """*Shape:* ``(n_documents,)`` in and out; -1 to 1."""
        if not len(self._starts):
            return np.zeros(self._size)
        joined = np.maximum if self._strongest else np.add
        values = joined.reduceat(scores[self._source] * self._part, self._starts)
        weighed = np.bincount(self._target, weights=values * self._scale, minlength=self._size)
        return weighed.astype(np.float64, copy=False)

    def effects(self, target: int, scores: NDArray[np.float64], alpha: float) -> Iterator[tuple[VoiceEdge, float]]:
        """The relations of a document with what each adds to its score; of each side the strongest, where it counts."""
        found = [
            (voice, float(scores[voice.source] * part))
            for voice, part in zip(self.voices, self._part, strict=True)
            if voice.target == target
        ]
        if self._strongest:
            best: dict[tuple[str, int], tuple[VoiceEdge, float]] = {}
            for voice, value in found:
                key = (voice.segment, voice.sign)
                if key not in best or value > best[key][1]:
                    best[key] = voice, value
            found = list(best.values())
        for voice, value in found:
            yield voice, alpha / 2 * voice.sign * voice.share * value


@dataclass(frozen=True)
class Ranking:
    """Scores of all documents with the parameters that gave them."""

    documents: tuple[DocumentFacts, ...]
    result: ClaimRankResult
    options: RankOptions
    seeds: frozenset[str]
    influence: Influence = field(repr=False)

    @cached_property
    def connected(self) -> frozenset[str]:
        """Documents with at least one counted relation."""
        return frozenset(self.documents[i].doc_id for v in self.influence.voices for i in (v.source, v.target))

    @property
    def scores(self) -> dict[str, float]:
        """Score by document id, 0 to 1."""
        pairs = zip(self.documents, self.result.scores, strict=True)
        return {facts.doc_id: float(score) for facts, score in pairs}

    def order(self) -> list[tuple[int, DocumentFacts, float]]:
        """Rank from 1, document and score, the most trusted first."""
        found = sorted(self.scores.items(), key=lambda item: (-item[1], item[0]))
        facts = {f.doc_id: f for f in self.documents}
        return [(rank, facts[doc_id], score) for rank, (doc_id, score) in enumerate(found, 1)]


@dataclass(frozen=True)
class TrustGraph:
    """Documents, claims and links. Raises ``InputError`` for links to unknown claims."""

    documents: tuple[DocumentFacts, ...]
    claims: Mapping[str, ClaimNode]
    links: tuple[ClaimLink, ...]
    claim_counts: Mapping[str, int]
    """Number of claims of each document."""
    index: Mapping[str, int]
    """Number of each document."""
    _influences: dict[RankOptions, Influence] = field(default_factory=dict, compare=False, repr=False)
    """Relations under the options, computed once."""
    _walks: dict[RankOptions, tuple[NDArray[np.float64], csr_matrix]] = field(
        default_factory=dict, compare=False, repr=False
    )
    """Degrees of the documents and steps of the walk under the options, computed once."""

    @classmethod
    def of(
        cls, documents: Iterable[DocumentFacts], claims: Iterable[ClaimNode], links: Iterable[ClaimLink]
    ) -> TrustGraph:
        """Build and validate; independent of the order of its parts."""
        facts = tuple(sorted(documents, key=lambda d: d.doc_id))
        index = {f.doc_id: i for i, f in enumerate(facts)}
        nodes = {c.claim_id: c for c in claims}
        counts = dict.fromkeys(index, 0)
        for node in nodes.values():
            if node.doc_id not in index:
                raise InputError(f"claim {node.claim_id!r} is of the unknown document {node.doc_id!r}")
            counts[node.doc_id] += 1
        kept = tuple(sorted(links, key=lambda link: (link.source, link.target)))
        for link in kept:
            if link.source not in nodes or link.target not in nodes or not -1 <= link.weight <= 1:
                raise InputError(f"link {link.source!r} -> {link.target!r} ({link.weight!r}) does not join two claims")
        return cls(facts, nodes, kept, counts, index)

    def rank(self, options: RankOptions | None = None, seeds: Collection[str] = ()) -> Ranking:
        """Trust of all documents. Raises ``InputError`` for an unknown seed."""
        options = options or RankOptions()
        unknown = sorted(set(seeds) - self.index.keys())
        if unknown:
            raise InputError(f"seed {unknown[0]!r} is no document of this graph")
        trusted = [self.index[s] for s in sorted(set(seeds))]
        start: NDArray[np.float64] = np.full(len(self.index), S0)
        if options.restart and trusted:
            start = self._near(trusted, options)
        if options not in self._influences:
            voices = self._voices(options)
            self._influences[options] = Influence(len(self.documents), voices, strongest=options.strongest)
        influence = self._influences[options]
        result = iterate(influence, start, options.alpha, seeds=trusted)
        if options.publisher:
            start = _by_publisher(self.documents, result.scores, start)
            result = iterate(influence, start, options.alpha, seeds=trusted)
        return Ranking(self.documents, result, options, frozenset(seeds), influence)

    def ends(self, link: ClaimLink) -> tuple[int, int]:
        """Numbers of the two documents that a link joins."""
        source, target = (self.index[self.claims[claim].doc_id] for claim in (link.source, link.target))
        return source, target

    def _voices(self, options: RankOptions) -> list[VoiceEdge]:
        """All relations that count under the options: one a source, segment and side. As published, what a document
        supports and what it refutes of another stand apart; where a witness has one voice on a segment, the two are set
        against each other.
        """
        one_voice = options.independence or options.coverage
        found: dict[tuple[str, str, int], list[VoiceEdge]] = {}
        for link, weight in self._bearing(self.links, options):
            source, target = self.ends(link)
            facts, told = self.documents[source], self.documents[target].doc_id
            witness = (facts.cluster or facts.doc_id) if options.independence else facts.doc_id
            segment = link.target if options.coverage else told
            share = 1 / max(1, self.claim_counts[told]) if options.coverage else 1.0
            sign = 1 if weight > 0 else -1
            voice = VoiceEdge(source, target, segment, sign, abs(weight), share, link.source, link.target)
            found.setdefault((witness, segment, 0 if one_voice else sign), []).append(voice)
        merged = (self._one_voice(group) for _, group in sorted(found.items()))
        return [voice for voice in merged if voice is not None]

    def _bearing(self, links: Iterable[ClaimLink], options: RankOptions) -> Iterator[tuple[ClaimLink, float]]:
        """Links that count, with their signed weight."""
        for link in links:
            a, b = (self.documents[i] for i in self.ends(link))
            if a.doc_id == b.doc_id or (options.independence and self._of_one_source(a, b, link)):
                continue
            weight = link.weight
            if weight == 0 and options.coverage and link.similarity >= SAME_MATTER and not link.denied:
                weight = link.similarity
            if weight == 0:
                continue
            if not options.confidence:
                weight = 1.0 if weight > 0 else -1.0
            yield link, weight * _decay(a.published, b.published, options.half_life)

    def _of_one_source(self, a: DocumentFacts, b: DocumentFacts, link: ClaimLink) -> bool:
        """Whether two documents are copies, or a claim is taken over word for word; imported claims have no words."""
        if (a.cluster or a.doc_id) == (b.cluster or b.doc_id):
            return True
        worded = self.claims[link.source].text and self.claims[link.target].text
        return bool(link.weight >= 0 and link.similarity >= VERBATIM and worded)

    def _one_voice(self, group: Sequence[VoiceEdge]) -> VoiceEdge | None:
        """Net of one source's links on a segment, attributed to its earliest document."""
        net = sum(v.sign * v.strength for v in group)
        if net == 0:
            return None
        sign = 1 if net > 0 else -1

        def earliest(voice: VoiceEdge) -> tuple[str, str, float]:
            facts = self.documents[voice.source]
            return facts.published or "9999", facts.doc_id, -voice.strength

        first = min((v for v in group if v.sign == sign), key=earliest)
        return replace(first, strength=abs(net))

    def _near(self, seeds: Sequence[int], options: RankOptions) -> NDArray[np.float64]:
        """Proximity to seeds as a quantile among linked documents, 0 to 1; 0.5 without links. A random walk with
        restart; visits are divided by degree.
        """
        from scipy.stats import rankdata

        if options not in self._walks:
            self._walks[options] = self._walk(options)
        degree, step = self._walks[options]
        begin = np.zeros(len(degree))
        begin[list(seeds)] = 1 / len(seeds)
        visits = begin.copy()
        for _ in range(WALK_STEPS):
            visits = (1 - WALK) * begin + WALK * (step @ visits)
        linked = degree > 0
        found = np.full(len(degree), 0.5)
        if linked.any():
            found[linked] = rankdata(visits[linked] / degree[linked]) / linked.sum()
        return found

    def _walk(self, options: RankOptions) -> tuple[NDArray[np.float64], csr_matrix]:
        """Degrees, and steps along links, both ways; refuting and denying links are left out."""
        from scipy.sparse import csr_matrix

        size = len(self.documents)
        walked = options.model_copy(update={"coverage": True, "confidence": False, "half_life": None})
        open_links = (
            link.model_copy(update={"weight": 1.0}) if link.weight == 0 else link
            for link in self.links
            if link.weight >= 0 and not link.denied
        )
        pairs = [self.ends(link) for link, _ in self._bearing(open_links, walked)]
        rows, columns = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
        one_way = csr_matrix((np.ones(len(pairs)), (rows, columns)), shape=(size, size))
        both = one_way + one_way.T
        degree = np.asarray(both.sum(axis=0)).ravel()
        return degree, both.multiply(1 / np.maximum(degree, 1)[None, :]).tocsr()

    def explain(self, doc_id: str, ranking: Ranking) -> tuple[list[Voice], list[Voice]]:
        """What raised and lowered a document's score, strongest first, at most ``TOP`` of each. Raises ``InputError``
        for an unknown document.
        """
        if doc_id not in self.index:
            raise InputError(f"there is no document {doc_id!r} in this graph")
        scores = ranking.result.scores
        found = [
            Voice(
                source=self.documents[v.source].doc_id,
                source_claim=v.source_claim,
                target_claim=v.target_claim,
                weight=v.sign * v.strength,
                trust=float(scores[v.source]),
                effect=round(effect, 6),
            )
            for v, effect in ranking.influence.effects(self.index[doc_id], scores, ranking.options.alpha)
        ]
        order = sorted(found, key=lambda v: (-abs(v.effect), v.source, v.source_claim))
        return [v for v in order if v.effect > 0][:TOP], [v for v in order if v.effect < 0][:TOP]

    def plot(self, ranking: Ranking | None = None, *, limit: int = 80, seed: int = 0) -> Any:
        """Draw the graph with matplotlib; see ``trust.plot.draw``."""
        from trust.plot import draw

        ranking = ranking or self.rank()
        return draw(self.links, self.claims, ranking.scores, ranking.seeds, limit=limit, seed=seed)


def _decay(a: str, b: str, half_life: float | None) -> float:
    if half_life is None or not a or not b:
        return 1.0
    return float(0.5 ** (abs((date.fromisoformat(a) - date.fromisoformat(b)).days) / half_life))


def _by_publisher(
    documents: Sequence[DocumentFacts], scores: NDArray[np.float64], start: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Starting values: mean of the publisher's documents and one at 0.5."""
    known: dict[str, list[float]] = {}
    for facts, score in zip(documents, scores, strict=True):
        known.setdefault(facts.publisher, [S0]).append(float(score))
    means = {name: sum(values) / len(values) for name, values in known.items()}
    return np.array([means[f.publisher] if f.publisher else float(s) for f, s in zip(documents, start, strict=True)])
