"""Who does what to whom in a sentence: predicates and their arguments, read from a dependency parse.

Voices, relative clauses, participles, appositions, coordination, control and copulas are normalised, so that
"the firm that Ito sold" and "Ito sold the firm" give the same relations.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from language.nlp.delegation import answerable
from language.nlp.pipeline import parse
from language.nlp.syntax import AUXILIARIES, FINITE, NOMINAL, VERBAL, after_comma, dependents, has, is_finite

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token


_SUBJECTS = frozenset({"nsubj", "csubj"})
_PASSIVE = frozenset({"nsubjpass", "csubjpass"})
_COMPLEMENTS = frozenset({"attr", "acomp", "oprd"})
_OBJECTS = frozenset({"dobj", "obj", "dative"})
_MEASURES = frozenset({"DATE", "TIME", "MONEY", "QUANTITY"})
"""What is spent on doing something, and does not do it: "took three years to build"."""
RELATIVE = frozenset({"who", "whom", "which", "that"})
MOST_PARSED = 4096


@dataclass(frozen=True)
class Arguments:
    """What fills the roles of one predicate: token numbers by role; an empty role is not told."""

    subjects: frozenset[int]
    objects: frozenset[int]

    def of(self, role: str) -> frozenset[int]:
        """The tokens of ``subj`` or ``obj``."""
        return self.subjects if role == "subj" else self.objects


class Relations:
    """A parsed text with the arguments of each of its predicates."""

    def __init__(self, doc: Doc) -> None:
        self.doc = doc

    @cached_property
    def predicates(self) -> dict[int, Arguments]:
        """Arguments of every verb, predicate adjective and predicate noun that has any, obliques counted."""
        found = {}
        for token in self.doc:
            if is_predicate(token):
                arguments = Arguments(
                    frozenset(i for t in self._subjects(token) for i in self.same_as(t)),
                    frozenset(i for t in self._objects(token) for i in self.same_as(t)),
                )
                if arguments.subjects or arguments.objects or _has_oblique(token):
                    found[token.i] = arguments
        return found

    def same_as(self, token: Token) -> frozenset[int]:
        """The tokens that fill a role with ``token``: conjuncts, appositions, titles, antecedents."""
        found: set[int] = set()
        waiting = [token]
        while waiting:
            one = waiting.pop()
            if one.i in found:
                continue
            found.add(one.i)
            waiting += [c for c in one.children if c.dep_ in {"conj", "appos"} and c.pos_ not in VERBAL]
            waiting += [c for c in one.children if c.dep_ in {"compound", "nmod"} and is_title(c)]
            if one.dep_ == "appos":
                waiting.append(one.head)
            if one.lower_ in RELATIVE and (noun := _antecedent(one)) is not None:
                waiting.append(noun)
        return frozenset(found)

    def _subjects(self, token: Token, depth: int = 0) -> list[Token]:
        """Deep subjects: agents of passives, heads of participles, subjects that are shared or controlled."""
        if depth > 6:
            return []
        passive = is_passive(token)
        own = dependents(token, *_SUBJECTS)
        if passive:
            return [p for c in dependents(token, "agent") for p in dependents(c, "pobj")]
        if own:
            return own
        if token.dep_ in _COMPLEMENTS:
            return self._complemented(token, depth)
        if token.dep_ in {"amod", "appos"} and token.pos_ != "VERB":
            return [token.head]
        if token.dep_ == "acl" and token.tag_ == "VBG":
            return [token.head]
        if token.dep_ == "conj":
            return _hidden_subject(token) or self._surface_subjects(token.head, depth + 1)
        if token.dep_ == "xcomp":
            before = (c for c in token.head.children if c.dep_ in _OBJECTS and c.i < token.i)
            controllers = [c for c in before if c.ent_type_ not in _MEASURES]
            return controllers or self._surface_subjects(token.head, depth + 1)
        if token.dep_ in {"advcl", "pcomp"} and token.tag_ == "VBG":
            governor = token.head.head if token.dep_ == "pcomp" else token.head
            return self._surface_subjects(governor, depth + 1)
        return []

    def _objects(self, token: Token, depth: int = 0) -> list[Token]:
        """Deep objects: subjects of passives, heads of past participles and of object relative clauses."""
        own = dependents(token, *_OBJECTS)
        passive = dependents(token, *_PASSIVE, *(_SUBJECTS if _is_had_done(token) else ()))
        if passive:
            return passive
        if is_passive(token):
            if token.dep_ in {"acl", "amod"}:
                return [token.head]
            if token.dep_ in {"conj", "advcl", "xcomp"} and depth < 6:
                return self._surface_subjects(token.head, depth + 1)
        if token.dep_ != "relcl" or own or token.pos_ != "VERB":
            return own
        by_subject = any(c.lower_ in RELATIVE and c.dep_ in _SUBJECTS | _PASSIVE for c in token.children)
        return [] if by_subject else [token.head]

    def _surface_subjects(self, token: Token, depth: int) -> list[Token]:
        """The subject that a later verb shares with ``token``, as it stands on the surface."""
        own = [c for c in token.children if c.dep_ in _SUBJECTS | _PASSIVE]
        if own or depth > 6:
            return own
        if token.dep_ in _COMPLEMENTS or token.dep_ in {"conj", "xcomp"}:
            return self._surface_subjects(token.head, depth + 1)
        if token.dep_ in {"relcl", "acl"}:
            return [token.head]
        return []

    def _complemented(self, token: Token, depth: int) -> list[Token]:
        """Of whom a complement is said: the object of "named her mayor", the subject of "is the mayor"."""
        verb = token.head
        if token.dep_ == "oprd" and (named := dependents(verb, *_OBJECTS)):
            return named
        return self._surface_subjects(verb, depth + 1)


def _hidden_subject(verb: Token) -> list[Token]:
    """A noun right before a later verb that the parser took for a conjunct of the object before it:
    "The river burst its banks and Ost flooded".
    """
    at = verb.i - 1
    while at >= 0 and (verb.doc[at].dep_ in {"aux", "auxpass", "neg"} or verb.doc[at].pos_ == "ADV"):
        at -= 1
    noun = verb.doc[at] if at >= 0 else verb
    parted = noun.dep_ == "conj" and noun.pos_ in NOMINAL and noun.head.i < noun.i
    return [noun] if parted and noun.head.dep_ not in _SUBJECTS | _PASSIVE else []


def is_predicate(token: Token) -> bool:
    """Verbs but auxiliaries and copulas, and what is said of something: adjectives and nouns."""
    if token.pos_ == "VERB":
        return token.dep_ not in AUXILIARIES
    if token.dep_ in _COMPLEMENTS or token.dep_ == "appos":
        return token.pos_ in {"ADJ", "NOUN", "PROPN", "NUM"}
    if token.pos_ == "ADJ":
        return token.dep_ in {"amod", "conj", "acl", "advcl"}
    return token.dep_ == "conj" and token.head.dep_ in _COMPLEMENTS


def is_passive(token: Token) -> bool:
    """A past participle that is not part of a perfect: "was sold", "the house sold by Ito", "had it sold"."""
    if has(token, "auxpass", "nsubjpass", "agent") or _is_had_done(token):
        return True
    if token.tag_ != "VBN" or any(c.dep_ == "aux" and c.lemma_ == "have" for c in token.children):
        return False
    if token.dep_ in {"acl", "amod", "advcl"}:
        return True
    return token.dep_ == "conj" and token.head.tag_ == "VBN" and is_passive(token.head)


def _is_had_done(token: Token) -> bool:
    """What somebody has, gets or sees done to something: "had the house sold"."""
    return token.dep_ == "ccomp" and token.tag_ == "VBN" and not has(token, "aux", "auxpass", "mark")


def is_title(token: Token) -> bool:
    """A word for an office in front of a name: "Mayor" in "Mayor Rita Sol"."""
    return token.head.pos_ == "PROPN" and token.i < token.head.i and token.ent_type_ not in _NAMED


_NAMED = frozenset({"ORG", "GPE", "LOC", "NORP", "PRODUCT", "FAC", "EVENT", "PERSON"})


def _antecedent(pronoun: Token) -> Token | None:
    """The noun that a relative pronoun stands for."""
    above = islice(pronoun.ancestors, 4)
    return next((node.head for node in above if node.dep_ == "relcl"), None)


def _has_oblique(token: Token) -> bool:
    """Whether a noun stands behind a preposition, or behind two ("out of Graz")."""
    inside = (end for preposition in dependents(token, "prep", "agent") for end in preposition.children)
    return any(end.dep_ == "pobj" or (end.dep_ == "prep" and has(end, "pobj")) for end in inside)


@lru_cache(maxsize=MOST_PARSED)
def relations_of(text: str) -> Relations:
    """The relations of a text; the same text is parsed once."""
    return Relations(parse(text))


_ASIDES = frozenset({"acl", "relcl", "appos", "amod"})
_NAMING = frozenset({"DATE", "TIME", "GPE", "LOC"})
"""What behind a comma is a part of one name: "Graz, Austria", "Friday, 2 May"."""
_MARKS = frozenset({"mark", "advmod"})


@answerable
def makes_several(text: str) -> bool:
    """Whether it coordinates verbs, or tells something in an aside between commas or before its subject."""
    return any(_is_another(token) for token in parse(text))


def _is_another(token: Token) -> bool:
    """A statement of its own beside the main one."""
    verbal = token.pos_ in VERBAL
    if token.dep_ == "conj" and verbal:
        return token.head.pos_ in VERBAL and (is_finite(token) or is_finite(token.head))
    if token.dep_ in _ASIDES and token.i > token.head.i and after_comma(token):
        if token.dep_ == "appos":
            return token.ent_type_ not in _NAMING and not token.head.pos_ == token.pos_ == "PROPN"
        return token.dep_ != "amod" or has(token, "prep")
    if token.dep_ == "advcl" and token.tag_ in {"VBN", "VBG"} and not _is_marked(token):
        return token.i < token.head.i or after_comma(token)
    return token.dep_ == "advcl" and token.tag_ in FINITE and not _is_marked(token)


def _is_marked(verb: Token) -> bool:
    """Introduced by "when", "because", "after": no statement beside the main one but a part of it."""
    return any(c.dep_ in _MARKS and c.i < verb.i for c in verb.children)
