"""Splitting coordinated verb phrases and clauses: "A did X and did Y" -> "A did X." "A did Y.".

Only where subject, auxiliaries, negation and time of each part are certain (``split_clauses``), or where both parts are
full clauses when parsed by themselves (``cut_clauses``).
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from agent.intake.draft_claims import (
    ORIGIN,
    Draft,
    Word,
    attribution_of,
    complemented,
    connectors,
    is_negated,
    leans,
    own_nodes,
    parsed,
    time_words,
    words_of,
)
from agent.intake.lexicon import WORDS
from language.nlp.syntax import FINITE, TIMES, VERBAL, auxiliaries, chain, dependents, has, is_finite, subject_of

if TYPE_CHECKING:
    from spacy.tokens import Span, Token


_FREE = frozenset({"and", "but", "&"})


def split_clauses(draft: Draft) -> tuple[Draft, ...]:
    """A draft for each clause and verb phrase, or the draft itself when unsure."""
    root = draft.doc[draft.head]
    verbs, subject = [v for v in chain(root) if v.i in draft.words], subject_of(root)
    if len(verbs) < 2 or subject is None or not _may_split(root, verbs, draft):
        return (draft,)
    parts: list[Draft] = []
    for before, verb in pairwise((root, *verbs)):
        subject = subject_of(verb) or subject
        part = _part(draft, verb, subject, before, verbs)
        if part is None:
            return (draft,)
        parts.append(part)
    return tuple(parts)


def _may_split(root: Token, verbs: list[Token], draft: Draft) -> bool:
    if any(v.pos_ not in VERBAL for v in verbs) or attribution_of(root) is not None:
        return False
    links = connectors(verbs)
    if any(c.lower_ not in _FREE for c in links) or not (links or any(t.text == ";" for t in root.children)):
        return False
    shared = subject_of(verbs[1]) is None and not has(root, "attr", "acomp")
    if shared and root.lemma_.lower() in WORDS["tandem_lemmas"]:
        return False
    if any(has(v, "ccomp") for v in verbs[:-1]) or not is_finite(root):
        return False
    if not all(_agrees(v) for v in verbs) or _shares_its_end(verbs):
        return False
    if any(t.lower_ == "whether" or t.text == "?" for t in root.subtree):
        return False
    return draft.doc[next(iter(draft.words))].lower_ not in {"if", "unless", "when", "not", "either", "neither"}


def _agrees(verb: Token) -> bool:
    """Whether subject and verb agree in number; otherwise the parse is wrong."""
    subject = subject_of(verb)
    if subject is None or has(subject, "conj") or subject.dep_ == "expl":
        return True
    finite = next(iter(auxiliaries(verb)), verb)
    if subject.tag_ in {"NN", "NNP"} and finite.tag_ == "VBP":
        return False
    return not (subject.tag_ == "NNS" and finite.tag_ == "VBZ")


def _shares_its_end(verbs: list[Token]) -> bool:
    """Whether an object of the last verb may belong to an earlier one ("bought and sold shares")."""
    last = verbs[-1]
    if subject_of(last) is not None or not complemented(last):
        return False
    return any(
        not complemented(v) and v.lemma_.lower() not in WORDS["intransitive_lemmas"]
        for v in verbs[:-1]
        if not auxiliaries(last) or auxiliaries(v)
    )


def _part(draft: Draft, verb: Token, subject: Token, before: Token, verbs: list[Token]) -> Draft | None:
    """What is told of one verb, whose subject may be that of a verb before; ``None``: it is unsure."""
    root, owner, last = draft.doc[draft.head], subject.head, verb == verbs[-1]
    nodes = [t for t in own_nodes(verb) if t.i in draft.words]
    own = frozenset(t.i for t in nodes)
    if verb == root:
        return None if _first_unsafe(root, subject, verbs) else draft.keep(draft.words.keys() - own)
    opening = [t for t in _opening(root) if t.i in draft.words]
    tokens = _copied_opening(opening, verb) if owner in (verb, root) else []
    if owner != verb:
        lead = _shared_lead(verb, owner, before, last)
        if lead is None:
            return None
        tokens = [*tokens, *(t for t in _own_subject(subject) if t.i in draft.words), *lead]
    elif not _clause_is_safe(verb, subject, opening, last):
        return None
    words = _decapitalised(draft, draft.select([*tokens, *nodes]))
    return Draft(draft.doc, words, verb.i, subject.i, own, whole=False)


def _own_subject(subject: Token) -> list[Token]:
    """All tokens of the verb's own subject, coordination included."""
    nodes = list(subject.subtree)
    while nodes[-1].text in {",", ";"}:
        nodes.pop()
    following = nodes[-1].i + 1
    if any(t.text == "," for t in nodes) and following < len(subject.doc) and subject.doc[following].text == ",":
        nodes.append(subject.doc[following])
    return nodes


def _opening(root: Token) -> list[Token]:
    """The words before the subject of the sentence ("In 2015, ...")."""
    left = (subject_of(root) or root).left_edge.i
    return [t for t in root.subtree if t.i < left]


def _plain(opening: list[Token]) -> list[Token]:
    return [t for t in opening if not t.is_punct and t.dep_ != "cc"]


def _copied_opening(opening: list[Token], verb: Token) -> list[Token]:
    """The opening, where the later part has no time of its own."""
    own_time = any(t.lower_ in WORDS["later"] for t in verb.subtree)
    own_time = own_time or bool(time_words(_plain(opening)) and time_words(own_nodes(verb)))
    return opening if _plain(opening) and not own_time else []


