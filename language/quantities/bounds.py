"""What an amount leaves open: a bound to one side, or about so much."""

from __future__ import annotations

from language.types import Slot


def one_sided(slot: Slot) -> bool:
    """Whether an amount is a bound and no value: "up to 90", "at least 90", "more than 90"."""
    if slot.low is None or slot.high is None or slot.low == slot.high or ".." in slot.value:
        return False
    value = float(slot.value)
    near = 1e-5 * max(abs(value), 1e-9)
    return abs(slot.low - value) <= near or abs(slot.high - value) <= near


def is_rough(slot: Slot) -> bool:
    """Whether an amount is told as about so much."""
    if slot.low is None or slot.high is None or one_sided(slot):
        return False
    return slot.high - slot.low > 0.15 * max(abs(slot.high), 1e-9)


def reach(slot: Slot) -> tuple[float, float]:
    """The interval of an amount, open to the side that a bound leaves open."""
    low, high = slot.low or 0.0, slot.high or 0.0
    if not one_sided(slot):
        return low, high
    return (low, float("inf")) if abs(high - float(slot.value)) > abs(low - float(slot.value)) else (0.0, high)
