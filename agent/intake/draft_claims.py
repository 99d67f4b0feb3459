"""Draft claims: the tokens of a sentence that they keep, how they are written out, and how their parse is read."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from agent.intake.lexicon import WORDS
from language.nlp.pipeline import load_nlp
from language.nlp.syntax import TIMES, according_to, after_comma, dependents, has, subject_of, subtree

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token


_CLOSING = frozenset(",.;:!?%)]}”’…") | {"'s", "’s", "n't", "n’t", "'"}
_OPENING = frozenset("([{“‘$€£")
ORIGIN = "origin"
"""Key in a document's ``user_data``: for each token, the token of the input it was made from."""
_TRIM = " ,;:–—-"
_ENDS = frozenset({".", "!", "?"})
Word = tuple[str, "Token | None"]
"""A word of a part with its token; ``None`` for an inserted one."""


@dataclass(frozen=True)
class Draft:
    """One draft claim."""

    doc: Doc
    words: dict[int, str]
    """Indices of its tokens, in the order of writing, and the text to write for each."""
    head: int
    """Index of its verb (or root)."""
    subject: int | None
    own: frozenset[int]
    """Indices of the tokens of its source."""
    whole: bool = True
    """Nothing was removed or filled in."""
    open_pronoun: str | None = None
    """The pronoun that could not be resolved."""

    def select(self, tokens: Iterable[Token]) -> dict[int, str]:
        """Words for tokens, as the draft writes them."""
        return {t.i: self.words.get(t.i, t.text) for t in tokens}

    def keep(self, drop: Collection[int]) -> Draft:
        """The draft without some tokens."""
        words = {i: text for i, text in self.words.items() if i not in drop}
        return replace(self, words=words, own=self.own.difference(drop), whole=False)

    def rewrite(self, texts: dict[int, str]) -> Draft:
        """The draft with other text for some tokens."""
        words = {i: texts.get(i, text) for i, text in self.words.items()}
        return replace(self, words=words, whole=False) if texts else self

    def text(self) -> str:
        """Written out as a sentence."""
        raw = join(self.doc, self.words)
        return raw if self.whole else finish(raw)


def source_token(doc: Doc, index: int) -> Token | None:
    """The input's token behind a draft's token; ``None`` for an inserted word."""
    origin: tuple[Token | None, ...] | None = doc.user_data.get(ORIGIN)
    return doc[index] if origin is None else origin[index]


def parsed(part: Sequence[Word]) -> Span:
    """The words as one parsed sentence that keeps their tokens."""
    from spacy.tokens import Doc

    texts = [text for text, _ in part] + ([] if part[-1][0] in _ENDS else ["."])
    starts: list[bool | int | None] = [True, *[False] * (len(texts) - 1)]
    spaces = [_spaced(a, b) for a, b in pairwise(part)] + [True] * (len(texts) - len(part) + 1)
    nlp = load_nlp()
    doc = Doc(nlp.vocab, words=texts, spaces=spaces, sent_starts=starts)
    origins = (source_token(t.doc, t.i) if t is not None else None for _, t in part)
    doc.user_data[ORIGIN] = (*origins, *[None] * (len(texts) - len(part)))
    for _, pipe in nlp.pipeline:
        doc = pipe(doc)
    return doc[:]


def _spaced(left: Word, right: Word) -> bool:
    """Whether a space stands between two words: as in the source, where they are neighbours there."""
    first, second = left[1], right[1]
    if first is None or second is None or second.i != first.i + 1:
        return not right[0].startswith(("'", "’"))
    return bool(first.whitespace_)


def words_of(tokens: Iterable[Token], *, own: bool = True) -> list[Word]:
    """The tokens as words, without final commas; those that are not ``own`` belong to no source."""
    found = list(tokens)
    while found and found[-1].text in {",", ";"}:
        found.pop()
    return [(t.text, t if own else None) for t in found]


