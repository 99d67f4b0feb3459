"""Expressions in files: lines are joined, parts filled in, and an unknown part is an error at once."""

from __future__ import annotations

import pytest

from language.wordlists import read_expressions


def test_lines_are_joined_and_parts_are_filled_in(monkeypatch: pytest.MonkeyPatch) -> None:
    table = {
        "parts": {"day": r"\d{1,2}", "date": r"{day}\s{month}"},
        "expressions": {"on_day": "\n  (?i)\\bon\\s\n  {date}$\n"},
    }
    monkeypatch.setattr("language.wordlists.read_table", lambda *_: table)
    found = read_expressions("language", month="May")["on_day"]
    assert found.pattern == r"(?i)\bon\s\d{1,2}\sMay$"
    assert found.search("It opened On 3 May")
    with pytest.raises(KeyError, match="month"):
        read_expressions("language")
