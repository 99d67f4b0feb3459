"""ClaimRank: the published golden values and its invariants."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import issparse

from factdesk.kernel import InputError
from trust.claimrank import DENSE_UP_TO, MAX_ITERATIONS, claimrank, relation_matrices
from trust.document_trust import assess_trust
from trust.types import TrustEdge, TrustReport


def both(a: str, b: str, weight: float) -> list[TrustEdge]:
    return [TrustEdge(source=a, target=b, weight=weight), TrustEdge(source=b, target=a, weight=weight)]


def score(report: TrustReport, doc_id: str) -> float:
    entry = report.of(doc_id)
    assert entry is not None
    return entry.score


@pytest.mark.parametrize(
    ("weight", "seeds", "expected"),
    [
        (0.0, (), (0.5, 0.5)),
        (1.0, (), (0.8696, 0.8696)),
        (-1.0, (), (0.3509, 0.3509)),
        (1.0, ("a", "b"), (1.0, 1.0)),
        (1.0, ("a",), (0.961, 0.908)),
        (0.0, ("a",), (0.575, 0.5)),
    ],
)
def test_golden_values(weight: float, seeds: tuple[str, ...], expected: tuple[float, float]) -> None:
    report = assess_trust(["a", "b"], both("a", "b", weight) if weight else [], seeds=seeds)
    assert (score(report, "a"), score(report, "b")) == pytest.approx(expected, abs=5e-4)
    assert report.converged


@pytest.mark.parametrize("others", [0, DENSE_UP_TO])  # dense and sparse matrices
def test_the_fixed_point_solves_the_published_equation(others: int) -> None:
    ids = [*"abcd", *(f"isolated-{i}" for i in range(others))]
    edges = [*both("a", "b", 1.0), *both("b", "c", -0.5), TrustEdge(source="d", target="a", weight=0.3)]
    plus, minus = relation_matrices(ids, edges)
    for matrix in (plus, minus):
        sums = np.asarray(matrix.sum(axis=0)).ravel()
        assert all(s == pytest.approx(1) or s == 0 for s in sums)
    found = claimrank(plus, minus, seeds=[3]).scores
    assert issparse(plus) == (others > 0)
    start = np.array([0.5, 0.5, 0.5, 1.0, *[0.5] * others])
    exact = np.linalg.solve(
        np.eye(4 + others) - 0.425 * np.asarray((plus - minus).T @ np.eye(4 + others)), 0.15 * start + 0.425
    )
    assert found == pytest.approx(exact, abs=1e-5)


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[str], list[TrustEdge], list[str]]:
    ids = [f"d{i}" for i in range(draw(st.integers(1, 7)))]
    pairs = [(a, b) for a in ids for b in ids if a != b]
    chosen = draw(st.lists(st.sampled_from(pairs), max_size=12, unique=True)) if pairs else []
    weights = st.floats(-1, 1).map(lambda w: round(w, 3))
    edges = [TrustEdge(source=a, target=b, weight=draw(weights)) for a, b in chosen]
    return ids, edges, draw(st.lists(st.sampled_from(ids), unique=True))


@given(graphs(), st.randoms(use_true_random=False))
def test_the_order_of_documents_and_edges_does_not_matter(
    graph: tuple[list[str], list[TrustEdge], list[str]], rng: object
) -> None:
    ids, edges, seeds = graph
    expected = assess_trust(ids, edges, seeds=seeds)
    shuffled, moved = list(ids), list(edges)
    rng.shuffle(shuffled)  # type: ignore[attr-defined]
    rng.shuffle(moved)  # type: ignore[attr-defined]
    assert assess_trust(shuffled, moved, seeds=seeds[::-1]) == expected


@given(graphs())
def test_scores_are_in_range_and_ranks_follow_them(
    graph: tuple[list[str], list[TrustEdge], list[str]],
) -> None:
    ids, edges, seeds = graph
    report = assess_trust(ids, edges, seeds=seeds)
    scores = [d.score for d in report.documents]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= s <= 1 for s in scores)
    assert [d.rank for d in report.documents] == list(range(1, len(ids) + 1))
    for entry in report.documents:
        assert f"{entry.score:.2f}" in entry.explanation
        assert entry.seed is (entry.doc_id in seeds)
        assert all(e.weight > 0 and e.target == entry.doc_id for e in entry.supporting)
        assert all(e.weight < 0 and e.target == entry.doc_id for e in entry.refuting)


@given(st.integers(0, 5))
def test_one_more_supporter_never_lowers_trust(supporters: int) -> None:
    ids = ["target", *(f"s{i}" for i in range(6))]

    def trust(count: int) -> float:
        return score(
            assess_trust(ids, [TrustEdge(source=f"s{i}", target="target", weight=1.0) for i in range(count)]),
            "target",
        )

    assert trust(supporters + 1) >= trust(supporters)
    assert trust(1) > trust(0) == 0.5


def test_the_record_of_convergence() -> None:
    plus, minus = relation_matrices(["a", "b"], both("a", "b", 1.0))
    found = claimrank(plus, minus)
    assert found.converged
    assert 1 < found.iterations < MAX_ITERATIONS
    assert found.residual < 1e-6
    assert len(found.residuals) == found.iterations
    assert found.residuals[-1] == found.residual
    assert all(later <= 0.85 * before + 1e-12 for before, later in pairwise(found.residuals))
    unfinished = claimrank(plus, minus, tolerance=0.0, alpha=0.999)
    assert not unfinished.converged
    assert unfinished.iterations == MAX_ITERATIONS
    report = assess_trust(["a", "b"], both("a", "b", 1.0))
    assert (report.iterations, report.alpha) == (found.iterations, 0.85)


def test_relations_inside_a_cluster_are_dropped() -> None:
    edges = [*both("a", "copy", 1.0), *both("a", "b", 1.0)]
    clusters = {"a": "a", "copy": "a", "b": "b"}
    report = assess_trust(["a", "b", "copy"], edges, clusters=clusters)
    alone = assess_trust(["a", "b"], both("a", "b", 1.0))
    assert score(report, "copy") == 0.5
    assert score(report, "a") == score(alone, "a")
    entry = report.of("copy")
    assert entry is not None
    assert entry.cluster == "a"
    assert "one witness" in entry.explanation
    assert all(e.source != "copy" for d in report.documents for e in d.supporting)


def test_the_explanation_counts_documents() -> None:
    edges = [TrustEdge(source=s, target="a", weight=w) for s, w in (("b", 1.0), ("c", 0.5), ("d", -1.0))]
    report = assess_trust(list("abcd"), edges, seeds=["a"])
    entry, lone = report.of("a"), report.of("b")
    assert entry is not None
    assert lone is not None
    assert "named as trusted; supported by 2 other document(s); refuted by 1" in entry.explanation
    assert "no other document" in lone.explanation
    assert report.of("zebra") is None


def test_nothing_to_rank() -> None:
    report = assess_trust([], [])
    assert report.documents == ()
    assert report.converged


@pytest.mark.parametrize(
    ("source", "target", "weight"),
    [("a", "x", 1.0), ("x", "a", 1.0), ("a", "a", 1.0), ("a", "b", 1.5), ("a", "b", float("nan"))],
)
def test_edges_that_cannot_be_are_refused(source: str, target: str, weight: float) -> None:
    edge = TrustEdge(source=source, target=target, weight=weight)
    with pytest.raises(InputError):
        relation_matrices(["a", "b"], [edge])
    if source != target:
        with pytest.raises(InputError):
            assess_trust(["a", "b"], [edge])


def test_settings_that_cannot_be_are_refused() -> None:
    plus, minus = relation_matrices(["a", "b"], [])
    for alpha in (1.0, -0.1, float("nan")):
        with pytest.raises(InputError, match="alpha"):
            claimrank(plus, minus, alpha=alpha)
    for seed in (-1, 2):
        with pytest.raises(InputError, match="seeds"):
            claimrank(plus, minus, seeds=[seed])


def test_support_is_the_mean_trust_of_the_supporters_and_not_their_sum() -> None:
    """``a`` with many unknown supporters stands where one puts it; scores never need clipping."""
    ids = ["a", "b", *(f"s{i}" for i in range(20))]
    many = [TrustEdge(source=f"s{i}", target="a", weight=1.0) for i in range(20)]
    report = assess_trust(ids, [*many, TrustEdge(source="s0", target="b", weight=1.0)])
    assert score(report, "a") == score(report, "b") == pytest.approx(0.7125, abs=1e-6)


@given(graphs())
def test_scores_stay_in_range_without_clipping(
    graph: tuple[list[str], list[TrustEdge], list[str]],
) -> None:
    ids, edges, seeds = graph
    plus, minus = relation_matrices(ids, edges)
    found = claimrank(plus, minus, seeds=[ids.index(s) for s in seeds])
    assert found.converged
    assert 0 <= found.scores.min() <= found.scores.max() <= 1


def test_as_published_a_distrusted_refuter_raises_its_target() -> None:
    """Against no refuter it lowers, but the less it is trusted itself, the less: the score goes up again."""
    ids = ["target", "liar", "x", "y"]
    refuted = [TrustEdge(source="liar", target="target", weight=-1.0)]
    exposed = [*refuted, *(TrustEdge(source=s, target="liar", weight=-1.0) for s in ("x", "y"))]
    before = score(assess_trust(ids, refuted), "target")
    after = score(assess_trust(ids, exposed, seeds=["x", "y"]), "target")
    assert before < after < 0.5
