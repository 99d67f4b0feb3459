"""A report without a detail of its own counts with the one that it retells, and with that one alone."""

from __future__ import annotations

from trust.independence import LONGEST, details, with_retellings

SAID = "The depot at Ferry Lane cost £48 million."
TEXTS = {
    "bare": SAID,
    "reworded": "£48 million is what they paid at Ferry Lane for the depot.",
    "harbour": f"{SAID} Work began on 3 May 2019.",
    "courier": f"{SAID} Forty drivers moved in from Mill Road.",
    "other": "The depot at Ferry Lane cost £31 million.",
}
ORDER = list(TEXTS)


def clusters(*group: str, texts: dict[str, str] = TEXTS) -> dict[str, str]:
    return with_retellings({d: d for d in texts}, [group], texts, list(texts))


def test_numbers_days_and_names_are_details() -> None:
    assert details(TEXTS["bare"]) == details(TEXTS["reworded"])
    assert details(TEXTS["bare"]) < details(TEXTS["harbour"])
    assert details(TEXTS["bare"]) != details(TEXTS["other"])


def test_retellings_count_with_what_they_retell() -> None:
    assert len(set(clusters("bare", "reworded").values())) == len(TEXTS) - 1
    assert clusters("bare", "harbour")["bare"] == "harbour"


def test_reports_with_details_of_their_own_stay_apart_even_beside_a_retelling() -> None:
    found = clusters("bare", "reworded", "harbour", "courier")
    assert found["harbour"] != found["courier"]
    assert found["bare"] == found["reworded"] == "harbour"


def test_the_other_side_and_long_documents_are_no_retellings() -> None:
    assert clusters("bare", "reworded")["other"] == "other"
    texts = {**TEXTS, "bare": f"{SAID} {'It was a long day. ' * LONGEST}"}
    assert clusters("bare", "harbour", texts=texts)["bare"] == "bare"
