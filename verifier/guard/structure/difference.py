"""What keeps a sentence from speaking against a claim: it tells of something else, or takes back what was said."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from language.quantities.mentions import find_slots
from verifier.guard.lexicon import words
from verifier.guard.rule import Hit, Rule, rules_of
from verifier.guard.structure.assertion import clause_of, embedders
from verifier.guard.structure.pairing import (
    Pairing,
    is_figure,
    is_other_form,
    is_pronoun,
    is_wordy,
    phrase,
    predicate_of,
    surface_subject,
)

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token


OTHER_KIND = "difference.kind"
"""The rule whose hits the model may take back: other words may name the same thing (``verifier.scoring``)."""
_FORMS = frozenset(
    "mr mrs ms miss dr prof professor sir dame lord lady saint st captain mr. mrs. ms. dr. prof. st.".split()
)
_PREDICATES = frozenset({"VERB", "AUX", "ADJ"})
_COUNTING = frozenset({"nummod", "attr", "dobj", "pobj", "compound", "quantmod", "npadvmod"})
_DAYTIMES = frozenset({"day", "night", "morning", "afternoon", "evening", "noon", "midnight", "dawn", "dusk", "hour"})
_NO_BOUNDS = _DAYTIMES | {"total", "all", "fact"}
_PERIODS = frozenset({"in", "during", "over", "throughout", "between", "within"})
_BOUNDS = _PERIODS | {"at", "for", "among", "across", "outside", "inside"}


def another_subject(pair: Pairing) -> Hit | None:
    """The premise says it of another thing than the claim does."""
    root, main = predicate_of(pair.claim), pair.main or predicate_of(pair.premise)
    if root is None or main is None or main.dep_ in {"amod", "compound", "acl", "nmod"}:
        return None
    mine, theirs = surface_subject(root), surface_subject(main)
    if mine is None or theirs is None or _other_voice(root, mine, main, theirs):
        return None
    mine, theirs = _counted_of(mine), _named_as(_counted_of(theirs))
    if is_pronoun(mine) or is_pronoun(theirs):
        return None
    if mine.lemma_.lower() == "there" or theirs.lemma_.lower() == "there" or mine.like_num or theirs.like_num:
        return None
    if theirs.i in pair.counterparts(mine):
        apart = _apart(pair, mine, theirs)
        return Hit(phrase(mine), phrase(theirs)) if apart else None
    if not (pair.aligned or _built_alike(root, main)) or _may_be_one(pair, mine, theirs):
        return None
    said = [t for t in mine.doc[mine.left_edge.i : root.i + 1] if is_wordy(t)]
    return None if _takes_in(pair, theirs, said) else Hit(phrase(mine), phrase(theirs))


def _other_voice(root: Token, mine: Token, main: Token, theirs: Token) -> bool:
    """Whether one verb is active in one sentence and passive in the other: its subjects are then not to compare."""
    return root.lemma_ == main.lemma_ and (mine.dep_ == "nsubjpass") != (theirs.dep_ == "nsubjpass")


def _counted_of(subject: Token) -> Token:
    """The thing of which a part is told: "trams" in "none of the trams"."""
    parts = [p for p in subject.children if p.dep_ == "prep" and p.lower_ == "of"]
    things = [t for p in parts for t in p.children if t.dep_ == "pobj"]
    return things[0] if things and subject.lemma_.lower() in words("parts") else subject


def _takes_in(pair: Pairing, theirs: Token, said: list[Token]) -> bool:
    """Whether the premise's subject is among the claim's words up to its verb, whichever of them the parser takes
    for head or verb, and tells of no other: the premise has all of these words, or denies the whole kind ("no tram").
    """
    if not any(theirs.i in pair.counterparts(t) for t in said):
        return False
    if all(pair.counterparts(t) for t in said):
        return True
    none = any(t.lower_ in words("none") for t in theirs.doc[theirs.left_edge.i : theirs.i])
    return none and all(pair.in_claim(t) or t.lower_ in words("none") for t in restrictions(theirs))


def _built_alike(root: Token, main: Token) -> bool:
    """Whether both say what something is: "is closed" and "is open"."""
    return root.dep_ == main.dep_ == "acomp" or (root.dep_ == "attr" and main.dep_ == "attr")


def _apart(pair: Pairing, mine: Token, theirs: Token) -> bool:
    """Whether two phrases of one noun are told apart: each has a restriction that the other lacks."""
    if mine.pos_ == theirs.pos_ == "PROPN" and _namesakes(mine, theirs):
        return True
    own, other = ([*restrictions(t), *_names_of_deed(t)] for t in (mine, theirs))
    told = {t.lower_ for t in other}, {t.lower_ for t in own}
    mine_only = [t for t in own if not pair.counterparts(t) and t.lower_ not in told[0]]
    theirs_only = [t for t in other if not pair.in_claim(t) and t.lower_ not in told[1]]
    return bool(mine_only) and bool(theirs_only)


def _names_of_deed(verb: Token) -> list[Token]:
    """The names in what a deed is done to: "Hale" in "building the wall of Hale"."""
    done = [t for c in verb.children if c.dep_ == "dobj" for t in c.subtree] if verb.tag_ == "VBG" else []
    return [t for t in done if t.pos_ == "PROPN"]


def _named_as(subject: Token) -> Token:
    """The name beside a common noun ("her sister Vera Issing"), else the noun."""
    return next((c for c in subject.children if c.dep_ == "appos" and c.pos_ == "PROPN"), subject)


def _namesakes(mine: Token, theirs: Token) -> bool:
    """Whether two names share their last word and have other given names."""
    own, other = ({c.lower_.strip(".") for c in t.children if c.dep_ == "compound"} - _FORMS for t in (mine, theirs))
    titled = (own | other) & words("titles")
    return bool(own) and bool(other) and not own & other and not titled


def restrictions(noun: Token) -> list[Token]:
    """Words that pick out which of the things of a noun are meant; numbers and articles are none."""
    found = []
    for child in noun.children:
        counts = child.like_num and child.tag_ != "JJ"
        if child.dep_ in {"amod", "compound", "nmod", "poss"} and not counts and noun.pos_ != "PROPN":
            found.append(child)
        elif (child.dep_ == "prep" and child.i > noun.i) or (child.dep_ == "acl" and child.i > noun.i):
            found += [t for t in child.subtree if is_wordy(t) and not _is_amount(t)]
    return found


def _is_amount(token: Token) -> bool:
    """Whether it says how much or how many ("a crowd of 900"); a day, or a number behind a name, tells which one."""
    return token.like_num and (token.dep_ == "pobj" or token.i < token.head.i) and not _dates(token)


def _may_be_one(pair: Pairing, mine: Token, theirs: Token) -> bool:
    """Whether two words may stand for one thing: a name and a description, or a word for many things."""
    named = [t.pos_ == "PROPN" for t in (mine, theirs)]
    if all(named):
        return is_other_form(pair, mine, theirs) or not _otherwise(pair)
    if any(named):
        common = theirs if named[0] else mine
        if common.lemma_.lower() in words("generic_heads"):
            return True
        return not (_elsewhere(pair, mine, theirs) and _otherwise(pair))
    return bool({mine.lemma_.lower(), theirs.lemma_.lower()} & words("hypernyms"))


def _elsewhere(pair: Pairing, mine: Token, theirs: Token) -> bool:
    """Whether the premise names the claim's subject in another place than in its own ("Minister Rask")."""
    return bool(pair.counterparts(mine) - {t.i for t in theirs.subtree})


