"""Claim spans of a text of any length: exact substrings, apart where the words allow it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from agent.intake import compile_claims
from agent.types import AtomicClaim
from evidence.graph.coreference import Discourse
from evidence.segmentation.spans import sentence_ranges
from factdesk.kernel import InputError

if TYPE_CHECKING:
    from spacy.language import Language

MAX_CHARACTERS = 18_000
"""Of one piece; the intake takes 20,000."""
_BREAK = re.compile(r"\n[ \t]*\n")
_LINK = re.compile(r"(?:[\s,;:–—-]|\b(?:and|but|or|while|whereas|which|who|that)\b)+\Z")
_LEAST_WORDS = 3
_OWNERS = frozenset({"his", "her", "its", "their"})
_PRONOUNS = _OWNERS | {"he", "she", "it", "they"}


@dataclass(frozen=True)
class Located:
    """A claim with its place in the whole text."""

    start: int
    end: int
    claim: AtomicClaim
    """Its text has pronouns filled in where the text says who is meant."""
    open_pronoun: str = ""
    """The pronoun it opens with, where nobody can tell who is meant."""


def claim_spans(text: str, nlp: Language) -> tuple[Located, ...]:
    """All claims of a text, in order; ``text[start:end]`` is where each stands.

    A paragraph is read as a whole, so that its pronouns can be filled in; one with more claims than the
    intake takes is read in halves. Raises ``InputError`` for a text without words.
    """
    if not re.search(r"\w", text):
        raise InputError("the text has no words; give a text with statements")
    found: list[Located] = []
    for start, end in _paragraphs(text):
        found += _filled(_apart(list(_claims(text, start, end, nlp)), text), text, start, end, nlp)
    return tuple(found)


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    for match in [*_BREAK.finditer(text), None]:
        end = match.start() if match is not None else len(text)
        if re.search(r"\w", text[at:end]):
            yield at, end
        at = match.end() if match is not None else end


def _claims(text: str, start: int, end: int, nlp: Language) -> Iterator[Located]:
    sentences = list(sentence_ranges(text, start, end))
    if end - start <= MAX_CHARACTERS:
        compiled = compile_claims(text[start:end], nlp=nlp)
        if not compiled.trimmed or len(sentences) < 2:
            yield from (Located(start + c.start, start + c.end, c) for c in compiled.claims)
            return
    middle = sentences[max(1, len(sentences) // 2)][0] if len(sentences) > 1 else start + MAX_CHARACTERS
    for left, right in ((start, middle), (middle, end)):
        if re.search(r"\w", text[left:right]):
            yield from _claims(text, left, right, nlp)


def _apart(found: list[Located], text: str) -> list[Located]:
    """Where one claim's words hold the next one's, it keeps those before them, if they are enough."""
    ordered = sorted(found, key=lambda c: (c.start, c.end))
    kept = []
    for number, one in enumerate(ordered):
        following = next((o for o in ordered[number + 1 :] if o.start > one.start), None)
        if following is not None and following.start < one.end:
            head = _LINK.sub("", text[one.start : following.start])
            if len(head.split()) >= _LEAST_WORDS:
                one = Located(one.start, one.start + len(head), one.claim)
        kept.append(one)
    return kept


def _filled(found: list[Located], text: str, start: int, end: int, nlp: Language) -> list[Located]:
    """Pronouns that the intake left open, by the rules of the graph's documents."""
    if not any(_opening(one.claim.text) for one in found):
        return found
    ranges = list(sentence_ranges(text, start, end))
    docs = list(nlp.pipe([text[a:b] for a, b in ranges], batch_size=len(ranges)))
    discourse = Discourse.of(docs, "")
    named: dict[tuple[int, str], str] = {}
    for (left, _), doc in zip(ranges, docs, strict=True):
        discourse.open(doc)
        for token in doc:
            if token.lower_ not in _PRONOUNS:
                continue
            node = discourse.owner(token) if token.dep_ == "poss" else discourse.node(token)
            if node is not None:
                named.setdefault((left, token.lower_), node.text)
    return [_with_name(one, [a for a, b in ranges if a <= one.start < b], named) for one in found]


def _opening(claim: str) -> str:
    first = re.split(r"\W", claim.strip(), maxsplit=1)[0].lower()
    return first if first in _PRONOUNS else ""


def _with_name(one: Located, sentence: list[int], named: dict[tuple[int, str], str]) -> Located:
    pronoun = _opening(one.claim.text)
    if not pronoun:
        return one
    name = named.get((sentence[0], pronoun)) if sentence else None
    if name is None:
        return replace(one, open_pronoun=pronoun)
    rest = one.claim.text.strip()[len(pronoun) :]
    owned = f"{name}{chr(39) if name.endswith('s') else chr(39) + 's'}" if pronoun in _OWNERS else name
    filled = f"{owned[:1].upper()}{owned[1:]}{rest}"
    return replace(one, claim=one.claim.model_copy(update={"text": filled}))
