"""The slot guard: agrees with true paraphrases, finds what is stated otherwise, says so in words."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.verifier.paraphrases import FRESH, LAST, LATER, PARAPHRASES
from verifier.guard import check, denies
from verifier.guard.check import compare

PAIRS = PARAPHRASES + LATER + LAST + FRESH
ALLOWED = 0.03
"""Share of true paraphrases that may be blocked wrongly."""


def test_true_paraphrases_are_let_through() -> None:
    blocked = [(c, e, check(c, e).findings) for c, e in PAIRS if not check(c, e).agrees]
    assert len(PAIRS) >= 300
    assert len(blocked) / len(PAIRS) <= ALLOWED, blocked


# claim, evidence, slot, kind
FOUND = (
    # numbers
    ("The town has 12 schools.", "The town has 14 schools.", "number", "conflict"),
    ("The town has twelve schools.", "The town has 14 schools.", "number", "conflict"),
    ("The town has 12 schools.", "The town has many schools.", "number", "missing"),
    ("The town has 23,000 residents.", "The town has 32,000 residents.", "number", "conflict"),
    ("More than 50 people died.", "49 people died.", "number", "conflict"),
    ("At least 60 people died.", "50 people died.", "number", "conflict"),
    ("Up to 50 people died.", "60 people died.", "number", "conflict"),
    ("The team won 3-1.", "The team won 4-1.", "number", "conflict"),
    ("She came third.", "She came second in the race.", "number", "conflict"),
    ("Sales doubled.", "Sales tripled.", "number", "conflict"),
    ("The man is 34 years old.", "The man is 43 years old.", "number", "conflict"),
    ("Line 4 was closed.", "Line 5 was closed.", "number", "conflict"),
    ("Hundreds of people came.", "Thousands of people came.", "number", "conflict"),
    ("The train leaves at 5 pm.", "The train leaves at 6 pm.", "number", "conflict"),
    # units
    ("The road is 12 km long.", "The road is 12 miles long.", "unit", "conflict"),
    ("The dam is 45 metres tall.", "The dam is 45 feet tall.", "unit", "conflict"),
    ("The plant yields 5 GWh.", "The plant yields 5 MWh.", "unit", "conflict"),
    ("The plant has 5 GW.", "The plant yields 5 GWh.", "unit", "missing"),
    ("It warmed to 41 °C.", "It warmed to 41 °F.", "unit", "missing"),
    ("The parcel weighs 3 kg.", "The parcel weighs 3 tonnes.", "unit", "conflict"),
    ("The film lasts two hours.", "The film lasts two days.", "unit", "conflict"),
    ("The car does 120 km/h.", "The car does 100 km/h.", "unit", "conflict"),
    # money
    ("It cost $5 million.", "It cost $6 million.", "money", "conflict"),
    ("It cost $5 million.", "It cost €5 million.", "money", "conflict"),
    ("It cost $5 million.", "It cost $5 billion.", "money", "conflict"),
    ("It cost £0.3m.", "It cost a great deal.", "money", "missing"),
    # percentages
    ("Rents rose by 3.5 percent.", "Rents rose by 5.3 percent.", "percentage", "conflict"),
    ("A third of voters stayed home.", "Half of voters stayed home.", "percentage", "conflict"),
    ("Rents rose by 3 percent.", "Rents rose by 3 percentage points.", "percentage", "conflict"),
    ("One in five adults smokes.", "One in ten adults smokes.", "percentage", "conflict"),
    ("Rents rose by 3 percent.", "Rents rose.", "percentage", "missing"),
    # dates
    ("It opened in 2016.", "It opened in 2017.", "date", "conflict"),
    ("It opened on 5 March 2016.", "It opened on 6 March 2016.", "date", "conflict"),
    ("It opened in March 2016.", "It opened in May 2016.", "date", "conflict"),
    ("It opened in March 2016.", "It opened in 2016.", "date", "missing"),
    ("It opened in the 1990s.", "It opened in 2001.", "date", "conflict"),
    ("It opened on Monday.", "It opened on Tuesday.", "date", "conflict"),
    ("It opened on a Monday.", "It opened on 5 March 2016.", "date", "conflict"),
    ("The league of 2020-21 began late.", "The league of 2019-20 began late.", "date", "conflict"),
    ("It opened in 2016.", "It opened.", "date", "missing"),
    # names
    ("Anna Berg owns the farm.", "Carl Berg owns the farm.", "entity", "conflict"),
    ("Oslo hosted the games.", "Bergen hosted the games.", "entity", "missing"),
    ("The WHO declared an end.", "The FAO declared an end.", "entity", "missing"),
    ("New York City banned it.", "Kansas City banned it.", "entity", "conflict"),
    ("The Senate passed it.", "The Congress passed it.", "entity", "missing"),
    # negation
    ("The bridge is open.", "The bridge is not open.", "negation", "conflict"),
    ("The bridge is not open.", "The bridge is open.", "negation", "conflict"),
    ("The drug cures malaria.", "The drug doesn't cure malaria.", "negation", "conflict"),
    ("The drug cures malaria.", "The drug never cures malaria.", "negation", "conflict"),
    ("The drug cures malaria.", "The drug fails to cure malaria.", "negation", "conflict"),
    ("The drug cures malaria.", "No drug cures malaria.", "negation", "conflict"),
    ("The mayor took bribes.", "The mayor denied that he took bribes.", "negation", "conflict"),
    ("The report is not true.", "The report is true.", "negation", "conflict"),
    ("It is false that the team lost.", "The team lost, though nobody was sad.", "negation", "missing"),
    (
        "It is not true that a dog is outside.",
        "A dog plays; no cat is there.",
        "negation",
        "missing",
    ),
    ("The drug cures COVID-190.", "The drug cures COVID-19.", "entity", "conflict"),
    ("It was an A320 that crashed.", "An A330 has crashed.", "entity", "conflict"),
    ("Nobody was injured.", "Someone was injured.", "negation", "conflict"),
    ("The town has no hospital.", "The town has a hospital.", "negation", "conflict"),
    ("The river is free of oil.", "The river is full of oil.", "negation", "conflict"),
    ("The dish contains sugar.", "The dish is free of sugar.", "negation", "conflict"),
    ("The council approved membership.", "The council turned down membership.", "negation", "conflict"),
    ("The plan passed.", "The plan was without a majority and never passed.", "negation", "conflict"),
    ("He cannot swim.", "He can swim.", "negation", "conflict"),
    # quantifiers and superlatives
    ("All schools closed.", "Some schools closed.", "quantifier", "conflict"),
    ("Every school closed.", "Most schools closed.", "quantifier", "conflict"),
    ("All schools closed.", "The school closed.", "quantifier", "missing"),
    ("Only members may vote.", "Members may vote.", "quantifier", "missing"),
    ("It is the longest river.", "It is a long river.", "quantifier", "missing"),
    ("Most residents oppose it.", "Residents oppose it.", "quantifier", "missing"),
    ("Both brothers left.", "One brother left.", "quantifier", "missing"),
    # direction
    ("Rents rose.", "Rents fell.", "direction", "conflict"),
    ("Exports increased.", "Exports decreased.", "direction", "conflict"),
    ("It is higher.", "It is lower.", "direction", "conflict"),
    ("It is the largest.", "It is the smallest.", "direction", "conflict"),
    ("The team won.", "The team lost.", "direction", "conflict"),
    ("The law was approved.", "The law was rejected.", "direction", "conflict"),
    ("It happened before the war.", "It happened after the war.", "direction", "conflict"),
    ("The road is open.", "The road is closed.", "direction", "conflict"),
    ("He was convicted.", "He was acquitted.", "direction", "conflict"),
    ("It is in the north.", "It is in the south.", "direction", "conflict"),
    # who did what to whom
    ("Brazil beat Italy.", "Italy beat Brazil.", "entity", "conflict"),
    ("Ford bought Volvo.", "Volvo bought Ford.", "entity", "conflict"),
    ("Anna Berg sued Peter Hansen.", "Peter Hansen sued Anna Berg.", "entity", "conflict"),
    # hedges
    ("The council built a pool.", "The council plans to have built a pool.", "modality", "conflict"),
    ("The volcano erupted.", "The volcano may have erupted.", "modality", "conflict"),
    (
        "Cells cure scurvy.",
        "Cells may offer a robust, cheap, safe and quick cure of scurvy.",
        "modality",
        "conflict",
    ),
    ("The firm paid bribes.", "The firm allegedly paid bribes.", "modality", "conflict"),
    ("The guides will strike.", "The guides will strike unless Kos returns.", "modality", "conflict"),
    ("The mine will close.", "The mine will close in May if nobody buys it.", "modality", "conflict"),
    ("The mayor resigned.", "The mayor reportedly resigned.", "modality", "conflict"),
)


@pytest.mark.parametrize(("claim", "evidence", "slot", "kind"), FOUND)
def test_finds_what_is_stated_otherwise(claim: str, evidence: str, slot: str, kind: str) -> None:
    findings = check(claim, evidence).findings
    assert (slot, kind) in {(f.slot, f.kind) for f in findings}, findings
    for found in findings:
        for value in (found.claim_value, found.evidence_value):
            assert all(part in found.message for part in value.split(" … "))
    assert check(claim, claim).agrees


def test_a_message_names_both_values() -> None:
    (found,) = check("It cost $5 million.", "It cost €6 million.").findings
    assert found.message == "The claim says '$5 million'; the evidence says '€6 million'."
    (missing,) = check("It cost $5 million.", "It was costly.").findings
    assert missing.message == "The evidence does not state '$5 million'."


@pytest.mark.parametrize(
    ("claim", "evidence"), [pair for pair in PAIRS if any(c in "12345678" for c in pair[0])]
)
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


@pytest.mark.parametrize(
    "claim", [c for c, _ in PAIRS if AUXILIARY.search(c) and not re.search("n[o']|never", c)]
)
def test_a_negation_put_in_or_taken_out_is_found(claim: str) -> None:
    """Against evidence in the claim's own words, both ways."""
    denied = AUXILIARY.sub(r"\1 not", claim, count=1)
    assert not check(denied, claim).agrees, denied
    assert not check(claim, denied).agrees, denied


