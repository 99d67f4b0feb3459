"""Imported triples as sentences: "Iris Lock", "architect", "Ana Roth" is "Iris Lock was designed by …".

Frequent Wikidata properties have a wording; other relations are worded by their part of speech.
"""

from __future__ import annotations

import re
from functools import lru_cache

_WORDINGS = {
    "adjacent station": "{s} is next to {o}",
    "applies to jurisdiction": "{s} applies to {o}",
    "architect": "{s} was designed by {o}",
    "author": "{s} was written by {o}",
    "award received": "{s} received {o}",
    "based on": "{s} is based on {o}",
    "basin country": "{s} lies in {o}",
    "capital of": "{s} is the capital of {o}",
    "cast member": "{o} appears in {s}",
    "cause of death": "{s} died of {o}",
    "characters": "{o} is a character in {s}",
    "composer": "{s} was composed by {o}",
    "contains the administrative territorial entity": "{o} lies in {s}",
    "continent": "{s} is in {o}",
    "country": "{s} is in {o}",
    "country of citizenship": "{s} is a citizen of {o}",
    "country of origin": "{s} comes from {o}",
    "creator": "{s} was created by {o}",
    "crosses": "{s} crosses {o}",
    "date of birth": "{s} was born on {o}",
    "date of death": "{s} died on {o}",
    "developer": "{s} was developed by {o}",
    "director": "{s} was directed by {o}",
    "discoverer or inventor": "{s} was discovered or invented by {o}",
    "educated at": "{s} was educated at {o}",
    "employer": "{s} works for {o}",
    "founded by": "{s} was founded by {o}",
    "genre": "the genre of {s} is {o}",
    "has effect": "{s} has the effect {o}",
    "has part(s)": "{o} is part of {s}",
    "headquarters location": "the headquarters of {s} is in {o}",
    "inception": "{s} was founded in {o}",
    "instance of": "{s} is an instance of {o}",
    "located in protected area": "{s} is located in the protected area {o}",
    "located in the administrative territorial entity": "{s} is located in {o}",
    "located in or next to body of water": "{s} is in or next to {o}",
    "location": "{s} is in {o}",
    "location of formation": "{s} was founded in {o}",
    "manufacturer": "{s} is made by {o}",
    "member of": "{s} is a member of {o}",
    "member of political party": "{s} is a member of the party {o}",
    "member of sports team": "{s} plays or played for {o}",
    "named after": "{s} is named after {o}",
    "notable work": "a notable work of {s} is {o}",
    "operator": "{s} is operated by {o}",
    "original broadcaster": "{s} was originally broadcast on {o}",
    "owned by": "{s} is owned by {o}",
    "parent organization": "{s} belongs to {o}",
    "part of": "{s} is part of {o}",
    "participant in": "{s} took part in {o}",
    "performer": "{s} was performed by {o}",
    "place of birth": "{s} was born in {o}",
    "place of death": "{s} died in {o}",
    "position held": "{s} holds or held the position {o}",
    "producer": "{s} was produced by {o}",
    "publication date": "{s} was published on {o}",
    "publisher": "{s} was published by {o}",
    "religion or worldview": "{s} belongs to {o}",
    "residence": "{s} lives or lived in {o}",
    "said to be the same as": "{s} is said to be the same as {o}",
    "screenwriter": "{s} was written by {o}",
    "shares border with": "{s} borders on {o}",
    "sibling": "{s} is a sibling of {o}",
    "spouse": "{s} is or was married to {o}",
    "subclass of": "{s} is a kind of {o}",
}
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
