"""ClaimRank (ClaimTrust): trust of documents from supporting and refuting relations.

``s_{k+1} = (1 - alpha) s0 + alpha (P - N + 1) / 2`` with ``P = W_plus^T s_k``, ``N = W_minus^T s_k``.
``W[i, j]`` is how strongly document i supports or refutes j, columns normalised, so P and N are means. A
document without relations stays at 0.5.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from factdesk.kernel import InputError
from trust.types import ALPHA, TrustEdge

if TYPE_CHECKING:
    from typing import TypeAlias

    from scipy.sparse import csc_matrix

    Relations: TypeAlias = NDArray[np.float64] | csc_matrix

DENSE_UP_TO = 256
"""Documents up to which matrices are dense, without importing scipy."""
S0 = 0.5
TRUSTED = 1.0
TOLERANCE = 1e-6
MAX_ITERATIONS = 200
"""Safety bound: each iteration shrinks the distance to the fixed point by at least ``ALPHA``."""


@dataclass(frozen=True)
class ClaimRankResult:
    """Scores in the order of the documents and the record of convergence. *Shape:* ``(n_documents,)``."""

    scores: NDArray[np.float64]
    iterations: int
    converged: bool
    residual: float
    """Largest change of a score in the last iteration."""
    residuals: tuple[float, ...] = ()
    """The largest change of a score in each iteration."""


def relation_matrices(doc_ids: Sequence[str], edges: Iterable[TrustEdge]) -> tuple[Relations, Relations]:
    """``W_plus`` and ``W_minus``, column-normalised. *Shape:* ``(n_documents, n_documents)``. Row i: whom document i
    supports or refutes; sparse above ``DENSE_UP_TO``. Raises ``InputError`` for an edge to itself or an unknown
    document, or a weight outside -1 to 1.
    """
    index = {doc_id: i for i, doc_id in enumerate(doc_ids)}
    sources, targets, weights = list[int](), list[int](), list[float]()
    for edge in edges:
        if edge.source not in index or edge.target not in index or edge.source == edge.target:
            raise InputError(f"edge {edge.source!r} -> {edge.target!r} does not join two of the documents")
        if not -1 <= edge.weight <= 1:
            raise InputError(f"edge weight {edge.weight!r} is outside -1 to 1")
        sources.append(index[edge.source])
        targets.append(index[edge.target])
        weights.append(edge.weight)
    return matrices_of(
        len(doc_ids),
        np.asarray(sources, dtype=np.int32),
        np.asarray(targets, dtype=np.int32),
        np.asarray(weights, dtype=np.float64),
    )


def matrices_of(
    size: int, sources: NDArray[np.int32], targets: NDArray[np.int32], weights: NDArray[np.float64]
) -> tuple[Relations, Relations]:
    """``relation_matrices`` from document numbers and signed weights. *Shape:* ``(n_edges,)`` each. Edges between the
    same two documents add up.
    """
    plus, minus = weights > 0, weights < 0
    return (
        _normalised(size, sources[plus], targets[plus], weights[plus]),
        _normalised(size, sources[minus], targets[minus], -weights[minus]),
    )


def _normalised(
    size: int, sources: NDArray[np.int32], targets: NDArray[np.int32], weights: NDArray[np.float64]
) -> Relations:
    sums = np.bincount(targets, weights=weights, minlength=size)
    shares = weights / sums[targets]
    if size <= DENSE_UP_TO:
        dense: NDArray[np.float64] = np.zeros((size, size))
        np.add.at(dense, (sources, targets), shares)
        return dense
    from scipy.sparse import csc_matrix

    return csc_matrix((shares, (sources, targets)), shape=(size, size))


def claimrank(
    w_plus: Relations,
    w_minus: Relations,
    *,
    seeds: Iterable[int] = (),
    alpha: float = ALPHA,
    s0: float | NDArray[np.float64] = S0,
    tolerance: float = TOLERANCE,
) -> ClaimRankResult:
    """Iterate to the fixed point; ``seeds`` are the indices of trusted documents (``s0`` 1). ``s0``: one value for all
    others, or one a document. Raises ``InputError`` for ``alpha`` outside 0 to 1 or an unknown seed.
    """
    trusted = sorted(set(seeds))
    if trusted and not 0 <= trusted[0] <= trusted[-1] < w_plus.shape[0]:
        raise InputError(f"seeds {trusted!r} are no indices of {w_plus.shape[0]!r} documents")
    if not 0 <= alpha < 1:
        raise InputError(f"alpha {alpha!r} is outside 0 to 1 (1 excluded)")
    start = np.array(np.broadcast_to(s0, w_plus.shape[0]), dtype=np.float64)
    support, refute = w_plus.T, w_minus.T
    return iterate(lambda scores: support @ scores - refute @ scores, start, alpha, tolerance, seeds=trusted)


def iterate(
    influence: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    start: NDArray[np.float64],
    alpha: float = ALPHA,
    tolerance: float = TOLERANCE,
    *,
    seeds: Sequence[int] = (),
) -> ClaimRankResult:
    """The iteration for any ``influence``: maps scores to ``P - N``, -1 to 1. Seeds begin at 1, others at ``start``."""
    start = start.copy()
    start[list(seeds)] = TRUSTED
    scores, residuals = start, list[float]()
    for iteration in range(1, MAX_ITERATIONS + 1):
        updated = (1 - alpha) * start + alpha * (influence(scores) + 1) / 2
        residuals.append(float(np.abs(updated - scores).max(initial=0.0)))
        scores = updated
        if residuals[-1] < tolerance:
            return ClaimRankResult(scores, iteration, True, residuals[-1], tuple(residuals))
    return ClaimRankResult(scores, MAX_ITERATIONS, False, residuals[-1], tuple(residuals))
