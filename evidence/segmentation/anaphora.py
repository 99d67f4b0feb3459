"""Which sentences need the one before to be understood."""

from __future__ import annotations

import re

_PRONOUNS = """
he she it they we this that these those his her hers its their theirs there here such both neither
another others? one some then he's she's it's they're that's
"""


def _any_of(words: str) -> str:
    return "|".join(words.split())


_OPENING = re.compile(
    r"[\"'\u201c\u2018(\[]*"
    r"(?:(?:but|and|yet|however,|so|still,|meanwhile,|later,|also,|instead,)\s+)?"
    rf"(?:(?:{_any_of(_PRONOUNS)})\b(?!-)"
    r"|(?:the|this|that|these|those)\s+(?-i:[a-z][\w-]*)\b"
    r"(?!\s+(?:of|for|in|at|on|from|that|which|who|where|between|against)\b))",
    re.IGNORECASE,
)
"""A pronoun, or "the" with a bare noun ("The vessel", not "The mayor of Tarn")."""
_PERSON = re.compile(r"\b(?:he|she|him|her|his|hers)\b")
_FULL_NAME = re.compile(
    r"(?<!The )(?<!the )\b(?!The\b)[A-Z][\w'’-]+(?:\s+(?:[A-Z]\.|de|van|von|al|bin))?\s+[A-Z][\w'’-]+"
)


def leans_back(sentence: str) -> bool:
    """Whether it opens with a pronoun, demonstrative or bare description ("The company").

    Or has "her" or "him" before any name.
    """
    if _OPENING.match(sentence):
        return True
    person = _PERSON.search(sentence)
    return person is not None and not _FULL_NAME.search(sentence, 0, person.start())
