"""Rules that once stopped a right verdict: each mend, beside what it must not let through."""

from __future__ import annotations

import pytest

from agent.assessment.nli_pairs import may_bear, relation_weight
from language.dates.resolve import dates_given
from language.quantities.mentions import find_slots
from verifier.guard import check
from verifier.guard.contrastive_negation import rejects, without_rejected
from verifier.guard.value_repair import DENIED, repairs
from verifier.premise.builder import with_lead
from verifier.types import Assessment, Counterfactual, GuardReport, NLIScores, PairText


def findings(claim: str, premise: str) -> list[tuple[str, str]]:
    return [(f.slot, f.kind) for f in check(claim, premise).findings]


@pytest.mark.parametrize(
    ("claim", "premise", "agrees"),
    [
        ("A crossing takes a little over half an hour.", "A crossing takes 35 minutes.", True),
        ("A crossing takes half an hour.", "A crossing takes 35 minutes.", False),
        ("It lay more than half a metre deep.", "It lay 55 centimetres deep.", True),
        ("It lay half a metre deep.", "It lay 75 centimetres deep.", False),
        ("It took half a year.", "It took six months.", True),
    ],
)
def test_half_of_a_unit_takes_more_than(claim: str, premise: str, agrees: bool) -> None:
    assert check(claim, premise).agrees is agrees


def test_the_parts_of_a_share_are_no_rivals_but_may_agree() -> None:
    line = "1 in 10 shops had to close for good"
    assert findings("1,204 shops were surveyed.", line) == [("number", "missing")]
    assert repairs("1,204 shops were surveyed.", line) == ()
    assert check("14 members voted for it.", "14 out of 22 members voted for it.").agrees
    assert findings("40 percent of shops closed.", line) == [("percentage", "conflict")]


def test_approval_and_a_block_are_opposites() -> None:
    claim = "The authority blocked the takeover."
    assert findings(claim, "The authority approved the takeover.") == [("direction", "conflict")]


@pytest.mark.parametrize(
    ("published", "premise", "expected"),
    [
        ("2025-04-20", "Mining is to begin again on 5 May.", ["2025-05-05"]),
        ("2025-11-20", "It will open on 3 February.", ["2026-02-03"]),
        ("2025-01-03", "He died on 19 December.", ["2024-12-19"]),
        ("2025-05-10", "It closed in March.", ["2025-03"]),
        ("2025-06-20", "He died on 19 December.", []),
        ("2025-05-10", "It closed on 20 May.", []),
        ("2025-01-20", "It will open on 29 February.", []),
        ("2025-04-17", "In the first quarter 174 fell ill.", ["2025-Q1"]),
        ("2025-02-17", "In the fourth quarter 174 fell ill.", ["2024-Q4"]),
    ],
)
def test_a_day_without_a_year_is_the_next_or_the_latest(
    published: str, premise: str, expected: list[str]
) -> None:
    assert list(dates_given(premise, published)) == expected


SPOKEN = "The court counted 27,500 passengers a day, while the authority had spoken of 32,000 in July."


def test_what_somebody_had_spoken_of_before_is_rejected() -> None:
    assert without_rejected(SPOKEN) == "The court counted 27,500 passengers a day."
    assert rejects("About 32,000 passengers a day were counted.", SPOKEN)
    assert not rejects("About 27,500 passengers a day were counted.", SPOKEN)
    kept = "The court counted 27,500 passengers, while 32,000 had tickets."
    assert without_rejected(kept) == kept


OPENED = "The first Kornblatt bakery was opened in 1961 by Wilma Ambrecht, and not by Walter Ambrecht."


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("The Kornblatt chain goes back to Walter Ambrecht, who set it up in 1961.", True),
        ("Walter Ambrecht, not Wilma Ambrecht, opened the first Kornblatt bakery.", True),
        ("Wilma Ambrecht opened the first Kornblatt bakery.", False),
        ("Wilma Ambrecht, not Walter Ambrecht, opened the first Kornblatt bakery.", False),
    ],
)
def test_a_name_in_contrast_to_another_is_rejected(claim: str, expected: bool) -> None:
    assert rejects(claim, OPENED) is expected
    assert check(claim, OPENED).rejects is expected


