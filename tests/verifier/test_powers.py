"""Powers of ten in superscript digits, and raised marks that are none."""

from __future__ import annotations

import pytest

from language.quantities.mentions import find_slots


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("The frost killed 10⁶ seedlings.", ["1000000"]),
        ("They counted 3.2 × 10⁴ cells.", ["32000"]),
        ("It weighs 10⁻² grams.", ["0.01"]),
        ("The crew has 14¹ members.", ["14"]),
        ("It holds 10 cars.", ["10"]),
    ],
)
def test_a_power_of_ten_has_its_value(text: str, values: list[str]) -> None:
    assert [slot.value for slot in find_slots(text)] == values


def test_a_power_too_large_to_be_an_amount_is_no_number_by_itself() -> None:
    assert all(float(slot.value) < 1e31 for slot in find_slots("It is 10⁹⁹⁹ large."))
