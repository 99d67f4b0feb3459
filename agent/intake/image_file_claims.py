"""Which fields of an image file's data a claim is about: time, change, place, device, program."""

from __future__ import annotations

import re

from evidence.types import FileField
from language.calendar import MONTH_NAMES

_TAKE = r"\b(?:taken|shot|captured|photographed|filmed|recorded|snapped|made|created|took|dates?|dated)\b"
_CHANGE = re.compile(
    r"\b(?:changed|modified|altered|edited|saved|processed|retouched|exported|updated)\b", re.IGNORECASE
)
_TAKEN = re.compile(rf"{_TAKE}|\bday\b|\bdate\b|\bwhen\b|\bfrom\s(?:\w+\s){{0,2}}(?:19|20)\d\d\b", re.IGNORECASE)
_DEVICE = re.compile(
    rf"{_TAKE}(?:\s[\w,]+){{0,6}}?\s(?:with|by|using|on)\s(?!\d)|\b(?:cameras?|devices?|phones?|smartphones?|models?|lens|drones?|"
    r"scanners?)\b",
    re.IGNORECASE,
)
_SOFTWARE = re.compile(
    r"\b(?:software|programs?|programmes?|apps?|application)\b"
    r"|\b(?:saved|edited|processed|retouched|exported|created|made|generated)\s(?:with|using|in|by)\s",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"\b(?:places?|locations?|located|coordinates|gps|latitude|longitude|where|km|kilomet(?:re|er)s?)\b"
    rf"|(?i:{_TAKE})(?:\s[\w,]+){{0,6}}?\s(?:in|near|at|outside|from)\s(?:the\s)?"
    rf"(?!(?:{'|'.join(MONTH_NAMES)})\b)[A-Z]",
)
_DAY = re.compile(r"\b(?:(?:19|20)\d\d|\d{1,2}(?::\d\d|\s?[ap]m))\b|\b(?:day|date|when|last)\b", re.IGNORECASE)


def asked_of_file(text: str) -> frozenset[FileField]:
    """The fields that may bear on the claim; empty when in doubt."""
    changed = _CHANGE.search(text) is not None
    found: set[FileField] = set()
    if changed and _DAY.search(text):
        found.add("changed")
    if _TAKEN.search(text) and _DAY.search(text) and not changed:
        found.add("taken")
    if _DEVICE.search(text) and not changed:
        found.add("device")
    if _SOFTWARE.search(text):
        found.add("software")
    if _PLACE.search(text):
        found.add("place")
    return frozenset(found)
