"""ClaimVer's finer claims: relative clauses, participles, joined predicates and openings get spans.

What a certificate could not rest on is cut here too: each part is parsed again as a sentence of its own and
is kept only where that gives a full clause. Words that make no statement stay as a span without one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from agent.intake.draft_claims import Word, attribution_of, parsed
from language.nlp.syntax import auxiliaries, is_past, subject_of
from language.wordlists import word_classes

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

_WORDS = word_classes("agent.intake")

_FINITE = frozenset({"VBD", "VBZ", "VBP", "MD"})
_COMMENTS = frozenset(
    "mean show suggest prompt cause make force allow lead spark imply help prove explain worry please anger "
    "surprise result".split()
)
"""Verbs whose "which" often stands for the whole sentence."""
_COMPANY = frozenset("accompany join follow flank help assist support watch back cheer greet attend".split())
"""Participles that are about whoever acts, not about the noun before them."""
_PLACES_AND_DAYS = frozenset({"GPE", "LOC", "DATE", "TIME"})
_LEADS = frozenset("by in on at to with".split())
_PARTICIPLES = frozenset({"VBN", "VBD"})
_LASTING = frozenset("base locate situate own run lead head know hold use house call name".split())


def finer_parts(sentence: Span) -> list[Span]:
    """The sentence cut in two or more parts, each parsed by itself; empty where no cut holds."""
    if attribution_of(sentence.root) is not None:
        return []
    for cut in (_relatives, _openings, _participles, _complements, _predicates):
        for proposed in cut(sentence):
            # A relative clause is finite by the parse of the whole, which knows more than its own.
            found = _held(proposed, sure=1 if cut is _relatives else 0)
            if found:
                return found
    return _leftover(sentence)


def _held(proposed: Sequence[list[Word]], *, sure: int) -> list[Span]:
    """The parts parsed, if each but the last ``sure`` ones is a full clause."""
    if len(proposed) < 2 or not all(proposed):
        return []
    found = [parsed(part) for part in proposed]
    return found if all(_is_clause(part) for part in found[: len(found) - sure]) else []


def _is_clause(part: Span) -> bool:
    root, subject = part.root, subject_of(part.root)
    finite = any(t.tag_ in _FINITE for t in (root, *auxiliaries(root)))
    return subject is not None and subject.i < root.i and root.pos_ in {"VERB", "AUX"} and finite


def _words(tokens: Iterable[Token], *, own: bool = True) -> list[Word]:
    """Tokens as words, without commas and conjunctions at the edges."""
    found = list(tokens)
    while found and (found[-1].text in {",", ";"} or found[-1].dep_ == "cc"):
        found.pop()
    while found and (found[0].text in {",", ";"} or found[0].dep_ == "cc"):
        found.pop(0)
    return [(t.text, t if own else None) for t in found]


def _lowered(words: list[Word]) -> list[Word]:
    first, token = words[0]
    return [(first if token is None or token.pos_ == "PROPN" else first.lower(), token), *words[1:]]


def _to_comma(sentence: Span, start: int) -> list[Token]:
    """Tokens from ``start`` to the comma that closes the aside; commas before a conjunct stay inside."""
    found: list[Token] = []
    for token in sentence.doc[start : sentence.end]:
        if token.text in {";", "."} or (token.text == "," and token.i > start):
            break
        found.append(token)
    return found


def _before(sentence: Span, comma: int) -> list[Token]:
    """The name or noun phrase that ends at a comma; a name in front of which its class stands, alone."""
    chunks = [c for c in sentence.doc.noun_chunks if sentence.start <= c.start and c.end <= comma]
    if not chunks or chunks[-1].end < comma - 3:
        return []
    first, last = chunks[-1].start, comma
    while first > sentence.start + 1 and sentence.doc[first - 1].text == "&":
        earlier = next((c for c in chunks if c.end == first - 1), None)
        if earlier is None:
            break
        first = earlier.start
    named = [e for e in sentence.doc.ents if first <= e.start and e.end <= last and e.end == last]
    if named and named[0].start > first and sentence.doc[named[0].start].pos_ == "PROPN":
        first = named[0].start
    tokens = list(sentence.doc[first:last])
    definite = any(t.pos_ == "PROPN" for t in tokens) or tokens[0].lower_ in {"the", "its", "his", "her"}
    return tokens if definite and not any(t.pos_ == "PRON" and t.dep_ != "poss" for t in tokens) else []


def _without(sentence: Span, aside: Sequence[Token]) -> list[Word]:
    gone = {t.i for t in aside} | {aside[0].i - 1}
    after = aside[-1].i + 1
    if after + 1 < sentence.end and sentence.doc[after].text == "," and sentence.doc[after + 1].dep_ != "cc":
        gone.add(after)
    return _words([t for t in sentence if t.i not in gone])


def _relatives(sentence: Span) -> Iterator[list[list[Word]]]:
    """ ", which airs on X": the noun before it does so."""
    for token in sentence:
        opens = token.lower_ in {"which", "who"} and token.i > sentence.start and token.nbor(-1).text == ","
        if not opens or token.i + 2 >= sentence.end:
            continue
        clause = _to_comma(sentence, token.i)
        verb = next((t for t in clause[1:] if t.pos_ in {"VERB", "AUX"}), None)
        anchor = _before(sentence, token.i - 1)
        follows = verb is not None and verb.i == token.i + 1 and verb.tag_ in _FINITE
        if verb is None or not follows or not anchor or verb.lemma_.lower() in _COMMENTS:
            continue
        yield [_without(sentence, clause), [*_words(anchor, own=False), *_words(clause[1:])]]


def _participles(sentence: Span) -> Iterator[list[list[Word]]]:
    """ ", directed by X" after a noun: that noun was so."""
    for token in sentence:
        opens = token.i > sentence.start + 1 and token.nbor(-1).text == ","
        if not opens or token.tag_ not in _PARTICIPLES or token.i + 2 >= sentence.end:
            continue
        if subject_of(token) is not None or token.nbor(1).lower_ not in _LEADS:
            continue
        aside, anchor = _to_comma(sentence, token.i), _anchor(sentence, token)
        if not anchor:
            continue
        verb = _copula(sentence, token, anchor[-1])
        yield [_without(sentence, aside), [*_words(anchor, own=False), (verb, None), *_words(aside)]]


def _anchor(sentence: Span, participle: Token) -> list[Token]:
    """Whom a participle after a comma is about: the noun before it, or the subject of the sentence."""
    near, subject = _before(sentence, participle.i - 1), subject_of(sentence.root)
    elsewhere = participle.lemma_.lower() in _COMPANY or (near and near[-1].ent_type_ in _PLACES_AND_DAYS)
    if not elsewhere:
        return near
    if subject is None or subject.left_edge.i != sentence.start or subject.pos_ == "PRON":
        return []
    return list(sentence.doc[sentence.start : subject.right_edge.i + 1])


def _openings(sentence: Span) -> Iterator[list[list[Word]]]:
    """ "Based in X, and with Y, Z sells …": Z is based in X, and has Y."""
    if sentence[0].lower_ != "with" and sentence[0].tag_ not in _PARTICIPLES:
        return
    main = next((t for t in sentence if t.tag_ in _FINITE and subject_of(t) is not None), None)
    subject = subject_of(main) if main is not None else None
    if subject is None:
        return
    left = subject.left_edge.i
    if left <= sentence.start + 2 or sentence.doc[left - 1].text != ",":
        return
    named = list(sentence.doc[left : subject.right_edge.i + 1])
    parts = _chunked(list(sentence.doc[sentence.start : left]))
    facts = [fact for part in parts if (fact := _told(sentence, named, part))]
    yield [*facts, _words(sentence.doc[left : sentence.end])] if facts else []


def _chunked(opening: list[Token]) -> Iterator[list[Token]]:
    """An opening cut before "and with", ", with" and ", and <participle>"."""
    starts = [0]
    for at, token in enumerate(opening):
        leads = token.lower_ == "with" or token.tag_ == "VBN"
        if at and leads and (opening[at - 1].text == "," or opening[at - 1].lower_ == "and"):
            starts.append(at)
    for start, end in zip(starts, [*starts[1:], len(opening)], strict=True):
        yield opening[start:end]


def _told(sentence: Span, named: Sequence[Token], part: Sequence[Token]) -> list[Word]:
    words, who = _words(part), _words(named, own=False)
    if len(words) < 2:
        return []
    if words[0][0].lower() == "with":
        verb = "had" if is_past(sentence.root) else "have" if named[-1].tag_ in {"NNS", "NNPS"} else "has"
        return [*who, (verb, words[0][1]), *words[1:]]
    return [*who, (_copula(sentence, words[0][1] or part[0], named[-1]), None), *_lowered(words)]


def _copula(sentence: Span, participle: Token, last: Token) -> str:
    past = is_past(sentence.root) or participle.lemma_.lower() not in _LASTING
    many = last.tag_ in {"NNS", "NNPS"} and last.pos_ != "PROPN"
    return ("were" if many else "was") if past else ("are" if many else "is")


def _complements(sentence: Span) -> Iterator[list[list[Word]]]:
    """ "X is the main feature of Y and famous for Z": X is famous for Z."""
    root, subject = sentence.root, subject_of(sentence.root)
    if root.lemma_.lower() != "be" or subject is None or subject.left_edge.i != sentence.start:
        return
    if any(c.dep_ == "neg" for c in root.children):
        return
    for token in sentence.doc[root.i + 2 : sentence.end - 1]:
        following = token.nbor(1)
        if token.lower_ not in {"and", "but"} or following.tag_ not in {"JJ", "VBN", "DT"}:
            continue
        if following.tag_ == "DT" and not any(c.dep_ in {"attr", "acomp"} for c in root.children):
            continue
        if following.tag_ == "JJ" and following.head.pos_ in {"NOUN", "PROPN"} and following.dep_ == "amod":
            continue
        yield _shared(sentence, root.i + 1, token.i)


def _shared(sentence: Span, head: int, at: int) -> list[list[Word]]:
    """The parts before and after a conjunction; the second begins with the words up to ``head`` too."""
    start, after = _words(sentence.doc[sentence.start : head], own=False), _words(sentence.doc[at + 1 : sentence.end])
    return [_words(sentence.doc[sentence.start : at]), [*start, *after]]


def _predicates(sentence: Span) -> Iterator[list[list[Word]]]:
    """ "X cost Y and opened on Z": X opened on Z."""
    root, subject = sentence.root, subject_of(sentence.root)
    if subject is None or subject.left_edge.i != sentence.start or root.lemma_ in _WORDS["tandem_lemmas"]:
        return
    if any(c.dep_ == "neg" for c in root.children) or subject.lower_ in _WORDS["quantified"]:
        return
    for token in sentence.doc[root.i + 1 : sentence.end - 2]:
        verb = token.nbor(1)
        simple = verb.tag_ in _FINITE or (verb.tag_ == "VBN" and not auxiliaries(root))
        finite = simple and verb.dep_ == "conj" and subject_of(verb) is None
        if token.lower_ not in {"and", "but"} or not finite or not _complemented(root, token.i):
            continue
        yield _shared(sentence, subject.right_edge.i + 1, token.i)


def _complemented(root: Token, end: int) -> bool:
    """Whether the first verb has an object or adverbial of its own before the conjunction."""
    own = any(c.dep_ not in {"cc", "conj", "punct"} and c.i < end for c in root.rights)
    return own or root.lemma_.lower() in _WORDS["intransitive_lemmas"]


def _leftover(sentence: Span) -> list[Span]:
    """ ", and a name" after a full clause: words that belong to no statement, as a part of their own."""
    for token in reversed(list(sentence)):
        if token.pos_ in {"VERB", "AUX"}:
            return []
        if token.lower_ != "and" or token.i <= sentence.start + 2 or token.nbor(-1).text != ",":
            continue
        left, right = sentence.doc[sentence.start : token.i - 1], sentence.doc[token.i + 1 : sentence.end]
        listed = any(t.text == "," and t.nbor(1).pos_ in {"PROPN", "NOUN", "DET"} for t in left)
        if listed or not len(right) or len([t for t in right if t.is_alpha]) > 4:
            return []
        first = parsed(_words(left))
        return [first, parsed(_words(right))] if _is_clause(first) else []
    return []
