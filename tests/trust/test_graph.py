"""The claim graph and the variants of ClaimRank."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from factdesk.kernel import BackendUnavailable, InputError
from trust.claim_graph import Ranking, TrustGraph
from trust.types import ClaimLink, ClaimNode, DocumentFacts, RankOptions


def graph_of(
    links: list[tuple[str, str, float]],
    *,
    counts: dict[str, int] | None = None,
    similarity: float = 0.7,
    clusters: dict[str, str] | None = None,
    published: dict[str, str] | None = None,
    publishers: dict[str, str] | None = None,
    alone: tuple[str, ...] = (),
) -> TrustGraph:
    """Claims are called ``document.number``; ``counts`` adds claims nobody speaks about."""
    ends = {end for a, b, _ in links for end in (a, b)}
    documents = sorted({end.split(".")[0] for end in ends} | set(alone))
    nodes = {end: ClaimNode(claim_id=end, doc_id=end.split(".")[0], text=f"text of {end}") for end in ends}
    for doc_id, count in (counts or {}).items():
        for i in range(count):
            name = f"{doc_id}.{i}"
            nodes.setdefault(name, ClaimNode(claim_id=name, doc_id=doc_id, text=name))
    facts = [
        DocumentFacts(
            doc_id=d,
            cluster=(clusters or {}).get(d, d),
            published=(published or {}).get(d, ""),
            publisher=(publishers or {}).get(d, ""),
        )
        for d in documents
    ]
    return TrustGraph.of(
        facts,
        nodes.values(),
        [ClaimLink(source=a, target=b, weight=w, similarity=similarity) for a, b, w in links],
    )


def both(a: str, b: str, weight: float) -> list[tuple[str, str, float]]:
    return [(a, b, weight), (b, a, weight)]


@pytest.mark.parametrize(
    ("links", "seeds", "expected"),
    [
        (both("a.0", "b.0", 1), (), (0.8696, 0.8696)),
        (both("a.0", "b.0", -1), (), (0.3509, 0.3509)),
        (both("a.0", "b.0", 1), ("a", "b"), (1.0, 1.0)),
        (both("a.0", "b.0", 1), ("a",), (0.961, 0.908)),
        ([], (), (0.5, 0.5)),
        ([], ("a",), (0.575, 0.5)),
    ],
)
@pytest.mark.parametrize("strongest", [False, True])
def test_golden_values(
    links: list[tuple[str, str, float]],
    seeds: tuple[str, ...],
    expected: tuple[float, float],
    strongest: bool,
) -> None:
    scores = graph_of(links, alone=("a", "b")).rank(RankOptions(strongest=strongest), seeds).scores
    assert (scores["a"], scores["b"]) == pytest.approx(expected, abs=5e-4)


def test_off_means_published() -> None:
    links = [*both("a.0", "b.0", 1), *both("a.1", "c.0", -1), ("d.0", "a.0", 1)]
    graph = graph_of(links, counts={"a": 9})
    from trust.document_trust import assess_trust
    from trust.types import TrustEdge

    edges = [TrustEdge(source=a[0], target=b[0], weight=w) for a, b, w in links]
    published = {d.doc_id: d.score for d in assess_trust(list("abcd"), edges).documents}
    assert graph.rank().scores == pytest.approx(published, abs=1e-5)


def test_independence_makes_one_witness_of_copies() -> None:
    """A doubtful story on fifty sites outweighs one sound refuter as published, and counts once here."""
    copies = [f"copy{i}" for i in range(50)]
    links = [("good.0", "story.0", -1.0), *((f"{c}.0", "story.0", 1.0) for c in copies)]
    links += [x for c in copies for x in both(f"{c}.0", "copy0.0" if c != "copy0" else "copy1.0", 1.0)]
    clusters = dict.fromkeys(copies, "copy0")
    graph = graph_of(links, clusters=clusters)
    plain = graph.rank(RankOptions(), ["good"]).scores
    once = graph.rank(RankOptions(independence=True), ["good"]).scores
    assert plain["copy7"] > 0.8, "copies vouch for each other"
    assert once["copy7"] == pytest.approx(0.5), "a copy is no second witness"
    assert once["story"] < plain["story"]


def test_a_claim_in_the_same_words_is_no_second_report() -> None:
    links = both("a.0", "b.0", 1.0)
    for similarity, expected in ((0.99, 0.5), (0.8, 0.8696)):
        scores = graph_of(links, similarity=similarity).rank(RankOptions(independence=True)).scores
        assert scores["a"] == pytest.approx(expected, abs=5e-4)


def test_coverage_asks_how_much_of_a_document_others_report() -> None:
    links = [*both("a.0", "b.0", 1.0), *both("a.1", "b.1", 1.0)]
    graph = graph_of(links, counts={"a": 2, "b": 8})
    plain, covered = graph.rank().scores, graph.rank(RankOptions(coverage=True)).scores
    assert plain["a"] == plain["b"]
    assert covered["a"] > covered["b"] > 0.5


def test_coverage_counts_reports_of_the_same_matter_unless_they_refute() -> None:
    coverage = RankOptions(coverage=True)
    assert graph_of(both("a.0", "b.0", 0.0)).rank(coverage).scores["a"] > 0.5
    assert graph_of(both("a.0", "b.0", 0.0), similarity=0.59).rank(coverage).scores["a"] == 0.5
    assert graph_of(both("a.0", "b.0", 0.0)).rank().scores["a"] == 0.5
    assert graph_of(both("a.0", "b.0", -1.0)).rank(coverage).scores["a"] < 0.5


def test_a_denial_in_similar_words_is_no_report_of_the_same_matter() -> None:
    documents = [DocumentFacts(doc_id=d, cluster=d) for d in ("rumour", "denial", "other")]
    nodes = [ClaimNode(claim_id=f"{d.doc_id}.0", doc_id=d.doc_id, text=d.doc_id) for d in documents]

    def scores(denied: bool, seeds: tuple[str, ...] = ()) -> dict[str, float]:
        links = [
            ClaimLink(source=a, target=b, weight=0.0, similarity=0.7, denied=denied)
            for a, b in (("rumour.0", "denial.0"), ("denial.0", "rumour.0"))
        ]
        links += [ClaimLink(source="other.0", target="denial.0", weight=1.0, similarity=0.7)]
        graph = TrustGraph.of(documents, nodes, links)
        return graph.rank(RankOptions(coverage=True, restart=bool(seeds)), seeds).scores

    assert scores(denied=False)["rumour"] > 0.6
    assert scores(denied=True)["rumour"] == pytest.approx(0.5)
    assert scores(denied=True)["denial"] > 0.6, "what another one reports still counts"
    near, apart = scores(False, ("denial",)), scores(True, ("denial",))
    assert near["rumour"] > apart["rumour"], "the walk from trusted seeds does not pass over a denial"


def test_a_distrusted_refuter_raises_its_target_as_published_and_never_with_the_strongest_voice() -> None:
    sound = [("good.0", "target.0", -1.0), ("good.1", "liar.1", -1.0)]
    more = [*sound, ("liar.0", "target.0", -1.0)]

    def target(links: list[tuple[str, str, float]], strongest: bool) -> float:
        options = RankOptions(strongest=strongest)
        return graph_of(links, alone=("liar",)).rank(options, ["good"]).scores["target"]

    assert target(more, False) > target(sound, False)
    assert target(more, True) <= target(sound, True) + 1e-6


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), max_size=8))
def test_with_the_strongest_voice_one_more_refuter_never_raises(refuters: list[tuple[int, bool]]) -> None:
    links: list[tuple[str, str, float]] = [("a.0", "target.0", -1.0)]
    scores = []
    for number, (_, seeded) in enumerate(refuters):
        del seeded
        links = [*links, (f"r{number}.0", "target.0", -1.0)]
        scores.append(graph_of(links).rank(RankOptions(strongest=True)).scores["target"])
    assert all(later <= before + 1e-6 for before, later in pairwise(scores))


def test_confidence_weighs_relations() -> None:
    links = [("a.0", "t.0", 0.6), ("b.0", "t.0", 1.0), ("c.0", "a.0", -1.0), ("d.0", "b.0", 1.0)]
    graph = graph_of(links)
    plain = graph.rank().scores["t"]
    assert graph.rank(RankOptions(confidence=True)).scores["t"] > plain, "the surer voice is the trusted one"


def test_decay_weighs_what_is_near_in_time() -> None:
    days = {"t": "2024-05-01", "near": "2024-05-02", "far": "2024-01-01"}
    links = [("near.0", "t.0", -1.0), ("far.0", "t.1", 1.0), ("x.0", "far.0", 1.0)]
    graph = graph_of([("near.0", "t.0", 1.0), ("far.0", "t.0", 1.0), ("x.0", "far.0", -1.0)], published=days)
    assert graph.rank(RankOptions(half_life=14)).scores["t"] > graph.rank().scores["t"]
    assert graph_of(links).rank(RankOptions(half_life=14)).scores == graph_of(links).rank().scores


def test_restart_puts_what_is_near_the_seeds_higher() -> None:
    chain = [x for a, b in ("sa", "ab", "bc", "cd", "de") for x in both(f"{a}.0", f"{b}.0", 1.0)]
    graph = graph_of(chain, alone=("alone",))
    scores = graph.rank(RankOptions(restart=True), ["s"]).scores
    assert scores["s"] > scores["a"] > scores["e"]
    assert graph.rank(RankOptions(restart=True)).scores == graph.rank().scores
    assert scores["alone"] == 0.5


def test_a_publisher_lends_its_standing() -> None:
    links = [("x.0", "a.0", 1.0), ("y.0", "b.0", 1.0), ("z.0", "q.0", -1.0)]
    publishers = {"a": "Good", "b": "Good", "new": "Good", "q": "Bad", "late": "Bad"}
    graph = graph_of(links, publishers=publishers, alone=("new", "late", "nobody"))
    scores = graph.rank(RankOptions(publisher=True)).scores
    assert scores["new"] > scores["nobody"] == 0.5 > scores["late"]


def test_the_explanation_adds_up() -> None:
    links = [("a.0", "t.0", 1.0), ("b.0", "t.0", -1.0), ("c.0", "t.1", 1.0)]
    for options in (RankOptions(), RankOptions(coverage=True), RankOptions(strongest=True), RankOptions(alpha=0.4)):
        graph = graph_of(links)
        ranking = graph.rank(options)
        raised, lowered = graph.explain("t", ranking)
        effects = sum(v.effect for v in (*raised, *lowered))
        assert ranking.scores["t"] == pytest.approx((1 - options.alpha) * 0.5 + options.alpha / 2 + effects, abs=1e-4)
        assert {v.source for v in lowered} == {"b"}
    assert graph.explain("a", ranking) == ([], [])


def test_what_cannot_be_is_refused() -> None:
    graph = graph_of(both("a.0", "b.0", 1.0))
    with pytest.raises(InputError, match="'zebra'"):
        graph.rank(seeds=["zebra"])
    with pytest.raises(InputError, match="'zebra'"):
        graph.explain("zebra", graph.rank())
    with pytest.raises(InputError, match="does not join"):
        TrustGraph.of(graph.documents, [], graph.links)
    with pytest.raises(InputError, match="unknown document"):
        TrustGraph.of([], graph.claims.values(), [])


def test_the_order_plays_no_part() -> None:
    links = [*both("a.0", "b.0", 1.0), ("c.0", "a.0", -1.0), ("d.0", "b.0", 0.7)]
    forward, backward = graph_of(links), graph_of(links[::-1])
    assert forward.links == backward.links
    assert np.array_equal(forward.rank().result.scores, backward.rank().result.scores)


def test_the_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib").use("Agg")
    graph = graph_of([*both("a.0", "b.0", 1.0), ("c.0", "a.0", -1.0)])
    ranking: Ranking = graph.rank(seeds=["a"])
    axes = graph.plot(ranking).axes[0]
    assert len(axes.lines) == 2
    assert {line.get_linestyle() for line in axes.lines} == {"-", "--"}
    assert len(axes.collections[0].get_offsets()) == 3
    assert graph_of([], alone=("a",)).plot() is not None


def test_without_matplotlib_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(BackendUnavailable, match=r"needs matplotlib; pip install .*plot"):
        graph_of(both("a.0", "b.0", 1.0)).plot()