def join(doc: Doc, words: dict[int, str]) -> str:
    """Words as text, with the document's spacing between neighbours."""
    text = ""
    for (before, left), (index, word) in pairwise([(None, ""), *words.items()]):
        if before is None or index == before + 1:
            glue = doc[before].whitespace_ if before is not None else ""
        else:
            tight = word in _CLOSING or left in _OPENING or word.startswith(("'", "’"))
            glue = "" if tight else " "
        text += glue + word
    return text.strip()


def finish(raw: str) -> str:
    """A sentence with a capital, one end mark and no doubled commas."""
    text = re.sub(r"\s*,(\s*,)+", ",", re.sub(r"\s+", " ", raw)).strip(_TRIM)
    text = text.rstrip(".").rstrip(_TRIM)
    first = text.split(" ", 1)[0]
    if first.islower():
        text = text[:1].upper() + text[1:]
    return text if text.endswith(("!", "?")) else f"{text}."


def noun_text(token: Token, without: frozenset[int] = frozenset()) -> str:
    """A noun phrase without asides, for use as a subject."""
    drop = set(without)
    for child in token.children:
        if child.dep_ in {"relcl", "appos", "acl"} and child.i > token.i and after_comma(child):
            drop |= subtree(child)
    kept = [t for t in token.subtree if t.i not in drop]
    while kept and (kept[-1].is_punct and kept[-1].text not in {")", '"', "”"}):
        kept.pop()
    while kept and kept[0].is_punct and kept[0].text not in {"(", '"', "“"}:
        kept.pop(0)
    return join(token.doc, {t.i: t.text for t in kept})


def balanced(text: str) -> bool:
    """Whether quotes and brackets close."""
    pairs = (("(", ")"), ("[", "]"), ("“", "”"))
    return text.count('"') % 2 == 0 and all(text.count(a) == text.count(b) for a, b in pairs)


def is_negated(token: Token) -> bool:
    """Whether it has a negation as a direct dependent."""
    return any(c.dep_ == "neg" or c.lower_ in {"never", "hardly", "not", "n't"} for c in token.children)


def has_negation(token: Token) -> bool:
    """Whether any of its dependents negates or restricts."""
    return any(t.dep_ == "neg" or t.lower_ in WORDS["quantified"] or t.lower_ == "without" for t in token.subtree)


def complemented(verb: Token) -> bool:
    """Whether anything but its conjuncts follows a verb."""
    return any(c.dep_ not in {"cc", "conj", "punct"} for c in verb.rights)


def leans(subject: Token) -> bool:
    """Whether a subject means nothing without the clause before ("the rest", "this plan")."""
    pointing = any(c.lower_ in {"that", "this", "those", "these", "such"} for c in subject.lefts)
    return pointing or subject.lower_ in WORDS["leaning_nouns"]


def own_nodes(token: Token) -> list[Token]:
    """A phrase without its conjuncts, their "and", and edge commas."""
    drop = {t.i for child in dependents(token, "conj") for t in child.subtree}
    drop |= {child.i for child in dependents(token, "cc", "preconj")}
    nodes = [t for t in token.subtree if t.i not in drop]
    while nodes and nodes[-1].text in {",", ";", ":"}:
        nodes.pop()
    while nodes and nodes[0].text in {",", ";", ":"}:
        nodes.pop(0)
    return nodes


def connectors(members: list[Token]) -> list[Token]:
    """The conjunctions of a coordination."""
    return [c for m in members for c in m.children if c.dep_ == "cc"]


def time_words(tokens: list[Token]) -> list[Token]:
    """Tokens of a date or a time of day."""
    return [t for t in tokens if t.ent_type_ in TIMES]


def attribution_of(root: Token) -> str | None:
    """The speaker, where a saying verb with a clause (or "according to") governs the sentence."""
    subject = subject_of(root)
    if root.lemma_.lower() in WORDS["saying_lemmas"] and subject is not None and subject.dep_ == "nsubj":
        quoted = has(root, "ccomp", "parataxis")
        quoted = quoted or any(t.text in {'"', "“"} for t in root.subtree)
        if quoted:
            return noun_text(subject)
    source = according_to(root.subtree)
    return noun_text(source) if source is not None else None
