"""When and where a described scene takes place: "people fleeing Kabul airport in August 2021".

Time and place count where they belong to the scene as a whole. To which word a last phrase belongs the parser
can only guess, so every word before it must leave the scene open to it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from language.dates.mentions import find_dates
from language.lexicon import WORDS
from language.names import Name, find_names
from language.nlp.delegation import answerable
from language.nlp.pipeline import parse
from language.nlp.syntax import VERBAL, dependents, has
from language.types import Slot

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token


_CAUSES = frozenset({"against", "about"})
"""They leave the time open where what follows is not definite, and never the place."""
_SEEN = frozenset({"see", "picture", "photograph", "film"})
_ROLE = re.compile(r"(?:[eo]r|ist|ian|[ea]nt|man|chief|champion|king|queen|pope|captain|head)$")
_DAY = re.compile(r"\d{4}(?:-\d\d){0,2}|\d{4}-Q\d")
_INSIDE = re.compile(r",\s|\sin\s")
_LEADS = re.compile(r"\s?(?:[,:(—–]|-\s)")


@dataclass(frozen=True)
class PlaceName:
    """A town by name, and the country (or other region) that stands behind it, ``""`` where none does."""

    town: str
    within: str = ""
    others: tuple[str, ...] = ()
    """Other names of the scene; where one of them is a town as well, it is not plain which is meant."""
    spot: bool = False
    """The name is that of a square, a station or the like, which may have its town behind it."""


@answerable
def pictured_day(scene: str) -> str | None:
    """The time of a scene as an ISO date of any precision; ``None`` when in doubt."""
    found = [d for d in find_dates(scene) if d.value[:1].isdigit()]
    if len(found) != 1 or not _DAY.fullmatch(found[0].value):
        return None
    doc, when = parse(scene), found[0]
    if _doubted(doc):
        return None
    first = _start(doc, when)
    if not any(t.is_alpha for t in doc[: max(0, first - 1)]):
        return when.value
    before = doc[first - 1]
    if before.lower_ not in WORDS["before_times"] or any(_closes(t, place=False) for t in doc[: first - 1]):
        return None
    return when.value if not _is_office(doc[first - 2]) else None


@answerable
def place_in(scene: str) -> PlaceName | None:
    """The one town that a scene is set in; ``None`` where none, or more than one, may be meant.

    What no table of towns knows is nobody's town: the caller looks the name up.
    """
    doc = parse(scene)
    if _doubted(doc):
        return None
    found: dict[str, PlaceName] = {}
    others: list[str] = []
    last: tuple[int, str] | None = None
    for name in find_names(scene):
        here = next((t.i for t in doc if t.idx + len(t) > name.start), len(doc))
        if any(_closes(t, place=True) for t in doc[:here]):
            break
        if last is not None and _INSIDE.fullmatch(scene[last[0] : name.start]):
            found[last[1]] = replace(found[last[1]], within=name.text)
            last = None
            continue
        town, spot, end = _town(doc, name)
        if _is_where(doc, here, name, spot):
            last = (end, town.casefold())
            found.setdefault(town.casefold(), PlaceName(town, spot=spot))
        else:
            others.append(name.text)
    return replace(*found.values(), others=tuple(others)) if len(found) == 1 else None


def _town(doc: Doc, name: Name) -> tuple[str, bool, int]:
    """The name without the kind of place that it names, whether there was one, and the end of both."""
    words = name.text.split()
    if len(words) > 2 and words[0].lower() in WORDS["scene_parts"] and words[1] == "of":
        return " ".join(words[2:]), False, name.end
    after = next((t for t in doc if t.idx >= name.end and t.lower_ not in {"'s", "’s", "'", "’"}), None)
    if after is not None and after.lemma_.lower() in WORDS["scene_parts"] | WORDS["spots"] and after.is_lower:
        return name.text, True, after.idx + len(after)
    cut = next((n for n, w in enumerate(words) if n and w.lower() in WORDS["spots"]), len(words))
    return " ".join(words[:cut]), cut < len(words), name.end


def _is_where(doc: Doc, here: int, name: Name, spot: bool) -> bool:
    """Whether a name says where the scene is: by its preposition, as a dateline, or at the end of a caption."""
    text, at = doc.text, here - 1
    while at > 0 and (doc[at].pos_ in {"DET", "ADJ"} or doc[at].lemma_.lower() in WORDS["scene_parts"]):
        at -= 1
    if text[name.end : name.end + 2] in {"'s", "’s"} and not spot:
        return False
    if at < 0:
        return spot or _LEADS.match(text, name.end) is not None
    before = doc[at]
    if before.lower_ in WORDS["where"] or (before.lower_ == "of" and at > 0 and _is_part(doc[at - 1])) or spot:
        return True
    return bool(before.is_punct) and not _tells(doc, name.end)


def _tells(doc: Doc, start: int) -> bool:
    """Whether anything but dates and names follows."""
    taken = [(d.start, d.end) for d in find_dates(doc.text)] + [(n.start, n.end) for n in find_names(doc.text)]
    rest: Sequence[Token] = [t for t in doc if t.idx >= start and t.is_alpha and t.lower_ not in {"in", "on"}]
    return any(not any(a <= t.idx < b for a, b in taken) for t in rest)


def _start(doc: Doc, when: Slot) -> int:
    """The first token of a time with what belongs to it ("early", "the summer of")."""
    span = doc.char_span(when.start, when.end, alignment_mode="expand")
    first = int(span.start) if span is not None else 0
    period = next((e.start for e in doc.ents if e.label_ == "DATE" and e.start <= first < e.end), first)
    while period < first and doc[period].pos_ in {"ADP", "PUNCT"}:
        period += 1
    while period > 0 and doc[period - 1].pos_ in {"DET", "ADJ"}:
        period -= 1
    return int(period)


def _doubted(doc: Doc) -> bool:
    return any(t.dep_ == "neg" or t.lower_ in {"no", "never", "without"} or t.lower_.endswith("edly") for t in doc)


def _closes(token: Token, *, place: bool) -> bool:
    """Whether what follows this word may belong to something else than the scene."""
    word = token.lower_
    if token.pos_ in VERBAL:
        return _is_over(token)
    if token.tag_ in {"WDT", "WP", "WP$", "WRB", "TO", "MD"} or token.dep_ == "mark":
        return True
    if token.pos_ not in {"ADP", "SCONJ"} or token.dep_ == "prt":
        return False
    if word == "of":
        return not _is_part(token.nbor(-1)) if token.i else True
    if word in _CAUSES and not place and token.i + 1 < len(token.doc):
        return token.nbor().pos_ in {"DET", "PRON", "PROPN"}
    return word not in WORDS["where"] and word not in WORDS["leaves_scene_open"]


def _is_over(verb: Token) -> bool:
    """A verb of what has happened, or shall, or is told; not of what goes on."""
    if verb.tag_ == "VBG":
        return verb.lemma_ in WORDS["telling_of_elsewhere"]
    if verb.tag_ in {"VBZ", "VBP"}:
        return verb.dep_ not in {"ROOT", "ccomp", "aux", "auxpass"}
    if verb.tag_ == "VBN":
        now = any(c.tag_ in {"VBZ", "VBP", "VBG"} for c in dependents(verb, "auxpass"))
        return not now and verb.dep_ != "amod" and verb.lemma_ not in _SEEN
    return True


def _is_part(token: Token) -> bool:
    return token.lemma_.lower() in WORDS["scene_parts"] or token.ent_type_ == "DATE" or token.pos_ == "ADP"


def _is_office(token: Token) -> bool:
    """ "The president in 2019": who held it then, or the person seen then."""
    if token.pos_ != "NOUN" or token.tag_ != "NN" or _ROLE.search(token.lemma_.lower()) is None:
        return False
    return has(token, "det", words={"the"})