def _otherwise(pair: Pairing) -> bool:
    """Whether more than the subject differs: a word of what is said of it, or a figure. Figures where the premise
    has none do not make it another matter.
    """
    root = predicate_of(pair.claim)
    mine = surface_subject(root) if root is not None else None
    own = {t.i for t in mine.subtree} if mine is not None else set()
    rest = [t for t in pair.claim.doc if is_wordy(t) and t.i not in own]
    if not any(is_figure(t) for t in pair.premise.doc):
        rest = [t for t in rest if not is_figure(t)]
    return any(not pair.counterparts(t) for t in rest) or _extra(pair) or _one_denies(pair)


def _extra(pair: Pairing) -> bool:
    main = pair.main
    return main is not None and any(not pair.in_claim(t) for t in restrictions(main))


def _one_denies(pair: Pairing) -> bool:
    return any(t.dep_ == "neg" for t in pair.claim.doc) != any(t.dep_ == "neg" for t in pair.premise.doc)


def another_kind(pair: Pairing) -> Hit | None:
    """The premise counts things of another name: a part of the claim's, or the same in other words."""
    return _each_count(pair, _of_another_kind)


def a_part(pair: Pairing) -> Hit | None:
    """The premise counts a part of what the claim counts, or the other way round, or within other bounds."""
    return _each_count(pair, _of_a_part)


