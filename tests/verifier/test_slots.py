"""Slots: what a sentence says in numbers and dates, normalised."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from language.quantities.mentions import find_slots
from verifier.guard import check
from verifier.guard.quantities import date_agrees, number_agrees

# text -> "kind value unit" of each slot
FOUND = {
    "It has 12 rooms.": ["number 12"],
    "It has 1,200 rooms.": ["number 1200"],
    "twenty-three rooms": ["number 23"],
    "two million three hundred thousand residents": ["number 2300000"],
    "a hundred people": ["number 100"],
    "a dozen eggs and two dozen rolls": ["number 12", "number 24"],
    "hundreds of people": ["number 200..999"],
    "tens of thousands of fans": ["number 20000..99999"],
    "several thousand fans": ["number 2000..9999"],
    "two and a half million people": ["number 2500000"],
    "half a million people": ["number 500000"],
    "three quarters of a million dollars": ["money 750000 USD"],
    "2½ cups": ["number 2.5"],
    "1,5 million people": ["number 1500000"],
    "20K followers": ["number 20000"],
    "5m people": ["number 5000000"],
    "3.6 trillion stars": ["number 3600000000000"],
    "$1.2m": ["money 1200000 USD"],
    "£0.3m": ["money 300000 GBP"],
    "2.1 billion euros": ["money 2100000000 EUR"],
    "US$5 million": ["money 5000000 USD"],
    "US $5 million": ["money 5000000 USD"],
    "5 million US dollars": ["money 5000000 USD"],
    "A$30 and C$40": ["money 30 AUD", "money 40 CAD"],
    "EUR 300": ["money 300 EUR"],
    "$1,200.50": ["money 1200.5 USD"],
    "50 cents": ["money 0.5 coins"],
    "It weighs 12 pounds.": ["unit 5443.104 gram"],
    "It costs 12 pounds.": ["money 12 GBP"],
    "3.5 percent": ["percentage 3.5 percent"],
    "3.5%": ["percentage 3.5 percent"],
    "3.5 per cent": ["percentage 3.5 percent"],
    "three and a half percent": ["percentage 3.5 percent"],
    "3 percentage points": ["percentage 3 percentage points"],
    "a third of voters": ["percentage 33.33 percent"],
    "two-thirds of voters": ["percentage 66.67 percent"],
    "half the voters": ["percentage 50 percent"],
    "three quarters of them": ["percentage 75 percent"],
    "one in five adults": ["percentage 20 percent"],
    "4 out of 10 adults": ["percentage 40 percent"],
    "10 to 15 km": ["unit 10000..15000 metre"],
    "from 10 to 15 km": ["unit 10000 metre", "unit 15000 metre"],
    "between three and seven years": ["unit 36..84 month"],
    "one hundred and seven people": ["number 107"],
    "three and seven people": ["number 3", "number 7"],
    "10–15 percent": ["percentage 10..15 percent"],
    "between 10 and 15 people": ["number 10..15"],
    "$10-15 million": ["money 10000000..15000000 USD"],
    "2 to 3 million people": ["number 2000000..3000000"],
    "They won 3-1.": ["number 3-1 score"],
    "12 km": ["unit 12000 metre"],
    "a 45-metre tower": ["unit 45 metre"],
    "a 45 m tower": ["unit 45 metre"],
    "six feet": ["unit 1.8288 metre"],
    "5 °C": ["unit 5 celsius"],
    "5 degrees Celsius": ["unit 5 celsius"],
    "1.5C of warming": ["unit 1.5 celsius"],
    "minus 5 degrees": ["unit -5 celsius"],
    "41 degrees Fahrenheit": ["unit 41 fahrenheit"],
    "120 km/h": ["unit 120 km/h"],
    "120 kilometres per hour": ["unit 120 km/h"],
    "10 m/s": ["unit 36 km/h"],
    "2 tonnes": ["unit 2000000 gram"],
    "2 metric tons": ["unit 2000000 gram"],
    "20 square kilometres": ["unit 2000 hectare"],
    "20 km²": ["unit 2000 hectare"],
    "40 hectares": ["unit 40 hectare"],
    "10 cubic metres": ["unit 10000 litre"],
    "30 MW": ["unit 30000000 watt"],
    "1.2 gigawatts": ["unit 1200000000 watt"],
    "5 GWh": ["unit 5000000000 watthour"],
    "5 gigawatt hours": ["unit 5000000000 watthour"],
    "5 gigawatt-hours": ["unit 5000000000 watthour"],
    "400 parts per million": ["unit 400 ppm"],
    "90 minutes": ["unit 5400 second"],
    "half an hour": ["unit 1800 second"],
    "one and a half hours": ["unit 5400 second"],
    "a decade": ["unit 120 month"],
    "a 34-year-old man": ["number 34 age"],
    "a man aged 34": ["number 34 age"],
    "Anna Berg, 34, said so.": ["number 34 age"],
    "He is 34.": ["number 34 age"],
    "7 years": ["unit 84 month"],
    "the third time": ["number 3 ordinal"],
    "the 21st century": ["date 20xx"],
    "the twenty-first century": ["number 21 ordinal"],
    "doubled": ["number 2 times"],
    "twice": ["number 2 times"],
    "three times": ["number 3 times"],
    "threefold": ["number 3 times"],
    "at 5 pm": ["number 1020 clock"],
    "at 10:30 am": ["number 630 clock"],
    "5 March 2016": ["date 2016-03-05"],
    "March 5, 2016": ["date 2016-03-05"],
    "the 5th of March, 2016": ["date 2016-03-05"],
    "2016-03-05": ["date 2016-03-05"],
    "05/03/2016": ["date 2016-03-05|2016-05-03"],
    "25/03/2016": ["date 2016-03-25"],
    "September 2019": ["date 2019-09"],
    "Sept. 2019": ["date 2019-09"],
    "March 5": ["date XXXX-03-05"],
    "the 1990s": ["date 199x"],
    "the '90s": ["date 199x"],
    "the 1700s": ["date 17xx"],
    "2020-21": ["date 2020/21"],
    "2020-2021": ["date 2020/21"],
    "in May": ["date XXXX-05"],
    "on May 5": ["date XXXX-05-05"],
    "It may rain; you may have 5.": ["number 5"],
    "They march 5 miles.": ["number 5 ".strip()],
    "an august body": [],
    "on Monday": ["date monday"],
    "2019 people": ["number 2019"],
    "one of the best": [],
    "no one came that day": [],
    "one another": [],
    "COVID-19": [],
    "G20 and F-16 and MH370": [],
    "line 4": ["number 4"],
    "": [],
}
FOUND["They march 5 miles."] = ["unit 8046.72 metre"]


@pytest.mark.parametrize("text", FOUND, ids=lambda t: t[:40] or "empty")
def test_finds_and_normalises(text: str) -> None:
    assert [" ".join((s.kind, s.value, s.unit)).strip() for s in find_slots(text)] == FOUND[text]


BOUNDS = {
    "about 50 people": (45, 55),
    "at least 50 people": (50, 100),
    "50 or more people": (50, 100),
    "50+ people": (50, 100),
    "up to 50 people": (25, 50),
    "50 or fewer people": (25, 50),
    "roughly 200 km": (180_000, 220_000),
    "$1.2m": (1_150_000, 1_250_000),
    "3.5 percent": (3.45, 3.55),
    "23 people": (23, 23),
    "300 people": (292.5, 307.5),
}


@pytest.mark.parametrize("text", BOUNDS)
def test_bounds(text: str) -> None:
    (slot,) = find_slots(text)
    assert (slot.low, slot.high) == pytest.approx(BOUNDS[text])


AGREE = (
    ("3.5 percent", "3.5%"),
    ("3.5 per cent", "3.5 pct"),
    ("a third of them", "33 percent"),
    ("33 percent", "a third of them"),
    ("half of them", "50%"),
    ("three quarters of them", "75 percent"),
    ("one in five adults", "20%"),
    ("$1.2m", "1,200,000 dollars"),
    ("$1.2 million", "$1,234,000"),
    ("£0.3m", "£300,000"),
    ("about £6 million", "£6.2 million"),
    ("nearly £6 million", "£5.9 million"),
    ("roughly 6 million people", "6.2 million people"),
    ("£6 million", "£6,000,000"),
    ("£6 million", "£6.01 million"),
    ("£6.2 million", "£6,213,400"),
    ("2.1 billion euros", "€2,100m"),
    ("12 km", "12,000 metres"),
    ("7.5 miles", "12 km"),
    ("12 km", "7.5 miles"),
    ("120 km/h", "120 kilometres per hour"),
    ("40 hectares", "0.4 square kilometres"),
    ("5 GWh", "5,000 megawatt hours"),
    ("2 tonnes", "2,000 kg"),
    ("two days", "48 hours"),
    ("a decade", "ten years"),
    ("about 50 people", "52 people"),
    ("more than 50 people", "61 people"),
    ("more than 50 people", "more than 50 people"),
    ("more than 50 people", "more than 60 people"),
    ("up to 50 people", "43 people"),
    ("fewer than 50 people", "43 people"),
    ("between 10 and 15 people", "12 people"),
    ("10 to 15 km", "12 km"),
    ("between 10 and 15 km", "11 to 14 km"),
    ("three to five years", "3 to 5 years"),
    ("two to three million euros", "2 to 3 million euros"),
    ("hundreds of people", "340 people"),
    ("doubled", "twice as many"),
    ("the third time", "the 3rd time"),
    ("They won 3-1.", "a 3-1 victory"),
)
DIFFER = (
    ("3.5 percent", "3.9 percent"),
    ("$1.2m", "€1.2m"),
    ("$1.2m", "$1.3m"),
    ("£6 million", "£6.2 million"),
    ("6 million people", "5.8 million people"),
    ("£6.2 million", "£6 million"),
    ("£6 million", "about £6.2 million"),
    ("12 km", "12 miles"),
    ("12 km", "12 kg"),
    ("5 GW", "5 GWh"),
    ("5 °C", "5 °F"),
    ("5 degrees", "minus 5 degrees"),
    ("3 percent", "3 percentage points"),
    ("more than 50 people", "50 people"),
    ("more than 50 people", "49 people"),
    ("at least 60 people", "more than 50 people"),
    ("up to 50 people", "51 people"),
    ("fewer than 50 people", "50 people"),
    ("about 50 people", "70 people"),
    ("between 10 and 15 people", "16 people"),
    ("10 to 15 km", "10 to 20 km"),
    ("10 to 15 km", "11 to 14 km"),
    ("three to five years", "three to four years"),
    ("hundreds of people", "34 people"),
    ("a third of them", "40 percent"),
    ("5-1", "3-1"),
    ("3-1", "4-1"),
    ("23 people", "24 people"),
    ("the third time", "three people"),
    ("a man aged 34", "34 metres"),
    ("5,112 people", "5,100 people"),
)


@pytest.mark.parametrize(
    ("claim", "evidence", "agrees"),
    [
        ("The toll rises from 2.40 to 2.80 crowns.", "The toll rises from 2.40 to 2.80 crowns.", True),
        ("The toll rises to 2.80 crowns.", "The toll rises from 2.40 to 2.80 crowns.", True),
        ("The toll rises from 2.40 to 2.90 crowns.", "The toll rises from 2.40 to 2.80 crowns.", False),
        ("The toll rises from 2.30 to 2.80 crowns.", "The toll rises from 2.40 to 2.80 crowns.", False),
        ("It rose from 40 percent to 52 percent.", "It rose from 40 to 52 percent.", True),
        ("It rose from 40 to 52 percent.", "It rose from 40 to 50 percent.", False),
        ("It fell from 8 million to 3 million.", "It fell from 8 to 3 million.", True),
        ("It fell from 50 to 20 km/h.", "It fell from 60 to 20 km/h.", False),
        ("The tax went from 15 to 12 percent.", "The tax went from 12 to 15 percent.", False),
        ("The tax went to 15 percent from 12 percent.", "The tax went from 12 to 15 percent.", True),
        ("Poachers face between three and seven years.", "Poachers face between two and five years.", False),
        ("The fee ranges from 20 to 30 crowns.", "The fee is between 20 and 30 crowns.", True),
        ("Children aged from 3 to 7 may go.", "Children aged 3 to 7 may go.", True),
    ],
)
def test_what_changes_from_one_amount_to_another_has_each_of_them(claim: str, evidence: str, agrees: bool) -> None:
    """A change is no range: "rose from 40 to 50" does not lie within "rose from 40 to 52"."""
    assert (not check(claim, evidence).findings) is agrees


@pytest.mark.parametrize(("claim", "evidence"), AGREE)
def test_amounts_that_agree(claim: str, evidence: str) -> None:
    assert number_agrees(find_slots(claim)[0], find_slots(evidence)[0])


@pytest.mark.parametrize(("claim", "evidence"), DIFFER)
def test_amounts_that_differ(claim: str, evidence: str) -> None:
    assert not number_agrees(find_slots(claim)[0], find_slots(evidence)[0])


@pytest.mark.parametrize(
    ("claim", "evidence", "agrees"),
    [
        ("2019", "September 2019", True),
        ("September 2019", "12 September 2019", True),
        ("September 2019", "2019", False),
        ("September 2019", "October 2019", False),
        ("the 1990s", "1994", True),
        ("the 1990s", "2004", False),
        ("the 1700s", "1791", True),
        ("1994", "the 1990s", False),
        ("2020-21", "2020-2021", True),
        ("2020-21", "2020-22", False),
        ("March 5", "5 March 2016", True),
        ("05/03/2016", "5 March 2016", False),
        ("05/03/2016", "7 March 2016", False),
        ("on a Saturday", "5 March 2016", True),
        ("on a Monday", "5 March 2016", False),
        ("Monday", "Tuesday", False),
    ],
)
def test_dates(claim: str, evidence: str, agrees: bool) -> None:
    assert date_agrees(find_slots(claim)[0].value, find_slots(evidence)[0].value) is agrees


def test_what_may_be_the_same_amount_rounded_is_no_conflict() -> None:
    from verifier.guard import check

    found = check("The works cost £6 million.", "The works cost £6.2 million.", "")
    assert not found.agrees
    assert not found.conflicts
    assert check("The works cost £6 million.", "The works cost £7.2 million.", "").conflicts


PIECES = st.sampled_from(
    "3 1.2 1,200 $ € £ US$ % percent m bn million half a third of to - – and between more than about 5 March "
    "2016 May "
    "2020-21 km °C GWh years old twice second 3rd 21st . , ; ( ) one in five dozen ½ ٣ ² 10:30 pm - minus "
    "the".split(" ")
)


@given(st.one_of(st.text(), st.lists(PIECES, max_size=14).map(" ".join), st.lists(PIECES, max_size=14).map("".join)))
def test_any_text_is_read_and_offsets_are_exact(text: str) -> None:
    slots = find_slots(text)
    assert all(text[s.start : s.end] == s.text for s in slots)
    assert all(a.end <= b.start for a, b in pairwise(slots))
    assert all(s.low <= s.high for s in slots if s.low is not None and s.high is not None)
    assert find_slots(text) == slots
