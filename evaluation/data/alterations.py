"""Sentences altered in one detail by rules, and sentences that no corpus speaks of, for ``eval annotate``."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from evaluation.data.word_lists import toml_beside
from factdesk.kernel import Record
from language.calendar import MONTH_NAMES

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

Alteration = Literal["number", "date", "name", "negation"]
ALTERATIONS: tuple[Alteration, ...] = ("number", "date", "name", "negation")
_NUMBER = re.compile(r"(?<![\w.,:-])\d+(?:,\d{3})*(?:\.\d+)?(?![\w:-]|[.,]\d)")
_MONTH = re.compile(rf"\b(?:{'|'.join(MONTH_NAMES)})\b")
_YEAR = re.compile(r"(?<![\w.,-])(?:19|20)\d\d(?![\w-])")
_DAY = re.compile(rf"(?<![\w.,])\d{{1,2}}(?= (?:{'|'.join(MONTH_NAMES)})\b)")
_AUXILIARIES = frozenset("is are was were has have had can could will would must should may might".split())
_DENIED = re.compile(r"\b(?:no|not|never|nobody|none|nothing|without)\b|n['’]t\b", re.IGNORECASE)
_LISTS = toml_beside(__file__, "unsaid.toml")
UNSAID: tuple[str, ...] = tuple(_LISTS["unsaid"])
"""Things nobody says of the corpus' own names."""
FOREIGN: tuple[str, ...] = tuple(_LISTS["foreign"])
"""Statements foreign to the corpus in names and matter."""


class Altered(Record):
    """A sentence with one detail changed."""

    text: str
    kind: Alteration


def alterations(doc: Doc, names: Mapping[str, Sequence[str]], rng: random.Random) -> dict[Alteration, str]:
    """The sentence once with each kind of detail changed that it has.

    ``names`` gives names by their label ("PERSON"); one of the sentence's names that is not its first words
    gets another of the same label in its place.
    """
    found = {
        "number": _number(doc.text, rng),
        "date": _date(doc.text, rng),
        "name": _name(doc, names, rng),
        "negation": _negation(doc),
    }
    return {k: found[k] for k in ALTERATIONS if found[k] not in (None, doc.text)}  # type: ignore[misc]


def _put(text: str, start: int, end: int, word: str) -> str:
    return text[:start] + word + text[end:]


def _number(text: str, rng: random.Random) -> str | None:
    dates = [m.span() for pattern in (_YEAR, _DAY) for m in pattern.finditer(text)]
    numbers = [m for m in _NUMBER.finditer(text) if m.span() not in dates]
    if not numbers:
        return None
    match = rng.choice(numbers)
    plain = match[0].replace(",", "")
    value = float(plain) * rng.choice([0.5, 0.7, 1.4, 1.9])
    decimals = len(plain.partition(".")[2])
    made = f"{value:,.{decimals}f}" if "," in match[0] or value >= 10_000 else f"{value:.{decimals}f}"
    return None if made == match[0] else _put(text, match.start(), match.end(), made)


def _date(text: str, rng: random.Random) -> str | None:
    """Another month where one is named, else another year."""
    months = [m for m in _MONTH.finditer(text) if m[0] != "May" or re.search(r"\d $", text[: m.start()])]
    if months:
        match = rng.choice(months)
        made = MONTH_NAMES[(MONTH_NAMES.index(match[0]) + rng.randint(2, 10)) % 12]
        return _put(text, match.start(), match.end(), made)
    years = list(_YEAR.finditer(text))
    if not years:
        return None
    match = rng.choice(years)
    return _put(text, match.start(), match.end(), str(int(match[0]) - rng.randint(2, 9)))


def _name(doc: Doc, names: Mapping[str, Sequence[str]], rng: random.Random) -> str | None:
    """Another name of the same kind; the sentence's first words stay, so that it is about the same."""
    own = [e for e in doc.ents if e.label_ in names and e.start > 0 and e.text in names[e.label_]]
    if not own:
        return None
    chosen = rng.choice(own)
    others = [n for n in names[chosen.label_] if not set(n.split()) & set(doc.text.split())]
    if not others:
        return None
    return _put(doc.text, chosen.start_char, chosen.end_char, rng.choice(others))


def _negation(doc: Doc) -> str | None:
    """The main verb denied: "was not", "did not cost"."""
    root = next((t for t in doc if t.dep_ == "ROOT" and t.pos_ in {"VERB", "AUX"}), None)
    if root is None or _DENIED.search(doc.text):
        return None
    helpers = [t for t in root.children if t.dep_ in {"aux", "auxpass"} and t.lower_ in _AUXILIARIES]
    first = helpers[0] if helpers else root
    if first.lower_ in _AUXILIARIES:
        at = first.idx + len(first)
        return _put(doc.text, at, at, " not")
    done = {"VBD": "did", "VBZ": "does", "VBP": "do"}.get(root.tag_)
    if done is None:
        return None
    return _put(doc.text, root.idx, root.idx + len(root), f"{done} not {root.lemma_}")


def names_by_label(texts: Sequence[str], nlp: Language) -> dict[str, tuple[str, ...]]:
    """Names of two words and more in some sentences, by label: persons, organisations, places. Sorted."""
    found: dict[str, set[str]] = {"PERSON": set(), "ORG": set(), "GPE": set()}
    for doc in nlp.pipe(texts):
        for name in doc.ents:
            enough = " " in name.text or name.label_ == "GPE"
            whole = name.text[0].isupper() and not re.search(r"['’]", name.text)
            if name.label_ in found and enough and whole:
                found[name.label_].add(name.text)
    return {label: tuple(sorted(names)) for label, names in found.items()}
