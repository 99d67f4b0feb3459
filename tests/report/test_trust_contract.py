"""Only the policy sets a badge, and every sentence of docs/trust-contract.md has a test that holds it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from report.policy.badge import Badge, badge
from tests.report.builders import make_decision

REPOSITORY = Path(__file__).resolve().parents[2]
ROOMS = ("agent", "evidence", "factdesk", "language", "report", "store", "trust", "verifier")
POLICY, BADGE = "report/policy/rules.py", "report/policy/badge.py"
READS = "report/certificate/sealing.py"
"""Reads decisions from certificates, where the re-run checks them."""
CERTIFIED = {"VERIFIED", "BLOCKED"}


def name_of(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return f"{name_of(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def strings(node: ast.AST) -> set[str]:
    return {n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str)}


def offences(file: str, tree: ast.Module) -> Iterator[str]:
    """Ways to make a decision or a badge past the policy."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        called, line = name_of(node.func), getattr(node, "lineno", 0)
        last = called.rpartition(".")[2]
        if last == "Decision" and file != POLICY:
            yield f"{file}:{line} makes a Decision"
        if last == "Badge" and file != BADGE:
            yield f"{file}:{line} makes a Badge"
        if called.startswith(("Decision.", "Badge.")):
            yield f"{file}:{line} calls {called}"
        if last in {"cast", "TypeAdapter", "NewType"} and {"Badge", "Decision"} & {
            *(name_of(a) for a in node.args),
            *strings(node),
        }:
            yield f"{file}:{line} takes something for a Decision or a Badge"
        if last == "model_copy" and {"state", "verdict", "decisions"} & strings(node):
            yield f"{file}:{line} copies with another state"
        for keyword in node.keywords:
            states = {"state", "verdict"} & {keyword.arg or ""}
            if states and file != POLICY and strings(keyword.value) & (CERTIFIED | {"supported", "refuted"}):
                yield f"{file}:{line} sets {keyword.arg} itself"
        if last in {"__setattr__", "setattr", "model_construct"}:
            yield f"{file}:{line} goes round the records with {last}"


def shipped() -> Iterator[tuple[str, ast.Module]]:
    for room in ROOMS:
        for path in sorted((REPOSITORY / room).rglob("*.py")):
            yield path.relative_to(REPOSITORY).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def test_only_the_policy_makes_decisions_and_only_decisions_make_badges() -> None:
    found = [offence for file, tree in shipped() for offence in offences(file, tree)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "code",
    [
        "Decision(claim_id='c1', state='VERIFIED')",
        "types.Decision(**fields)",
        "Decision.model_construct(state='VERIFIED')",
        "Decision.model_validate(data)",
        "decision.model_copy(update={'state': 'VERIFIED'})",
        "body.model_copy(update={'verdict': 'supported'})",
        "Badge(decision, 'x')",
        "cast(Badge, '[VERIFIED x]')",
        "cast('Badge', text)",
        "ClaimJson(state='VERIFIED')",
        "CertificateBody(verdict='supported')",
        "object.__setattr__(decision, 'state', 'VERIFIED')",
        "str.__new__(Badge, 'x'); Badge.__new__(Badge, 'x')",
        "TypeAdapter(Decision)",
    ],
)
def test_the_scan_sees_ways_round_the_policy(code: str) -> None:
    assert list(offences("factdesk/x.py", ast.parse(code)))


def test_a_badge_takes_no_words() -> None:
    decision = make_decision("c1", "UNVERIFIED", 0.1)
    make = cast(Any, Badge)
    for wrong in (("[VERIFIED x]",), ("[VERIFIED x]", "id"), ({"state": "VERIFIED"}, "id"), (), (None, "id")):
        with pytest.raises(TypeError):
            make(*wrong)
    assert isinstance(badge(decision, "cert"), Badge)
    assert badge(decision, "cert") == "[NOT VERIFIED cert/c1]"
    with pytest.raises(TypeError):
        type("Other", (make,), {})


def sentences() -> list[str]:
    text = (REPOSITORY / "docs" / "trust-contract.md").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if re.match(r"(\d+\.|-) ", line)]


def test_every_sentence_of_the_contract_names_a_test_that_is_there() -> None:
    lines = sentences()
    assert len(lines) >= 12
    for line in lines:
        tests = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", line)
        assert tests, f"no test holds this: {line}"
        for file, name in tests:
            tree = ast.parse((REPOSITORY / file).read_text(encoding="utf-8"))
            names = {n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)}
            assert name in names, f"{file}::{name} is not there"


def test_the_contract_fits_one_page() -> None:
    text = (REPOSITORY / "docs" / "trust-contract.md").read_text(encoding="utf-8")
    assert len(re.sub(r"`[^`]*`", "", text).split()) < 600