def test_a_name_that_the_sentence_speaks_of_besides_is_not_rejected() -> None:
    claim = "The painting hangs in Turin."
    assert rejects(claim, "The painting hangs in Milan, not in Turin.")
    assert not rejects(claim, "The painting hangs in Turin, not in Milan.")
    assert not rejects(claim, "The painting hung in Milan, not in Turin, but Turin bought it.")
    assert not rejects(claim, "The painting does not hang in Turin."), "a denial is for the model to read"


def test_a_newspaper_on_its_earlier_report_states_nothing() -> None:
    earlier = "In our report of 15 March we gave the stock of the library as 48,000 books."
    assert ("modality", "conflict") in findings("The library has 48,000 books.", earlier)
    same = "In an earlier report we gave 48,000 books."
    assert check(same, same).agrees


def test_all_behind_a_plan_and_a_colon_is_planned() -> None:
    claim = "The park lies 24 kilometres off Estmark."
    plan = (
        "She presented the plan: 60 turbines of eight megawatts, a cable, a pier, 24 kilometres off Estmark."
    )
    assert ("modality", "conflict") in findings(claim, plan)
    assert findings(claim, plan.replace("plan:", "park:")) == []


LEAD = "Councillors voted to repair the Larkin footbridge."


def test_a_name_behind_the_verb_and_the_matter_leaves_the_lead() -> None:
    claim = "Two thirds of the price of the Larkin footbridge was paid by the government."
    told = (
        "Two thirds of the price was paid by the government; the rest is a loan of the operator, Northline."
    )
    assert with_lead(claim, told, "", LEAD) == LEAD


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("The Larkin footbridge is 164 metres long.", "The bridge in Tarnham is 164 metres long."),
        (
            "The Larkin footbridge is 164 metres long.",
            "The record is held by Tarnham, whose bridge is 164 metres long.",
        ),
        ("The Larkin footbridge was opened in 1931.", "Older is only Tarnham, opened in 1931."),
    ],
)
def test_what_may_be_said_of_another_gets_no_lead(claim: str, premise: str) -> None:
    assert with_lead(claim, premise, "", LEAD) == ""


def test_a_body_that_found_it_out_leaves_the_lead() -> None:
    claim = "The Larkin footbridge is 164 metres long."
    assert with_lead(claim, "The State Office of Surveys measured 161 metres.", "", LEAD) == LEAD
    other = "while the State Office of Surveys had spoken of 164"
    assert with_lead(claim, f"The Court of Auditors found 161 metres, {other}.", "", LEAD) == LEAD
    for local in (
        "The Tarnham Survey measured 161 metres.",
        "The State Office of Surveys is 161 metres long.",
    ):
        assert with_lead(claim, local, "", LEAD) == ""


def test_mended_claims_are_sentences() -> None:
    came = "Some 700 people came to watch the comet."
    assert repairs("Nobody came to watch the comet.", came) == ("Somebody came to watch the comet.",)
    paid = repairs("The council never gave them any money.", "The council gave them 3 million euros.")
    assert paid == ("The council gave them some money.",)


def test_what_never_happened_has_no_number() -> None:
    claim = "Port Selwick's trams derailed twice in June 2025."
    nothing = "No tram derailed in Port Selwick in June 2025."
    assert repairs(claim, nothing) == (f"{DENIED}Port Selwick's trams derailed twice in June 2025.",)
    assert repairs("Two runners died in the heat in 2024.", "Nobody died in the heat in 2023.") == ()


def test_of_several_numbers_the_one_that_counts_the_same_mends() -> None:
    found = repairs("Dellow operates in six countries.", "Dellow has 390 stores in four countries.")
    assert found == ("Dellow operates in four countries.",)


