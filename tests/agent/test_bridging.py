"""Descriptions that stand for a name, and what a chain or a tree makes of the name once it is known."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.assessment.document_relations import RelationTrust
from agent.graphs.qa_pairs import read_bridge
from agent.intake.descriptions import MAX_CANDIDATES, candidates, find_description
from agent.types import Investigation
from factdesk.kernel import BackendUnavailable, Caps
from tests.agent.shelf import Overlap, Shelf, make_deps
from tests.agent.test_tree import run
from verifier.types import Assessment, NLIScores, PairText

NAME = "Halder & Sons"
CLAIM = "The firm that rebuilt Corbel Bridge was founded in 1961."
ANCHOR = f"{NAME} rebuilt Corbel Bridge."
TEXTS = {
    "bridge": f"Corbel Bridge was rebuilt by {NAME}. The river was low.",
    "dinner": f"{NAME} was founded in 1961. Drummel Roofing was founded in 1988.",
}


@pytest.mark.parametrize(
    ("claim", "anchor", "other"),
    [
        (CLAIM, "@ rebuilt Corbel Bridge.", "@ was founded in 1961."),
        (
            "The town where Anna Miles was born has 12,000 inhabitants.",
            "Anna Miles was born in @.",
            "@ has 12,000 inhabitants.",
        ),
        (
            "The company founded by Otto Brandt in 1988 makes tram doors.",
            "@ was founded by Otto Brandt in 1988.",
            "@ makes tram doors.",
        ),
        (
            "The composer of The Glass Ferryman lives in an old windmill.",
            "@ is the composer of The Glass Ferryman.",
            "@ lives in an old windmill.",
        ),
        (
            "Corbel Bridge's builder employs 300 people.",
            "@ is Corbel Bridge's builder.",
            "@ employs 300 people.",
        ),
        (
            "In 2021 the charity behind the Lark Trail raised 40,000 pounds.",
            "@ is the charity behind the Lark Trail.",
            "In 2021 @ raised 40,000 pounds.",
        ),
        (
            "Route 9 in Averley is run by a company that drew 402 complaints in 2025.",
            "Route 9 in Averley is run by @.",
            "@ drew 402 complaints in 2025.",
        ),
        (
            "Kerbwise was the idea of somebody who first stood for election in 2019.",
            "Kerbwise was the idea of @.",
            "@ first stood for election in 2019.",
        ),
        (
            "Hallowfield is the birthplace of the person who led the Brevolin trial.",
            "@ led the Brevolin trial.",
            "Hallowfield is the birthplace of @.",
        ),
    ],
)
def test_what_describes_is_read_as_two_statements(claim: str, anchor: str, other: str) -> None:
    found = find_description(claim)
    assert found is not None
    assert found.text in claim
    assert found.anchor(NAME) == anchor.replace("@", NAME)
    assert found.other(NAME) == other.replace("@", NAME)


@pytest.mark.parametrize(
    "claim",
    [
        "The bus takes 50 passengers.",
        "Corbel Bridge was rebuilt in 2019.",
        "The cost of the library rose.",
        "Ada Quill is the mayor of Harrowmere.",
        "",
    ],
)
def test_a_claim_that_names_what_it_speaks_of_has_no_description(claim: str) -> None:
    assert find_description(claim) is None


@settings(max_examples=50)
@given(st.text(max_size=60))
def test_any_text_is_read_without_an_error_and_the_parts_are_its_own(text: str) -> None:
    found = find_description(text)
    assert found is None or found.text in text


def test_candidates_come_from_sentences_about_the_named_thing() -> None:
    found = find_description(CLAIM)
    assert found is not None
    sentences = [
        "Drummel Roofing was founded in 1988.",
        f"Corbel Bridge was rebuilt by {NAME} near Skelby in May.",
    ]
    assert candidates(found, CLAIM, sentences) == [NAME, "Skelby"][:MAX_CANDIDATES]
    assert candidates(found, CLAIM, sentences[:1]) == []


def resolved(found: Investigation) -> list[tuple[str, str, float]]:
    return [(p.question.purpose, p.label, p.score) for p in found.qa_pairs if p.question.purpose.startswith("resolve:")]


def deps_of(claim: str, texts: dict[str, str], **changes: object) -> object:
    verifier = changes.pop("verifier", Overlap())
    trust = RelationTrust(verifier, texts.get, lambda doc_id: ())  # type: ignore[arg-type]
    return make_deps(claim, retriever=Shelf(texts), verifier=verifier, trust=trust, **changes)


@pytest.mark.parametrize("method", ["chain", "tree"])
def test_a_name_that_was_found_is_asked_about_and_labels_the_pair(method: str) -> None:
    found = run(CLAIM, deps_of(CLAIM, TEXTS), method)  # type: ignore[arg-type]
    purpose, label, score = resolved(found)[0]
    assert purpose == f"resolve:{NAME}"
    assert label == "entailed"
    assert 0.5 <= score <= 1
    assert found.proposal is not None
    assert found.proposal.label == "supported"
    assert {s.claim_id for s in found.scored} == {"c1"}


def test_all_questions_at_once_cannot_know_the_name() -> None:
    assert resolved(run(CLAIM, deps_of(CLAIM, TEXTS), "subq")) == []  # type: ignore[arg-type]


class Stranger(Overlap):
    """Knows of no firm that rebuilt the bridge."""

    def _one(self, pair: PairText) -> Assessment:
        found = super()._one(pair)
        if pair.claim != ANCHOR:
            return found
        return found.model_copy(update={"calibrated": NLIScores(entailment=0.2, neutral=0.8, contradiction=0)})


def test_a_name_that_is_not_what_is_described_labels_nothing() -> None:
    verifier = Stranger()
    found = run(CLAIM, deps_of(CLAIM, TEXTS, verifier=verifier), "tree")  # type: ignore[arg-type]
    assert resolved(found)
    assert ANCHOR in {p.claim for p in verifier.pairs}
    rest = f"{NAME} was founded in 1961."
    assert not [p for p in verifier.pairs if p.claim == p.premise == rest]


def test_another_value_speaks_against_the_claim() -> None:
    texts = {**TEXTS, "dinner": f"{NAME} was founded in 1924."}
    found = run(CLAIM, deps_of(CLAIM, texts), "tree")  # type: ignore[arg-type]
    assert "contradicted" in {label for _, label, _ in resolved(found)}


def test_without_room_for_passes_nothing_is_read() -> None:
    verifier = Overlap()
    deps = deps_of(CLAIM, TEXTS, caps=Caps(max_pairs=40), verifier=verifier)
    assert resolved(run(CLAIM, deps, "tree"))  # type: ignore[arg-type]
    assert ANCHOR not in {p.claim for p in verifier.pairs}


class Stumbling(Overlap):
    """Fails on the statements that a name was put into."""

    def _one(self, pair: PairText) -> Assessment:
        if pair.claim == ANCHOR:
            raise BackendUnavailable("the verifier is gone")
        return super()._one(pair)


@pytest.mark.parametrize("method", ["chain", "tree"])
def test_a_verifier_that_fails_there_is_a_failure_of_the_claim(method: str) -> None:
    found = run(CLAIM, deps_of(CLAIM, TEXTS, verifier=Stumbling()), method)  # type: ignore[arg-type]
    assert [f.claim_id for f in found.failures if f.where == "verifier.assess"]
    assert all(label == "not_enough_info" for _, label, _ in resolved(found))


def test_other_questions_are_not_read_so() -> None:
    deps = deps_of(CLAIM, TEXTS)
    found = run(CLAIM, deps, "tree")  # type: ignore[arg-type]
    first = found.qa_pairs[0]
    claim = found.claim_ir.claims[0]
    assert read_bridge(deps, claim, first.question, first.hits, found.scored, 200) is None  # type: ignore[arg-type]
