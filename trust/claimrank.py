"""ClaimRank (ClaimTrust): trust of documents, propagated over supporting and refuting relations.

As published::

    s_{k+1} = (1 - alpha) * s0 + alpha * f(I),   I = P - N,   f(I) = (I + 1) / 2
    P = W_plus @ s_k,   N = W_minus @ s_k

with both matrices column-normalised (each document hands out its score in shares). A document
nobody speaks about stays at 0.5.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from factdesk.kernel import InputError
from trust.types import TrustEdge

if TYPE_CHECKING:
    from typing import TypeAlias

    from scipy.sparse import csc_matrix

    Relations: TypeAlias = NDArray[np.float64] | csc_matrix

DENSE_UP_TO = 256
"""Documents up to which the matrices are dense: a check knows some dozens; importing scipy takes 0.2 s."""
ALPHA = 0.85
S0 = 0.5
TRUSTED = 1.0
TOLERANCE = 1e-6
MAX_ITERATIONS = 200


@dataclass(frozen=True)
class ClaimRankResult:
    """Scores in the order of the documents (*Shape:* ``(n_documents,)``) and the record of convergence."""

    scores: NDArray[np.float64]
    iterations: int
    converged: bool
    residual: float
    """Largest change of a score in the last iteration."""


def relation_matrices(doc_ids: Sequence[str], edges: Iterable[TrustEdge]) -> tuple[Relations, Relations]:
    """``W_plus`` and ``W_minus``, column-normalised. *Shape:* ``(n_documents, n_documents)``.

    Column j holds whom document j supports or refutes; sparse above ``DENSE_UP_TO`` documents.
    Raises ``InputError`` for an edge to an unknown document, to itself, or with a weight outside -1 to 1.
    """
    index = {doc_id: i for i, doc_id in enumerate(doc_ids)}
    entries: dict[bool, list[tuple[int, int, float]]] = {True: [], False: []}
    for edge in edges:
        if edge.source not in index or edge.target not in index or edge.source == edge.target:
            raise InputError(f"edge {edge.source!r} -> {edge.target!r} does not join two of the documents")
        if not -1 <= edge.weight <= 1:
            raise InputError(f"edge weight {edge.weight!r} is outside -1 to 1")
        if edge.weight:
            entries[edge.weight > 0].append((index[edge.target], index[edge.source], abs(edge.weight)))
    return _normalised(entries[True], len(doc_ids)), _normalised(entries[False], len(doc_ids))


def _normalised(entries: list[tuple[int, int, float]], size: int) -> Relations:
    if size <= DENSE_UP_TO:
        dense: NDArray[np.float64] = np.zeros((size, size))
        for row, column, weight in entries:
            dense[row, column] += weight
        shares: NDArray[np.float64] = dense * _shares(dense.sum(axis=0))
        return shares
    from scipy.sparse import csc_matrix, diags

    rows, columns, weights = ([e[k] for e in entries] for k in range(3))
    matrix = csc_matrix((np.asarray(weights, dtype=np.float64), (rows, columns)), shape=(size, size))
    return csc_matrix(matrix @ diags(_shares(np.asarray(matrix.sum(axis=0)).ravel())))


def _shares(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Reciprocals of the column sums; 0 for an empty column."""
    return np.divide(1.0, sums, out=np.zeros_like(sums), where=sums > 0)


def claimrank(
    w_plus: Relations,
    w_minus: Relations,
    *,
    seeds: Iterable[int] = (),
    alpha: float = ALPHA,
    s0: float = S0,
    tolerance: float = TOLERANCE,
) -> ClaimRankResult:
    """Iterate to the fixed point; ``seeds`` are the indices of trusted documents (``s0`` is 1 there).

    Raises ``InputError`` for an ``alpha`` outside 0 to 1 or a seed that is none of the documents.
    """
    trusted = sorted(set(seeds))
    if trusted and not 0 <= trusted[0] <= trusted[-1] < w_plus.shape[0]:
        raise InputError(f"seeds {trusted!r} are no indices of {w_plus.shape[0]!r} documents")
    if not 0 <= alpha < 1:
        raise InputError(f"alpha {alpha!r} is outside 0 to 1 (1 excluded)")
    start = np.full(w_plus.shape[0], s0, dtype=np.float64)
    start[trusted] = TRUSTED
    scores, residual = start.copy(), 0.0
    for iteration in range(1, MAX_ITERATIONS + 1):
        influence = w_plus @ scores - w_minus @ scores
        updated = (1 - alpha) * start + alpha * (influence + 1) / 2
        residual = float(np.abs(updated - scores).max(initial=0.0))
        scores = updated
        if residual < tolerance:
            return ClaimRankResult(scores, iteration, True, residual)
    return ClaimRankResult(scores, MAX_ITERATIONS, False, residual)
