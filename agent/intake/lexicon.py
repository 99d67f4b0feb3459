"""Word classes (``word_lists.toml``) and expressions (``expressions.toml``) of the rules of intake."""

from __future__ import annotations

from language.calendar import MONTH_NAMES
from language.wordlists import read_expressions, word_classes

WORDS = word_classes("agent.intake")
EXPRESSIONS = read_expressions(
    "agent.intake",
    months="|".join(MONTH_NAMES),
    image_nouns="|".join(sorted(WORDS["image_nouns"])),
    image_verbs="|".join(sorted(WORDS["image_verbs"])),
)
