"""Chain of RAG: its topology, its caps, its failures; real intake, toy evidence and a toy model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from langgraph.runtime import Runtime

from agent.assessment.document_relations import RelationTrust
from agent.graphs import methods, nodes
from agent.graphs.qa_pairs import select_new
from agent.graphs.state import Deps, InvestigationState
from agent.ports import Bounds
from agent.reasoners.extractive import ExtractiveReasoner
from agent.types import LEFT_OUT, AtomicClaim, BranchResult, QAPair
from evidence.types import Hit, Query, RetrievalScores
from factdesk.kernel import Caps
from tests.agent.shelf import (
    COST,
    LIBRARY,
    Broken,
    Gone,
    NoTrust,
    Overlap,
    Shelf,
    asked,
    claims_of,
    graph_of,
    make_deps,
    make_picture,
    run,
    spans_of,
)
from verifier.scoring import MOST_PASSES


def test_the_topology_is_the_golden_one(repository: Path) -> None:
    drawn = graph_of().get_graph().draw_mermaid()
    golden = repository / "tests" / "golden" / "chain.mmd"
    assert drawn == golden.read_text(encoding="utf-8"), f"the chain changed; if wanted, write it to {golden}"


def test_a_claim_is_asked_about_answered_and_scored() -> None:
    found, _ = run(COST, make_deps(COST))
    assert [c.text for c in found.claim_ir.claims] == [COST]
    assert found.proposal is not None
    assert found.proposal.label == "supported"
    assert not found.failures
    assert not found.trimmed
    best = max(found.scored, key=lambda s: s.assessment.calibrated.entailment)
    assert best.hit.span.doc_id == "costs"
    assert found.trust is not None
    assert found.trust.of("costs") is not None
    assert found.qa_pairs[0].label == "entailed"
    assert found.qa_pairs[0].trust is not None


def test_the_other_side_is_looked_for_before_a_claim_is_settled() -> None:
    found, _ = run(COST, make_deps(COST))
    assert [p.question.purpose for p in found.qa_pairs][:2] == ["claim", "dispute"]
    assert len(found.qa_pairs) == 2


def test_follow_up_questions_know_the_earlier_ones() -> None:
    text = "Mayor Ada Quill opened the swimming pool of Harrowmere on 3 May 2021."
    found, _ = run(text, make_deps(text))
    purposes = [p.question.purpose for p in asked(found)]
    assert len(purposes) > 2
    assert len(set(purposes)) == len(purposes)
    assert len({p.question.question_id for p in found.qa_pairs}) == len(found.qa_pairs)
    assert [p.question.depth for p in asked(found)] == list(range(len(purposes)))
    spans = [s.hit.span.span_id for s in found.scored]
    assert len(set(spans)) == len(spans), "a span was scored twice for one claim"


class Curious(ExtractiveReasoner):
    """Always has another question, and never enough."""

    def questions(self, plan: Any, claim: AtomicClaim, pairs: Sequence[QAPair], *more: Any) -> Any:
        return super().questions(plan, claim, (), *more)

    def follow_up_check(self, claim: AtomicClaim, pairs: Sequence[QAPair], settled: bool) -> Any:
        return super().follow_up_check(claim, (), False)


@pytest.mark.parametrize("cap", [1, 3, 6])
def test_the_cap_on_questions_holds_even_for_a_reasoner_that_never_stops(cap: int) -> None:
    deps = make_deps(COST, caps=Caps(max_questions=cap), reasoner=Curious())
    found, _ = run(COST, deps)
    assert len(found.qa_pairs) == cap


def test_the_cap_on_spans_holds_and_is_told() -> None:
    found, _ = run(COST, make_deps(COST, caps=Caps(max_spans_per_claim=3)))
    assert len(found.scored) == 3
    assert any("at most 3 a claim" in line for line in found.trimmed)
    assert not found.failures


def ranked(name: str, relevance: float, publisher: str, text: str = "It opened in May.") -> Hit:
    [span] = spans_of(name, text)
    said = span.model_copy(update={"publisher": publisher})
    return Hit(span=said, scores=RetrievalScores(rerank=relevance), rank=1)


@pytest.mark.parametrize(
    ("left_out", "opens"),
    [
        (ranked("c", 0.8, "Council"), True),
        (ranked("c", 0.4, "Council", COST.replace("6.2", "4.1")), True),
        (ranked("c", 0.8, "Blog"), False),
        (ranked("c", 0.6, "Council"), False),
    ],
    ids=["more-relevant-than-most", "states-otherwise", "heard", "less-relevant-than-most"],
)
def test_a_cap_that_leaves_out_a_source_that_may_tell_more_is_a_failure(left_out: Hit, opens: bool) -> None:
    claim = claims_of(COST, 1, False).claims[0]
    hits = [ranked("a", 0.9, "Blog"), ranked("b", 0.5, "Blog"), left_out]
    read, notes, failure = select_new(claim, hits, [], Caps(max_spans_per_claim=2), 240)
    assert [h.span.doc_id for h in read] == ["a", "b"]
    assert notes
    assert (failure is not None) == opens
    if failure is not None:
        assert (failure.kind, failure.deciding, failure.claim_id) == (LEFT_OUT, True, claim.claim_id)
        assert "'c'" in failure.message


def test_the_cap_on_pairs_holds_and_is_a_failure() -> None:
    verifier = Overlap()
    found, _ = run(COST, make_deps(COST, verifier=verifier, caps=Caps(max_pairs=9)))
    assert found.passes <= 9
    assert len(verifier.pairs) <= 9
    assert "budget" in {f.kind for f in found.failures if f.deciding}
    assert any("9 verifier pairs" in line for line in found.trimmed)


def test_the_cap_on_claims_holds_and_is_told() -> None:
    text = " ".join(f"The library of Town{n} opened in {2000 + n}." for n in range(6))
    found, _ = run(text, make_deps(text, caps=Caps(max_claims=2, max_questions=1)))
    assert len(found.claim_ir.claims) == 2
    assert found.claim_ir.trimmed == 4
    assert any(line.startswith("4 of the input's claims") for line in found.trimmed)
    assert {p.question.claim_id for p in found.qa_pairs} == {"c1", "c2"}


def test_a_retriever_that_is_gone_is_a_failure_not_a_crash() -> None:
    found, _ = run(COST, make_deps(COST, retriever=Gone(LIBRARY)))
    assert {(f.where, f.kind, f.claim_id, f.deciding) for f in found.failures} == {
        ("evidence.retrieve", "unavailable", "c1", True)
    }
    assert not found.scored
    assert found.proposal is not None
    assert found.proposal.label == "failed"


def test_a_model_that_cannot_run_is_a_failure_not_a_crash() -> None:
    found, _ = run(COST, make_deps(COST, verifier=Broken()))
    assert {(f.where, f.kind) for f in found.failures} == {("verifier.assess", "unavailable")}
    assert not found.scored


def test_trust_that_cannot_be_worked_out_is_a_failure_not_a_crash() -> None:
    found, _ = run(COST, make_deps(COST, trust=NoTrust()))
    assert {(f.where, f.kind, f.deciding) for f in found.failures} == {("trust.update", "unavailable", True)}
    assert found.trust is None
    assert found.scored


@pytest.mark.parametrize(
    ("budget", "related"), [(1000, True), (MOST_PASSES + 1, True), (MOST_PASSES, False), (0, False)]
)
def test_documents_are_related_as_far_as_the_passes_that_were_taken_allow(budget: int, related: bool) -> None:
    """Two sentences, both ways, take two passes here, and ``MOST_PASSES`` each in the worst case."""
    found, _ = run(COST, make_deps(""))
    claim = found.claim_ir.claims[0]
    scored = [s for s in found.scored if s.hit.span.kind == "text"]
    said = {
        "costs": "The refurbishment cost 6.2 million pounds.",
        "bill": "The bill for the refurbishment was 6.2 million pounds.",
    }
    spans = [spans_of(doc_id, text)[0] for doc_id, text in said.items()]
    two = [
        s.model_copy(update={"hit": s.hit.model_copy(update={"span": span})})
        for s, span in zip(scored, spans, strict=False)
    ]
    outcome = RelationTrust(Overlap(), LIBRARY.get, lambda doc_id: ()).update(claim, two, budget=budget)
    assert len(two) == 2
    assert (outcome.failure is None) is related
    assert outcome.passes <= budget


def test_a_bug_is_not_swallowed() -> None:
    class Buggy(Shelf):
        def retrieve(self, query: Query) -> tuple[Hit, ...]:
            raise KeyError("a bug")

    with pytest.raises(KeyError, match="a bug"):
        run(COST, make_deps(COST, retriever=Buggy(LIBRARY)))


def test_out_of_time_is_a_failure_of_every_claim_left() -> None:
    text = f"{COST} The Tollgate Library reopened on 15 March 2025."
    ticks = iter(range(1000))
    deps = make_deps(text, caps=Caps(max_seconds=1), clock=lambda: float(next(ticks)))
    found, _ = run(text, deps)
    late = [f for f in found.failures if f.kind == "budget" and f.where == "agent.ask"]
    assert {f.claim_id for f in late} == {"c1", "c2"}
    assert all(f.deciding and "1 s" in f.message for f in late)
    assert len(found.qa_pairs) == 1


def test_the_trail_is_deterministic() -> None:
    text = f"{COST} Mayor Ada Quill opened it on 3 May 2021."
    first, events = run(text, make_deps(text))
    second, again = run(text, make_deps(text))
    assert first.model_dump_json() == second.model_dump_json()
    assert events == again


def test_progress_is_streamed_in_order() -> None:
    found, events = run(COST, make_deps(COST))
    stages = [e["stage"] for e in events]
    assert stages[0] == "intake"
    assert stages[-1] == "decide"
    assert stages.count("question") == stages.count("answer") == stages.count("verify") == len(found.qa_pairs)
    told = [e["message"] for e in events if e["stage"] in ("question", "answer")]
    assert set(told) <= {"looking in the documents", "no answer found"} | {
        f"answered from {n} sentence(s)" for n in (1, 2)
    }, "a progress event has words that are not ours"


def test_a_question_about_the_picture_goes_to_the_picture() -> None:
    text = "The sign in the picture says that the Tollgate Library has 9,400 books."
    shelf = Shelf(LIBRARY)
    deps = make_deps(text, retriever=shelf, pictures=(make_picture("Tollgate Library has 9,400 books."),))
    found, events = run(text, deps)
    assert found.claim_ir.claims[0].about_image
    first = found.qa_pairs[0]
    assert first.question.route == "image"
    assert {h.span.kind for h in first.hits} == {"ocr"}
    assert len(shelf.queries) == sum(p.question.route == "text" for p in found.qa_pairs)
    assert found.image_context is not None
    assert "image" in {e["stage"] for e in events}


def test_a_picture_never_settles_what_is_not_about_it() -> None:
    """The picture repeats the claim word for word; the chain must go on asking the sources."""
    text = "The pool of Harrowmere has 12 lanes and 300 seats."
    found, _ = run(text, make_deps(text, pictures=(make_picture(text),)))
    alone, _ = run(text, make_deps(text))
    claim_id = found.claim_ir.claims[0].claim_id
    assert not found.claim_ir.claims[0].about_image
    texts = [p for p in asked(found, claim_id) if p.question.route == "text"]
    assert len(texts) >= min(len(asked(alone, claim_id)), 5)


# Nodes as plain functions.
def make_runtime(deps: Deps) -> Runtime[Deps]:
    return Runtime(context=deps)


def first_state(deps: Deps, text: str = COST) -> InvestigationState:
    runtime = make_runtime(deps)
    state: InvestigationState = {"text": text}
    for node in (nodes.intake, nodes.next_claim, methods.ask):
        state.update(node(state, runtime))
    return state


def first_branch(deps: Deps) -> BranchResult:
    """What the first question of a chain finds."""
    [sent] = nodes.branches_to("branch", "join_evidence", methods.twice_if_wider)(first_state(deps))
    [result] = nodes.branch(sent.arg, make_runtime(deps))["branches"]  # type: ignore[union-attr]
    return result


def test_opinions_are_passed_over() -> None:
    deps = make_deps(text := "Blue is the most beautiful colour.")
    state: InvestigationState = {"text": text}
    state.update(nodes.intake(state, make_runtime(deps)))
    state.update(nodes.next_claim(state, make_runtime(deps)))
    assert state["claim_ir"].claims[0].unsupported_by_design
    assert state["cursor"] == len(state["claim_ir"].claims)
    found, _ = run(text, deps)
    assert not found.qa_pairs
    assert found.proposal is not None


def test_retrieve_stays_within_the_bounds() -> None:
    from datetime import date

    shelf = Shelf(LIBRARY)
    deps = make_deps(COST, retriever=shelf)
    day = date(2025, 4, 1)
    bounds = replace(deps.bounds, published_to=day, only_domains=("a.example",), hits=4)
    hits = first_branch(replace(deps, bounds=bounds)).hits
    [query] = shelf.queries
    assert (query.published_to, query.only_domains, query.limit) == (day, ("a.example",), 4)
    assert len(hits) == 4


def test_ask_asks_nothing_when_the_time_is_up() -> None:
    deps = make_deps(COST, caps=Caps(max_seconds=5), clock=lambda: 5.0)
    state = first_state(deps)
    assert state["round"] == ()
    assert nodes.branches_to("branch", "join_evidence")(state) == "join_evidence"


def test_answers_are_evidence_word_for_word() -> None:
    result = first_branch(make_deps(COST))
    chosen = [h.span.text for h in result.hits if h.span.span_id in result.answer.span_ids]
    assert result.answer.found
    assert result.answer.text == " ".join(chosen)
    assert not first_branch(make_deps(COST, retriever=Shelf({}))).answer.found


def test_an_open_claim_is_looked_for_once_more_among_twice_the_sentences() -> None:
    text = "Mayor Ada Quill opened the swimming pool of Harrowmere on 3 May 2021."
    limits, purposes = list[set[int]](), list[str]()
    for wider in (False, True):
        shelf = Shelf(LIBRARY)
        found, _ = run(text, make_deps(text, retriever=shelf, bounds=Bounds(hits=2, wider=wider)))
        purposes = [p.question.purpose for p in asked(found)]
        assert purposes.count("wider") == wider
        assert len(purposes) <= Caps().max_questions
        limits.append({q.limit for q in shelf.queries})
    assert limits[1] - limits[0] == {4}
    settled, _ = run(COST, make_deps(COST, bounds=Bounds(wider=True)))
    assert "wider" not in [p.question.purpose for p in settled.qa_pairs]