def _each_count(pair: Pairing, compare: Callable[[Pairing, Token, Token], Hit | None]) -> Hit | None:
    """What ``compare`` finds, where it finds it for each pair of numbers that the two do not share."""
    if not pair.premise_text or pair.main is None:
        return None
    mine, theirs = _counts(pair.claim.doc), _counts(pair.premise.doc)
    shared = {value for value, _ in mine} & {value for value, _ in theirs}
    first: Hit | None = None
    for value, number in mine:
        for other_value, other in theirs:
            if value in shared or other_value in shared:
                continue
            hit = compare(pair, number, other)
            if hit is None:
                return None
            first = first or hit
    return first


def _counts(doc: Doc) -> list[tuple[str, Token]]:
    """Numbers that count something, each with its value and its last token; dates and ranks aside."""
    found: list[tuple[str, Token]] = []
    for token in doc:
        follows = token.i > 0 and doc[token.i - 1].like_num
        if not token.like_num or token.tag_ == "JJ" or token.dep_ not in _COUNTING or _dates(token):
            continue
        words_before = [doc[token.i - 1].text] if follows else []
        if follows and found and found[-1][1].i == token.i - 1:
            words_before = [found.pop()[0]]
        text = " ".join([*words_before, token.text])
        values = [slot.value for slot in find_slots(text) if slot.value]
        found.append((values[0] if len(values) == 1 else text, token))
    return found


def _dates(number: Token) -> bool:
    """Whether a number is a day or a year and no count."""
    if number.dep_ in {"pobj", "npadvmod"} and number.ent_type_ in {"DATE", "TIME"}:
        return True
    slots = (s for s in find_slots(number.doc.text) if s.kind == "date")
    return any(s.start <= number.idx < s.end for s in slots)


def _counted(number: Token) -> Token:
    return number.head if number.dep_ == "nummod" else number


def _of_another_kind(pair: Pairing, number: Token, other: Token) -> Hit | None:
    mine, theirs = _counted(number), _counted(other)
    if _is_unit(mine) or _is_unit(theirs) or theirs.i in pair.counterparts(mine) or _synonyms(mine, theirs):
        return None
    return Hit(thing(mine), thing(theirs))


def _of_a_part(pair: Pairing, number: Token, other: Token) -> Hit | None:
    mine, theirs = _counted(number), _counted(other)
    told = Hit(phrase(mine), phrase(theirs))
    if _is_unit(mine) != _is_unit(theirs):
        return None
    same = theirs.i in pair.counterparts(mine) or _synonyms(mine, theirs)
    if not _is_unit(mine) and same and _one_sided(pair, mine, theirs):
        return told
    subjects = surface_subject(mine), surface_subject(theirs)
    if subjects[0] is not None and subjects[1] is not None:
        one = subjects[1].i in pair.counterparts(subjects[0])
        if one and _one_sided(pair, subjects[0], subjects[1]):
            return told
    return told if same and _bounded(pair, mine, theirs) else None


def _is_unit(noun: Token) -> bool:
    return noun.like_num or noun.lemma_.lower() in words("units")


def thing(noun: Token) -> str:
    """A counted noun with the words before it that belong to it, its number aside: "crew members"."""
    start = noun.i
    while start > 0 and noun.doc[start - 1].head.i == noun.i and noun.doc[start - 1].dep_ in {"compound", "amod"}:
        if noun.doc[start - 1].like_num:
            break
        start -= 1
    return noun.doc[start : noun.i + 1].text


def _synonyms(mine: Token, theirs: Token) -> bool:
    people = words("people")
    return mine.lemma_.lower() in people and theirs.lemma_.lower() in people


def _one_sided(pair: Pairing, mine: Token, theirs: Token) -> bool:
    """One of two phrases of the same noun is restricted further than the other."""
    own, other = restrictions(mine), restrictions(theirs)
    told = {t.lower_ for t in own} & {t.lower_ for t in other}
    if any(not pair.counterparts(t) for t in own if t.lower_ not in told):
        return True
    return any(not pair.in_claim(t) for t in other if t.lower_ not in told)


def _bounded(pair: Pairing, mine: Token, theirs: Token) -> bool:
    """One of the two statements holds for a place or a period that the other does not name."""
    sides = ((mine, lambda t: bool(pair.counterparts(t))), (theirs, pair.in_claim))
    for noun, known in sides:
        for prep in _adjuncts(noun):
            ends = [t for t in prep.subtree if is_wordy(t)]
            if ends and not any(known(t) or t.lemma_.lower() in _NO_BOUNDS for t in ends):
                return True
    return False


