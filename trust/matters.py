"""Disputed sentences: a refutation costs its document only that sentence's share.

For a sentence t of document j, ``w_t = clip((against_t - for_t) / for_t, 0, 1)`` over sums of trust, one
voice an independence cluster; ``N_j = sum w_t N_t / n_j``; ``s_t = min(s_j, (1 - alpha) s0_j + alpha (P_t
- w_t N_t + 1) / 2)``. Refutations hold both ways; a trusted seed or a publisher's later word overrules
(``w_t = 1``), the latter without a cost. What a seed says nobody overrules but its own later word (``w_t = 0``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import NDArray

from trust.claimrank import S0, ClaimRankResult, iterate, relation_matrices
from trust.types import Dispute, Matter, TrustEdge

Scores = NDArray[np.float64]
Sides = tuple[tuple[int, ...], ...]
"""Independence clusters, each as the indices of its documents."""
_SO_FAR = re.compile(
    r"\b(?:since|so far|to date|up to now|until now|by now|"
    r"(?:has|have) (?:now )?(?:risen|grown|climbed|increased|reached))\b",
    re.IGNORECASE,
)
"""Marks of a count up to the day of publication."""


@dataclass(frozen=True)
class _Disputed:
    """A sentence that other documents refute."""

    span_id: str
    owner: int
    share: float
    """Of all sentences of its document."""
    support: tuple[tuple[int, float], ...]
    refute: tuple[tuple[int, float], ...]
    """Document and strength of each refutation."""
    with_it: Sides
    against_it: Sides
    yields: bool
    """Overruled by a correction, or by a trusted seed."""
    stands: bool
    """A trusted seed says it."""

    def cost(self, scores: Scores) -> float:
        """``w_t N_t``."""
        if self.stands:
            return 0.0
        own, other = (_sum(side, scores) for side in (self.with_it, self.against_it))
        overruled = min(1.0, max(0.0, (other - own) / own)) if own > 0 and not self.yields else 1.0
        return overruled * _mean(self.refute, scores)


def rank_with_matters(
    ids: Sequence[str],
    edges: Sequence[TrustEdge],
    clusters: Mapping[str, str],
    sentences: Mapping[str, int],
    start: Scores,
    alpha: float,
) -> tuple[ClaimRankResult, dict[str, float]]:
    """Scores of documents, and of disputed sentences by span id."""
    plus, _ = relation_matrices(ids, [e for e in edges if e.weight > 0])
    support, disputed = plus.T, _disputed(ids, mutual(edges), clusters, sentences, start)

    def influence(scores: Scores) -> Scores:
        found: Scores = np.asarray(support @ scores, dtype=np.float64)
        for matter in disputed:
            found[matter.owner] -= matter.share * matter.cost(scores)
        return found

    result = iterate(influence, start, alpha)
    scores = result.scores
    said = {
        m.span_id: min(
            float(scores[m.owner]),
            (1 - alpha) * float(start[m.owner]) + alpha * (_mean(m.support, scores) - m.cost(scores) + 1) / 2,
        )
        for m in disputed
    }
    return result, said


def matters_of(
    edges: Sequence[TrustEdge], scores: Mapping[str, float], said: Mapping[str, float]
) -> tuple[Matter, ...]:
    """The disputed sentences with their trust and their refuting sentences."""
    return tuple(
        Matter(
            span_id=span_id,
            score=round(value, 6),
            disputes=tuple(
                Dispute(
                    doc_id=e.source,
                    span_id=e.source_span,
                    trust=round(min(scores[e.source], said.get(e.source_span, 1.0)), 6),
                )
                for e in mutual(edges)
                if e.target_span == span_id and e.weight < 0
            ),
        )
        for span_id, value in sorted(said.items())
    )


def mutual(edges: Sequence[TrustEdge]) -> list[TrustEdge]:
    """The relations with every refutation both ways, except corrections."""
    known = {(e.source_span, e.target_span) for e in edges if e.weight < 0}
    turned = [
        TrustEdge(
            source=e.target, target=e.source, weight=e.weight, source_span=e.target_span, target_span=e.source_span
        )
        for e in edges
        if e.weight < 0 and not e.corrects and (e.target_span, e.source_span) not in known
    ]
    return [*edges, *turned]


def _disputed(
    ids: Sequence[str],
    edges: Sequence[TrustEdge],
    clusters: Mapping[str, str],
    sentences: Mapping[str, int],
    start: Scores,
) -> tuple[_Disputed, ...]:
    index = {doc_id: i for i, doc_id in enumerate(ids)}
    owners = {e.target_span: e.target for e in edges if e.weight < 0}
    found = []
    for span_id, owner in sorted(owners.items()):
        pro, con = ([e for e in edges if e.target_span == span_id and _is(e, sign)] for sign in (1, -1))
        words = {e.source_span for e in con}
        behind = {e.source for e in edges if e.target_span in words and e.weight > 0}
        other = _sides({e.source for e in con} | behind, clusters, index)
        own = _sides({owner} | {e.source for e in pro}, clusters, index)
        corrected = any(e.corrects for e in con)
        vouched, strongest = (max(start[index[d]] for d in side) for side in ({owner, *_sources(pro)}, _sources(con)))
        length = max(sentences.get(owner, 1), _disputes_of(owner, edges))
        found.append(
            _Disputed(
                span_id=span_id,
                owner=index[owner],
                share=0.0 if corrected else 1 / length,
                support=tuple((index[e.source], e.weight) for e in pro),
                refute=tuple((index[e.source], -e.weight) for e in con),
                with_it=tuple(own.values()),
                against_it=tuple(side for cluster, side in other.items() if cluster not in own),
                yields=corrected or strongest > start[index[owner]],
                stands=not corrected and vouched > S0,
            )
        )
    return tuple(found)


def _sources(edges: Sequence[TrustEdge]) -> set[str]:
    return {e.source for e in edges}


def _is(edge: TrustEdge, sign: int) -> bool:
    return edge.weight * sign > 0


def _disputes_of(owner: str, edges: Sequence[TrustEdge]) -> int:
    """Disputed sentences of a document; their shares sum up to 1 at most."""
    return len({e.target_span for e in edges if e.target == owner and e.weight < 0})


def _sides(documents: set[str], clusters: Mapping[str, str], index: Mapping[str, int]) -> dict[str, tuple[int, ...]]:
    sides: dict[str, tuple[int, ...]] = {}
    for doc_id in sorted(documents):
        cluster = clusters.get(doc_id, doc_id)
        sides[cluster] = (*sides.get(cluster, ()), index[doc_id])
    return sides


def _sum(sides: Sides, scores: Scores) -> float:
    return float(sum(max(float(scores[i]) for i in side) for side in sides))


def _mean(voices: Sequence[tuple[int, float]], scores: Scores) -> float:
    total = sum(weight for _, weight in voices)
    return sum(weight * float(scores[i]) for i, weight in voices) / total if total else 0.0


def outgrown(earlier: date | None, later: date | None, text: str) -> bool:
    """Whether an ``earlier`` text says nothing against ``text``, a cumulative count of a ``later`` day. ``False`` where
    a day is unknown, or both are equal.
    """
    counted = _SO_FAR.search(text) is not None and any(character.isdigit() for character in text)
    return earlier is not None and later is not None and earlier < later and counted
