"""Every rule of structure fires on its own examples, and only there."""

from __future__ import annotations

from pathlib import Path

import pytest

from verifier.guard.structure.compare import RULES
from verifier.guard.structure.page import page
from verifier.guard.structure.pairing import Pairing
from verifier.guard.structure.rule import Rule

PAIRS = [
    pytest.param(rule, example, fires, id=f"{rule.id}-{'fires' if fires else 'silent'}-{n}")
    for rule in RULES
    for fires, examples in ((True, rule.fires), (False, rule.silent))
    for n, example in enumerate(examples)
]


def test_ids_are_unique_and_each_rule_has_examples_both_ways() -> None:
    ids = [rule.id for rule in RULES]
    assert len(ids) == len(set(ids))
    assert all(len(rule.fires) >= 2 and len(rule.silent) >= 2 for rule in RULES)


@pytest.mark.parametrize(("rule", "example", "fires"), PAIRS)
def test_a_rule_fires_where_it_must_and_nowhere_else(
    rule: Rule, example: tuple[str, str], fires: bool
) -> None:
    found = rule.finding(Pairing(*example))
    assert (found is not None) == fires, found


def test_the_page_of_rules_is_what_the_rules_are(repository: Path) -> None:
    written = (repository / "docs" / "rules.md").read_text(encoding="utf-8")
    assert written == page(), "write it anew: python -m verifier.guard.structure.page > docs/rules.md"
