"""Resolving pronouns, where the input offers exactly one candidate.

Those in a claim's subject (``resolve``); in running text all others too (``resolve_rest``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from agent.intake.draft_claims import Draft, noun_text, source_token
from agent.intake.word_lists import words

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

Kind = Literal["person", "thing", "many"]
_KINDS: dict[str, Kind] = {
    "he": "person",
    "she": "person",
    "his": "person",
    "her": "person",
    "it": "thing",
    "its": "thing",
    "they": "many",
    "their": "many",
}
_OBJECTIVE: dict[str, Kind] = {"him": "person", "them": "many"}
PERSONAL = frozenset(word for word, kind in (_KINDS | _OBJECTIVE).items() if kind == "person")
_POSSESSIVE = frozenset({"his", "her", "its", "their"})
_EXPLETIVE_LEMMAS = frozenset(
    "be rain snow seem appear take happen turn look sound become get matter follow hail freeze".split()
)
_ANTECEDENT_ROLES = frozenset({"nsubj", "nsubjpass", "dobj"})


@dataclass(frozen=True)
class Mention:
    """A mention in the input: place (block, token), kind and words."""

    block: int
    index: int
    kind: Kind
    key: str
    text: str
    may_be: frozenset[Kind]
    """Other kinds it could be, should the parse be wrong."""


@dataclass(frozen=True)
class Resolved:
    """A draft with its subject's pronoun resolved, or the pronoun that stayed open."""

    draft: Draft
    open_pronoun: str | None = None


def find_mentions(docs: tuple[Doc, ...]) -> tuple[Mention, ...]:
    """All candidates of an input, in order."""
    found = []
    for block, doc in enumerate(docs):
        for token in doc:
            kind = _kind(token)
            if kind is not None:
                text = _definite(noun_text(token), token)
                found.append(Mention(block, token.i, kind, token.lemma_.lower(), text, _may_be(token, kind)))
    return tuple(found)


def _kind(token: Token) -> Kind | None:
    if token.pos_ not in {"NOUN", "PROPN"} or token.ent_type_ in {
        "DATE",
        "TIME",
        "PERCENT",
        "MONEY",
        "CARDINAL",
    }:
        return None
    person = token.ent_type_ == "PERSON" and not _names_a_thing(token)
    if person and token.dep_ not in {"compound", "appos", "conj"} and token.tag_ == "NNP":
        return "many" if any(c.dep_ == "conj" for c in token.children) else "person"
    role = token.lemma_.lower() in words("role_nouns") and token.dep_ in {"pobj", "dative"}
    if _named_inside(token):
        return "thing"
    if token.dep_ not in _ANTECEDENT_ROLES and not role:
        return None
    if any(c.dep_ == "conj" for c in token.children) or token.tag_ in {"NNS", "NNPS"}:
        return "many"
    return "person" if person or token.lemma_.lower() in words("role_nouns") else "thing"


def _names_a_thing(token: Token) -> bool:
    """Whether a name's last word shows that it is no person ("Corbel Bridge")."""
    before = [c for c in token.children if c.dep_ == "compound" and c.i < token.i]
    plain = any(c.tag_ == "NN" and c.lower_ in words("named_things") for c in before)
    return plain or (bool(before) and token.lower_ in words("named_things"))


def _named_inside(token: Token) -> bool:
    """A named thing within a candidate ("the refurbishment of the Tollgate Library")."""
    named = token.pos_ == "PROPN" and token.ent_type_ not in {"GPE", "PERSON", "NORP"}
    within = token.dep_ == "pobj" and token.head.lower_ == "of"
    return named and within and token.head.head.dep_ in _ANTECEDENT_ROLES


def _may_be(token: Token, kind: Kind) -> frozenset[Kind]:
    """Other kinds of a bare name: person or company; "Marks and Spencer" one thing."""
    if _names_a_thing(token) and token.ent_type_ != "PERSON":
        return frozenset({kind})
    name = token.pos_ == "PROPN" and token.ent_type_ in {"PERSON", "ORG", "PRODUCT", "WORK_OF_ART", ""}
    single = not any(c.dep_ == "compound" for c in token.children)
    if name and (single or kind == "thing"):
        return frozenset({kind, "person", "thing"})
    return frozenset({kind})


def _definite(text: str, token: Token) -> str:
    first = token.left_edge
    if first.lower_ in {"a", "an"}:
        return "the" + text[len(first.text) :]
    return text[:1].lower() + text[1:] if first.pos_ in {"DET", "PRON"} else text


def resolve(draft: Draft, block: int, mentions: tuple[Mention, ...]) -> Resolved:
    """Resolve the pronoun in the draft's subject, if exactly one candidate precedes it."""
    if draft.subject is None:
        return Resolved(draft)
    subject = draft.doc[draft.subject]
    if subject.dep_ == "expl" or subject.i not in draft.indices:
        return Resolved(draft)
    pronoun = _open(subject, draft)
    if pronoun is None:
        return Resolved(draft)
    kind = _KINDS.get(pronoun.lower_)
    if kind is None:
        return Resolved(draft, pronoun.text)
    here = source_token(draft.doc, pronoun.i) or pronoun
    mention = antecedent(kind, [m for m in mentions if (m.block, m.index) < (block, here.i)])
    if mention is None:
        return Resolved(draft, pronoun.text)
    possessive = pronoun.lower_ in _POSSESSIVE
    return Resolved(draft.rewrite({pronoun.i: _in_place(mention, draft, pronoun.i, possessive)}))


