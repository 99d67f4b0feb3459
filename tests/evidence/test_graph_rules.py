"""Triples from sentences: what the rules find, and what they leave alone."""

from __future__ import annotations

import pytest

from evidence.graph.build import RulesExtractor, make_extractor
from evidence.graph.rebel import parse_rebel
from evidence.graph.types import Triple
from evidence.types import Document
from factdesk.kernel import BackendUnavailable, ConfigError, sha256_text
from language.nlp.pipeline import load_nlp, nlp_fingerprint


def triples(text: str, title: str = "") -> tuple[Triple, ...]:
    document = Document(doc_id="d", title=title, text=text, sha256=sha256_text(text))
    found = RulesExtractor(load_nlp(), nlp_fingerprint()).extract(document)
    for triple in found:
        assert 0 <= triple.start < triple.end <= len(text)
    return found


def written(text: str) -> set[tuple[str, str, str]]:
    return {(t.subject.text, t.relation, t.object.text) for t in triples(text)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The council sold the mill.", ("council", "sell", "mill")),
        ("The mill was sold by the council.", ("council", "sell", "mill")),
        ("The Quillon Museum is in Lorvain.", ("Quillon Museum", "be in", "Lorvain")),
        ("Anna Berg, the mayor of Lorvain, resigned in 2021.", ("Anna Berg", "be mayor of", "Lorvain")),
        ("Anna Berg, the mayor of Lorvain, resigned in 2021.", ("Anna Berg", "resign in", "2021")),
        ("Head librarian Samir Oakes left the town.", ("Samir Oakes", "be", "Head librarian")),
        ("The roof cost £1.3 million.", ("roof", "cost", "£1.3 million")),
        ("Sales at Ostrel Tiles fell by 9 percent.", ("sales at Ostrel Tiles", "fall by", "9 percent")),
        ("The library reopened on 14 March 2025.", ("library", "reopen on", "14 March 2025")),
        ("The firm won the contract in May.", ("firm", "win contract in", "May")),
        ("In May the firm won the contract.", ("firm", "win contract in", "May")),
        ("The urn was stolen from the Quillon Museum.", ("urn", "be stolen from", "Quillon Museum")),
        ("Oslo is the capital of Norway.", ("Oslo", "be capital of", "Norway")),
        ("The council wants to buy the site.", ("council", "want to buy", "site")),
        ("The town of Dunmarrow owns a quarry.", ("Dunmarrow", "own", "quarry")),
        ("The council hated the plan.", ("council", "hate", "plan")),
        (
            "The Payments Authority has fined Payvane 1.8 million euros for the outage in May.",
            ("Payments Authority", "fine", "Payvane"),
        ),
        ("The office gave the firm a licence.", ("office", "give licence to", "firm")),
        ("Dunmarrow mostly exports tiles.", ("Dunmarrow", "mostly export", "tiles")),
        ("The error is referred to as a gap.", ("error", "be referred to as", "gap")),
        ("They saw the opening of the mills that were sold by Ostrel.", ("Ostrel", "sell", "mills")),
    ],
)
def test_a_sentence_gives_its_triple(text: str, expected: tuple[str, str, str]) -> None:
    assert expected in written(text)


def test_what_was_hoped_or_demanded_is_not_said_to_be_so() -> None:
    found = triples("The council hoped to buy the mill. Mayor Berg demanded that the state provide housing.")
    assert {(t.relation, t.hedged) for t in found} >= {("hope to buy", True), ("provide", True)}


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("The share rose to 41 percent (from 30 percent before).", "30 percent"),
        ("The plant employs fewer people than the city has claimed.", "fewer people"),
        ("The museum praised the act for the guard, which sanctioned the search.", "search"),
        ("The firm lost 24 percent one year after the fire.", "fire"),
    ],
)
def test_what_a_rule_cannot_place_is_left_out(text: str, wrong: str) -> None:
    assert wrong not in {found[2] for found in written(text)}


def test_coordinated_subjects_and_objects_are_told_apart() -> None:
    found = written("Ostrel Ceramics and the Kiln Union signed a contract and a letter.")
    assert {(s, "sign", o) for s in ("Ostrel Ceramics", "Kiln Union") for o in ("contract", "letter")} <= found


@pytest.mark.parametrize(
    "text",
    [
        "Did the council sell the mill?",
        "If the council sold the mill, the town would protest.",
        "There is rain.",
        "It was stolen.",
        "They left it there.",
    ],
)
def test_what_is_not_said_gives_no_triple(text: str) -> None:
    assert not [t for t in triples(text) if not t.hedged]


def test_denial_doubt_and_sayings_are_marked() -> None:
    (denied,) = [t for t in triples("The council did not sell the mill.") if t.relation == "sell"]
    assert denied.negated
    (none,) = [t for t in triples("The inspector found no defects.") if t.relation == "find"]
    assert none.negated
    (twice,) = [t for t in triples("The firm denied that hackers stole the data.") if t.relation == "steal"]
    assert twice.negated
    assert twice.said_by == "firm"
    (open_,) = [t for t in triples("The council may sell the mill.") if t.relation == "sell"]
    assert open_.hedged


def test_who_is_meant_is_filled_in_within_a_document() -> None:
    text = (
        "Mayor Odile Prentiss opened the Tollgate Library. She praised the builders. "
        "The library has a new roof. Prentiss left early."
    )
    found = written(text)
    assert ("Odile Prentiss", "praise", "builders") in found
    assert ("Tollgate Library", "have", "new roof") in found


def test_an_open_pronoun_gives_no_triple() -> None:
    text = "Anna Berg met Carl Lund in Lorvain. Anna Berg and Carl Lund talked. He praised the mayor."
    assert not [t for t in triples(text) if t.relation == "praise"]


def test_the_same_document_gives_the_same_triples_in_any_company() -> None:
    texts = ["The council sold the mill. It earned 3 million euros.", "Anna Berg leads the firm."]
    alone = [triples(t) for t in texts]
    assert [triples(t) for t in reversed(texts)] == alone[::-1]


def test_rebel_output_is_read_back() -> None:
    text = (
        "<s><triplet> Oslo <subj> Norway <obj> capital of <subj> 1048 <obj> inception "
        "<triplet> Norway <subj> Europe <obj> continent</s><pad>"
    )
    assert parse_rebel(text) == (
        ("Oslo", "capital of", "Norway"),
        ("Oslo", "inception", "1048"),
        ("Norway", "continent", "Europe"),
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Oslo is a town",
        "<triplet> Oslo <subj> Norway",
        "<subj> Norway <obj> capital",
        "<triplet><subj><obj>",
    ],
)
def test_rebel_output_that_is_cut_short_gives_nothing(text: str) -> None:
    assert parse_rebel(text) == ()


def test_unknown_extractors_and_missing_weights_are_refused() -> None:
    with pytest.raises(ConfigError, match="rules, rebel:PATH_OR_ID"):
        make_extractor("magic", load_nlp(), nlp_fingerprint())


def test_rebel_without_weights_says_so(tmp_path: object) -> None:
    with pytest.raises(BackendUnavailable, match="no REBEL model"):
        make_extractor(f"rebel:{tmp_path}", load_nlp(), nlp_fingerprint())
