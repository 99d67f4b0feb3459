"""ROUGE of rationales, by hand, and texts that people labelled."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluation.metrics.annotations import read_gold
from evaluation.metrics.rouge import rouge_1, rouge_l
from factdesk.kernel import InputError


def test_rouge_by_hand() -> None:
    found, gold = "The bridge opened late.", "late the bridge"
    assert rouge_1(found, gold) == pytest.approx(2 * 3 / 7)
    assert rouge_l(found, gold) == pytest.approx(2 * 2 / 7)
    assert rouge_1("a a b", "a c") == pytest.approx(2 * 1 / 5), "a word counts as often as both have it"
    assert rouge_l(gold, gold) == 1.0
    assert (rouge_1("", gold), rouge_l("x", gold)) == (0.0, 0.0)


def test_labelled_texts_are_read_and_broken_ones_named(tmp_path: Path) -> None:
    file = tmp_path / "gold.jsonl"
    span = {"start": 0, "end": 4, "label": "attributable", "rationale": "It says so."}
    file.write_text(json.dumps({"text": "Rain fell.", "spans": [span]}))
    (text,) = read_gold(file)
    assert (text.spans[0].rationale, text.spans[0].kind) == ("It says so.", "gold")
    file.write_text(json.dumps({"text": "Rain fell.", "spans": [{**span, "label": "green"}]}))
    with pytest.raises(InputError, match="entry 1"):
        read_gold(file)
