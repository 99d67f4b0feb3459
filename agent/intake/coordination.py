"""Splitting coordinated nouns and adjectives: "A and B are in C" -> "A is in C." "B is in C.".

Only distributive coordinations: not "A and B married", not "between A and B", not names.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from agent.intake.draft_claims import Draft, attribution_of, connectors, has_negation, own_nodes, time_words
from agent.intake.lexicon import WORDS
from language.nlp.syntax import NOMINAL, PLURAL, SUBJECTS, TIMES, VERBAL, auxiliaries, chain, dependents, has, subtree

if TYPE_CHECKING:
    from spacy.tokens import Token


_SINGULAR = {"are": "is", "were": "was", "have": "has", "do": "does", "'re": "'s", "’re": "’s"}
_PLACE_ENTITIES = frozenset({"GPE", "LOC", "FAC"})


def split_phrases(draft: Draft) -> tuple[Draft, ...]:
    """A draft for each member of the clause's one distributive coordination, or the draft itself."""
    verb = draft.doc[draft.head]
    if verb.pos_ not in VERBAL or attribution_of(verb) is not None or draft.subject is None or draft.subject > verb.i:
        return (draft,)
    heads = [t for t in _candidates(draft, verb, draft.doc[draft.subject]) if has(t, "conj")]
    if len(heads) != 1:
        return (draft,)
    head = heads[0]
    members = chain(head)
    if not _distributes(draft, verb, head, members):
        return (draft,)
    return tuple(_member(draft, verb, head, member) for member in members)


def _candidates(draft: Draft, verb: Token, subject: Token) -> list[Token]:
    """Subject, objects, complements, and places and dates with "in" or "at"."""
    found = [subject]
    for child in verb.children:
        if child.i in draft.words:
            found += [child] if child.dep_ in {"dobj", "attr", "acomp", "oprd"} else []
            found += dependents(child, "pobj") if child.dep_ in {"prep", "agent"} else []
    for noun in [t for t in found if t.dep_ in {"dobj", "attr"}]:
        found += [place for preposition in dependents(noun, "prep") for place in dependents(preposition, "pobj")]
    return [t for t in found if t.i in draft.words]


def _distributes(draft: Draft, verb: Token, head: Token, members: list[Token]) -> bool:
    links = connectors(members)
    if len(links) != 1 or links[0].lower_ not in {"and", "&"}:
        return False
    if any(m.pos_ != head.pos_ and {m.pos_, head.pos_} != NOMINAL for m in members):
        return False
    if any(has(m, "appos") for m in members) or has(verb, "advcl", "ccomp", "xcomp"):
        return False
    if _is_name(head, members) or not _separable(members):
        return False
    rest = [draft.doc[i] for i in sorted(draft.words.keys() - subtree(head))]
    if any(t.lower_ in WORDS["collective_words"] or t.dep_ == "neg" for t in rest):
        return False
    if verb.lemma_.lower() in WORDS["collective_lemmas"]:
        return False
    together = WORDS["collective_words"] - {"both"}
    if has_negation(head) or any(t.lower_ in together for m in members for t in own_nodes(m)):
        return False
    if head.dep_ in SUBJECTS:
        return _subject_distributes(draft, verb, members, rest)
    if head.dep_ in {"dobj", "attr"}:
        return _object_distributes(verb, head, members)
    if head.dep_ == "acomp":
        return _plain_adjectives(members)
    return head.dep_ == "pobj" and _places_distribute(verb, head, members, rest)


def _is_name(head: Token, members: list[Token]) -> bool:
    """Whether the coordination is one name or set phrase: "Bosnia and Herzegovina"."""
    last = members[-1]
    if head.ent_type_ and last.ent_iob_ == "I" and all(t.ent_iob_ == "I" for t in head.doc[head.i + 1 : last.i]):
        return True
    pair = f"{members[-2].lower_}|{last.lower_}"
    return pair in WORDS["joint_names"] or head.lower_ == last.lower_


def _separable(members: list[Token]) -> bool:
    """Whether determiners, adjectives and complements belong to their own member alone."""
    first, last = members[0], members[-1]
    if first.pos_ == "ADJ":
        return True
    if first.dep_ in {"pobj"} and first.ent_type_ in {"DATE", "GPE", "LOC"}:
        return not _trails(last)
    for member in members[1:]:
        bare = not any(c.dep_ in {"det", "poss", "nummod"} for c in member.lefts)
        if bare and _leading(first):
            return False
        if bare and member.pos_ == "NOUN" and member.tag_ == "NN" and any(c.dep_ == "det" for c in first.lefts):
            return False
    modifiers = [c for c in first.lefts if c.dep_ in {"amod", "det"} and not c.ent_type_ and c.lower_ != "both"]
    if first.pos_ == "PROPN" and modifiers:
        return all(any(c.dep_ in {"det", "poss"} for c in m.lefts) for m in members[1:])
    return not _trails(last) or _trails(first)


def _leading(first: Token) -> bool:
    """Modifiers of the first member that may extend to all ("former presidents A and B")."""
    return any(
        c.dep_ in {"amod", "poss", "nummod", "det"} or (c.dep_ == "compound" and c.pos_ == "NOUN")
        for c in first.lefts
        if c.lower_ != "both"
    )


