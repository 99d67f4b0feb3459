"""Things that a claim describes without naming them, read from spaCy's parse.

With a name, "The firm that rebuilt Corbel Bridge was founded in 1961" gives the anchor "Halder rebuilt
Corbel Bridge" and the rest "Halder was founded in 1961". Decides no badge.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from agent.intake.lexicon import WORDS
from language.names import content_stems, find_names, name_in
from language.nlp.delegation import answerable
from language.nlp.pipeline import parse
from language.nlp.syntax import SUBJECTS, VERBAL, dependents, has
from language.quantities.mentions import find_slots

if TYPE_CHECKING:
    from spacy.tokens import Span as Tokens
    from spacy.tokens import Token


_DOERS = ("er", "or", "ist", "ian", "man", "woman")
"""Endings of agent nouns."""
_OF = frozenset({"of", "in", "at", "for"})
_NAME = "\N{WHITE SQUARE}"
"""Placeholder for the name; never a part of a claim."""
MAX_CANDIDATES = 2


@dataclass(frozen=True)
class Description:
    """Words of a claim that describe a thing instead of naming it."""

    text: str
    """The describing words, a substring of the claim."""
    told: str
    """The description as a statement, with the placeholder."""
    claim: str
    """The claim, with the placeholder for the description."""
    definite: bool
    """The description holds a name ("the firm that rebuilt Corbel Bridge"); otherwise the rest of the claim does."""

    def anchor(self, name: str) -> str:
        """The statement that ties ``name`` to what the claim names."""
        return (self.told if self.definite else self.claim).replace(_NAME, name)

    def other(self, name: str) -> str:
        """The statement that is left once ``name`` is known."""
        return (self.claim if self.definite else self.told).replace(_NAME, name)


@lru_cache(maxsize=256)
@answerable
def find_description(claim: str) -> Description | None:
    """What ``claim`` describes instead of naming it: a relative clause first, then with a name, then the shortest."""
    if _NAME in claim:
        return None
    doc = parse(claim)
    found = []
    for head in doc:
        for first, last, told, clause in _readings(head):
            words = doc[first : last + 1]
            named = bool(find_names(words.text) or find_slots(words.text))  # a name, a number or a date
            definite = named and words[0].lower_ not in {"a", "an"} | WORDS["somebody"]
            rest = f"{claim[: words.start_char]} {claim[words.end_char :]}"
            if _says_more(words) and (definite or find_names(rest)):
                rank = (not clause, not definite, last - first, first)
                marked = claim[: words.start_char] + _NAME + claim[words.end_char :]
                told = f"{told[0].upper()}{told[1:]}."
                found.append((rank, Description(text=words.text, told=told, claim=marked, definite=definite)))
    return min(found, key=lambda f: f[0])[1] if found else None


def candidates(description: Description, claim: str, sentences: Sequence[str]) -> list[str]:
    """Names in sentences about the named thing that the claim lacks, best sentences first."""
    about = description.text if description.definite else description.claim
    wanted, known = content_stems(about), find_names(about)
    found: dict[str, None] = {}
    for sentence in sorted(dict.fromkeys(sentences), key=lambda s: -len(wanted & content_stems(s))):
        if known and not any(name_in(n, sentence) for n in known):
            continue
        for name in find_names(sentence):
            if not name_in(name, claim) and len(name.words) <= 5:
                found.setdefault(name.text.removesuffix("'s").removesuffix("’s"), None)
    return list(found)[:MAX_CANDIDATES]


def _says_more(words: Tokens) -> bool:
    """Whether the rest of the claim states more than an identity."""
    rest = [t for t in words.doc if not words.start <= t.i < words.end and not t.is_punct]
    verbs = [t for t in rest if t.pos_ in VERBAL]
    only_is = all(t.lemma_ == "be" for t in verbs) and all(t.pos_ in ("PROPN", "AUX") for t in rest)
    return bool(verbs) and not only_is


def _readings(head: Token) -> Iterator[tuple[int, int, str, bool]]:
    """(first token, last token, statement, is a relative clause) where ``head`` is described."""
    if head.lower_ in WORDS["somebody"]:
        first = head.i
    elif head.pos_ == "NOUN" and not head.ent_type_:
        owner = next((c for c in head.children if c.dep_ == "poss" and c.pos_ == "PROPN"), None)
        if owner is not None and _does(head):
            words = head.doc[owner.left_edge.i : head.i + 1]
            yield owner.left_edge.i, head.i, f"{_NAME} is {words.text}", False
        articles = dependents(head, "det", words={"the", "a", "an"})
        if not articles:
            return
        first = articles[0].i
    else:
        return
    for child in head.children:
        if child.i > head.i and (told := _told_by(child, head, first)):
            yield first, child.right_edge.i, told, child.dep_ == "relcl"


def _told_by(child: Token, head: Token, first: int) -> str | None:
    """The statement that a relative clause, participle or preposition makes of its noun."""
    doc, last = head.doc, child.right_edge.i
    if child.dep_ == "relcl":
        return _relative(child, head)
    if child.dep_ == "acl" and child.tag_ in ("VBN", "VBG"):
        tail = doc[child.left_edge.i : last + 1].text
        return f"{_NAME} {'was' if child.tag_ == 'VBN' else 'is'} {tail}"
    if child.dep_ != "prep":
        return None
    if child.lower_ == "with" and last > child.i:
        return f"{_NAME} has {doc[child.i + 1 : last + 1].text}"
    if child.lower_ == "behind" or (child.lower_ in _OF and _does(head)):
        return f"{_NAME} is the {doc[first + 1 : last + 1].text}"
    return None


def _does(head: Token) -> bool:
    lemma = head.lemma_.lower()
    if head.tag_ != "NN":
        return False
    return lemma in WORDS["relational_nouns"] or (len(lemma) > 4 and lemma.endswith(_DOERS))


def _relative(verb: Token, head: Token) -> str | None:
    """The statement that a relative clause makes of its noun, or ``None``."""
    doc = verb.doc
    first, last = verb.left_edge.i, verb.right_edge.i
    if first <= head.i:  # "whoever designed it": the pronoun heads its own clause
        first = head.i + 1
    link = next((t for t in doc[first : last + 1] if t.tag_ in ("WDT", "WP", "WRB", "WP$")), None)
    if link is None:
        if head.lower_ == "whoever":
            return f"{_NAME} {doc[first : last + 1].text}"
        if first != head.i + 1 or not has(verb, *SUBJECTS):
            return None
        return f"{doc[first : last + 1].text} {_NAME}"  # "the bridge Halder rebuilt"
    rest = doc[link.i + 1 : last + 1].text.strip(" ,")
    if any(not t.is_punct for t in doc[first : link.i]) or not rest:
        return None
    if link.tag_ == "WP$":
        return f"{_NAME}'s {rest}"
    if link.tag_ == "WRB":
        return f"{rest} in {_NAME}" if link.lower_ == "where" else None
    if link.dep_ in SUBJECTS and link.head.i == verb.i:
        return f"{_NAME} {rest}"
    return f"{rest} {_NAME}" if link.dep_ == "dobj" and link.head.i == verb.i else None
