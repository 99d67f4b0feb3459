"""Powers of ten, however they are written, are numbers like those in words; other raised marks are none."""

from __future__ import annotations

import pytest

from language.quantities.mentions import find_slots
from verifier.guard import check
from verifier.premise.builder import aligned


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("The frost killed 10⁶ seedlings.", ["1000000"]),
        ("The frost killed 10^6 seedlings.", ["1000000"]),
        ("The frost killed 10**6 seedlings.", ["1000000"]),
        ("The frost killed 10^{6} seedlings.", ["1000000"]),
        ("The frost killed 1e6 seedlings, 2.5E-3 of them here.", ["1000000", "0.0025"]),
        ("They counted 3.2 × 10⁴ cells.", ["32000"]),
        ("They counted 3.2x10^4 cells.", ["32000"]),
        ("They counted 1,5 × 10^4 cells.", ["15000"]),
        ("They counted -3·10^4 cells.", ["-30000"]),
        ("They counted 10^4 to 10^5 cells.", ["10000..100000"]),
        ("It weighs 10⁻² grams.", ["0.01"]),
        ("The crew has 14¹ members.", ["14"]),
        ("The crew has 14³ members.", ["14"]),
        ("It holds 10 cars.", ["10"]),
        ("It holds 2 x 10 cars.", ["2", "10"]),
        ("It lies at 5 Elm Road, flat 7e2a.", ["5", "7"]),
    ],
)
def test_a_power_of_ten_has_its_value(text: str, values: list[str]) -> None:
    assert [slot.value for slot in find_slots(text)] == values


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("It is 10^3 kilometres long.", "metre", "1000000"),
        ("It is 10³ km long.", "metre", "1000000"),
        ("It cost 10^6 euros.", "EUR", "1000000"),
        ("It cost €2 × 10⁶.", "EUR", "2000000"),
        ("It fell by 10^-1 percent.", "percent", "0.1"),
    ],
)
def test_it_has_the_unit_behind_it(text: str, unit: str, value: str) -> None:
    assert [(slot.unit, slot.value) for slot in find_slots(text)] == [(unit, value)]


@pytest.mark.parametrize("power", ["10^999", "10⁹⁹⁹", "1e99"])
def test_a_power_too_large_to_be_an_amount_is_no_number_by_itself(power: str) -> None:
    assert all(float(slot.value) < 1e31 for slot in find_slots(f"It is {power} large."))


@pytest.mark.parametrize(
    ("claim", "premise", "agrees"),
    [
        ("The frost killed a million seedlings.", "The frost killed 10^6 seedlings.", True),
        ("The frost killed 10^6 seedlings.", "The frost killed a million seedlings.", True),
        ("The frost killed 1e6 seedlings.", "The frost killed 1,000,000 seedlings.", True),
        ("The pipe is a thousand kilometres long.", "The pipe is 10^3 km long.", True),
        ("The frost killed a million seedlings.", "The frost killed 10^5 seedlings.", False),
        ("The frost killed 10 seedlings.", "The frost killed 10^6 seedlings.", False),
        ("The frost killed 6 seedlings.", "The frost killed 10^6 seedlings.", False),
        ("The pipe is a thousand kilometres long.", "The pipe is 10^3 m long.", False),
    ],
)
def test_it_is_compared_with_numbers_in_words(claim: str, premise: str, agrees: bool) -> None:
    found = check(claim, premise)
    assert not found.findings if agrees else found.conflicts
    assert found.matched == (1 if agrees else 0)


def test_the_model_reads_it_in_the_words_of_the_claim() -> None:
    claim = "The frost killed 3 million seedlings."
    assert aligned(claim, "The frost killed 3 × 10^6 seedlings.") == claim
    assert aligned(claim, "The frost killed 3 × 10^5 seedlings.") == "The frost killed 3 × 10^5 seedlings."
