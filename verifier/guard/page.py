"""The page ``docs/rules.md``: every rule of the guard with what it says and its examples.

``python -m verifier.guard.page`` prints it.
"""

from __future__ import annotations

import sys
from typing import Any

from verifier.guard.check import RULES
from verifier.guard.rule import Effect, Example, Rule

_HEAD = f"""# The rules of the guard

Made by `python -m verifier.guard.page`; `tests/rules` holds it to the code. {len(RULES)} rules compare a
claim with a sentence of the evidence: their words first, and their parses where the models take the sentence
for support or contradiction. A rule can take a badge away, and it never gives one. Its id stands in the
certificate beside what it found. `{{claim}}`, `{{evidence}}` and `{{detail}}` are what it found; of the rules
of a group only the first that finds something is told.
"""
_EFFECTS: dict[Effect, str] = {
    "conflict": "The sentence states it otherwise",
    "missing": "The sentence does not state it",
    "support": "By its parse the sentence does not support the claim",
    "contradiction": "By its parse the sentence does not speak against the claim",
    "refutation": "By its parse the sentence does not refute the claim, though it may speak against it",
}


def page() -> str:
    """The whole page as Markdown."""
    return "\n".join([_HEAD, *(_section(rule) for rule in RULES)])


def _section(rule: Rule[Any]) -> str:
    group = f" (group `{rule.group}`)" if rule.group else ""
    return "\n".join(
        [
            f"## {rule.id}",
            "",
            f"{_EFFECTS[rule.effect]}: \u201c{rule.says.replace('!r', '')}\u201d{group}",
            "",
            "| | claim | sentence |",
            "|---|---|---|",
            *(_row("found in", example) for example in rule.fires),
            *(_row("not in", example) for example in rule.silent),
            "",
        ]
    )


def _row(label: str, example: Example) -> str:
    return f"| {label} | {example[0]} | {example[1] or '(empty)'} |"


if __name__ == "__main__":
    sys.stdout.write(page())
