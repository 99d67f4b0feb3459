"""The claim graph of a corpus: documents, their claims, and relations between claims."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from factdesk.kernel import InputError
from trust.claimrank import S0, ClaimRankResult
from trust.claimrank_variants import Influence, Walk, rank_voices, voices_of
from trust.types import ClaimLink, ClaimNode, DocumentFacts, RankOptions, Voice

TOP = 10
"""Supports and refutations that an explanation lists, of each kind."""


@dataclass(frozen=True)
class Ranking:
    """Scores of all documents with the parameters that gave them."""

    documents: tuple[DocumentFacts, ...]
    result: ClaimRankResult
    options: RankOptions
    seeds: frozenset[str]
    influence: Influence = field(repr=False)
    connected: frozenset[str] = frozenset()
    """Documents with at least one counted relation."""

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
    _made: dict[RankOptions, tuple[Influence, frozenset[str]]] = field(default_factory=dict, compare=False, repr=False)
    _walks: dict[RankOptions, Walk] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def of(
        cls, documents: Iterable[DocumentFacts], claims: Iterable[ClaimNode], links: Iterable[ClaimLink]
    ) -> TrustGraph:
        """Build and validate; independent of the order of its parts."""
        facts = tuple(sorted(documents, key=lambda d: d.doc_id))
        known = {f.doc_id for f in facts}
        nodes = {c.claim_id: c for c in claims}
        counts = dict.fromkeys(sorted(known), 0)
        for node in nodes.values():
            if node.doc_id not in known:
                raise InputError(f"claim {node.claim_id!r} is of the unknown document {node.doc_id!r}")
            counts[node.doc_id] += 1
        kept = tuple(sorted(links, key=lambda link: (link.source, link.target)))
        for link in kept:
            if link.source not in nodes or link.target not in nodes or not -1 <= link.weight <= 1:
                raise InputError(f"link {link.source!r} -> {link.target!r} ({link.weight!r}) does not join two claims")
        return cls(facts, nodes, kept, counts)

    def rank(self, options: RankOptions | None = None, seeds: Collection[str] = ()) -> Ranking:
        """Trust of all documents. Raises ``InputError`` for an unknown seed."""
        options = options or RankOptions()
        index = {f.doc_id: i for i, f in enumerate(self.documents)}
        unknown = sorted(set(seeds) - index.keys())
        if unknown:
            raise InputError(f"seed {unknown[0]!r} is no document of this graph")
        trusted = [index[s] for s in sorted(set(seeds))]
        start: NDArray[np.float64] = np.full(len(index), S0)
        if options.restart and trusted:
            start = self._walk(options).near(trusted)
        influence, joined = self._influence(options)
        result = rank_voices(influence, start, trusted, options.alpha)
        if options.publisher:
            start = _by_publisher(self.documents, result.scores, start)
            result = rank_voices(influence, start, trusted, options.alpha)
        return Ranking(self.documents, result, options, frozenset(seeds), influence, joined)

    def _influence(self, options: RankOptions) -> tuple[Influence, frozenset[str]]:
        """Relations under the options and the documents they connect, computed once."""
        if options not in self._made:
            voices = voices_of(self.documents, self.claims, self.links, self.claim_counts, options)
            joined = {self.documents[i].doc_id for v in voices for i in (v.source, v.target)}
            made = Influence(len(self.documents), voices, strongest=options.strongest)
            self._made[options] = made, frozenset(joined)
        return self._made[options]

    def _walk(self, options: RankOptions) -> Walk:
        if options not in self._walks:
            self._walks[options] = Walk(self.documents, self.claims, self.links, options)
        return self._walks[options]

    def explain(self, doc_id: str, ranking: Ranking) -> tuple[list[Voice], list[Voice]]:
        """What raised and lowered a document's score, strongest first, at most ``TOP`` of each.

        Raises ``InputError`` for an unknown document.
        """
        index = {f.doc_id: i for i, f in enumerate(self.documents)}
        if doc_id not in index:
            raise InputError(f"there is no document {doc_id!r} in this graph")
        found = [
            Voice(
                source=self.documents[v.source].doc_id,
                source_claim=v.source_claim,
                target_claim=v.target_claim,
                weight=v.sign * v.strength,
                trust=float(ranking.result.scores[v.source]),
                effect=round(effect, 6),
            )
            for v, effect in ranking.influence.effects(index[doc_id], ranking.result.scores, ranking.options.alpha)
        ]
        order = sorted(found, key=lambda v: (-abs(v.effect), v.source, v.source_claim))
        return [v for v in order if v.effect > 0][:TOP], [v for v in order if v.effect < 0][:TOP]

    def plot(self, ranking: Ranking | None = None, *, limit: int = 80, seed: int = 0) -> Any:
        """Draw the graph with matplotlib; see ``trust.plot.draw``."""
        from trust.plot import draw

        return draw(self, ranking or self.rank(), limit=limit, seed=seed)


def _by_publisher(
    documents: Sequence[DocumentFacts], scores: NDArray[np.float64], start: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Starting values: mean of the publisher's documents and one at 0.5."""
    names = [f.publisher for f in documents]
    total: dict[str, tuple[float, int]] = {}
    for name, score in zip(names, scores, strict=True):
        before = total.get(name, (S0, 1))
        total[name] = (before[0] + float(score), before[1] + 1)
    means = {name: value / count for name, (value, count) in total.items()}
    return np.array([means[n] if n else float(s) for n, s in zip(names, start, strict=True)])
