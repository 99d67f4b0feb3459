"""Trust of the documents of a check: relations in, explained scores out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from factdesk.kernel import InputError
from trust.claimrank import S0, TRUSTED, ClaimRankResult, claimrank, relation_matrices
from trust.matters import matters_of, mutual, rank_with_matters
from trust.types import ALPHA, DocumentTrust, TrustEdge, TrustReport

TOP_EDGES = 3
STRANGER = 0.75
"""Factor on the score of an isolated document: below the gate alone, above it with one supporter."""


def assess_trust(
    doc_ids: Sequence[str],
    edges: Sequence[TrustEdge],
    *,
    clusters: Mapping[str, str] | None = None,
    seeds: Collection[str] = (),
    alpha: float = ALPHA,
    strangers: Collection[str] = (),
    sentences: Mapping[str, int] | None = None,
) -> TrustReport:
    """ClaimRank over ``doc_ids``, independent of their order; see ``trust/matters.py`` for ``sentences``. ``clusters``:
    independence cluster by document. ``strangers`` (isolated documents) are scaled by ``STRANGER`` unless seeds;
    ``sentences``: count by document. Raises ``InputError`` for an edge to an unknown document.
    """
    ordered = sorted(set(doc_ids))
    known = set(ordered)
    for edge in edges:
        if edge.source not in known or edge.target not in known:
            raise InputError(f"edge {edge.source!r} -> {edge.target!r} does not join two of the documents")
    cluster_of = {doc_id: (clusters or {}).get(doc_id, doc_id) for doc_id in ordered}
    kept = sorted(
        (e for e in edges if cluster_of[e.source] != cluster_of[e.target]),
        key=lambda e: (e.source, e.target, e.weight, e.source_span, e.target_span),
    )
    trusted = [i for i, d in enumerate(ordered) if d in seeds]

    def ranked_by(edges: Sequence[TrustEdge]) -> tuple[ClaimRankResult, dict[str, float]]:
        if sentences is None:
            w_plus, w_minus = relation_matrices(ordered, edges)
            return claimrank(w_plus, w_minus, seeds=trusted, alpha=alpha), {}
        start = np.full(len(ordered), S0)
        start[trusted] = TRUSTED
        return rank_with_matters(ordered, edges, cluster_of, sentences, start, alpha)

    result, said = ranked_by(kept)
    found_here = [e for e in kept if not e.known]
    odd = frozenset(strangers) - frozenset(seeds)

    def shown(score: float, doc_id: str) -> float:
        return round(min(1.0, max(0.0, score)) * (STRANGER if doc_id in odd else 1.0), 6)

    def by_document(found: ClaimRankResult) -> dict[str, float]:
        return {d: shown(float(s), d) for d, s in zip(ordered, found.scores, strict=True)}

    scores = by_document(result)
    alone = by_document(ranked_by(found_here)[0]) if len(found_here) < len(kept) else {}
    owners = {e.target_span: e.target for e in mutual(kept)}
    said = {span_id: shown(value, owners[span_id]) for span_id, value in said.items()}
    ranked = sorted(ordered, key=lambda d: (-scores[d], d))
    return TrustReport(
        documents=tuple(
            _explained(
                DocumentTrust(
                    doc_id=doc_id,
                    score=scores[doc_id],
                    rank=rank,
                    seed=doc_id in seeds,
                    cluster=cluster_of[doc_id],
                    sentences=(sentences or {}).get(doc_id, 1),
                    stranger=doc_id in odd,
                    alone=alone.get(doc_id),
                ),
                kept,
            )
            for rank, doc_id in enumerate(ranked, 1)
        ),
        alpha=alpha,
        iterations=result.iterations,
        converged=result.converged,
        edges=tuple(kept),
        matters=matters_of(kept, scores, said),
    )


def _explained(entry: DocumentTrust, edges: Sequence[TrustEdge]) -> DocumentTrust:
    """The entry with the strongest relations to its document, and its score in words."""
    incoming = sorted((e for e in edges if e.target == entry.doc_id), key=lambda e: (-abs(e.weight), e.source))
    supporting = tuple(e for e in incoming if e.weight > 0)
    refuting = tuple(e for e in incoming if e.weight < 0)
    reasons = (
        (entry.seed, "named as trusted"),
        (supporting, f"supported by {len({e.source for e in supporting})} other document(s)"),
        (refuting, f"refuted by {len({e.source for e in refuting})} other document(s)"),
        (entry.cluster != entry.doc_id, "repeats another document and counts with it as one witness"),
        (entry.stranger, "nothing else that it says is reported by any other document"),
        (entry.changed, f"{entry.alone or 0.0:.2f} without what is known of the whole corpus"),
    )
    told = "; ".join(text for holds, text in reasons if holds) or "no other document speaks about the same facts"
    return entry.model_copy(
        update={
            "supporting": supporting[:TOP_EDGES],
            "refuting": refuting[:TOP_EDGES],
            "explanation": f"Trust {entry.score:.2f}: {told}.",
        }
    )
