"""Limits, offsets, fields, determinism: what holds for every input."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent.intake import compile_claims, validate_claim_ir
from factdesk.kernel import ConfigError, InputError

LIGHT = settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
NAMES = st.sampled_from(["Anna Berg", "The company", "Graz", "The old bridge", "Tom", "The mayor of Graz"])
VERBS = st.sampled_from(
    [
        "closed {n} shops",
        "did not open {n} schools",
        "was built in {n}",
        "has never sold {n} cars",
        "hired {n} people",
    ]
)
LINKS = st.sampled_from([" and ", ", and ", ", but ", "; ", ", which is old, and ", " and then "])


@st.composite
def sentences(draw: st.DrawFn) -> str:
    """Sentences with coordinated parts, numbers and negations."""
    parts = []
    for i in range(draw(st.integers(1, 3))):
        subject = draw(NAMES) + " " if i == 0 or draw(st.booleans()) else ""
        parts.append(subject + draw(VERBS).format(n=draw(st.integers(3, 9999))))
        parts.append(draw(LINKS))
    return "".join(parts[:-1]) + "."


@LIGHT
@given(st.text(max_size=200))
def test_offsets_are_exact_for_any_text(text: str) -> None:
    try:
        ir = compile_claims(text)
    except InputError:
        return
    assert ir.input_text == text
    assert 1 <= len(ir.claims) <= 12
    for claim in ir.claims:
        assert claim.source
        assert text[claim.start : claim.end] == claim.source
        assert all(claim.text[f.start : f.end] == f.text for f in claim.fields)
    assert validate_claim_ir(ir.model_dump()) == ir


@LIGHT
@given(sentences())
def test_numbers_and_negation_survive(text: str) -> None:
    ir = compile_claims(text)
    union = " ".join(c.text for c in ir.claims)
    assert set(re.findall(r"\d+", text)) <= set(re.findall(r"\d+", union))
    for word in ("not", "never"):
        assert len(re.findall(rf"\b{word}\b", union)) >= len(re.findall(rf"\b{word}\b", text))


@LIGHT
@given(sentences(), st.integers(1, 12))
def test_caps_and_determinism(text: str, cap: int) -> None:
    whole = compile_claims(text * 2, max_claims=cap)
    assert len(whole.claims) <= cap
    assert whole == compile_claims(text * 2, max_claims=cap)
    assert [c.claim_id for c in whole.claims] == [f"c{i}" for i in range(1, len(whole.claims) + 1)]


def test_trimmed_counts_what_was_cut() -> None:
    text = "\n\n".join(f"Bridge number {i} was built in {1900 + i}." for i in range(15))
    ir = compile_claims(text)
    assert len(ir.claims) == 12
    assert ir.trimmed == 3
    assert "1900" in ir.claims[0].text


@pytest.mark.parametrize("text", ["", "   \n\t ", "?!…", "\x00\x01"])
def test_nothing_to_check(text: str) -> None:
    with pytest.raises(InputError, match="has no words"):
        compile_claims(text)


def test_too_long_names_length_and_limit() -> None:
    with pytest.raises(InputError, match=r"20001 characters; at most 20000"):
        compile_claims("a" * 20_001)


def test_lone_surrogates_are_refused() -> None:
    with pytest.raises(InputError, match="UTF-8"):
        compile_claims("The bridge \ud800 is closed.")


@pytest.mark.parametrize("arguments", [{"max_claims": 0}, {"max_claims": 13}, {"max_tokens": 2}])
def test_bad_settings(arguments: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="give a number"):
        compile_claims("The bridge is closed.", **arguments)


def test_control_characters_are_removed_and_offsets_stay_original() -> None:
    text = "\x07The bri\x00dge\u202e opened in 2019 and\x1b closed in 2021."
    ir = compile_claims(text)
    assert [c.text for c in ir.claims] == ["The bridge opened in 2019.", "The bridge closed in 2021."]
    assert ir.claims[1].source == "closed in 2021"
    assert ir.claims[0].source.startswith("The bri\x00dge\u202e opened")


def test_a_long_sentence_is_marked_not_cut() -> None:
    text = "The bridge " + "of the old town " * 20 + "is closed."
    (claim,) = compile_claims(text, max_tokens=60).claims
    assert claim.text == text
    assert "more than the 60 allowed" in str(claim.unsupported_by_design)


def test_wrapped_lines_are_one_sentence() -> None:
    (claim,) = compile_claims("The mayor of\nGraz resigned.").claims
    assert claim.text == "The mayor of Graz resigned."
    assert claim.source == "The mayor of\nGraz resigned."


def test_ambiguous_pronouns_stay() -> None:
    ir = compile_claims("Tom Hall met Bob Lee. He was born in 1990.")
    assert ir.claims[1].text == "He was born in 1990."


def test_fields_are_normalised() -> None:
    text = "Anna Berg paid 3.5 million euros to Siemens in Graz on 3 May 2021."
    (claim,) = compile_claims(text).claims
    found = {(f.role, f.text) for f in claim.fields}
    assert {("subject", "Anna Berg"), ("person", "Anna Berg"), ("place", "Graz")} <= found
    assert ("predicate", "paid") in found
    values = {f.role: f.value for f in claim.fields}
    assert values["date"] == "2021-05-03"
    assert values["number"] == "3500000"


def test_percentages_have_a_unit() -> None:
    (claim,) = compile_claims("Revenue fell by 9 percent in 2024.").claims
    assert claim.type == "quantity"
    assert {f.role for f in claim.fields} >= {"number", "unit", "date"}


def test_queries_name_claim_names_and_slots() -> None:
    (claim,) = compile_claims("Ostrel closed 3 plants in Dunmarrow in 2025.").claims
    assert 2 <= len(claim.evidence_candidates) <= 4
    assert claim.evidence_candidates[0] == claim.text
    assert any("Dunmarrow" in q and "2025" in q for q in claim.evidence_candidates[1:])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema_version": "x/9"}, "schema version"),
        ({"claims": ()}, "0 claims"),
        ({"trimmed": -1}, "trimmed"),
        ({"surplus": 1}, "malformed"),
    ],
)
def test_validate_refuses(change: dict[str, object], message: str) -> None:
    data = compile_claims("The bridge is closed.").model_dump()
    with pytest.raises(InputError, match=message):
        validate_claim_ir({**data, **change})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"claim_id": "c2"}, "out of order"),
        ({"start": 3}, "not at its offsets"),
        ({"end": 999}, "inside it"),
        ({"text": " "}, "empty text"),
        ({"text": "Another sentence."}, "is not at"),
    ],
)
def test_validate_refuses_claims(change: dict[str, object], message: str) -> None:
    data = compile_claims("The bridge is closed.").model_dump()
    data["claims"] = [{**data["claims"][0], **change}]
    with pytest.raises(InputError, match=message):
        validate_claim_ir(data)


@pytest.mark.parametrize(
    ("text", "second"),
    [
        ("The refurbishment of the Tarn Library cost £6 million. It reopened in May 2025.", None),
        ("The director of the Vale Museum resigned. It closed in 2020.", "The Vale Museum closed in 2020."),
        ("The bridge was built in 1932. It is 503 metres long.", "The bridge is 503 metres long."),
    ],
)
def test_it_may_stand_for_a_named_thing_within_the_subject(text: str, second: str | None) -> None:
    claim = compile_claims(text).claims[1]
    if second is None:
        assert "It is not clear what 'It' stands for" in str(claim.unsupported_by_design)
    else:
        assert claim.text == second


def test_a_name_picked_out_needs_no_antecedent() -> None:
    claims = compile_claims("It was Ida Holm who opened the pool.").claims
    assert [c.unsupported_by_design for c in claims] == [None]
    claims = compile_claims("It was the bridge that fell.").claims
    assert "stands for" in str(claims[0].unsupported_by_design)


@pytest.mark.parametrize(
    ("text", "open_"),
    [
        ("Hartmann's shops will be renamed Dellow.", True),
        ("The main cables of the Larkin footbridge were worse than feared.", True),
        ("The main cables of the Larkin footbridge were worse than ever.", False),
        ("The shops will be loved.", False),
        ("Arsenal will be beaten by Chelsea.", False),
    ],
)
def test_what_is_decided_and_what_was_feared_can_be_checked(text: str, open_: bool) -> None:
    claim = compile_claims(text).claims[0]
    assert (claim.unsupported_by_design is None) is open_
