"""Slot guard: what belongs to what in a sentence that has all words of the claim, in another order.

Sides of a deed ("the firm bought the dairy"), directions ("into German"), places and days ("was born in
Bergen and grew up in Oslo"), what is counted ("312 windows and 280 steps"), shares ("40 percent of smokers").
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from language import lexicon as lex
from language.calendar import MONTHS
from language.names import find_names, plain, stem
from language.quantities.mentions import find_slots
from language.quantities.types import SlotKind
from verifier.guard.words import finding_of
from verifier.types import GuardFinding

_WORD = re.compile(r"[\w][\w'’.-]*[\w]|\w|[;:,.!?()]")
_TURNED: tuple[tuple[frozenset[str], frozenset[str]], ...] = tuple(
    (frozenset(a.split()), frozenset(b.split()))
    for a, b in (
        ("into to towards toward", "from off"), ("before", "after since"), ("until till by", "since from"),
        ("to", "by"), ("above over", "below under beneath"), ("inside within", "outside"),
        ("with", "without"), ("for", "against"),
    )
)  # fmt: skip
_PLACING = frozenset(
    "in at on off near from of to into by under through over across during since before after".split()
)
_JOINING = frozenset("the a an and or , of in on at early late mid near new".split()) | {
    m.lower() for m in MONTHS
}
_IRREGULAR = {
    "children": "child",
    "men": "man",
    "women": "woman",
    "people": "person",
    "died": "death",
    "dead": "death",
}
_PARTING = frozenset("and but or , as".split())
_CHAIN = 16
"""Words behind a preposition in which a name or a year may belong to the word before it."""
_MONTHS = frozenset(month.lower() for month in MONTHS)
_HOURS = frozenset("dawn morning noon midday afternoon evening dusk night midnight".split())
_DEEDS = frozenset(
    "born built sold bought shot beat won lost sank sunk held ran led met fell rose found took gave went came"
    " left sent struck hit grew made paid taught wrote written known effect fought broke chose drew flew sang"
    " hid hurt kept lent lay read rode spoke stole threw understood wore man woman capital married".split()
)
"""Words besides those in -ed beside which a name or a day says where, when or with whom."""
_BREAK = frozenset(";:.!?")
_ARTICLES = frozenset("the a an its his her their".split())
_BEING = frozenset("is are was were be been being".split())
_CLAUSE_WORDS = frozenset(
    "who which that while because when where after before until since although though if but".split()
)


def attached_findings(claim: str, premise: str) -> list[GuardFinding]:
    """A claim whose words belong together otherwise in the evidence; at most one finding."""
    if plain(claim) in plain(premise):
        return []
    mine, theirs = _words(claim), _words(premise)
    found = (
        _turned(mine, theirs)
        or _placed(mine, theirs, _values(claim) | _values(premise))
        or _held(mine, theirs)
        or _counted(mine, theirs)
        or _sides(mine, theirs)
    )
    if found is None:
        return []
    slot, own, other, said = found
    return [finding_of(slot, "conflict", own, other, said)]


Found = tuple[SlotKind, str, str, str] | None


def _words(text: str) -> list[str]:
    return [plain(w).removesuffix("'s") if len(w) > 1 else w for w in _WORD.findall(text)]


def _root(word: str) -> str:
    return stem(_IRREGULAR.get(word, word))


def _telling(word: str) -> bool:
    return word[:1].isalnum() and word not in lex.STOPWORDS and word not in _PLACING


def _turned(mine: list[str], theirs: list[str]) -> Found:
    """The same word before, and the same behind, a preposition of the other direction."""
    told = set(_phrases(theirs))
    for head, way, goal in _phrases(mine):
        if (head, way, goal) in told:
            continue
        for one, other in (*_TURNED, *((b, a) for a, b in _TURNED)):
            if way in one:
                turned = [w for h, w, g in told if h == head and g == goal and w in other]
                if turned:
                    said = f"The claim says {way!r} of what the evidence says {turned[0]!r} of."
                    return "direction", way, turned[0], said
    return None


def _phrases(words: list[str]) -> Iterator[tuple[str, str, str]]:
    """(word before, preposition, word behind), as stems."""
    ways = {w for pair in _TURNED for side in pair for w in side}
    for i, word in enumerate(words[1:-1], 1):
        if word in ways and words[i - 1] not in _BREAK:
            before = [w for w in words[max(0, i - 3) : i] if _telling(w)]
            behind = [w for w in words[i + 1 : i + 4] if _telling(w)]
            if before and behind:
                yield _root(before[-1]), word, _root(behind[0])


def _placed(mine: list[str], theirs: list[str], values: set[str]) -> Found:
    """A name or a year beside a word that the evidence puts beside another name or year only."""
    told: dict[str, set[str]] = {}
    for head, value in _beside(theirs, values):
        told.setdefault(head, set()).add(value)
    deeds = {_root(w) for w in mine if _is_deed(w)}
    attached = {v for vs in told.values() for v in vs}
    for head, value in _beside(mine, values):
        others = told.get(head, set()) if head in deeds else set()
        kind = {v for v in others if _is_time(v) == _is_time(value)}
        if value in attached and kind and value not in others:
            there = ", ".join(sorted(kind))
            said = f"The claim puts {value!r} beside {head!r}; the evidence has {there!r} there."
            return "entity", value, sorted(kind)[0], said
    return None


def _values(text: str) -> set[str]:
    """Words of names, months and years."""
    dated = {w for s in find_slots(text) if s.kind == "date" for w in _words(s.text)}
    named = {w for n in find_names(text) for w in _words(n.text) if len(w) > 2 and w not in _JOINING}
    return (named - lex.STOPWORDS) | {w for w in (*dated, *_words(text)) if _is_time(w)}


def _is_time(word: str) -> bool:
    return word in _MONTHS or word in _HOURS or re.fullmatch(r"\d{4}", word) is not None


def _is_deed(word: str) -> bool:
    return word.endswith("ed") or word in _DEEDS


def _beside(words: list[str], values: set[str]) -> Iterator[tuple[str, str]]:
    """(stem of the word before the preposition, value behind it), for all values of one chain."""
    for i, word in enumerate(words[1:], 1):
        if word not in _PLACING:
            continue
        head = next((w for w in words[max(0, i - 2) : i][::-1] if _telling(w)), "")
        if not head or head in values:
            continue
        for at in range(i + 1, min(len(words), i + _CHAIN)):
            value, before = words[at], words[at - 1]
            if value in values:
                yield _root(head), value
            elif value in _BREAK or value in _CLAUSE_WORDS or (before in _PARTING and value not in _JOINING):
                break


def _held(mine: list[str], theirs: list[str]) -> Found:
    """ "took the painting" against "left the painting and took the frame"."""
    told: dict[str, set[str]] = {}
    for deed, thing in _objects(theirs):
        told.setdefault(deed, set()).add(thing)
    for deed, thing in _objects(mine):
        others = told.get(deed, set())
        elsewhere = {d for d, things in told.items() if thing in things} - {deed}
        if others and thing not in others and elsewhere:
            said = f"The claim says {deed!r} of {thing!r}; the evidence says it of {sorted(others)[0]!r}."
            return "entity", thing, sorted(others)[0], said
    return None


def _objects(words: list[str]) -> Iterator[tuple[str, str]]:
    """(deed, what stands right behind it with an article), as stems."""
    for i, word in enumerate(words[:-2]):
        if _is_deed(word) and words[i + 1] in _ARTICLES and _telling(words[i + 2]):
            yield _root(word), _root(words[i + 2])


def _counted(mine: list[str], theirs: list[str]) -> Found:
    """A number that counts something else there, while what the claim counts has another number, or none."""
    told = list(_counts(theirs))
    for number, roots in _counts(mine):
        if number == "one":
            continue
        there = [r for n, r in told if n == number]
        if not there or not roots or any(roots[0] in r or r[0] in roots for r in there):
            continue
        other = [n for n, r in told if r[0] == roots[0] and n != number]
        if other or roots[0] in _among(theirs):
            instead = other[0] if other else "some"
            said = f"The claim counts {number!r} of what the evidence has {instead!r} of."
            return "number", number, instead, said
    return None


def _among(words: list[str]) -> set[str]:
    """Stems of the few words behind "among them", "half of them", "including"."""
    found: set[str] = set()
    for i, word in enumerate(words):
        if word == "including" or (
            word in {"them", "whom", "which"} and words[i - 1 : i] in (["among"], ["of"])
        ):
            found |= {_root(w) for w in words[i + 1 : i + 4] if _telling(w)}
    return found


def _counts(words: list[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """(number, stems of the one or two words that it counts)."""
    for i, word in enumerate(words):
        number = "one" if word in {"a", "an"} else word
        if (word[0].isdigit() and not _is_time(word)) or word in lex.NUMBER_WORDS or word in {"a", "an"}:
            behind: list[str] = []
            for w in words[i + 1 : i + 4]:
                if not _telling(w) or w[0].isdigit():
                    break
                behind.append(_root(w))
            if behind:
                yield number, tuple(behind[:2])


def _sides(mine: list[str], theirs: list[str]) -> Found:
    """Subject and object around the same verb, the other way round ("the man shot at police")."""
    if set(mine) & {"and", "or"} or set(mine) & _CLAUSE_WORDS:
        return None
    content = [i for i, w in enumerate(mine) if _telling(w)]
    for at in content[1:-1]:
        if not _is_deed(mine[at]):
            continue
        verb = _root(mine[at])
        left = {_root(mine[i]) for i in content if i < at}
        right = {_root(mine[i]) for i in content if i > at}
        places = [i for i, w in enumerate(theirs) if _root(w) == verb]
        if len(places) != 1 or left & right:
            continue
        [there] = places
        before = {_root(w) for w in _near(theirs[:there][::-1])}
        behind = {_root(w) for w in _near(theirs[there + 1 :])}
        passive = [_is_passive(mine, at), _is_passive(theirs, there)]
        if left <= behind and right <= before and passive[0] == passive[1]:
            said = f"Around {mine[at]!r} the claim has the two sides the other way round than the evidence."
            return "entity", mine[at], mine[at], said
    return None


def _near(words: list[str]) -> list[str]:
    """The telling words up to the end of the clause."""
    near: list[str] = []
    for word in words:
        if word in _BREAK or word in _CLAUSE_WORDS or word == ",":
            break
        if _telling(word):
            near.append(word)
    return near


def _is_passive(words: list[str], at: int) -> bool:
    """Whether a form of "to be" stands before the deed, or "by" behind it."""
    return "by" in words[at + 1 : at + 2] or bool(_BEING & set(words[max(0, at - 3) : at]))


def share_findings(claim: str, premise: str) -> list[GuardFinding]:
    """ "40 percent of women smoked" against "40 percent of smokers were women", or "of women under 30"."""
    mine, theirs = {_root(w) for w in _words(claim)}, {_root(w) for w in _words(premise)}
    told = list(_shares(premise))
    for value, whole, _ in _shares(claim):
        there = [(w, rest) for v, w, rest in told if v == value]
        if not there or any(w == whole and not rest for w, rest in there):
            continue
        other, rest = there[0]
        if other == whole and rest and not rest & mine:
            message = (
                f"The evidence gives {value} percent of fewer ({' '.join(sorted(rest))}) than the claim does."
            )
            return [finding_of("percentage", "conflict", value, " ".join(sorted(rest)), message)]
        if other != whole and other not in _BACK and (whole in theirs or other in mine):
            message = f"The claim gives {value} percent of {whole!r}; the evidence gives that of {other!r}."
            return [finding_of("percentage", "conflict", whole, other, message)]
    return []


_BACK = frozenset("which them whom it that this these those us".split())
_OF = re.compile(
    r"\s+of\s+(?:(?:all|the|its|their|our|those|these)\s+)*(?P<whole>[\w'’-]+)"
    r"(?P<rest>\s+(?:under|over|aged|below|above|between|who|with|without|from)\s+[\w'’-]+(?:\s\d+)?)?",
    re.IGNORECASE,
)


def _shares(text: str) -> Iterator[tuple[str, str, set[str]]]:
    """(percent, stem of the whole, stems of what narrows the whole down)."""
    for slot in find_slots(text):
        if slot.kind == "percentage" and (found := _OF.match(text, slot.end)):
            rest = {_root(w) for w in _words(found["rest"] or "")}
            yield slot.value, _root(plain(found["whole"])), rest