def _trails(member: Token) -> bool:
    return any(c.dep_ in {"prep", "relcl", "acl", "appos"} for c in member.rights)


def _subject_distributes(draft: Draft, verb: Token, members: list[Token], rest: list[Token]) -> bool:
    if any(t.tag_ == "VBZ" or t.lower_ == "was" for t in (verb, *auxiliaries(verb))):
        return False
    if any(m.pos_ == "PRON" for m in members) or has(verb, "agent"):
        return False
    if _counts(rest) or any(t.tag_ in {"JJS", "RBS", "JJR", "RBR"} for t in rest):
        return False
    told = [c for c in dependents(verb, "dobj", "attr") if c.i in draft.words]
    if any(c.dep_ == "dobj" for c in told) and verb.lemma_.lower() not in WORDS["distributive_lemmas"]:
        return False
    return all(_can_be_single(c) for c in told if c.dep_ == "attr")


def _counts(rest: list[Token]) -> bool:
    return any(t.like_num and t.ent_type_ not in TIMES for t in rest)


def _can_be_single(attribute: Token) -> bool:
    """Whether the predicate can be said of one member: not "are the capitals", "are three cities"."""
    if attribute.tag_ != "NNS" or has(attribute, "det", "nummod", "conj", "poss"):
        return False
    return attribute.lemma_.lower() != attribute.lower_


def _object_distributes(verb: Token, head: Token, members: list[Token]) -> bool:
    if any(t.lower_ in {"total", "combination", "mix", "mixture", "series", "pair"} for t in head.subtree):
        return False
    if has(verb, "dative", "oprd", "prt") or any(t.tag_ in {"JJS", "RBS"} for t in head.subtree):
        return False
    if has(verb, "prep", words={"between", "into", "with", "from", "to"}):
        return False
    if head.tag_ in {"NN", "NNS"} and head.dep_ == "attr":
        return all(any(c.dep_ == "det" for c in m.lefts) for m in members)
    return not any(m.pos_ in {"PRON", "NUM"} or m.tag_ == "VBG" for m in members)


def _plain_adjectives(members: list[Token]) -> bool:
    if any(m.tag_ != "JJ" for m in members):
        return False
    simple = all(c.dep_ in {"advmod", "cc", "conj", "punct", "preconj"} for m in members for c in m.children)
    colours = {"black", "white", "red", "green", "blue", "yellow"}
    return simple and not has(members[0], "advmod") and not all(m.lower_ in colours for m in members)


def _places_distribute(verb: Token, head: Token, members: list[Token], rest: list[Token]) -> bool:
    """Whether places or dates distribute: nothing counted or unique is shared out."""
    if head.head.lower_ not in {"in", "at"} or head.head.head.dep_ in SUBJECTS:
        return False
    articles = [c for o in dependents(verb, "dobj") for c in o.lefts if c.dep_ == "det" and c.lower_ in {"a", "an"}]
    if articles or _counts(rest):
        return False
    if time_words(members):
        return all(m.like_num and len(m.text) == 4 for m in members)
    return all(m.ent_type_ in _PLACE_ENTITIES for m in members)


def _member(draft: Draft, verb: Token, head: Token, member: Token) -> Draft:
    """The draft with one member instead of the coordination."""
    region = subtree(head)
    chosen = draft.select(t for t in own_nodes(member) if t.i in draft.words and t.lower_ != "both")
    subject = member.i if draft.subject == head.i else draft.subject
    words = list(draft.words.items())
    start = next((n for n, (index, _) in enumerate(words) if index in region), len(words))
    rest = {index: text for index, text in words[start:] if index not in region}
    made = replace(draft, words=dict(words[:start]) | chosen | rest, subject=subject, whole=False)
    return made.rewrite(_agreement(draft, verb, member)) if head.dep_ in SUBJECTS else made


def _agreement(draft: Draft, verb: Token, member: Token) -> dict[int, str]:
    """Verb and predicate nouns in the singular, for a single member."""
    if member.tag_ in PLURAL or any(c.dep_ == "nummod" for c in member.lefts):
        return {}
    texts: dict[int, str] = {}
    finite = next(t for t in (*auxiliaries(verb), verb) if t.i in draft.words)
    lowered = finite.lower_
    if lowered in _SINGULAR:
        texts[finite.i] = _SINGULAR[lowered]
    elif finite is verb and verb.tag_ == "VBP":
        texts[verb.i] = _third_person(verb.text)
    for noun in (c for c in dependents(verb, "attr") if c.i in draft.words):
        texts[noun.i] = noun.lemma_
        opener = min(own_nodes(noun), key=lambda t: t.i)
        word = texts.get(opener.i, opener.text)
        texts[opener.i] = f"{_article(word)} {word}"
    return texts


def _third_person(verb: str) -> str:
    if verb.endswith(("s", "sh", "ch", "x", "z", "o")):
        return verb + "es"
    if verb.endswith("y") and verb[-2:-1] not in tuple("aeiou"):
        return verb[:-1] + "ies"
    return verb + "s"


def _article(word: str) -> str:
    lowered = word.lower()
    vowel = lowered.startswith(tuple("aeiou")) and not lowered.startswith(tuple(WORDS["a_exceptions"]))
    return "an" if vowel or lowered.startswith(tuple(WORDS["an_exceptions"])) else "a"