def antecedent(kind: Kind, before: Sequence[Mention]) -> Mention | None:
    """The one candidate of a kind, in its longest form; ``None`` where two are possible."""
    candidates = {m.key for m in before if kind in m.may_be}
    certain = {m.key for m in before if m.kind == kind}
    mixed = kind == "many" and any(m.kind == "person" for m in before)
    if len(candidates) != 1 or candidates != certain or mixed:
        return None
    return max((m for m in before if m.kind == kind), key=lambda m: (len(m.text), -m.block, -m.index))


def _in_place(mention: Mention, draft: Draft, index: int, possessive: bool) -> str:
    text = mention.text
    if possessive:
        text += "'" if text.endswith("s") else "'s"
    return text[:1].upper() + text[1:] if draft.pieces[0].index == index else text


def resolve_rest(found: Resolved, block: int, mentions: tuple[Mention, ...]) -> Resolved:
    """Resolve every other pronoun that has no antecedent in the claim, or name the first open one."""
    draft, filled = found.draft, dict[int, str]()
    if found.open_pronoun is not None:
        return found
    inside = {t.i for i in draft.indices if (t := source_token(draft.doc, i)) is not None}
    for piece in draft.pieces:
        token = draft.doc[piece.index]
        kind = (_KINDS | _OBJECTIVE).get(token.lower_)
        if kind is None or piece.text != token.text or token.pos_ != "PRON" or _stands_for_nothing(token):
            continue
        if token.dep_ == "poss" and _subject_inserted(draft):
            continue
        here = source_token(draft.doc, token.i) or token
        own = [m for m in mentions if m.block == block and m.index in inside and _within(m, here, kind)]
        before = [m for m in mentions if (m.block, m.index) < (block, min(inside, default=here.i))]
        mention = antecedent(kind, before)
        if own and not (kind == "thing" and _is_told(here) and any(kind in m.may_be for m in before)):
            continue
        if mention is None or own:
            return Resolved(draft, token.text)
        filled[token.i] = _in_place(mention, draft, token.i, token.dep_ == "poss")
    return Resolved(draft.rewrite(filled))


def _subject_inserted(draft: Draft) -> bool:
    """Whether its subject was repeated from earlier in the sentence: a possessive after it means that one."""
    return draft.subject is not None and source_token(draft.doc, draft.subject) is None


def _stands_for_nothing(token: Token) -> bool:
    subject = token.dep_ in {"nsubj", "nsubjpass"}
    return token.dep_ == "expl" or (token.lower_ == "it" and subject and _is_expletive(token.head))


def _within(mention: Mention, pronoun: Token, kind: Kind) -> bool:
    """Whether a pronoun can refer to a mention in its own claim.

    To one before it or after its clause; never to the subject of its own verb.
    """
    named = pronoun.doc[mention.index]
    if kind not in mention.may_be or named.i == pronoun.i:
        return False
    if named.i > pronoun.i:
        return any(t.dep_ == "advcl" and named not in t.subtree for t in pronoun.ancestors)
    if pronoun.dep_ in {"dobj", "pobj", "dative"}:
        governor = pronoun.head.head if pronoun.dep_ == "pobj" else pronoun.head
        return not (named.dep_ in {"nsubj", "nsubjpass"} and named.head == governor)
    return True


def _is_told(pronoun: Token) -> bool:
    """Whether it is the subject of reported speech ("The council says it …")."""
    return pronoun.dep_ in {"nsubj", "nsubjpass"} and pronoun.head.dep_ == "ccomp"


def _open(subject: Token, draft: Draft) -> Token | None:
    """The pronoun in a subject that must be resolved."""
    verb = draft.doc[draft.head]
    if subject.pos_ == "PRON" and subject.lower_ in _KINDS:
        return None if subject.lower_ == "it" and _is_expletive(verb) else subject
    if subject.pos_ == "PRON" and subject.lower_ in {"this", "that", "these", "those"}:
        return subject if not list(subject.children) else None
    inside = [t for t in subject.subtree if t.i in draft.indices and t.i <= subject.i]
    return next((t for t in inside if t.lower_ in _POSSESSIVE and t.dep_ == "poss"), None)


def _is_expletive(verb: Token) -> bool:
    """Whether "it" is expletive ("It is true that …", "It rains", "It was Ida Holm who …")."""
    if any(c.dep_ in {"ccomp", "csubj"} and c.i > verb.i for c in verb.children):
        return True
    if any(_is_picked_out(c) for c in verb.children):
        return True
    if verb.lemma_.lower() not in _EXPLETIVE_LEMMAS:
        return False
    measured = any(c.dep_ == "acomp" and any(m.dep_ == "npadvmod" for m in c.children) for c in verb.children)
    return not measured and not any(c.dep_ in {"attr", "auxpass"} for c in verb.children)


def _is_picked_out(token: Token) -> bool:
    """Whether a name is picked out by a cleft: "It was Ida Holm who opened the pool"."""
    named = token.dep_ == "attr" and token.pos_ == "PROPN" and token.head.lemma_ == "be"
    return named and any(c.dep_ == "relcl" for c in token.children)


def refers_outside(draft: Draft) -> bool:
    """Whether it has an object pronoun, which cannot refer to the claim's own subject."""
    texts = {p.index: p.text for p in draft.pieces}
    for index, text in texts.items():
        token = draft.doc[index]
        objective = token.lower_ in {"him", "them", "her", "it", "this", "these", "those"}
        bare = token.pos_ == "PRON" and token.dep_ in {"dobj", "pobj", "dative"}
        place = token.lower_ == "there" and token.dep_ == "advmod"
        if (objective and bare and text == token.text) or place:
            return True
    return False
