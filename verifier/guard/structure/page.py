"""The page ``docs/rules.md``: every rule of structure with what it says and its examples.

``python -m verifier.guard.structure.page`` prints it.
"""

from __future__ import annotations

import sys

from verifier.guard.structure.compare import RULES
from verifier.guard.structure.rule import Example, Rule

_HEAD = """# The rules of structure

Made by `python -m verifier.guard.structure.page`; `tests/rules` holds it to the code. A rule compares the
parses of
a claim and of a sentence that the models take for support or contradiction. It can take a badge away, and it
never gives one. Its id stands in the certificate beside what it found. `{claim}` and `{evidence}` are the
words of the two sides.
"""
_EFFECTS = {
    "support": "Keeps the sentence from supporting the claim",
    "contradiction": "Keeps the sentence from speaking against the claim",
}


def page() -> str:
    """The whole page as Markdown."""
    return "\n".join([_HEAD, *(_section(rule) for rule in RULES)])


def _section(rule: Rule) -> str:
    return "\n".join(
        [
            f"## {rule.id}",
            "",
            f"{_EFFECTS[rule.effect]}: \u201c{rule.says.replace('!r', '')}\u201d",
            "",
            "| | claim | sentence |",
            "|---|---|---|",
            *(_row("found in", example) for example in rule.fires),
            *(_row("not in", example) for example in rule.silent),
            "",
        ]
    )


def _row(label: str, example: Example) -> str:
    return f"| {label} | {example[0]} | {example[1]} |"


if __name__ == "__main__":
    sys.stdout.write(page())
