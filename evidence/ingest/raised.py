"""Raised characters (HTML, Markdown, PDF): ordinals and exponents stay, marks of footnotes go.

A mark of a footnote never joins the number before it: "12" with a raised 3 is 12. What may be an exponent
is written with superscript digits, so that 10⁶ and km² stay what they are.
"""

from __future__ import annotations

import re

_DIGITS = str.maketrans("0123456789-\u2212\u2013+", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻⁻⁺")
_EXPONENT = re.compile(r"[-\u2212\u2013+]?\d{1,3}")
_ORDINAL = re.compile(r"(?:st|nd|rd|th|s|o|er|re|ème|e)")
_BASE = re.compile(
    r"(?<![\w.,])10$|(?<![^\W\d_])(?:[kcdmµμn]?m|mi|ft|in|yd|s|h|kg|g|W|[a-zA-Z])$|[⁰¹²³⁴-⁹]$"
    r"|[$€£¥]\s?\d[\d.,]*$"
)
"""Ten, a unit, a single letter; and an amount of money, whose raised digits may be its cents."""


def raised(before: str, mark: str, after: str = "", *, linked: bool = False) -> str:
    """What a raised mark is in plain text: ``"th"``, ``"⁶"``, or ``""`` for the mark of a footnote.

    ``before`` and ``after`` are the text around it. ``linked``: it leads to another place of the page.
    """
    mark = mark.strip()
    if linked or not mark:
        return ""
    if re.match(r"\s*[/\u2044\u2215]\s*\d", after) and mark.isdecimal():
        return f" {mark}" if before[-1:].isdigit() else mark
    if before[-1:].isdigit() and _ORDINAL.fullmatch(mark.lower()):
        return mark
    if _EXPONENT.fullmatch(mark):
        leads = not before[-1:].strip() and bool(re.match(r"[^\W\d_]", after))  # ¹⁴C
        return mark.translate(_DIGITS) if leads or _BASE.search(before) else ""
    return mark if len(mark) > 1 and mark.isalpha() and mark.lower() != "tm" else ""
