"""All readers of labelled claims take the same lines, and say in words of ours what is wrong with one."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evaluation.data.claims import read_claims
from evaluation.data.formats.own import load_claims
from factdesk.kernel import InputError

READERS: dict[str, Callable[[Path], Any]] = {
    "eval claims, poison": lambda path: [(r.id, r.claim, r.label) for r in read_claims(path)],
    "eval run": lambda path: [(r.id, r.claim, r.label) for r in load_claims(path).rows],
}
ROW = {"claim": "The ferry sank.", "label": "refuted"}


def written(path: Path, *rows: Any) -> Path:
    path.write_text("\n".join(r if isinstance(r, str) else json.dumps(r) for r in rows), encoding="utf-8")
    return path


@pytest.mark.parametrize("name", READERS)
def test_lines_without_an_id_have_their_number(tmp_path: Path, name: str) -> None:
    rows = ({**ROW, "id": 7}, ROW, {**ROW, "label": "Refuted", "topic": "ships"})
    found = READERS[name](written(tmp_path / "claims.jsonl", *rows))
    assert [(i, label) for i, _, label in found] == [("7", "refuted"), ("2", "refuted"), ("3", "refuted")]


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize(
    ("row", "says"),
    [
        ({"claim": "x"}, "entry 2 has no 'label'"),
        ({"label": "refuted"}, "entry 2 has no 'claim'"),
        ({**ROW, "label": "maybe"}, "label 'maybe' is none of"),
        ({**ROW, "date": "soon"}, "date 'soon' is not like 2024-05-31"),
        ([1], "entry 2 is no JSON object"),
        ("{", "is neither JSON Lines nor a JSON list"),
    ],
)
def test_a_broken_line_is_named_in_words(tmp_path: Path, name: str, row: Any, says: str) -> None:
    with pytest.raises(InputError, match=r"claims\.jsonl") as caught:
        READERS[name](written(tmp_path / "claims.jsonl", ROW, row))
    assert says in str(caught.value)
    assert "pydantic" not in str(caught.value)
