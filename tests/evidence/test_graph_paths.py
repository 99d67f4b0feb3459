"""Paths between entities: bounds, order, no cycles; the route ``graph`` in a check."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.reasoners.extractive import ExtractiveReasoner
from agent.reasoners.plans import search_text
from agent.types import AtomicClaim
from evidence.graph.entity_graph import KnowledgeGraph
from evidence.graph.entity_resolution import key_of, merge
from evidence.graph.paths import MAX_HOPS, MAX_PATHS, find_paths
from evidence.graph.types import Node, NodeKind, Triple


def node(text: str, kind: NodeKind = "place") -> Node:
    return Node(text=text, key=key_of(text, kind), kind=kind)


def graph_of(*triples: tuple[str, str, str]) -> KnowledgeGraph:
    made = [
        Triple(
            doc_id="d",
            span_id=f"d#1.{i}",
            start=0,
            end=1,
            subject=node(s),
            relation=r,
            object=node(o, "value" if o[:1].isdigit() else "place"),
        )
        for i, (s, r, o) in enumerate(triples)
    ]
    return KnowledgeGraph(merge(made), made)


def names(graph: KnowledgeGraph, *wanted: str) -> list[list[str]]:
    entities = [e for e in (graph.find(n) for n in wanted) if e is not None]
    assert len(entities) == len(wanted)
    return [[e.name for e in path.entities] for path in find_paths(graph, entities)]


def test_the_shortest_comes_first_and_three_hops_are_the_most() -> None:
    graph = graph_of(
        ("Aa", "border", "Bb"),
        ("Bb", "border", "Cc"),
        ("Cc", "border", "Dd"),
        ("Dd", "border", "Ee"),
        ("Aa", "trade with", "Cc"),
    )
    assert names(graph, "Aa", "Cc") == [["Aa", "Cc"], ["Aa", "Bb", "Cc"]]
    assert names(graph, "Aa", "Ee") == [["Aa", "Cc", "Dd", "Ee"]]
    assert names(graph_of(("Aa", "x", "Bb"), ("Bb", "x", "Cc"), ("Cc", "x", "Dd"), ("Dd", "x", "Ee")), "Aa", "Ee") == []


def test_values_connect_nothing() -> None:
    assert names(graph_of(("Aa", "open in", "2025"), ("Bb", "open in", "2025")), "Aa", "Bb") == []


def test_a_longer_name_leads_on() -> None:
    graph = graph_of(
        ("mayor of Lorvain", "open", "Harbour Line"),
        ("Harbour Line", "cross", "Estwick"),
        ("Lorvain", "be", "Port"),
    )
    assert ["Lorvain", "Harbour Line"] in names(graph, "Lorvain", "Harbour Line")


def test_paths_are_told_with_their_sentences() -> None:
    graph = graph_of(("Aa", "border", "Bb"), ("Cc", "own", "Bb"))
    first, second = graph.find("Aa"), graph.find("Cc")
    assert first is not None
    assert second is not None
    (path,) = find_paths(graph, [first, second])
    assert path.text == "Aa border Bb. Cc own Bb."
    assert [e.triple.span_id for e in path.edges] == ["d#1.0", "d#1.1"]


@given(
    st.lists(st.tuples(st.sampled_from("ABCDEFGH"), st.sampled_from("ABCDEFGH")), min_size=1, max_size=25),
    st.lists(st.sampled_from("ABCDEFGH"), min_size=2, max_size=4, unique=True),
)
def test_bounds_hold_on_any_graph(pairs: list[tuple[str, str]], ends: list[str]) -> None:
    graph = graph_of(*((f"{a}aa", "meet", f"{b}bb" if a == b else f"{b}aa") for a, b in pairs))
    entities = [e for e in (graph.find(f"{c}aa") for c in ends) if e is not None]
    found = find_paths(graph, entities)
    assert len(found) <= MAX_PATHS
    assert found == find_paths(graph, entities)
    assert [len(p.edges) for p in found] == sorted(len(p.edges) for p in found)
    for path in found:
        ids = [e.entity_id for e in path.entities]
        assert len(path.edges) == len(ids) - 1 <= MAX_HOPS
        assert len(set(ids)) == len(ids)
        assert {ids[0], ids[-1]} <= {e.entity_id for e in entities}


@pytest.mark.parametrize("graph", [True, False])
def test_questions_that_connect_names_go_to_the_graph(graph: bool) -> None:
    text = "Anna Berg of Lorvain paid for the Harbour Line."
    claim = AtomicClaim(claim_id="c1", text=text, start=0, end=len(text), source=text)
    reasoner = ExtractiveReasoner(graph=graph)
    asked = [*reasoner.questions("chain", claim, (), None, 2), *reasoner.questions("subq", claim, (), None, 6)]
    assert all(q.route == "text" for q in asked)
    plan = [purpose for purpose, _ in reasoner.chain_plan(claim, (), None)]
    connect = [p for p in plan if p.startswith("connect:")]
    assert bool(connect) is graph
    if connect:
        first = asked[0].model_copy(update={"purpose": connect[0]})
        assert reasoner.route(first, claim, None).route == "graph"
        assert search_text(connect[0], claim) == "Anna Berg of Lorvain and Harbour Line"
