"""A certificate names what decided it by content: whatever decides changes its fingerprint."""

from __future__ import annotations

import ast
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from factdesk.checker import FactChecker
from factdesk.kernel import ConfigError
from factdesk.settings import load_settings
from report.policy import fingerprints as rules
from report.policy.fingerprints import POLICY, RERUN, module_of, policy_record, rule_fingerprints
from verifier.guard.rule import leaving_out
from verifier.pair_decision import LEANS


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """All shipped source and data files, to be changed at will."""
    for room in ("agent", "evaluation", "factdesk", "language", "report", "trust", "verifier"):
        left_out = shutil.ignore_patterns("__pycache__", "models", "training", "*.onnx")
        shutil.copytree(rules.ROOT / room, tmp_path / "one" / room, ignore=left_out)
    return tmp_path / "one"


def sums(root: Path) -> dict[str, str]:
    policy_record.cache_clear()
    rules._fingerprint.cache_clear()
    found = {f.name: f.sha256 or "" for f in rule_fingerprints(root)}
    return {**found, "policy": policy_record(root).sha256}


def constants(root: Path) -> dict[str, float]:
    return {c.name: c.value for c in policy_record(root).constants}


def changed(root: Path, file: str, old: str, new: str) -> set[str]:
    """The names whose sum moves when a file is changed."""
    before = sums(root)
    path = root / file
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    assert old in text
    path.write_text(text.replace(old, new, 1) if old else text + new, encoding="utf-8")
    after = sums(root)
    return {name for name in before if before[name] != after[name]}


@pytest.mark.parametrize(
    ("file", "groups"),
    [
        ("verifier/guard/overstatement.py", "verifier.guard"),
        ("verifier/guard/a_new_rule.py", "verifier.guard"),
        ("language/lexicon.py", "agent.intake verifier.guard verifier.reading"),
        ("language/names.py", "agent.intake verifier.guard verifier.reading"),
        ("verifier/premise/dateline.py", "verifier.reading"),
        ("language/wordlists/dictionary.txt", "agent.intake verifier.guard verifier.reading"),
        ("trust/document_trust.py", "trust"),
        ("agent/intake/pronouns.py", "agent.intake"),
        ("language/nlp/relations.py", "agent.intake verifier.guard verifier.reading"),
        ("verifier/guard/structure/scope.py", "verifier.guard"),
        ("report/policy/evidence_sides.py", "policy"),
        ("report/policy/answers.py", "policy"),
        ("report/policy/rules.py", "policy"),
    ],
)
def test_a_changed_file_moves_the_sum_of_its_group_alone(copied: Path, file: str, groups: str) -> None:
    assert changed(copied, file, "", "\n# x\n") == set(groups.split())


@pytest.mark.parametrize("file", ["report/render/html/pictures.py", "evaluation/bench/page.py", "trust/notes.pyc"])
def test_a_file_that_decides_nothing_moves_none(copied: Path, file: str) -> None:
    assert not changed(copied, file, "", "\n# x\n")


def test_nothing_is_certified_while_rules_are_left_out() -> None:
    with leaving_out(frozenset({"scope.any"})):
        with pytest.raises(ConfigError, match=r"scope\.any"):
            rule_fingerprints()
        with pytest.raises(ConfigError, match="left out"):
            FactChecker(load_settings(retriever="none")).check("The mill has 12 sails.")
    assert rule_fingerprints()


def test_line_ends_of_a_checkout_do_not_matter(copied: Path) -> None:
    before = sums(copied)
    path = copied / "report" / "policy" / "rules.py"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert sums(copied) == before


def test_a_changed_constant_stands_in_the_record_and_moves_the_sum(copied: Path) -> None:
    before = constants(copied)
    assert changed(copied, "report/policy/evidence_sides.py", "UNRELATED = 0.2\n", "UNRELATED = 0.25\n") == {"policy"}
    after = constants(copied)
    assert {n: after[n] for n in after if after[n] != before[n]} == {"report.policy.evidence_sides.UNRELATED": 0.25}


def test_every_numeric_constant_of_what_is_run_again_is_in_the_record_with_its_value() -> None:
    expected = {}
    for path in sorted({p for group in (*RERUN.values(), POLICY) for p in rules._files(group, rules.ROOT)}):
        if path.suffix == ".py":
            tree = ast.parse((rules.ROOT / path).read_text(encoding="utf-8"))
            expected |= {f"{module_of(path)}.{name}": value for name, value in numbers(tree)}
    assert constants(rules.ROOT) == expected
    assert expected["verifier.pair_decision.LEANS"] == LEANS


def numbers(tree: ast.Module) -> Iterator[tuple[str, float]]:
    """Module-level names in capitals that a plain number is assigned to."""
    for node in tree.body:
        if isinstance(node, ast.Assign):
            targets, value = node.targets, node.value
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            targets, value = [node.target], node.value
        else:
            continue
        try:
            number = ast.literal_eval(value)
        except ValueError:
            continue
        if isinstance(number, int | float) and not isinstance(number, bool):
            yield from ((t.id, number) for t in targets if isinstance(t, ast.Name) and t.id.isupper())