def _adjuncts(noun: Token) -> Iterator[Token]:
    """Prepositional phrases on a noun's verb that give a place or a period, days aside."""
    verb = noun
    for _ in range(4):
        if verb.pos_ in {"VERB", "AUX"} or verb.head.i == verb.i:
            break
        verb = verb.head
    for child in verb.children:
        if child.dep_ != "prep" or child.lower_ not in _BOUNDS:
            continue
        ends = [c for c in child.children if c.dep_ == "pobj"]
        if ends and noun.i not in {t.i for t in child.subtree}:
            yield child


def other_denied(pair: Pairing) -> Hit | None:
    """The premise has the claim's predicate, but what it denies is another one."""
    root = predicate_of(pair.claim)
    if root is None or any(t.dep_ == "neg" for t in pair.claim.doc):
        return None
    if _gives_another_figure(pair):
        return None
    if root.dep_ == "ROOT" and root.pos_ not in _PREDICATES:
        root = next((c for c in root.children if c.dep_ in {"relcl", "acl"}), root)
    denied = {t.head.i for t in pair.premise.doc if t.dep_ == "neg" and t.head.pos_ in {"VERB", "AUX"}}
    theirs = pair.counterparts(root)
    if not denied or not theirs or any(_reaches(pair, pair.premise.doc[i], theirs) for i in denied):
        return None
    return Hit(root.text, f"not {pair.premise.doc[min(denied)].text}")


def _gives_another_figure(pair: Pairing) -> bool:
    """Whether claim and premise each have a figure that the other lacks: then more than the denial differs."""
    mine = any(is_figure(t) and not pair.counterparts(t) for t in pair.claim.doc)
    return mine and any(is_figure(t) and not pair.in_claim(t) for t in pair.premise.doc)


def _reaches(pair: Pairing, denied: Token, predicates: frozenset[int]) -> bool:
    """Whether a denied word is the predicate, governs it as its complement, or is its auxiliary or copula; or is
    the predicate's own complement, of which the claim speaks ("voted not to keep the pier").
    """
    if denied.i in predicates:
        return True
    if denied.dep_ in {"xcomp", "ccomp"} and denied.head.i in predicates and pair.in_claim(denied):
        return True
    complements = {"attr", "acomp", "xcomp", "ccomp", "oprd", "dobj", "auxpass", "conj", "prep"}
    return any(c.i in predicates and c.dep_ in complements for c in denied.children) or (
        denied.head.i in predicates and denied.dep_ in {"aux", "auxpass", "det", "amod", "advmod", "conj"}
    )


def withdrawn(pair: Pairing) -> Hit | None:
    """The premise tells what an earlier version had wrongly said: that speaks against nothing but itself."""
    for token in pair.premise.doc:
        if is_withdrawal(token):
            return Hit(pair.claim_text, phrase(token, 8))
    return None


def is_withdrawal(verb: Token) -> bool:
    """Whether a verb tells what an earlier version or a mistaken report said."""
    if verb.pos_ != "VERB":
        return False
    if any(c.lower_ in words("mistakenly") for c in verb.children if c.dep_ == "advmod"):
        return True
    shared = surface_subject(verb)
    subjects = [c for c in verb.children if c.dep_ in {"nsubj", "nsubjpass"}] or ([shared] if shared else [])
    return any(
        s.lemma_.lower() in words("versions") and any(c.lower_ in words("earlier") for c in s.children)
        for s in subjects
    )


def withdrawn_support(pair: Pairing) -> Hit | None:
    """What an earlier version had wrongly said supports nothing."""
    main = pair.main
    if main is None:
        return None
    around = [main, clause_of(main), *embedders(main), *(t for t in main.ancestors)]
    return next((Hit(pair.claim_text, phrase(t, 8)) for t in around if is_withdrawal(t)), None)


RULES: tuple[Rule[Pairing], ...] = rules_of(
    {
        "difference.subject": another_subject,
        OTHER_KIND: another_kind,
        "difference.part": a_part,
        "difference.denied": other_denied,
        "difference.withdrawn": withdrawn,
        "assertion.withdrawn": withdrawn_support,
    }
)
"""Rules on statements that do not exclude each other."""
