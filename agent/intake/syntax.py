"""Helpers over a parse that several rules share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent.intake import word_lists

if TYPE_CHECKING:
    from spacy.tokens import Token

SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass", "expl"})
AUXILIARIES = frozenset({"aux", "auxpass"})
TIME_ENTITIES = frozenset({"DATE", "TIME"})


def subject_of(verb: Token) -> Token | None:
    """Its own subject, or ``None``."""
    return next((c for c in verb.lefts if c.dep_ in SUBJECTS), None) or next(
        (c for c in verb.rights if c.dep_ in SUBJECTS), None
    )


def auxiliaries(verb: Token) -> list[Token]:
    """Its auxiliaries, in order."""
    return [c for c in verb.children if c.dep_ in AUXILIARIES]


def is_negated(token: Token) -> bool:
    """Whether it has a negation as a direct dependent."""
    return any(c.dep_ == "neg" or c.lower_ in {"never", "hardly", "not", "n't"} for c in token.children)


def has_negation(token: Token) -> bool:
    """Whether any of its dependents negates or restricts."""
    return any(t.dep_ == "neg" or t.lower_ in word_lists.QUANTIFIED or t.lower_ == "without" for t in token.subtree)


def own_nodes(token: Token) -> list[Token]:
    """A phrase without its conjuncts, their "and", and edge commas."""
    drop: set[int] = set()
    for child in token.children:
        if child.dep_ == "conj":
            drop |= {t.i for t in child.subtree}
        elif child.dep_ in {"cc", "preconj"}:
            drop.add(child.i)
    nodes = [t for t in token.subtree if t.i not in drop]
    while nodes and nodes[-1].is_punct and nodes[-1].text in {",", ";", ":"}:
        nodes.pop()
    while nodes and nodes[0].is_punct and nodes[0].text in {",", ";", ":"}:
        nodes.pop(0)
    return nodes


def chain(head: Token) -> list[Token]:
    """A coordination in order: the head and all its conjuncts."""
    members = [head]
    for member in members:
        members.extend(c for c in member.children if c.dep_ == "conj")
    return sorted(members, key=lambda t: t.i)


def connectors(members: list[Token]) -> list[Token]:
    """The conjunctions of a coordination."""
    return [c for m in members for c in m.children if c.dep_ == "cc"]


def time_words(tokens: list[Token]) -> list[Token]:
    """Tokens of a date or a time of day."""
    return [t for t in tokens if t.ent_type_ in TIME_ENTITIES]


def attribution_of(root: Token) -> str | None:
    """The speaker, where a saying verb with a clause (or "according to") governs the sentence."""
    subject = subject_of(root)
    if root.lemma_.lower() in word_lists.SAYING_LEMMAS and subject is not None and subject.dep_ == "nsubj":
        quoted = any(c.dep_ in {"ccomp", "parataxis"} for c in root.children)
        quoted = quoted or any(t.text in {'"', "“"} for t in root.subtree)
        if quoted:
            return phrase(subject)
    for token in root.subtree:
        if token.lower_ == "according" and token.i + 1 < len(token.doc) and token.nbor().lower_ == "to":
            source = next((t for t in token.subtree if t.dep_ == "pobj"), None)
            return phrase(source) if source is not None else None
    return None


def phrase(token: Token) -> str:
    """The words of a noun phrase as they stand, without edge punctuation."""
    from agent.intake.draft_claims import noun_text

    return noun_text(token)
