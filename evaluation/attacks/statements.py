"""The statement an attack plants for a claim."""

from __future__ import annotations

import re


def statement_of(claim: str, label: str) -> str:
    """What the attacker wants believed: the opposite of a supported claim, else the claim itself."""
    return denied(claim) if label == "supported" else claim


def denied(claim: str) -> str:
    """The opposite of a claim: another number where it has one, else its verb denied."""
    number = _NUMBER.search(claim)
    if number is not None:
        return claim[: number.start()] + _other(number[0]) + claim[number.end() :]
    verb = _VERB.search(claim)
    if verb is not None:
        return f"{claim[: verb.end()]} not{claim[verb.end() :]}"
    return f"It is not true that {claim[:1].lower()}{claim[1:]}"


def _other(number: str) -> str:
    digits = number.replace(",", "")
    if re.fullmatch(r"(?:1[5-9]|20)\d\d", digits):
        return str(int(digits) - 7)
    try:
        return str(round(float(digits) * 3 + 2)) if "." not in digits else f"{float(digits) * 2.5:.1f}"
    except ValueError:
        return "17"


_VERB = re.compile(r"\b(is|are|was|were|has|have|had|can|will|does|did|do)\b(?!\s+not\b)", re.IGNORECASE)
_NUMBER = re.compile(r"\b\d[\d,.]*\d\b|\b\d\b")
