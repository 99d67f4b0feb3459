"""Coreference within a document by rules: pronouns, short names and "the company".

A candidate must be the only one of its kind near by; otherwise nothing is resolved and no triple is made.
The rules stand in ``docs/graph.md``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from evidence.graph.entity_resolution import acronym_of, words_of
from evidence.graph.phrases import is_proper, kind_of, make_node, node_of
from evidence.graph.types import Node
from language.nlp.coreference import KINDS, OBJECTIVE, POSSESSIVE, Kind, stands_for_nothing
from language.nlp.syntax import PLURAL, SUBJECTS, dependents, has
from language.wordlists import word_classes

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_WORDS = word_classes("evidence.graph")

DISCOURSE_VERSION = "3"
_PRONOUNS: dict[str, Kind] = KINDS | OBJECTIVE | {"hers": "person", "theirs": "many"}
_LOOK_BACK = 2


@dataclass(frozen=True)
class _Mention:
    sentence: int
    index: int
    node: Node
    subject: bool
    plural: bool

    def may_be(self, kind: Kind) -> bool:
        """Whether "it" (``thing``) or "they" (``many``) can stand for it."""
        if kind == "thing":
            return self.node.kind != "person" and not self.plural
        return self.plural or self.node.kind == "organisation"


@dataclass
class Discourse:
    """The names of a document and its mentions so far."""

    names: dict[str, Node] = field(default_factory=dict)
    """Full names by key."""
    scope: str = ""
    """The document; plain nouns are entities of their document only."""
    _mentions: list[_Mention] = field(default_factory=list)
    _sentence: int = -1
    _resolved: dict[int, Node | None] = field(default_factory=dict)

    @classmethod
    def of(cls, docs: Sequence[Doc], scope: str) -> Discourse:
        """Collect the names of all sentences first, since a short name may precede the full one."""
        names: dict[str, Node] = {}
        for doc in docs:
            for token in doc:
                if is_proper(token) and token.dep_ not in {"compound", "nmod", "amod"}:
                    node = node_of(token)
                    if node is not None and node.kind != "value" and " " in node.key and " of " not in node.key:
                        names.setdefault(node.key, node)
        return cls(names, scope)

    def open(self, doc: Doc) -> None:
        """Start a sentence."""
        self._sentence += 1
        self._resolved = {}
        for token in doc:
            named = token.pos_ in {"NOUN", "PROPN", "PRON"} and token.dep_ not in {"compound", "nmod"}
            node = self.node(token) if named else None
            if node is not None and node.kind != "value":
                plural = token.tag_ in PLURAL or has(token, "conj")
                first = token.head if token.dep_ == "conj" else token
                subject = first.dep_ in SUBJECTS and first.head.dep_ in {"ROOT", "ccomp", "conj"}
                self._mentions.append(_Mention(self._sentence, token.i, node, subject, plural))

    def _before(self, token: Token) -> list[_Mention]:
        """Mentions of this sentence before a word, and of the sentences looked back to."""
        first, end = self._sentence - _LOOK_BACK, (self._sentence, token.i)
        return [m for m in self._mentions if m.sentence >= first and (m.sentence, m.index) < end]

    def node(self, token: Token) -> Node | None:
        """The node of a token's phrase, with coreference resolved."""
        if token.i not in self._resolved:
            self._resolved[token.i] = self._node(token)
        return self._resolved[token.i]

    def plain(self, token: Token) -> Node | None:
        """The node of a predicate noun, as written."""
        return self.node(token) if token.pos_ == "PRON" else node_of(token)

    def _node(self, token: Token) -> Node | None:
        word = token.lower_
        if token.pos_ == "PRON" or word in _PRONOUNS:
            return self._pronoun(token, word)
        token = _name_beside(token)
        node = node_of(token)
        if node is None or node.kind == "value":
            return node
        full = self._full(token, node)
        return full if is_proper(token) else self._owned(token, full)

    def _full(self, token: Token, node: Node) -> Node:
        """The full name of a short name or of a definite description."""
        words = words_of(node.text)
        if is_proper(token):
            return _sole(n for n in self.names.values() if _shortens(words, node, n)) or node
        definite = has(token, "det", words={"the", "this", "that"})
        bare = not has(token, "amod", "compound", "poss", "nummod", "prep", "relcl", "acl")
        if not (definite and bare and len(words) == 1):
            return node
        found = _sole(n for n in self.names.values() if words_of(n.text)[-1] == words[0])
        if found is None and words[0] in _WORDS["company"]:
            found = _sole(m.node for m in self._before(token) if m.node.kind == "organisation")
        return found or node.model_copy(update={"key": f"{node.key} @{self.scope}"})

    def _owned(self, token: Token, node: Node) -> Node | None:
        """The phrase with its possessive resolved; ``None`` if it is open."""
        owner = next(iter(dependents(token, "poss", words=POSSESSIVE)), None)
        if owner is None:
            return node
        found = self._pronoun(owner, owner.lower_)
        first, _, behind = node.text.partition(" ")
        rest = behind if behind and first.lower() in POSSESSIVE else node.text
        if found is None or " of " in found.text:
            return None
        if found.text.islower() or found.kind == "value":
            return make_node(rest, node.kind)
        return make_node(f"{found.text}'s {rest}", node.kind)

    def _pronoun(self, token: Token, word: str) -> Node | None:
        kind, near = _PRONOUNS.get(word), self._before(token)
        own = [m for m in near if m.sentence == self._sentence and m.subject]
        last = [m for m in near if m.sentence == self._sentence - 1 and m.subject]
        if kind == "person":
            return _person(near, last)
        if kind is None or (kind == "thing" and stands_for_nothing(token)):
            return None
        inside = word in POSSESSIVE or (kind == "thing" and token.dep_ not in SUBJECTS)
        pool = own if own and inside else last
        return _sole(m.node for m in pool) if all(m.may_be(kind) for m in pool) else None


