"""Imported triples as sentences: "Iris Lock", "architect", "Ana Roth" is "Iris Lock was designed by …".

Frequent Wikidata properties have a wording; other relations are worded by their part of speech.
"""

from __future__ import annotations

import re
from functools import lru_cache

from language.wordlists import read_table

_WORDINGS: dict[str, str] = read_table("evidence.graph", "wordings.toml")
_FINITE = frozenset("is are was were has have had can may will does do did".split())
_LINKS = frozenset("by in at on to with from as for of into near".split())


def sentence_of(subject: str, relation: str, target: str) -> str:
    """A triple in words, with a capital and a full stop."""
    words = wording(relation.casefold().strip()).format(s=_named(subject), o=_named(target))
    return f"{words[:1].upper() + words[1:] if words.startswith(('the ', 'a ')) else words}."


def _named(name: str) -> str:
    """A name with braces and a final full stop kept from doubling."""
    return re.sub(r"(?<=\w{2})\.$", "", name)


@lru_cache(maxsize=4096)
def wording(relation: str) -> str:
    """The pattern of a relation, with ``{s}`` and ``{o}``."""
    if relation in _WORDINGS:
        return _WORDINGS[relation]
    plain = relation.replace("{", "(").replace("}", ")")
    words = plain.split()
    if not words or words[0] in _FINITE:
        return f"{{s}} {plain} {{o}}"
    first, last = _tags(plain)
    if first in {"VBN", "VBD"} and words[-1] in _LINKS:
        return f"{{s}} {'was' if words[-1] == 'by' else 'is'} {plain} {{o}}"
    if first in {"VBZ", "VBP", "VB", "VBD", "VBN", "MD"}:
        return f"{{s}} {plain} {{o}}"
    if words[-1] == "of":
        return f"{{s}} is the {plain} {{o}}"
    if words[-1] in _LINKS:
        return f"{{s}} is {plain} {{o}}"
    return f"the {plain} of {{s}} include {{o}}" if last == "NNS" else f"the {plain} of {{s}} is {{o}}"


def _tags(relation: str) -> tuple[str, str]:
    """Tags of a relation's first and last word between two names."""
    from language.nlp.pipeline import load_nlp

    doc = load_nlp()(f"Oslo {relation} Norway.")
    inner = [t for t in doc if not t.is_punct][1:-1]
    return (inner[0].tag_, inner[-1].tag_) if inner else ("", "")
