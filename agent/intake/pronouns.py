"""Pronouns of draft claims filled in, where the input offers exactly one candidate (``language.nlp.coreference``).

Those in a claim's subject (``resolve``); in running text all others too (``resolve_rest``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from agent.intake.draft_claims import Draft, source_token
from language.nlp.coreference import (
    KINDS,
    OBJECTIVE,
    POSSESSIVE,
    Kind,
    Mention,
    antecedent,
    is_expletive,
    stands_for_nothing,
)
from language.nlp.syntax import SUBJECTS

if TYPE_CHECKING:
    from spacy.tokens import Token


def resolve(draft: Draft, block: int, mentions: Sequence[Mention]) -> Draft:
    """Resolve the pronoun in the draft's subject, if exactly one candidate precedes it."""
    if draft.subject is None or draft.subject not in draft.words:
        return draft
    subject = draft.doc[draft.subject]
    pronoun = _open(subject, draft) if subject.dep_ != "expl" else None
    if pronoun is None:
        return draft
    kind, here = KINDS.get(pronoun.lower_), source_token(draft.doc, pronoun.i) or pronoun
    mention = antecedent(kind, [m for m in mentions if (m.block, m.index) < (block, here.i)]) if kind else None
    if mention is None:
        return replace(draft, open_pronoun=pronoun.text)
    return draft.rewrite({pronoun.i: _in_place(mention, draft, pronoun.i, pronoun.lower_ in POSSESSIVE)})


def _in_place(mention: Mention, draft: Draft, index: int, possessive: bool) -> str:
    text = mention.text
    if possessive:
        text += "'" if text.endswith("s") else "'s"
    return text[:1].upper() + text[1:] if next(iter(draft.words)) == index else text


def resolve_rest(draft: Draft, block: int, mentions: Sequence[Mention]) -> Draft:
    """Resolve every other pronoun that has no antecedent in the claim, or name the first open one."""
    if draft.open_pronoun is not None:
        return draft
    filled: dict[int, str] = {}
    # where the subject was repeated from earlier in the sentence, a possessive after it means that one
    inserted = draft.subject is not None and source_token(draft.doc, draft.subject) is None
    inside = {t.i for i in draft.words if (t := source_token(draft.doc, i)) is not None}
    for index, text in draft.words.items():
        token = draft.doc[index]
        kind = (KINDS | OBJECTIVE).get(token.lower_)
        if kind is None or text != token.text or token.pos_ != "PRON" or stands_for_nothing(token):
            continue
        if token.dep_ == "poss" and inserted:
            continue
        here = source_token(draft.doc, token.i) or token
        own = [m for m in mentions if m.block == block and m.index in inside and _within(m, here, kind)]
        before = [m for m in mentions if (m.block, m.index) < (block, min(inside, default=here.i))]
        mention = antecedent(kind, before)
        told = kind == "thing" and here.dep_ in SUBJECTS and here.head.dep_ == "ccomp"  # "The council says it …"
        if own and not (told and any(kind in m.may_be for m in before)):
            continue
        if mention is None or own:
            return replace(draft, open_pronoun=token.text)
        filled[token.i] = _in_place(mention, draft, token.i, token.dep_ == "poss")
    return draft.rewrite(filled)


def _within(mention: Mention, pronoun: Token, kind: Kind) -> bool:
    """Whether a pronoun can refer to a mention in its own claim; never to the subject of its own verb."""
    named = pronoun.doc[mention.index]
    if kind not in mention.may_be or named.i == pronoun.i:
        return False
    if named.i > pronoun.i:
        return any(t.dep_ == "advcl" and named not in t.subtree for t in pronoun.ancestors)
    if pronoun.dep_ in {"dobj", "pobj", "dative"}:
        governor = pronoun.head.head if pronoun.dep_ == "pobj" else pronoun.head
        return not (named.dep_ in SUBJECTS and named.head == governor)
    return True


def _open(subject: Token, draft: Draft) -> Token | None:
    """The pronoun in a subject that must be resolved."""
    verb = draft.doc[draft.head]
    if subject.pos_ == "PRON" and subject.lower_ in KINDS:
        return None if subject.lower_ == "it" and is_expletive(verb) else subject
    if subject.pos_ == "PRON" and subject.lower_ in {"this", "that", "these", "those"}:
        return subject if not list(subject.children) else None
    inside = [t for t in subject.subtree if t.i in draft.words and t.i <= subject.i]
    return next((t for t in inside if t.lower_ in POSSESSIVE and t.dep_ == "poss"), None)


def refers_outside(draft: Draft) -> bool:
    """Whether it has an object pronoun, which cannot refer to the claim's own subject."""
    for index, text in draft.words.items():
        token = draft.doc[index]
        objective = token.lower_ in {"him", "them", "her", "it", "this", "these", "those"} and text == token.text
        if objective and token.pos_ == "PRON" and token.dep_ in {"dobj", "pobj", "dative"}:
            return True
        if token.lower_ == "there" and token.dep_ == "advmod":
            return True
    return False