@pytest.mark.parametrize(
    ("premise", "kinds"),
    [
        (
            "The board lifted the ban on swimming, because the lake is free of algae.",
            [("direction", "conflict")],
        ),
        (
            "The board lifted the ban on swimming although nobody had asked for it.",
            [("direction", "conflict")],
        ),
        ("The board has not lifted the ban on swimming.", []),
        ("Nobody lifted the ban on swimming.", []),
    ],
)
def test_a_reason_does_not_turn_the_opposite_round(premise: str, kinds: list[tuple[str, str]]) -> None:
    assert findings("Swimming is still forbidden.", premise) == kinds


@pytest.mark.parametrize(
    "premise",
    ["The mine will close even if it is sold.", "The mine will close. Nobody knows if it will be sold."],
)
def test_not_every_if_is_a_condition(premise: str) -> None:
    assert findings("The mine will close.", premise) == []


@pytest.mark.parametrize(
    ("claim", "published", "early"),
    [
        ("The ban was lifted on 10 May 2025.", "2025-05-09", True),
        ("The ban was lifted on 10 May 2025.", "2025-05-10", False),
        ("The ban was lifted in 2025.", "2024-12-31", True),
        ("There were 9 cases between April and June 2025.", "2025-03-31", True),
        ("There were 9 cases between April and June 2025.", "2025-04-01", False),
        ("Since 2018 it fell until May 2025.", "2019-01-01", False),
        ("The ban was lifted on 10 May.", "2019-01-01", False),
        ("The ban was lifted.", "2019-01-01", False),
        ("The ban was lifted in 2025.", "", False),
    ],
)
def test_a_page_from_before_the_time_of_the_claim_is_early(claim: str, published: str, early: bool) -> None:
    assert check(claim, "The ban remains.", "", published).early is early


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("It is false that the bridge was closed.", "The bridge was never closed."),
        ("It is not true that the team lost.", "The team won."),
        ("It is false that the mayor resigned.", "It is false that the mayor has resigned."),
        ("The drug cures COVID-19.", "Covid 19 is cured by the drug, unlike COVID-18 and COVID-19."),
        ("An A320 crashed.", "A plane of type A320 crashed, and an A330 landed."),
    ],
)
def test_what_denies_the_same_or_names_the_same_number_is_let_through(claim: str, premise: str) -> None:
    assert not [f for f in check(claim, premise).findings if f.slot in {"negation", "entity"}]


@pytest.mark.parametrize(
    ("premise", "claim", "bears"),
    [
        ("The bill came to 9 million euros.", "The bridge cost 9 million euros.", True),
        ("The bridge cost 8 million euros.", "The bridge cost 9 million euros.", True),
        ("The bridge is a great success.", "The bridge cost 9 million euros.", False),
        ("Fares went up to 2 euros.", "The Lund bridge cost 9 million euros.", False),
    ],
)
def test_only_what_the_guard_lets_through_is_put_to_the_model(premise: str, claim: str, bears: bool) -> None:
    assert may_bear(PairText(claim=claim, premise=premise)) is bears


@pytest.mark.parametrize(("refutation", "weight"), [(0.8, 0.0), (0.9, -0.7), (None, -0.7)])
def test_a_leaning_costs_no_trust(refutation: float | None, weight: float) -> None:
    scores = NLIScores(entailment=0.1, neutral=0.2, contradiction=0.7)
    mended = Counterfactual(claim="mended", entailment=0.75, refutation=refutation)
    found = Assessment(raw=scores, calibrated=scores, guard=GuardReport(), counterfactual=mended)
    assert relation_weight(found) == weight


