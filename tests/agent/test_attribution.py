"""ClaimVer: the paper's table, exact spans, universals, and labels from real sentences."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.assessment.attribution_scores import Weights, claim_score, kas_mean, kas_sum, tms
from agent.attribution.quantified import instance_of
from agent.attribution.spans import MAX_CHARACTERS, _pieces, claim_spans
from factdesk.kernel import InputError

ATTRIBUTABLE, WITH, WITHOUT, CONTRADICTORY = 2, 1, 0, -1


@pytest.mark.parametrize(
    ("claims", "kas"),
    [
        ([(ATTRIBUTABLE, 0.852), (ATTRIBUTABLE, 0.637)], 0.818),
        ([(ATTRIBUTABLE, 0.788), (ATTRIBUTABLE, 0.882), (WITHOUT, 0.0)], 0.752),
        ([(ATTRIBUTABLE, 0.942), (WITHOUT, 0.0)], 0.719),
        ([(ATTRIBUTABLE, 0.505), (WITHOUT, 0.0), (WITHOUT, 0.0)], 0.583),
        ([(CONTRADICTORY, 0.781), (WITH, 0.065)], 0.248),
        ([(CONTRADICTORY, 0.933)], 0.057),
    ],
)
def test_table_2_of_the_paper(claims: list[tuple[int, float]], kas: float) -> None:
    assert kas_mean(claims) == pytest.approx(kas, abs=0.01)


def test_the_sum_is_not_the_mean() -> None:
    claims = [(2, 0.852), (2, 0.637)]
    assert kas_sum(claims) == pytest.approx(0.9516, abs=1e-3)
    assert kas_mean([]) == 0.5


def test_the_sum_is_eq_5_with_the_sign_of_the_whole() -> None:
    """A negative claim does not weigh threefold where the text as a whole is positive."""
    assert kas_sum([(2, 0.5), (-1, 0.9)]) == pytest.approx(1 / (1 + math.exp(-0.1)), abs=1e-6)
    assert kas_sum([(2, 0.4), (-1, 0.9)]) == pytest.approx(1 / (1 + math.exp(0.3)), abs=1e-6)
    assert kas_sum([(2, 0.4), (-1, 0.9)], gamma=1.0) == pytest.approx(1 / (1 + math.exp(0.1)), abs=1e-6)


def test_scores_of_one_claim() -> None:
    assert tms(0.8, 0.5, Weights()) == pytest.approx(0.65)
    assert tms(0.8, 0.5, Weights(alpha=1.0, beta=0.0)) == pytest.approx(0.8)
    assert [claim_score("attributable", True), claim_score("contradictory", True)] == [2, -1]
    assert [claim_score("extrapolatory", True), claim_score("extrapolatory", False)] == [1, 0]


@given(st.lists(st.tuples(st.sampled_from([2, 1, 0, -1]), st.floats(0, 1)), max_size=30))
def test_kas_stays_within_its_bounds(claims: list[tuple[int, float]]) -> None:
    assert 0 <= kas_sum(claims) <= 1
    assert 0.04 < kas_mean(claims) < 0.9


@pytest.mark.parametrize(
    ("claim", "instance"),
    [
        ("The tram has never derailed.", "The tram has derailed."),
        ("The museum never sold the painting.", "The museum sold the painting."),
        ("Nobody was hurt.", "Somebody was hurt."),
        ("No tram has ever derailed.", "A tram has derailed."),
        ("All shops were open.", "Some shops were not open."),
        ("The bridge was always open.", "The bridge was not open."),
        ("The tram derailed.", None),
        ("No longer is the tram in use.", None),
    ],
)
def test_universals_give_the_instance_that_refutes_them(claim: str, instance: str | None) -> None:
    assert instance_of(claim) == instance


SENTENCES = st.sampled_from(
    [
        "The library was designed in 1908 and has been a listed building since 1974.",
        "Its roof cost £1.3 million, Marrow said.",
        "Anna Berg and Carl Lund signed the contract.",
        "Nobody was hurt!",
        "“It leaks,” he said; the mayor, who was there, laughed.",
        "- 40 trams; 12 buses",
        "",
        "\u202ereversed\u202c   spaces",
    ]
)


@settings(max_examples=15)
@given(st.lists(SENTENCES, min_size=1, max_size=7), st.sampled_from([" ", "\n", "\n\n", "\r\n\r\n"]))
def test_spans_are_exact_and_in_order(sentences: list[str], glue: str) -> None:
    text = glue.join(sentences)
    if not any(c.isalnum() for c in text):
        with pytest.raises(InputError):
            claim_spans(text)
        return
    found = claim_spans(text)
    for one in found:
        assert 0 <= one.start < one.end <= len(text)
        assert text[one.start : one.end].strip()
    assert [one.start for one in found] == sorted(one.start for one in found)


def test_claims_of_one_sentence_stand_apart_and_pronouns_are_filled_in() -> None:
    text = (
        "The Tollgate Library opened on Friday. "
        "It was designed in 1908 by Walter Dray and has been a listed building since 1974."
    )
    found = claim_spans(text)
    words = [text[one.start : one.end] for one in found]
    assert words[1:] == ["It was designed in 1908 by Walter Dray", "has been a listed building since 1974"]
    assert all("Tollgate Library" in one.claim.text for one in found[1:])


FINER = [
    (
        "Ana Roth runs Harrow Dairy, which sells cheese in Tarn.",
        ["Ana Roth runs Harrow Dairy.", "Harrow Dairy sells cheese in Tarn."],
    ),
    (
        "The Iris Lock, which carries barges to Milbeck, was rebuilt in 1974.",
        ["The Iris Lock was rebuilt in 1974.", "The Iris Lock carries barges to Milbeck."],
    ),
    (
        "The film was shot in Corvane, directed by Oren Falk.",
        ["The film was shot in Corvane.", "The film was directed by Oren Falk."],
    ),
    (
        "The mayor opened the bridge, accompanied by Oren Falk.",
        ["The mayor opened the bridge.", "The mayor was accompanied by Oren Falk."],
    ),
    (
        "Founded in 1908, and with offices in Tarn, Harrow Dairy sells cheese.",
        [
            "Harrow Dairy was founded in 1908.",
            "Harrow Dairy has offices in Tarn.",
            "Harrow Dairy sells cheese.",
        ],
    ),
    (
        "Corrie Bridge is the oldest bridge in Tarn and known for its green arches.",
        ["Corrie Bridge is the oldest bridge in Tarn.", "Corrie Bridge is known for its green arches."],
    ),
    (
        "The library cost 6 million euros and opened on Friday.",
        ["The library cost 6 million euros.", "The library opened on Friday."],
    ),
    (
        "Oren Falk never opened the mill, nor did he sell Harrow's land.",
        ["Oren Falk never opened the mill.", "Oren Falk did not sell Harrow's land."],
    ),
    (
        "Oren Falk was born in Tarn, and Milbeck's Bell",
        ["Oren Falk was born in Tarn.", "Milbeck's Bell."],
    ),
]


@pytest.mark.parametrize(("text", "claims"), FINER)
def test_clauses_and_participles_are_claims_of_their_own(text: str, claims: list[str]) -> None:
    found = claim_spans(text)
    assert [one.claim.text for one in found] == claims
    for one in found:
        said = {w.strip(".,").lower() for w in text[one.start : one.end].split()}
        assert said - {"which", "nor", "he", "with"} <= {w.strip(".,").lower() for w in one.claim.text.split()}
    assert all(a.end <= b.start for a, b in pairwise(found))


@pytest.mark.parametrize(
    "text",
    [
        "The mayor resigned, which means that the council must vote.",
        "Anna Berg, Carl Lund, and Ida Holm signed the contract.",
        "The council said the bridge, built in 1932, was safe and sound.",
        "The lock that carries barges was rebuilt.",
        "The council did not sell or lease the land.",
    ],
)
def test_what_belongs_together_stays_whole(text: str) -> None:
    assert [one.claim.text for one in claim_spans(text)] == [text]


def test_a_pronoun_that_nobody_can_fill_is_named() -> None:
    (one,) = claim_spans("It was designed in 1908.")
    assert one.open_pronoun == "it"


def test_a_long_text_loses_no_claim() -> None:
    text = " ".join(f"The Tollgate Library lent {n} books in 2024." for n in range(100, 140))
    assert len(claim_spans(text)) == 40


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("Corrie Bridge was opened in 1932. It was designed by Ragna Feld.", "Corrie Bridge was designed by"),
        ("Corrie Bridge was opened in 1932.\n\nIt was designed by Ragna Feld.", "Corrie Bridge was designed"),
        ("Corrie Bridge was opened in 1932. In 1950 it was rebuilt.", "In 1950 Corrie Bridge was rebuilt"),
        ("Corrie Bridge was opened in 1932. Ragna Feld designed it.", "Ragna Feld designed Corrie Bridge"),
        ("Ragna Feld leads Milbeck Council. Oren Falk met her in 2019.", "Oren Falk met Ragna Feld in 2019"),
        ("The trams were bought in 2019. Milbeck Council sold them.", "Milbeck Council sold the trams"),
        ("Ragna Feld sold her house in 2020.", "Ragna Feld sold her house in 2020"),
        ("After she resigned, Anna Berg moved to Milbeck.", "After she resigned, Anna Berg moved"),
    ],
)
def test_pronouns_are_filled_in_wherever_they_stand(text: str, claim: str) -> None:
    last = claim_spans(text)[-1]
    assert last.claim.text.startswith(claim)
    assert (last.open_pronoun, last.claim.unsupported_by_design) == ("", None)


@pytest.mark.parametrize(
    ("text", "pronoun"),
    [
        ("Ragna Feld met Oren Falk. He was born in 1970.", "he"),
        ("Ragna Feld leads the club. Its hall is old. Oren Falk mended it. She was born in 1970.", "she"),
        ("Corrie Bridge crosses the river Tam. It was built by Ragna Feld.", "it"),
        ("Corrie Bridge was opened in 1932. The council says it cost 4 million euros.", "it"),
        ("Oren Falk praised him.", "him"),
        ("Oren Falk designed it.", "it"),
    ],
)
def test_where_two_could_be_meant_or_nobody_the_pronoun_stays_and_is_named(text: str, pronoun: str) -> None:
    last = claim_spans(text)[-1]
    assert last.open_pronoun == pronoun
    assert last.claim.text in text


def test_a_text_in_pieces_keeps_its_places() -> None:
    for glue in ("\n\n", " "):
        text = glue.join(f"The Tollgate Library lent {n} books in 2024." for n in range(1000, 1600))
        found = list(_pieces(text))
        assert len(found) > 1
        assert all(end - start <= MAX_CHARACTERS for start, end in found)
        assert "".join(text[a:b] for a, b in found) == text
        assert all(text[a:].lstrip().startswith("The Tollgate") for a, _ in found)
