"""The slot guard: agrees with true paraphrases, finds what is stated otherwise, says so in words."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.verifier.paraphrases import FRESH, LAST, LATER, PARAPHRASES
from verifier.guard import check, denies
from verifier.guard.check import compare
from verifier.guard.text import text_of

PAIRS = PARAPHRASES + LATER + LAST + FRESH
ALLOWED = 0.03
"""Share of true paraphrases that may be blocked wrongly."""


def test_true_paraphrases_are_let_through() -> None:
    blocked = [(c, e, check(c, e).findings) for c, e in PAIRS if not check(c, e).agrees]
    assert len(PAIRS) >= 300
    assert len(blocked) / len(PAIRS) <= ALLOWED, blocked


def test_a_message_names_both_values() -> None:
    (found,) = check("It cost $5 million.", "It cost €6 million.").findings
    assert found.message == "The claim says '$5 million'; the evidence says '€6 million'."
    (missing,) = check("It cost $5 million.", "It was costly.").findings
    assert missing.message == "The evidence does not state '$5 million'."


@pytest.mark.parametrize(("claim", "evidence"), [pair for pair in PAIRS if any(c in "12345678" for c in pair[0])])
def test_a_changed_number_is_always_found(claim: str, evidence: str) -> None:
    """Each figure of the claim, changed by rule, must no longer pass."""
    rng = random.Random(claim)
    at = rng.choice([i for i, c in enumerate(claim) if c in "12345678"])
    changed = claim[:at] + str(int(claim[at]) + 1) + claim[at + 1 :]
    report = check(changed, evidence)
    # a last figure within "about", "more than", "fewer than" may move without becoming wrong
    hedged = any(
        w in claim
        for w in (
            "About",
            "More than",
            "Over",
            "Fewer",
            "Between",
            "Nearly",
            "At least",
            "under",
            "about",
            "Less than",
        )
    )
    assert not report.agrees or hedged, changed


AUXILIARY = re.compile(r"\b(is|was|are|were|has|have|will|can|may)\b(?! not\b)")
SWAPS = (
    ("north", "south"),
    ("rose", "fell"),
    ("increased", "decreased"),
    ("2016", "2015"),
    ("euros", "dollars"),
)


@pytest.mark.parametrize("claim", [c for c, _ in PAIRS if AUXILIARY.search(c) and not text_of(c).cues])
def test_a_negation_put_in_or_taken_out_is_found(claim: str) -> None:
    """Against evidence in the claim's own words, both ways; a second denial is for the models (``tests/rules``)."""
    denied = AUXILIARY.sub(r"\1 not", claim, count=1)
    assert not check(denied, claim).agrees, denied
    assert not check(claim, denied).agrees, denied


@pytest.mark.parametrize("claim", [text for pair in PAIRS for text in pair if any(a in text.split() for a, _ in SWAPS)])
def test_a_word_swapped_by_rule_is_found(claim: str) -> None:
    for old, new in SWAPS:
        changed = re.sub(rf"\b{old}\b", new, claim)
        assert changed == claim or not check(changed, claim).agrees


def test_context_supplies_names_and_dates_but_no_amounts() -> None:
    premise = "She resigned."
    assert not check("Anna Berg resigned in 2016.", premise).agrees
    assert check("Anna Berg resigned in 2016.", premise, "Anna Berg, minister, 2016").agrees
    assert not check("She resigned after 12 years.", premise, "12 years of Anna Berg").agrees
    conflict = check("She resigned in 2016.", "She resigned in 2017.", "The events of 2016")
    assert conflict.conflicts


def test_the_day_of_publication_dates_a_premise_without_a_year() -> None:
    claim = "The bridge opened on 5 March 2016."
    assert check(claim, "The bridge opened on 5 March.", published="2016-03-07").agrees
    assert not check(claim, "The bridge opened on 5 March.", published="2017-03-07").agrees
    assert not check(claim, "The bridge opened on 5 March.", published="2016-03-01").agrees
    assert check("The bridge opened in 2016.", "The bridge opened.", published="2016-03-07").agrees


def test_same_subject() -> None:
    assert check("Oslo has 12 schools.", "Oslo has 14 schools.").same_subject
    assert not check("Oslo has 12 schools.", "Bergen is wet.").same_subject
    empty = check("Oslo has 12 schools.", " . ")
    assert not empty.agrees
    assert not empty.same_subject


SENTENCES = st.sampled_from(sorted({text for pair in PAIRS for text in pair}))


@settings(max_examples=50)
@given(st.lists(SENTENCES, min_size=1, max_size=4))
def test_a_text_agrees_with_itself(sentences: list[str]) -> None:
    text = " ".join(sentences)
    assert check(text, text).agrees, check(text, text).findings


@settings(max_examples=50)
@given(SENTENCES, SENTENCES)
def test_the_guard_is_deterministic(claim: str, evidence: str) -> None:
    assert check(claim, evidence) == compare.__wrapped__(claim, evidence, "", "", frozenset())


@settings(max_examples=50)
@given(st.text(), st.text(), st.text())
def test_no_text_makes_it_raise(claim: str, premise: str, context: str) -> None:
    report = check(claim, premise, context)
    assert report.agrees is not bool(report.findings)


@pytest.mark.parametrize(
    ("first", "second", "denied"),
    [
        ("No tram derailed on line 4 in June 2025.", "Tram line 4 derailed twice in its second week.", True),
        ("Revenue rose by 4 percent in May.", "In May revenue fell by 4 percent.", True),
        ("The bridge has not been closed.", "The bridge was closed on Monday.", True),
        ("The bridge was closed.", "The council shut the bridge on Monday.", False),
        ("The bridge was not rebuilt.", "Nobody has rebuilt the bridge.", False),
        ("Nobody has died of cholera in Tarrin County.", "Tarrin County has 61 cases of cholera.", False),
        ("No tram derailed on line 4 in June.", "Tram line 4 in Port Selwick opened in June.", False),
    ],
)
def test_a_denial_is_one_either_way_round(first: str, second: str, denied: bool) -> None:
    assert denies(first, second) is denies(second, first) is denied


@pytest.mark.parametrize(
    ("published", "agrees"), [("2031-04-04", True), ("2031-03-30", False), ("2032-04-04", False), ("", False)]
)
def test_what_happened_to_nobody_this_year_happened_to_nobody_in_its_first_quarter(
    published: str, agrees: bool
) -> None:
    claim, told = (
        "Nobody drowned off Ketterness in the first quarter of 2031.",
        "Off Ketterness nobody drowned this year.",
    )
    assert check(claim, told, published=published).agrees == agrees
    assert not check(claim, "Off Ketterness nobody drowned.", published="2031-04-04").agrees


def test_what_happened_to_some_this_year_need_not_have_happened_in_its_first_quarter() -> None:
    claim, told = (
        "Bathers drowned off Ketterness in the first quarter of 2031.",
        "Off Ketterness bathers drowned this year.",
    )
    assert [f.slot for f in check(claim, told, published="2031-04-04").findings] == ["date"]