@pytest.mark.parametrize(
    ("claim", "premise", "agrees"),
    [
        ("Rust delayed the tram line.", "Corrosion delayed the tram line.", True),
        ("Burglaries doubled.", "Break-ins doubled.", True),
        ("Rosamund delayed the tram line.", "Corrosion delayed the tram line.", False),
        ("General Motors sold trucks.", "GM sold trucks.", True),
        ("General Mills sold trucks.", "GE sold trucks.", False),
        ("Ida Holm is a TV presenter.", "Ida Holm presents the news on television.", True),
        ("The film was made by a studio in Lund.", "The Lund-based studio made the film.", True),
        ("The bridge stands in Newcastle.", "The bridge stands in Newcastle-under-Lyme.", False),
        ("Matt Bomer acts.", "Matthew Staton Bomer acts.", True),
        ("Paul Berg acts.", "Paula Berg acts.", False),
        ("Ann Berg acts.", "Anna Berg acts.", False),
        ("Tokyo Joe deceived them.", "Tokyo Joe--listen, he calls himself that--deceived them.", True),
        ("Simón Bolívar was a leader.", "Simo\N{COMBINING ACUTE ACCENT}n Bolívar was a leader.", True),
    ],
)
def test_names_in_another_form(claim: str, premise: str, agrees: bool) -> None:
    assert check(claim, premise).agrees is agrees


@pytest.mark.parametrize(
    ("claim", "premise", "agrees"),
    [
        ("At least one bridge was closed.", "The bridge at Lund was closed.", True),
        ("At least two bridges were closed.", "The bridge at Lund was closed.", False),
        ("More than one bridge was closed.", "Several bridges were closed.", True),
        ("More than one bridge was closed.", "Three bridges were closed.", True),
        ("More than one bridge was closed.", "One bridge was closed.", False),
        ("More than one bridge was closed.", "An old bridge was closed.", False),
        ("No more than one bridge was closed.", "Three bridges were closed.", False),
        ("Not more than one bridge was closed.", "Three bridges were closed.", False),
        ("One bridge of three was closed.", "Bridges at Lund were closed.", False),
        ("First, the bridge was closed.", "To begin with, the bridge was closed.", True),
        ("The bridge was closed at first.", "The bridge was closed in the beginning.", True),
        ("The first bridge was closed.", "The bridge was closed.", False),
    ],
)
def test_numbers_that_count_nothing(claim: str, premise: str, agrees: bool) -> None:
    assert check(claim, premise).agrees is agrees


def test_one_has_no_hectares() -> None:
    assert not [s for s in find_slots("Two wear caps and one has gloves.") if s.kind == "unit"]
    assert [s.unit for s in find_slots("The farm has 12 ha of land.")] == ["hectare"]


@pytest.mark.parametrize(
    ("claim", "premise", "agrees"),
    [
        ("The album is a record by Ida Holm.", "The album is by Ida Holm.", True),
        ("Visitors reached a record.", "Visitors reached 4,000.", False),
        ("The parts complement each other.", "The parts fit together.", True),
        ("Each part was tested.", "Parts were tested.", False),
    ],
)
def test_records_that_are_none_and_each_other(claim: str, premise: str, agrees: bool) -> None:
    assert check(claim, premise).agrees is agrees


@pytest.mark.parametrize(
    ("claim", "premise", "agrees"),
    [
        ("The plant can alter its sales quickly.", "The plant can alter planning and sales quickly.", True),
        ("The plant moves to Lund.", "The plant is planning a move to Lund.", False),
        ("The plant moves to Lund.", "The board, planning to move the plant, is in Lund.", False),
        ("It is possible that a cart holds a ton.", "A cart may hold a ton.", True),
        ("A cart holds a ton.", "A cart may hold a ton.", False),
    ],
)
def test_plans_that_are_none_and_what_is_possible(claim: str, premise: str, agrees: bool) -> None:
    assert check(claim, premise).agrees is agrees


def test_each_denies_what_the_other_asserts() -> None:
    premise = "He was a pilot, not a platoon leader."
    assert findings("He was a platoon leader, not a pilot.", premise) == [("negation", "conflict")]
    assert findings("He was not a platoon leader but a pilot.", premise) == []
    assert findings("He was no platoon leader.", premise) == []


def test_a_programme_named_first_is_no_side_of_a_deed() -> None:
    premise = "On Fox News Sunday, host Tony Snow touted a poll."
    assert findings("Tony Snow is a host on Fox News Sunday.", premise) == []
    assert set(findings("Tony Snow beat Fox News.", "Fox News beat Tony Snow.")) == {("entity", "conflict")}