def _first_unsafe(root: Token, subject: Token, verbs: list[Token]) -> bool:
    """Whether the first verb has a modifier that may extend to later ones."""
    if any(t.dep_ in {"mark", "neg", "advcl"} for t in _opening(root)):
        return True
    if all(subject_of(v) is not None for v in verbs[1:]):
        return False
    late = [c for c in dependents(root, "advmod", "npadvmod") if subject.i < c.i < root.i]
    if any(c.lower_ not in WORDS["sequence_adverbs"] for c in late):
        return True
    return any(t.lower_ in WORDS["quantified"] for t in subject.subtree)


def _clause_is_safe(verb: Token, subject: Token, opening: list[Token], last: bool) -> bool:
    """Whether a later clause is finite, has its own subject and shares nothing with the first."""
    if not is_finite(verb) or subject.i > verb.i or leans(subject):
        return False
    start = verb.left_edge.i
    comma = any(t.text in {",", ";"} for t in verb.doc[max(0, start - 2) : start])
    if has(verb, "advcl") and last and not comma:
        return False
    return not (_plain(opening) and comma and not time_words(own_nodes(verb)))


def _shared_lead(verb: Token, owner: Token, before: Token, last: bool) -> list[Token] | None:
    """The auxiliaries a later verb shares; ``None`` when they or the time are uncertain."""
    own_aux, borrowed = auxiliaries(verb), auxiliaries(owner)
    if not own_aux and (_negation_reaches(owner, verb) or _negation_reaches(before, verb)):
        return None
    if has(verb, "advcl", "mark") or (last and not own_aux and _time_may_be_shared(verb, owner)):
        return None
    # a noun before a verb may be its unparsed subject
    if any(c.pos_ in {"NOUN", "PROPN", "PRON"} and c.ent_type_ not in TIMES for c in verb.lefts):
        return None
    if own_aux:
        return [] if own_aux[0].tag_ in FINITE else None
    if verb.tag_ in {"VBZ", "VBP"}:
        return []
    if verb.tag_ == "VBD":
        if _surely_active(verb, owner):
            return []
        return borrowed if verb.lemma_.lower() in WORDS["passive_lemmas"] else None
    if verb.tag_ == "VB":
        modal = bool(borrowed) and (borrowed[0].tag_ == "MD" or borrowed[0].lemma_.lower() == "do")
        return borrowed if modal else None
    bare = verb.lower_ == verb.lemma_.lower() and verb.lower_ not in WORDS["same_participles"]
    if verb.tag_ in {"VBN", "VBG"} and borrowed and owner.tag_ == verb.tag_ and not bare:
        return borrowed
    return None


def _negation_reaches(first: Token, later: Token) -> bool:
    """Whether a negation extends to a later verb: not where that verb is finite itself."""
    adverb = any(c.lower_ in {"never", "hardly", "rarely", "seldom"} for c in first.children)
    return is_negated(first) and (adverb or later.tag_ not in {"VBD", "VBZ", "VBP"})


def _surely_active(verb: Token, owner: Token) -> bool:
    if not has(owner, "auxpass") or has(verb, "dobj", "attr", "acomp", "xcomp", "oprd"):
        return True
    return verb.lemma_.lower() in WORDS["intransitive_lemmas"] | {"be", "have"}


def _time_may_be_shared(verb: Token, owner: Token) -> bool:
    """Whether a later verb's time may be the first one's too. Not where they differ in voice."""
    if owner.tag_ != verb.tag_ or not time_words(own_nodes(verb)) or time_words(own_nodes(owner)):
        return False
    return not any(t.lower_ in WORDS["later"] for t in verb.subtree)


def _decapitalised(draft: Draft, words: dict[int, str]) -> dict[int, str]:
    """Words that opened the sentence in lower case, unless they are names."""
    first = next(iter(draft.words))
    token = draft.doc[first]
    plain = token.pos_ != "PROPN" and token.text.istitle() and not token.ent_type_
    if plain and first in words and first != next(iter(words)):
        return words | {first: words[first].lower()}
    return words


def cut_clauses(sentence: Span) -> list[Span]:
    """The sentence cut at the first conjunction or semicolon between two full clauses, or empty."""
    for token in sentence:
        if token.lower_ in WORDS["ranging"]:
            return []
        if token.lower_ not in {"and", "but", "nor", ";"} or token.i in {sentence.start, sentence.end - 1}:
            continue
        left = words_of(t for t in sentence if t.i < token.i)
        right = _turned(token, sentence) if token.lower_ == "nor" else words_of(t for t in sentence if t.i > token.i)
        if not left or not right:
            continue
        first, second = parsed(left), parsed(right)
        if _stands(first) and _stands(second) and _ends_well(first) and _begins_well(second):
            return [first, second]
    return []


def _turned(nor: Token, sentence: Span) -> list[Word]:
    """An inverted clause in plain order: "nor did he apologise" as "he did not apologise"; or empty."""
    rest = [t for t in sentence if t.i > nor.i]
    subject = next((s for t in rest if t.pos_ in VERBAL and (s := subject_of(t)) is not None), None)
    if subject is None or rest[0].pos_ != "AUX" or subject.left_edge.i != nor.i + 2:
        return []
    end = subject.right_edge.i
    named, after = [t for t in rest[1:] if t.i <= end], [t for t in rest if t.i > end]
    return [*words_of(named), (rest[0].text, rest[0]), ("not", nor), *words_of(after)]


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
