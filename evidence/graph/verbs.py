"""Base forms of verbs, where spaCy's lemmatizer takes the wrong one of two."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.tokens import Token

_ONE_BEAT = re.compile(r"[^aeiou]*[aeiouy][^aeiouwxy]")
"""A stem that doubles its last letter before an ending ("hat", "hatted")."""
_WITH_E = frozenset("ax bath chaperon lambast poleax premier".split())
"""Stems that are verbs too, but seldom meant ("premiered", "bathed")."""


def base_form(verb: Token) -> str:
    """The base form in lower case: "hated" is "hate", since "hat" would double its last letter."""
    word, lemma = verb.lower_, verb.lemma_.lower()
    if word not in {f"{lemma}ed", f"{lemma}ing"}:
        return lemma
    return f"{lemma}e" if lemma in _WITH_E or _ONE_BEAT.fullmatch(lemma) else lemma