@pytest.mark.parametrize(
    "claim", [text for pair in PAIRS for text in pair if any(a in text.split() for a, _ in SWAPS)]
)
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


@given(st.lists(SENTENCES, min_size=1, max_size=4))
def test_a_text_agrees_with_itself(sentences: list[str]) -> None:
    text = " ".join(sentences)
    assert check(text, text).agrees, check(text, text).findings


@given(SENTENCES, SENTENCES)
def test_the_guard_is_deterministic(claim: str, evidence: str) -> None:
    assert check(claim, evidence) == compare.__wrapped__(claim, evidence, "", "", frozenset())


@given(st.text(), st.text(), st.text())
def test_no_text_makes_it_raise(claim: str, premise: str, context: str) -> None:
    report = check(claim, premise, context)
    assert report.agrees is not bool(report.findings)


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("There are 22 field offices.", "14 out of 22 field offices let half a year go by."),
        ("The median age is 51.", "Half of the women had reached it at a median age of 51."),
        ("More than 300 people aged at least 100 live there.", "340 people aged 100 or over live there."),
    ],
)
def test_shares_and_ages_give_their_numbers(claim: str, premise: str) -> None:
    assert check(claim, premise).agrees


def test_a_share_has_no_third_number() -> None:
    assert not check(
        "There are 30 field offices.", "14 out of 22 field offices let half a year go by."
    ).agrees


def test_a_sale_told_from_both_sides_is_one_deal() -> None:
    premise = "The old ferry was sold to a company in Tarn for 3 euros."
    assert check("The old ferry was bought by a company in Tarn.", premise).agrees
    assert not check(
        "The company in Tarn bought the old ferry.", "The company in Tarn sold the old ferry."
    ).agrees


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


@pytest.mark.parametrize(
    ("claim", "told", "conflict"),
    [
        ("Fishing is forbidden.", "The board lifted the fishing ban.", True),
        ("Fishing is allowed.", "The board lifted the fishing ban.", False),
        ("The board lifted the ban.", "Fishing is forbidden by the board.", True),
        ("Fishing is forbidden.", "The board refused to lift the fishing ban.", False),
    ],
)
def test_to_lift_a_ban_is_to_allow(claim: str, told: str, conflict: bool) -> None:
    assert any(f.slot == "direction" for f in check(claim, told).findings) == conflict
