"""Splits that the parse of the whole sentence hides: a part counts where it is a full clause when parsed by itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from agent.intake.draft_claims import ORIGIN, attribution_of, complemented, leans, source_token
from agent.intake.lexicon import WORDS
from language.nlp.pipeline import load_nlp
from language.nlp.syntax import PLURAL, VERBAL, auxiliaries, has, is_finite, subject_of

if TYPE_CHECKING:
    from spacy.tokens import Span, Token


Word = tuple[str, "Token | None"]
"""A word of a part with its token; ``None`` for an inserted one."""

_ENDS = frozenset({".", "!", "?"})


def cut_clauses(sentence: Span) -> list[Span]:
    """The sentence cut at the first conjunction or semicolon between two full clauses, or empty."""
    for token in sentence:
        if token.lower_ in WORDS["ranging"]:
            return []
        if token.lower_ not in {"and", "but", "nor", ";"} or token.i in {sentence.start, sentence.end - 1}:
            continue
        left = _words(t for t in sentence if t.i < token.i)
        right = _turned(token, sentence) if token.lower_ == "nor" else _words(t for t in sentence if t.i > token.i)
        if not left or not right:
            continue
        first, second = parsed(left), parsed(right)
        if _stands(first) and _stands(second) and _ends_well(first) and _begins_well(second):
            return [first, second]
    return []


def cut_aside(sentence: Span) -> list[Span]:
    """The fact of an aside and the sentence without it; empty where either is no full clause."""
    for subject, aside, rest in _asides(sentence):
        if not _is_definite(subject):
            continue
        misread = sentence.root.pos_ not in VERBAL
        if aside[0].pos_ == "PROPN":
            found = _named(subject, aside, rest) if misread else []
        else:
            found = _described(subject, aside, rest)
        if found and _is_predicate(found[0]):
            return found
    return []


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


def _words(tokens: Sequence[Token] | Iterator[Token], *, own: bool = True) -> list[Word]:
    """The tokens as words, without final commas; those that are not ``own`` belong to no source."""
    found = list(tokens)
    while found and found[-1].text in {",", ";"}:
        found.pop()
    return [(t.text, t if own else None) for t in found]


def _lowered(aside: Sequence[Token]) -> list[Word]:
    """The words of an opening aside in lower case."""
    text, token = _words(aside)[0]
    return [(text if aside[0].pos_ == "PROPN" else text.lower(), token), *_words(aside)[1:]]


def _turned(nor: Token, sentence: Span) -> list[Word]:
    """An inverted clause in plain order: "nor did he apologise" as "he did not apologise"; or empty."""
    rest = [t for t in sentence if t.i > nor.i]
    subject = next((s for t in rest if t.pos_ in VERBAL and (s := subject_of(t)) is not None), None)
    if subject is None or rest[0].pos_ != "AUX" or subject.left_edge.i != nor.i + 2:
        return []
    end = subject.right_edge.i
    named, after = [t for t in rest[1:] if t.i <= end], [t for t in rest if t.i > end]
    return [*_words(named), (rest[0].text, rest[0]), ("not", nor), *_words(after)]


def _stands(part: Span) -> bool:
    """Whether it is a full, unattributed clause: a finite verb with a subject that begins it."""
    root, subject = part.root, subject_of(part.root)
    if subject is None or subject.left_edge.i != 0 or subject.i > root.i or root.pos_ not in VERBAL:
        return False
    if not is_finite(root) or attribution_of(root) is not None:
        return False
    if has(root, "ccomp", "mark", "parataxis") or subject.dep_ == "expl":
        return False
    source = part.doc.user_data[ORIGIN][root.i]
    return source is not None and source.pos_ in VERBAL and subject.pos_ != "NUM"


def _ends_well(part: Span) -> bool:
    """Whether the first clause needs no object of the second ("built and they approved the dam")."""
    return complemented(part.root) or part.root.lemma_.lower() in WORDS["intransitive_lemmas"]


def _begins_well(part: Span) -> bool:
    """Whether the second clause depends on nothing before it."""
    subject = subject_of(part.root)
    if subject is None or leans(subject) or any(t.lower_ in WORDS["ranging"] for t in part):
        return False
    return not any(t.pos_ == "NUM" and t.dep_ in {"dobj", "attr", "nsubj"} for t in part)


def _asides(sentence: Span) -> Iterator[tuple[list[Token], list[Token], list[Token]]]:
    """Candidates for subject, aside and rest, whatever the parse says."""
    tokens = list(sentence)
    commas = [n for n, t in enumerate(tokens) if t.text == ","]
    if commas and tokens[0].tag_ in {"VBN", "VBD"}:
        root = subject_of(sentence.root)
        begin = commas[0] + 1
        if root is not None and root.left_edge.i == tokens[0].i + begin:
            end = root.right_edge.i - tokens[0].i + 1
            yield tokens[begin:end], tokens[: commas[0]], tokens[end:]
        return
    if not commas or commas[0] == 0 or any(t.pos_ in VERBAL for t in tokens[: commas[0]]):
        return
    for later in commas[1:]:
        aside = tokens[commas[0] + 1 : later]
        if aside and not any(t.lower_ in WORDS["ranging"] | WORDS["timed"] for t in aside):
            yield tokens[: commas[0]], aside, tokens[later + 1 :]


def _is_definite(subject: Sequence[Token]) -> bool:
    """Whether it is a name or "the" with a noun, not coordinated."""
    if not subject or any(t.lower_ in {"and", "or", ","} or t.lower_ in WORDS["quantified"] for t in subject):
        return False
    return subject[0].lower_ == "the" or all(t.pos_ == "PROPN" for t in subject)


def _rules_as(part: Span, length: int) -> bool:
    """Whether the first ``length`` words are the whole subject of a full clause."""
    root, subject = part.root, subject_of(part.root)
    finite = root.pos_ in VERBAL and is_finite(root)
    return finite and subject is not None and subject.left_edge.i == 0 and subject.right_edge.i == length - 1


def _copula(verb: Token, subject: Sequence[Token], first: Token) -> str:
    """The form of "be" that makes a sentence of the aside, or ``""``."""
    past = any(t.tag_ == "VBD" for t in (verb, *auxiliaries(verb)))
    if first.tag_ in {"VBN", "VBD"}:
        if first.lemma_.lower() in WORDS["no_fact"]:
            return ""
        past = past or first.lemma_.lower() not in WORDS["lasting_participles"]
    elif first.tag_ == "JJ":
        if first.lower_ in WORDS["evaluative"] or first.lower_ == "due":
            return ""
    elif first.lower_ not in {"the", "a", "an"}:
        return ""
    many = subject[-1].tag_ in PLURAL
    return ("were" if many else "was") if past else ("are" if many else "is")


def _described(subject: Sequence[Token], aside: Sequence[Token], rest: Sequence[Token]) -> list[Span]:
    """The aside as a sentence, and the rest: "Harrow Dairy, founded in 1908, closed"."""
    bare = parsed([*_words(subject), *_words(rest)])
    verb = _copula(bare.root, subject, aside[0]) if _rules_as(bare, len(subject)) else ""
    return [parsed([*_words(subject, own=False), (verb, None), *_lowered(aside)]), bare] if verb else []


def _named(subject: Sequence[Token], aside: Sequence[Token], rest: Sequence[Token]) -> list[Span]:
    """The role as a sentence, and the rest: "The chief executive, Rita Moser, left"."""
    if len(subject) < 3 or any(t.pos_ != "PROPN" for t in aside) or subject[0].lower_ != "the":
        return []
    bare = parsed([*_words(aside), *_words(rest)])
    if not _rules_as(bare, len(aside)):
        return []
    verb = "was" if any(t.tag_ == "VBD" for t in (bare.root, *auxiliaries(bare.root))) else "is"
    return [parsed([*_words(subject), (verb, None), *_words(aside)]), bare]


def _is_predicate(part: Span) -> bool:
    """Whether subject, "be" and the aside parse as a clause."""
    root, subject = part.root, subject_of(part.root)
    told = has(root, "auxpass") or (root.lemma_ == "be" and has(root, "attr", "acomp"))
    return subject is not None and subject.left_edge.i == 0 and told
