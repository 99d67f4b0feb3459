"""An answer by the sentences it cites: what supports it, what does not, and who hears of it then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from agent.assessment.nli_pairs import MOST_PARTS, UNSUPPORTED, ground, parts_of
from agent.graphs.qa_pairs import as_told, spent_on
from agent.ports import Elimination
from agent.reasoners.extractive import ExtractiveReasoner
from agent.types import Answer, AtomicClaim, ClaimIR, Proposal, QAPair, Question, VeracityMethod
from evidence.types import Hit, Span
from factdesk.kernel import Caps
from tests.agent.shelf import COST, Broken, Overlap, make_deps, run
from tests.agent.test_tree import run as run_method
from verifier.types import Thresholds

FERRY = "The Vale ferry carried 310 passengers on Sunday."
STORM = "It stayed in port on Monday because of a storm."
CLAIM = AtomicClaim(claim_id="c1", text="The Vale ferry ran on Sunday.", start=0, end=29, source="")
INVENTED = "Lord Ferrow sank the Kestrel in 1702."


def span(text: str, number: int = 0) -> Span:
    return Span(
        span_id=f"d#0.{number}",
        chunk_id="d#0",
        doc_id="d",
        doc_sha256="0" * 64,
        start=0,
        end=len(text),
        text=text,
    )


CITED = (span(FERRY), span(STORM, 1))


@pytest.mark.parametrize(
    ("answer", "own"),
    [
        (FERRY, []),
        (f"{FERRY} {STORM}", []),
        (f"{STORM} {FERRY}", []),
        (f"{FERRY} {INVENTED}", [INVENTED]),
        (f"{INVENTED} {FERRY}", [INVENTED]),
        ("The Vale ferry carried passengers.", ["The Vale ferry carried passengers."]),
        (f"Nobody believes this: {FERRY}", [f"Nobody believes this: {FERRY}"]),
        (FERRY.rstrip("."), [FERRY.rstrip(".")]),
    ],
)
def test_only_whole_cited_sentences_are_word_for_word(answer: str, own: list[str]) -> None:
    assert parts_of(answer, CITED) == own


def test_a_sentence_that_goes_on_is_not_the_cited_one() -> None:
    open_end = span("The bridge is closed")
    assert parts_of("The bridge is closed in a film.", [open_end]) == ["The bridge is closed in a film."]
    assert parts_of("The bridge is closed", [open_end]) == []
    assert parts_of("The bridge is closed NO ENTRY", [open_end, span("NO ENTRY", 1)]) == []
    assert parts_of("NO ENTRY The bridge is closed", [open_end, span("NO ENTRY", 1)]) != []


def test_an_answer_of_cited_sentences_needs_no_model() -> None:
    verifier = Overlap()
    found = ground(CLAIM, f"{FERRY} {STORM}", CITED, verifier, Thresholds())
    assert (found.label, found.score, found.exact) == ("entailed", 1.0, True)
    assert not verifier.pairs


@pytest.mark.parametrize(
    ("answer", "label"),
    [
        ("The ferry carried 310 passengers.", "entailed"),
        (f"{FERRY} The ferry carried 310 passengers.", "entailed"),
        (INVENTED, "not_enough_info"),
        (f"{INVENTED} {FERRY}", "not_enough_info"),
        (f"{FERRY} {INVENTED}", "not_enough_info"),
        ("The Vale ferry carried 999 passengers on Sunday.", "contradicted"),
    ],
)
def test_every_sentence_of_an_answer_must_be_entailed(answer: str, label: str) -> None:
    found = ground(CLAIM, answer, CITED, Overlap(), Thresholds())
    assert found.label == label
    assert found.holds is (label == "entailed")
    assert not found.exact


def test_what_is_not_read_is_not_supported() -> None:
    true = "The ferry carried 310 passengers."
    for answer, cited, readable in (
        (true, CITED, 0),
        (true, (), MOST_PARTS),
        (" ".join([true] * (MOST_PARTS + 1)), CITED, MOST_PARTS),
    ):
        found = ground(CLAIM, answer, cited, Overlap(), Thresholds(), readable=readable)
        assert (found.holds, found.label) == (False, "not_enough_info")
        assert found.unread


class Inventor(ExtractiveReasoner):
    """Answers with what no sentence says, cites real ones, and notes what it is told of its answers."""

    def __init__(self, words: str = INVENTED) -> None:
        super().__init__()
        self.words = words
        self.told: list[QAPair] = []

    def answer(self, question: Question, claim: AtomicClaim, hits: Sequence[Hit]) -> Answer:
        found = super().answer(question, claim, hits)
        return found.model_copy(update={"text": self.words}) if found.found else found

    def follow_up_check(self, claim: AtomicClaim, pairs: Sequence[QAPair], settled: bool):  # type: ignore[no-untyped-def]
        self.told += pairs
        return super().follow_up_check(claim, pairs, settled)

    def eliminate(self, claim: AtomicClaim, kept: Sequence[QAPair], round_: Sequence[QAPair]) -> Elimination:
        self.told += [*kept, *round_]
        return super().eliminate(claim, kept, round_)

    def questions(self, plan: Any, claim: AtomicClaim, pairs: Sequence[QAPair], *more: Any) -> tuple[Question, ...]:
        self.told += pairs
        return super().questions(plan, claim, pairs, *more)

    def propose(self, claims: ClaimIR, pairs: Sequence[QAPair], method: VeracityMethod = "standard") -> Proposal:
        self.told += pairs
        return super().propose(claims, pairs, method)

    def correct(self, claims: ClaimIR, pairs: Sequence[QAPair], draft: Proposal, checks: Sequence[QAPair]) -> Proposal:
        self.told += [*pairs, *checks]
        return super().correct(claims, pairs, draft, checks)


@pytest.mark.parametrize("method", ["chain", "tree", "subq"])
def test_an_invented_answer_is_marked_and_feeds_nothing(method: str) -> None:
    """Its spans entail the claim; the answer itself is not what they say."""
    reasoner = Inventor()
    found = run_method(COST, make_deps(COST, reasoner=reasoner, veracity="cove"), method)
    answered = [p for p in found.qa_pairs if p.answer.found]
    assert answered
    assert all(p.grounding is not None and not p.grounding.holds and p.cited for p in answered)
    assert all(p.reason == UNSUPPORTED for p in answered)
    assert "entailed" in {p.label for p in answered}, "what the spans say of the claim is a result of its own"
    assert reasoner.told
    assert not [p for p in reasoner.told if INVENTED in p.answer.text or p.label != "not_enough_info"]
    assert found.proposal is not None
    assert found.proposal.label == "failed"
    assert INVENTED not in found.proposal.explanation
    if method == "tree":
        assert not [p for p in answered if p.kept and not p.question.question_id.startswith("c1.v")]


@pytest.mark.parametrize("method", ["chain", "tree", "subq"])
def test_a_supported_answer_feeds_the_proposal(method: str) -> None:
    """The twin: the same reasoner, in words that the sentences bear out."""
    reasoner = Inventor("The Tollgate Library cost 6.2 million pounds.")
    found = run_method(COST, make_deps(COST, reasoner=reasoner), method)
    assert found.proposal is not None
    assert found.proposal.label == "supported"
    assert any(p.supported for p in reasoner.told)


def test_later_pairs_are_labelled_by_all_that_they_cite() -> None:
    """Also where an earlier question scored it: no pair is open because its sentence is not new."""
    found, _ = run(COST, make_deps(COST))
    assert len(found.qa_pairs) > 1
    labels = {s.hit.span.span_id: s.assessment for s in found.scored}
    for pair in found.qa_pairs:
        sure = [labels[s.span_id] for s in pair.cited if s.span_id in labels]
        if any(a.calibrated.entailment >= 0.5 for a in sure) and not any(
            a.calibrated.contradiction >= 0.5 for a in sure
        ):
            assert pair.label == "entailed"
            assert pair.trust is not None
    assert [p for p in found.qa_pairs[1:] if p.label != "not_enough_info" and not p.hits]


def test_answers_take_a_part_of_the_verifier_pairs_alone() -> None:
    caps = Caps(max_pairs=60)
    found, _ = run(COST, make_deps(COST, reasoner=Inventor(), caps=caps))
    assert 0 < spent_on(found.qa_pairs) <= 15
    unread = [p for p in found.qa_pairs if p.grounding is not None and p.grounding.unread]
    if unread:
        assert [t for t in found.trimmed if "was not read by what it cites" in t]
    none, _ = run(COST, make_deps(COST, reasoner=Inventor(), caps=Caps(max_pairs=20)))
    assert all(p.grounding.unread for p in none.qa_pairs if p.grounding is not None)
    assert [t for t in none.trimmed if "was not read by what it cites" in t]


def test_a_verifier_that_fails_supports_no_answer() -> None:
    found, _ = run(COST, make_deps(COST, reasoner=Inventor(), verifier=Broken()))
    assert found.failures
    assert not [p for p in found.qa_pairs if p.supported]


def test_what_a_reasoner_is_told_of_an_unsupported_answer() -> None:
    question = Question(question_id="c1.q1", claim_id="c1", text="When?", route="text")
    grounding = ground(CLAIM, INVENTED, CITED, Overlap(), Thresholds())
    pair = QAPair(
        question=question,
        answer=Answer(text=INVENTED, span_ids=("d#0.0",)),
        cited=CITED,
        grounding=grounding,
        label="entailed",
        score=0.97,
        trust=0.6,
    )
    told = as_told(pair)
    assert (told.answer.found, told.label, told.score, told.trust) == (False, "not_enough_info", 0.0, None)
    assert INVENTED not in told.model_dump_json(exclude={"grounding"})
    sound = pair.model_copy(update={"grounding": ground(CLAIM, FERRY, CITED, Overlap(), Thresholds())})
    assert as_told(sound) == sound
