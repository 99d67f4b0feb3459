"""Every rule of the guard fires on its own examples, and only there."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from verifier import pair_decision
from verifier.backends.factory import make_verifier
from verifier.guard import check
from verifier.guard.amounts import EMPTY
from verifier.guard.check import RULES, SLOT_RULES, unsupported
from verifier.guard.page import page
from verifier.guard.rule import PATTERN_RULES, Rule
from verifier.guard.structure.pairing import Pairing
from verifier.guard.text import TextPair
from verifier.types import PairText, Verifier

ON_WORDS = {rule.id for rule in (*SLOT_RULES, EMPTY)}
PAIRS = [
    pytest.param(rule, example, fires, id=f"{rule.id}-{'fires' if fires else 'silent'}-{n}")
    for rule in RULES
    for fires, examples in ((True, rule.fires), (False, rule.silent))
    for n, example in enumerate(examples)
]


@pytest.fixture(scope="module")
def duet() -> Verifier:
    return make_verifier()


FILE = Path(__file__).with_name("pairs.txt")


def read_cases() -> list[tuple[str, str, str, str]]:
    """(rule or verdict, mark, claim, premise) of each line of ``pairs.txt``."""
    cases, rule = [], ""
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            rule = line.strip("[]")
        elif line and not line.startswith("#"):
            claim, premise = line[2:].split(" | ")
            cases.append((rule, line[0], claim, premise))
    return cases


READ = read_cases()
CASES = [case for case in READ if case[1] != "~"]
WITHHELD = [case[2:] for case in READ if case[1] == "~"]


def test_ids_are_unique_and_each_rule_has_examples_both_ways() -> None:
    ids = [rule.id for rule in RULES]
    assert len(ids) == len(set(ids))
    assert all(len(rule.fires) >= 2 and len(rule.silent) >= 2 for rule in RULES)


@pytest.mark.parametrize(("rule", "example", "fires"), PAIRS)
def test_a_rule_fires_where_it_must_and_nowhere_else(rule: Rule[Any], example: tuple[str, str], fires: bool) -> None:
    found = rule.findings(TextPair(*example) if rule.id in ON_WORDS else Pairing(*example))
    assert bool(found) == fires, found
    assert {f.rule for f in found} <= {rule.id}


@pytest.mark.parametrize(("rule", "mark", "claim", "premise"), CASES)
def test_what_the_guard_finds_on_a_pair(rule: str, mark: str, claim: str, premise: str) -> None:
    findings = check(claim, premise).findings
    holds = {
        "+": any(f.rule == rule for f in findings),
        "-": all(f.rule != rule for f in findings),
        "!": bool(findings or unsupported(claim, premise)),
        "=": not findings,
    }
    assert holds[mark], findings
    for found in findings:
        for value in (found.claim_value, found.evidence_value):
            assert all(part in found.message for part in re.split(" […→] ", value))


@pytest.mark.parametrize(("claim", "premise"), WITHHELD)
def test_what_the_models_see_through_without_a_rule_is_not_certified(claim: str, premise: str, duet: Verifier) -> None:
    (found,) = duet.assess([PairText(claim=claim, premise=premise)])
    assert not pair_decision.supports(found, duet.thresholds)
    assert not pair_decision.refutes(found, duet.thresholds)


@pytest.mark.parametrize(
    "text",
    sorted({text for case in CASES for text in case[2:] if unicodedata.is_normalized("NFC", text)}),
)
def test_every_sentence_agrees_with_itself(text: str) -> None:
    assert check(text, text).findings == ()


def test_the_pairs_speak_of_rules_that_there_are() -> None:
    assert {rule for rule, *_ in CASES} <= {rule.id for rule in RULES} | {"blocks", "agrees"}


@pytest.mark.parametrize("rule", [pytest.param(rule, id=rule.id) for rule in SLOT_RULES])
def test_a_rule_left_out_says_nothing(rule: Rule[TextPair]) -> None:
    for example in rule.fires:
        said = {f.rule for f in check(*example).findings}
        left = {f.rule for f in check(*example, without=frozenset({rule.id})).findings}
        assert rule.id in said
        assert rule.id not in left
        assert said - {rule.id} <= left


@pytest.mark.parametrize("rule", [pytest.param(rule, id=rule.id) for rule in PATTERN_RULES])
def test_the_patterns_compile_and_match_something(rule: Any) -> None:
    evidence, *_ = rule.detect.__self__.expressions
    assert all(evidence.search(premise.strip()) for _, premise in rule.fires)
    assert not evidence.search("")


def test_the_page_of_rules_is_what_the_rules_are(repository: Path) -> None:
    written = (repository / "docs" / "rules.md").read_text(encoding="utf-8")
    assert written == page(), "write it anew: python -m verifier.guard.page > docs/rules.md"