def _name_beside(token: Token) -> Token:
    """The name in apposition to a noun: "the architect Walter Dray", "Jorun Teal, the worker who …"."""
    if is_proper(token) or token.pos_ != "NOUN":
        return token
    if token.dep_ == "appos" and is_proper(token.head):
        return token.head
    names = [c for c in token.children if c.dep_ == "appos" and is_proper(c)]
    return names[0] if len(names) == 1 and kind_of(names[0]) != "value" else token


def _person(near: Sequence[_Mention], last: Sequence[_Mention]) -> Node | None:
    people = [m.node for m in near if m.node.kind == "person"]
    # A name of no known kind may be a person's too.
    unknown = {m.node.key for m in near if m.node.kind == "thing" and m.node.text.istitle()} - {p.key for p in people}
    found = _sole(people) if not unknown else None
    return found or _sole(m.node for m in last if m.node.kind == "person")


def _sole(nodes: Iterable[Node]) -> Node | None:
    """The one entity among them; ``None`` for none or several."""
    found = {node.key: node for node in nodes}
    return next(iter(found.values())) if len(found) == 1 else None


def _shortens(words: tuple[str, ...], node: Node, full: Node) -> bool:
    whole = words_of(full.text)
    if "'s " in full.text or "’s " in full.text:
        return False
    if not words or len(whole) <= len(words) or node.key == full.key:
        return False
    if len(words) == 1 and 2 <= len(words[0]) <= 6 and node.text.replace(".", "").isupper():
        return acronym_of(whole) == words[0]
    if full.kind == "person":
        return len(words) == 1 and whole[-1] == words[0]
    # "Ostrel" is short for Ostrel Ceramics; "Harrowmere" is not for Harrowmere Town Council.
    begins = whole[: len(words)] == words and whole[-1] not in _WORDS["public_bodies"]
    return begins and node.kind == full.kind == "organisation"
