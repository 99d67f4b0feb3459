"""Tree of RAG, SubQ and verified drafts: topology, caps, failures, determinism; toy evidence, toy model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from agent.graphs.nodes import recursion_limit
from agent.graphs.state import Deps
from agent.ports import Elimination
from agent.reasoners.extractive import ExtractiveReasoner
from agent.types import CHECK, Answer, AtomicClaim, Investigation, QAPair, Question
from evidence.types import Hit, Query
from factdesk.check.pipeline import choose_method
from factdesk.kernel import BackendUnavailable, Caps, TransientError
from tests.agent.shelf import COST, LIBRARY, Broken, Gone, Overlap, Shelf, graph_of, make_deps, make_picture

OPEN = "Mayor Ada Quill opened the swimming pool of Harrowmere on 3 May 2021."
"""Nothing in the library settles it, so a tree goes on to its last round."""


def run(text: str, deps: Deps, method: str = "tree") -> Investigation:
    graph = graph_of(method, deps.veracity)
    config: Any = {"recursion_limit": recursion_limit(deps.caps.max_claims, deps.caps.max_questions)}
    state = graph.invoke({"text": text}, config, context=deps)
    fields = {name: state[name] for name in Investigation.model_fields if name in state}
    empty = {"image_context": None, "qa_pairs": (), "scored": (), "joints": (), "trust": None}
    return Investigation.model_validate(
        {**empty, "passes": 0, "proposal": None, "failures": (), "trimmed": (), **fields}
    )


def rounds(found: Investigation) -> dict[int, list[QAPair]]:
    by_depth: dict[int, list[QAPair]] = {}
    for pair in found.qa_pairs:
        if not pair.question.purpose.startswith(CHECK):
            by_depth.setdefault(pair.question.depth, []).append(pair)
    return by_depth


@pytest.mark.parametrize(
    ("name", "method", "veracity"),
    [("tree", "tree", "standard"), ("subq", "subq", "standard"), ("chain_cove", "chain", "cove")],
)
def test_the_topology_is_the_golden_one(repository: Path, name: str, method: str, veracity: str) -> None:
    drawn = graph_of(method, veracity).get_graph().draw_mermaid()
    golden = repository / "tests" / "golden" / f"{name}.mmd"
    assert drawn == golden.read_text(encoding="utf-8"), f"{name} changed; if wanted, write it to {golden}"


def test_three_questions_at_the_root_and_one_pair_kept_a_round() -> None:
    found = run(OPEN, make_deps(OPEN))
    by_depth = rounds(found)
    assert [p.question.branch for p in by_depth[0]] == [0, 1, 2]
    assert [p.question.question_id for p in by_depth[0]] == ["c1.q1.1", "c1.q1.2", "c1.q1.3"]
    assert 2 <= len(by_depth) <= 6
    for pairs in by_depth.values():
        assert len(pairs) <= 3
        assert sum(p.kept for p in pairs) == 1
        assert all(p.reason for p in pairs), "a pair without the reason why it was kept or discarded"
    asked = [p.question.text for p in found.qa_pairs]
    assert len(set(asked)) == len(asked), "a question was asked twice"
    assert not found.failures


def test_follow_ups_come_from_the_kept_pairs() -> None:
    """A name that only a discarded answer brought up is not followed."""
    found = run(OPEN, make_deps(OPEN))
    by_depth = rounds(found)
    for depth, pairs in by_depth.items():
        kept = " ".join(p.answer.text for d in range(depth) for p in by_depth[d] if p.kept)
        for pair in pairs:
            kind, _, name = pair.question.purpose.partition(":")
            if kind == "bridge":
                assert name in kept


def test_evidence_of_discarded_pairs_counts() -> None:
    """Hiding what speaks against a claim because it came from a discarded branch would be unsafe."""

    class Contrary(ExtractiveReasoner):
        """Keeps the last branch, whatever the others found."""

        def eliminate(self, claim: AtomicClaim, kept: Sequence[QAPair], round_: Sequence[QAPair]) -> Elimination:
            return Elimination(kept=len(round_) - 1, reasons=("",) * len(round_))

    found = run(OPEN, make_deps(OPEN, reasoner=Contrary()))
    discarded = {p.question.question_id for p in found.qa_pairs if not p.kept}
    assert discarded
    assert {s.question_id for s in found.scored} & discarded
    spans = [s.hit.span.span_id for s in found.scored]
    assert len(set(spans)) == len(spans), "a span was scored twice for one claim"


def test_a_settled_claim_needs_one_round() -> None:
    found = run(COST, make_deps(COST))
    assert len(rounds(found)) == 1
    assert found.proposal is not None
    assert found.proposal.label == "supported"


@pytest.mark.parametrize(("questions", "branches"), [(1, 3), (2, 2), (6, 1), (3, 3)])
def test_the_caps_on_rounds_and_branches_hold(questions: int, branches: int) -> None:
    class Endless(ExtractiveReasoner):
        """Never has enough, and always another question."""

        def questions(  # type: ignore[override]
            self, plan: Any, claim: AtomicClaim, pairs: Sequence[QAPair], image: Any, limit: int, draft: Any = None
        ) -> tuple[Question, ...]:
            root = super().questions(plan, claim, (), image, 3)
            return tuple(q.model_copy(update={"text": f"{q.text} ({len(pairs)})"}) for q in (*root, *root))

        def follow_up_check(self, claim: AtomicClaim, pairs: Sequence[QAPair], settled: bool) -> Any:
            return super().follow_up_check(claim, (), False)

    caps = Caps(max_questions=questions, max_branches=branches)
    found = run(COST, make_deps(COST, caps=caps, reasoner=Endless()))
    assert len(rounds(found)) == questions
    assert sum(p.kept for p in found.qa_pairs) == questions
    assert all(len(pairs) <= branches for pairs in rounds(found).values())


@pytest.mark.parametrize("method", ["tree", "subq"])
def test_the_caps_on_spans_and_pairs_hold(method: str) -> None:
    few = run(COST, make_deps(COST, caps=Caps(max_spans_per_claim=3)), method)
    assert len(few.scored) == 3
    assert any("at most 3 a claim" in line for line in few.trimmed)
    verifier = Overlap()
    poor = run(COST, make_deps(COST, verifier=verifier, caps=Caps(max_pairs=9)), method)
    assert max(poor.passes, len(verifier.pairs)) <= 9
    assert "budget" in {f.kind for f in poor.failures if f.deciding}


class Flaky(Shelf):
    """Cannot be reached for questions that look for the other side."""

    def retrieve(self, query: Query) -> tuple[Hit, ...]:
        if "denied" in query.text:
            raise TransientError("the line was cut")
        return super().retrieve(query)


@pytest.mark.parametrize("method", ["tree", "subq"])
def test_a_branch_that_fails_is_a_failure_and_the_others_go_on(method: str) -> None:
    found = run(OPEN, make_deps(OPEN, retriever=Flaky(LIBRARY)), method)
    assert {(f.where, f.kind, f.claim_id, f.deciding) for f in found.failures} == {
        ("evidence.retrieve", "transient", "c1", True)
    }
    broken = [p for p in found.qa_pairs if p.question.purpose == "dispute"]
    assert [p.answer.found for p in broken] == [False]
    assert broken[0].reason == "the line was cut"
    assert any(p.answer.found for p in found.qa_pairs)
    if method == "tree":
        assert not broken[0].kept


def test_an_answer_that_fails_is_a_failure_of_its_branch() -> None:
    class Mute(ExtractiveReasoner):
        def answer(self, question: Question, claim: AtomicClaim, hits: Sequence[Hit]) -> Answer:
            if question.purpose == "dispute":
                raise BackendUnavailable("the model is down")
            return super().answer(question, claim, hits)

    found = run(COST, make_deps(COST, reasoner=Mute()))
    assert [(f.where, f.message) for f in found.failures] == [("agent.answer", "the model is down")]
    assert any(s.assessment.calibrated.entailment > 0.5 for s in found.scored)


@pytest.mark.parametrize("method", ["tree", "subq"])
def test_nothing_works_and_nothing_crashes(method: str) -> None:
    gone = run(COST, make_deps(COST, retriever=Gone(LIBRARY)), method)
    assert {f.where for f in gone.failures} == {"evidence.retrieve"}
    assert gone.proposal is not None
    assert gone.proposal.label == "failed"
    if method == "tree":
        assert not any(p.kept for p in gone.qa_pairs)
    broken = run(COST, make_deps(COST, verifier=Broken()), method)
    assert {f.where for f in broken.failures} == {"verifier.assess"}


def test_a_bug_in_a_branch_is_not_swallowed() -> None:
    class Buggy(Shelf):
        def retrieve(self, query: Query) -> tuple[Hit, ...]:
            raise KeyError("a bug")

    with pytest.raises(KeyError, match="a bug"):
        run(COST, make_deps(COST, retriever=Buggy(LIBRARY)))


@pytest.mark.parametrize("method", ["tree", "subq", "chain"])
def test_runs_are_deterministic_although_branches_race(method: str) -> None:
    import threading
    import time
    from collections import Counter

    class Racing(Shelf):
        """Each search takes another time, and another one each time it is made."""

        def __init__(self, texts: dict[str, str]) -> None:
            super().__init__(texts)
            self.calls: Counter[str] = Counter()
            self.lock = threading.Lock()

        def retrieve(self, query: Query) -> tuple[Hit, ...]:
            with self.lock:
                self.calls[query.text] += 1
                delay = (len(query.text) * 7 * self.calls[query.text]) % 5
            time.sleep(delay / 200)
            return super().retrieve(query)

    text = f"{COST} {OPEN}"
    found = [run(text, make_deps(text, retriever=Racing(LIBRARY), veracity="cove"), method) for _ in range(3)]
    assert found[0].model_dump_json() == found[1].model_dump_json() == found[2].model_dump_json()
    assert {p.question.claim_id for p in found[0].qa_pairs} >= {"c1", "c2"}


def test_out_of_time_is_a_failure_of_every_claim_left() -> None:
    text = f"{COST} {OPEN}"
    for method in ("tree", "subq"):
        deps = make_deps(text, caps=Caps(max_seconds=1), clock=lambda: 2.0)
        found = run(text, deps, method)
        claims = {c.claim_id for c in found.claim_ir.claims}
        assert {f.claim_id for f in found.failures if f.kind == "budget"} == claims
        assert not found.qa_pairs


def test_subq_asks_all_at_once_and_keeps_all() -> None:
    found = run(OPEN, make_deps(OPEN), "subq")
    assert {p.question.depth for p in found.qa_pairs} == {0}
    assert all(p.kept for p in found.qa_pairs)
    kinds = [p.question.purpose.partition(":")[0] for p in found.qa_pairs]
    assert kinds[:2] == ["claim", "dispute"]
    assert "slot" in kinds
    assert "bridge" not in kinds, "a sub-question cannot know an answer"
    assert len(kinds) <= 6


def test_a_picture_that_the_claim_speaks_of_has_a_branch() -> None:
    text = "The sign in the picture says that the Tollgate Library has 9,400 books."
    picture = make_picture("Tollgate Library has 9,400 books.")
    for method in ("tree", "subq"):
        found = run(text, make_deps(text, pictures=(picture,)), method)
        routes = [p.question.route for p in found.qa_pairs]
        assert routes[0] == "image"
        assert "text" in routes


@pytest.mark.parametrize("method", ["chain", "tree", "subq"])
@pytest.mark.parametrize("veracity", ["standard", "cot", "cove"])
def test_every_method_goes_with_every_veracity(method: str, veracity: str) -> None:
    found = run(COST, make_deps(COST, veracity=veracity), method)
    assert found.proposal is not None
    assert (found.proposal.method, found.proposal.label) == (veracity, "supported")
    assert COST in found.proposal.explanation
    if veracity != "standard":
        assert "1. Did the refurbishment of the Tollgate Library cost" in found.proposal.explanation
    checks = [p for p in found.qa_pairs if p.question.purpose.startswith(CHECK)]
    assert bool(checks) is (veracity == "cove" and method != "subq"), "subq left nothing to ask in this library"


def test_checks_of_a_draft_are_answered_scored_and_can_change_it() -> None:
    """The draft is made from support; only the check finds what speaks against it."""
    library = {
        "first": "The Tollgate Library cost 6.2 million pounds, said Mayor Ada Quill of Harrowmere.",
        "later": "Ada Quill: the Tollgate Library cost 9.9 million pounds and not what was said.",
    }

    class OneHit(Shelf):
        """Finds the correction only for who asks after other voices."""

        def retrieve(self, query: Query) -> tuple[Hit, ...]:
            found = super().retrieve(query)
            seeks = query.text.startswith("Ada Quill") or "denied" in query.text
            return tuple(h for h in found if seeks or h.span.doc_id == "first")

    class Hasty(ExtractiveReasoner):
        """Looks for the other side only when it doubts its own draft."""

        def follow_up_check(self, claim: AtomicClaim, pairs: Sequence[QAPair], settled: bool) -> Any:
            return super().follow_up_check(claim, [*pairs, *pairs], True)

    text = "The Tollgate Library cost 6.2 million pounds."
    deps = make_deps(text, retriever=OneHit(library), reasoner=Hasty(), trust=None)
    drafted = run(text, deps, "chain")
    assert drafted.proposal is not None
    assert drafted.proposal.label == "supported"
    deps = make_deps(text, retriever=OneHit(library), reasoner=Hasty(), trust=None, veracity="cove")
    corrected = run(text, deps, "chain")
    assert corrected.proposal is not None
    assert "Draft: supported." in corrected.proposal.explanation
    assert "The checks change it to: " in corrected.proposal.explanation
    assert corrected.proposal.label != "supported"
    against = [s for s in corrected.scored if s.hit.span.doc_id == "later"]
    assert against, "what a check found was not scored"
    assert {s.question_id for s in against} <= {p.question.question_id for p in corrected.qa_pairs}
    assert {s.hit.span.doc_id for s in drafted.scored} == {"first"}


def test_checks_keep_to_the_caps_and_leave_nothing_asked_twice() -> None:
    caps = Caps(max_spans_per_claim=6, max_branches=2)
    found = run(OPEN, make_deps(OPEN, caps=caps, veracity="cove"))
    checks = [p.question for p in found.qa_pairs if p.question.purpose.startswith(CHECK)]
    assert 1 <= len(checks) <= 2
    assert len(found.scored) <= 6
    ids = [p.question.question_id for p in found.qa_pairs]
    assert len(set(ids)) == len(ids)


def test_auto_is_a_chain_for_one_claim_and_a_tree_for_several() -> None:
    deps = make_deps(COST)
    assert choose_method(deps.compile_claims(COST)) == "chain"
    assert choose_method(deps.compile_claims(f"{COST} {OPEN}")) == "tree"
