"""Relative and incomplete dates: the latest day beside a past, the next beside an announcement, else none."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from factdesk.checker import FactChecker
from language.dates.mentions import find_dates, settled
from language.dates.resolve import about, dates_given, resolve, written_out
from language.nlp.tense import is_state_at
from verifier.guard import check

WEDNESDAY = date(2024, 9, 18)
FRIDAY_BEFORE, FRIDAY_AFTER = "2024-09-13", "2024-09-20"

PAST = [
    "The Alder Tunnel reopened on Friday.",
    "The tunnel was closed on Friday.",
    "On Friday, a barge struck the quay.",
    "A barge struck the quay last Friday.",
    "Firefighters said on Friday that the mill was empty.",
    "The court heard that she drowned on Friday.",
    "The road has been blocked since Friday.",
    "The committee backed the budget on Friday.",
    "The boy found on Friday was unhurt.",
    "The quay was damaged on Friday evening.",
]
FUTURE = [
    "The tunnel will reopen on Friday.",
    "The tunnel is to reopen on Friday.",
    "The hearing is scheduled for Friday.",
    "The ship is due on Friday.",
    "The board plans to meet on Friday.",
    "The bank is expected to cut rates on Friday.",
    "The tunnel is going to reopen on Friday.",
    "The exam is on Friday next.",
    "The exam takes place this Friday.",
    "The exam will be held this coming Friday.",
]
NEITHER = [
    "The tunnel reopens on Friday.",
    "The board meets on Friday.",
    "Pupils sit the exam on Friday.",
    "The tunnel is reopening on Friday.",
    "The last day for bids is Friday.",
    "The tunnel was to reopen on Friday.",
    "The tunnel was due to reopen on Friday.",
    "The board planned to meet on Friday.",
    "The tunnel would reopen on Friday.",
    "If the tunnel reopened on Friday, buses would run.",
    "She said on Friday she would step down.",
    "The board voted to close the pool on Friday.",
    "The union announced a walkout on Friday.",
    "The hearing was put off until Friday.",
    "She had until Friday to appeal.",
    "Friday's hearing was brief.",
    "The kiosk opened on Fridays.",
    "The kiosk was open on Friday nights.",
    "The tunnel reopened on Friday last week.",
    "The exam takes place next Friday.",
    "Shops shut on Friday.",
]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *((t, (FRIDAY_BEFORE,)) for t in PAST),
        *((t, (FRIDAY_AFTER,)) for t in FUTURE),
        *((t, ()) for t in NEITHER),
    ],
)
def test_a_bare_weekday_is_placed_by_the_tense_of_its_own_verb(text: str, expected: tuple[str, ...]) -> None:
    assert tuple(r.value for r in resolve(text, WEDNESDAY)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The inquest opened on 2 July.", ("2024-07-02",)),
        ("The inquest opens on 2 July.", ()),
        ("The inquest will open on 2 October.", ("2024-10-02",)),
        ("The inquest was due to open on 2 July.", ()),
        ("The inquest opened on Tuesday, 2 July.", ("2024-07-02",)),
        ("The inquest opened on Monday, 2 July.", ()),
        ("The inquest opened on 2 July after the fire of 2021.", ()),
        ("The quay closed in June.", ("2024-06",)),
        ("The quay closes in June.", ()),
    ],
)
def test_a_day_without_a_year_likewise(text: str, expected: tuple[str, ...]) -> None:
    assert tuple(r.value for r in resolve(text, WEDNESDAY)) == expected


def test_each_day_has_its_own_verb() -> None:
    text = "The board met on Monday and will meet again on Thursday."
    assert [r.value for r in resolve(text, WEDNESDAY)] == ["2024-09-16", "2024-09-19"]
    assert written_out(text, WEDNESDAY) == (
        "The board met on 16 September 2024 and will meet again on 19 September 2024."
    )


def test_another_year_around_leaves_a_day_open() -> None:
    text = "The inquest opened on 2 July."
    assert resolve(text, WEDNESDAY, "The Orla inquest of 1998") == ()
    assert resolve(text, WEDNESDAY, "The Orla inquest of 2024") != ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A barge struck the quay.", "2024-09"),
        ("The quay is 90 metres long.", "2024-09"),
        ("The tunnel will reopen.", None),
        ("The tunnel reopens after two years.", None),
        ("The tunnel was rebuilt two years ago.", None),
    ],
)
def test_a_sentence_without_a_date_is_of_its_month_unless_it_looks_elsewhere(text: str, expected: str | None) -> None:
    assert about(text, WEDNESDAY) == expected


def test_writing_out_and_dating_never_differ() -> None:
    for text in (*PAST, *FUTURE, *NEITHER):
        placed = dates_given(text, WEDNESDAY.isoformat())
        assert (written_out(text, WEDNESDAY) != text) is any(value.count("-") == 2 for value in placed)


@pytest.mark.parametrize(
    ("claim", "premise", "kinds"),
    [
        ("The lock opened on 6 May 2021.", "The lock opened on 05/06/2021.", ["missing"]),
        ("The lock opened on 5 June 2021.", "The lock opened on 05/06/2021.", ["missing"]),
        ("The lock opened on 7 May 2021.", "The lock opened on 05/06/2021.", ["conflict"]),
        ("The lock opened in 2021.", "The lock opened on 05/06/2021.", []),
        ("The lock opened on 05/06/2021.", "The lock opened on 05/06/2021.", []),
        ("The lock opened on 19 June 2021.", "The lock opened on 19/06/2021.", []),
        ("The lock opened on 5 June 2021.", "The lock, begun on 19/04/2019, opened on 05/06/2021.", []),
        (
            "The lock opened on 6 May 2021.",
            "The lock, begun on 19/04/2019, opened on 05/06/2021.",
            ["conflict"],
        ),
    ],
)
def test_a_numeric_date_of_two_readings_agrees_and_conflicts_with_neither(
    claim: str, premise: str, kinds: list[str]
) -> None:
    assert [f.kind for f in check(claim, premise).findings if f.slot == "date"] == kinds


def test_the_order_of_numeric_dates_is_the_documents_own() -> None:
    assert find_dates("05/06/2021")[0].value == "2021-06-05|2021-05-06"
    assert find_dates("from 04/25/2021 to 05/06/2021")[1].value == "2021-05-06"
    assert find_dates("25/04/2021, 04/26/2021, 05/06/2021")[2].value == "2021-06-05|2021-05-06"
    assert settled("2021-06-05|2021-05-06", True) == "2021-06-05"
    claim, premise = "The lock opened on 5 June 2021.", "The lock opened on 05/06/2021."
    assert check(claim, premise, "Begun on 30/11/2019").agrees
    assert not check(claim, premise, "Begun on 11/30/2019").agrees


@pytest.mark.parametrize(
    ("claim", "premise", "kind"),
    [
        ("Ines Roth was governor in 2004.", "Ines Roth was governor from 1999 to 2008.", "missing"),
        ("Ines Roth lived in Belm in 2004.", "Ines Roth lived in Belm in 1996.", "missing"),
        ("The toll was 3 euros in 2004.", "The toll was 3 euros in 1999.", "missing"),
        ("Ines Roth became governor in 2004.", "Ines Roth became governor in 1999.", "conflict"),
        ("Ines Roth was elected in 2004.", "Ines Roth was elected in 1999.", "conflict"),
        ("Ines Roth was born in 2004.", "Ines Roth was born in 1999.", "conflict"),
        ("The dam was built in 2004.", "The dam was built in 1999.", "conflict"),
    ],
)
def test_the_date_of_a_state_has_no_rival_that_of_an_event_has(claim: str, premise: str, kind: str) -> None:
    assert [f.kind for f in check(claim, premise).findings if f.slot == "date"] == [kind]


def test_a_time_alone_is_no_state() -> None:
    assert is_state_at("Ines Roth was governor in 2004.", 26, 30)
    assert not is_state_at("The trial was in 2004.", 17, 21)


def test_the_scheduled_present_of_a_page_verifies_no_past_day(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(
        "---\ndate: 2024-09-18\n---\n\nThe Alder Tunnel reopens on Friday.\n", encoding="utf-8"
    )
    checker = FactChecker.from_config()
    claim = "The Alder Tunnel reopened on 13 September 2024."
    assert checker.check(claim, corpus=[str(tmp_path)], record=False).verdict == "not_enough_evidence"
    (tmp_path / "a.md").write_text(
        "---\ndate: 2024-09-18\n---\n\nThe Alder Tunnel reopened on Friday.\n", encoding="utf-8"
    )
    assert checker.check(claim, corpus=[str(tmp_path)], record=False).verdict == "supported"


def test_a_state_over_a_span_is_not_refuted_by_a_year_within_it(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Ines Roth was governor from 1999 to 2008.\n", encoding="utf-8")
    report = FactChecker.from_config().check("Ines Roth was governor in 2004.", corpus=[str(tmp_path)], record=False)
    assert report.verdict in {"supported", "not_enough_evidence"}
