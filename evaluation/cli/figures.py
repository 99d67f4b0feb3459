"""Figures in words, for the commands of ``factdesk eval``."""

from __future__ import annotations


def in_words(value: object) -> str:
    """A figure, an interval or several figures; ``-`` for one that is not defined."""
    if isinstance(value, dict) and set(value) == {"value", "low", "high"}:
        if value["value"] is None:
            return "-"
        return f"{value['value']} ({value['low']} to {value['high']})"
    if isinstance(value, dict):
        return "  ".join(f"{k} {'-' if v is None else v}" for k, v in value.items())
    return "-" if value is None else str(value)
