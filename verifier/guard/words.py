"""Slot guard: negation, direction, quantifiers, superlatives, and who did what to whom."""

from __future__ import annotations

import re

from language import lexicon as lex
from language.calendar import MONTHS, WEEKDAYS
from language.names import Name, find_names, name_in, plain, stem, tokens
from language.quantities.types import SlotKind
from verifier.types import FindingKind, GuardFinding

_CLAUSE_END = frozenset(
    "but while when because although though and or after before until which who that than if".split()
)
_NOT_NEGATIVE = re.compile(
    r"\b(?:not only|no\. ?\d|(?:no|not) (?:fewer|less|more) than)\b|\bno doubt\b"
    r"|\bno-(?=[a-z])",
    re.I,
)
_FREE_OF = re.compile(r"\b(?:free (?:of|from)(?! charge)|devoid of)\b", re.I)
_GREATER = re.compile(r"\b(?:great|larg|bigg)er (?:part|share|half|portion) of\b", re.I)
_REFUSED = re.compile(
    r"\b(?:turn|vot|strik|struck|knock)(?:ed|ing|e)? down\b|\b(?:call|rul)(?:ed|ing|es?|s)? (?:off|out)\b",
    re.I,
)
_OUTDONE = re.compile(
    r"\b(?:no|none|never|nothing|nobody|not)\b.*\b(?:(?:\w+er|more \w+) than|(?:as|so) \w+)\b"
    r"|\bno (?:other )?\w+ .*\b\w+er(?=\s*(?:[.,;]|$))"
    r"|\b(?:than|over|above|beyond|ahead of) (?:any|all|every)(?: the)?(?: others?)?\b"
    r"|\bunmatched\b|\bunrivalled\b|\bnever before\b",
    re.I,
)
"""Superlatives in other words: "no river is longer than", "deeper than any other"."""
_NOT_THE_FIRST = re.compile(
    r"\b(?:(?:one|some|two|three|four|five|several|many) of|among) (?:the|its|their|his|her|our)"
    r" (?:\w+ ){0,2}?(?:most|least|best|worst|\w{3,}est)\b"
    r"|\b(?:second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d+(?:nd|rd|th|st))[\s-]"
    r"(?:most|least|best|worst|\w{3,}est)\b",
    re.I,
)
_SALE = re.compile(r"\b(?:sold|sells?|selling)\b(?:\s+\w+){0,4}?\s+to\b", re.I)
_PURCHASE = re.compile(r"\b(?:bought|purchased)\b(?:\s+\w+){0,3}?\s+by\b", re.I)
"""The two sides of one deal: "sold to Ada", "bought by Ada"."""
_NO_LONGER_MAY = re.compile(r"\bmay no longer\b", re.I)
_IN_NUMBER = re.compile(
    r"\b(?:at (?:the )?(?:least|most|best|worst|latest)|leading (?:to|up)|led to|top speed"
    r"|for the record|(?:track|criminal|police|public|medical) records?"
    r"|(?:made|makes?|making|kept|keeps?) a record of"
    r"|records? (?:label|company|companies|deal|store|shop|producer|player|collection|by|of))\b",
    re.I,
)
"""Superlatives that are none."""
_WORD = re.compile(r"\d[\d.,]*\d|[\w'’]+|[^\w\s]")
_LIFTED = re.compile(
    r"\b(?:lift|end|scrap|revok|repeal|overturn|drop|remov|ditch)(?:p?ed|e?s|p?ing|e)? "
    r"(?:the|its|their|an?|this|that) (?P<what>(?:[\w-]+ ){0,2})(?:ban|prohibition|embargo|moratorium)\b",
    re.I,
)
"""Other words for allowing: "lifted the bathing ban"."""
NONE = frozenset({"no", "none", "nobody", "nothing", "never"})
"""Words that deny something as a whole."""
_DAYS = frozenset(stem(word) for word in (*MONTHS, *WEEKDAYS))
_NEAR = 4
"""Words between two denials that cancel each other out."""
_MERELY = re.compile(
    r"\bonly (?=[\d€$£]|(?:an?|half|one|two|three|four|five|six|seven|eight|nine|ten)\b)"
    r"|\beach other\b"
    r"|\b(?:each|every) (?:day|week|month|year|hour|night|morning|evening|season|summer|winter)\b",
    re.I,
)
"""Universal words that are none: "only 4 percent" says merely, "each day" says per day, "each other"."""


def finding_of(slot: SlotKind, kind: FindingKind, mine: str, theirs: str, message: str) -> GuardFinding:
    """A finding on words instead of amounts or names."""
    return GuardFinding(slot=slot, kind=kind, claim_value=mine, evidence_value=theirs, message=message)


def words_of(text: str) -> list[str]:
    """Words and signs in order, as the rules on words read them: "turned down" is "rejected"."""
    text = _REFUSED.sub("rejected", text)
    cleaned = _FREE_OF.sub(" without ", _NOT_NEGATIVE.sub(" ", _NO_LONGER_MAY.sub("no longer", text)))
    return [w if w == "May" else plain(w) for w in _WORD.findall(cleaned)]


def _is_cue(word: str) -> bool:
    return word in lex.NEGATIONS or word in lex.DENIALS or word.endswith("n't")


def _scope(words: list[str], index: int) -> set[str]:
    """Stems of the (at most four) telling words the cue at ``index`` denies; numbers only right behind."""
    scope: set[str] = set()
    reach, first = 0, index + 1
    if words[index] in lex.DENIALS and words[first : first + 1] == ["that"]:
        first += 1
    for follower in words[first:]:
        if follower in "$€£":
            continue
        if follower in _CLAUSE_END or not follower[0].isalnum() or reach == 4:
            break
        if follower not in lex.STOPWORDS and (not reach or not follower[0].isdigit()):
            scope.add(stem(follower))
            reach += 1
    return scope


_BESIDE = re.compile(r"\b(?:on|in|at|for|of) (?:the )?$", re.IGNORECASE)
_SHORT = 16
"""Words of a sentence that is surely one clause, where nothing parts it."""
_SEVERAL_CLAUSES = re.compile(
    r"[,;:–—.!?]|\b(?:but|and|although|though|while|because|except|only|just|until|unless|if|that|which|who|more"
    r"|less|yet|alone)\b",
    re.IGNORECASE,
)


_REASON = re.compile(
    r"[,;]?\s+(?:because|although|though|whereas|while|even though|as long as)\b|;", re.IGNORECASE
)
"""Where a clause begins whose denials do not reach into the one before it."""


def denies_all(text: str) -> bool:
    """Whether it says of something that it is so nowhere, never or of nobody ("Nobody has died")."""
    return bool(negated_stems(text)[0] & NONE)


def negated_stems(text: str) -> tuple[set[str], set[str]]:
    """Cues of negation in a text, and the stems of the telling words in their scope."""
    words = words_of(text)
    places = [i for i, word in enumerate(words) if _is_cue(word)]
    return {words[i] for i in places}, {s for i in places for s in _scope(words, i)}


def _cancelled(text: str, cues: set[str], others: set[str]) -> str:
    """Find a denial near one of the shared ``cues`` that turns it round; ``""`` where there is none."""
    words = words_of(text)
    places = [i for i, word in enumerate(words) if _is_cue(word)]
    for index in places:
        near = any(0 < abs(index - other) <= _NEAR and words[other] in cues for other in places)
        if words[index] not in {*cues, "nor"} and near and _scope(words, index) & others:
            return words[index]
    return ""


def stems_of(text: str) -> set[str]:
    """Stems of the telling words, and of the parts of hyphenated ones."""
    words = [part for word in tokens(text) for part in {word, *word.split("-")}]
    return {stem(w) for w in words if w not in lex.STOPWORDS}


def _opposed(mine: set[str], theirs: set[str]) -> tuple[str, str] | None:
    """A word of ``mine`` whose opposite, and not itself, stands in ``theirs``."""
    for left, right in lex.OPPOSITES:
        for ours, others in ((left, right), (right, left)):
            if mine & ours and not mine & others and theirs & others and not theirs & ours:
                return sorted(mine & ours)[0], sorted(theirs & others)[0]
    return None


def direction_words(claim: str, premise: str) -> tuple[str, str] | None:
    """The pair of opposite words by which claim and premise differ, or ``None``."""
    if _reversed_order(claim, premise):
        return None
    if any(a.search(claim) and b.search(premise) for a, b in ((_SALE, _PURCHASE), (_PURCHASE, _SALE))):
        return None
    mine, theirs = (_LIFTED.sub(r"allowed \g<what>", text) for text in (claim, premise))
    return _opposed(set(tokens(mine)), set(tokens(theirs)))


def _turned(text: str, word: str) -> bool:
    """Whether a denial stands in the clause of ``word``, and so may turn it round.

    What a reason denies ("lifted the ban, because the water is free of algae") leaves it as it is.
    """
    clauses = [c for c in _REASON.split(_LIFTED.sub(r"allowed \g<what>", text)) if word in tokens(c)]
    return any(negated_stems(clause)[0] - {word} for clause in clauses or [text])


def polarity_findings(claim: str, premise: str) -> list[GuardFinding]:
    """Negation on one side only, and opposite words; two of them cancel out."""
    my_cues, my_scope = negated_stems(claim)
    their_cues, their_scope = negated_stems(premise)
    mine, theirs = stems_of(claim), stems_of(premise)
    opposite = direction_words(claim, premise)
    if opposite and _turned(claim, opposite[0]) != _turned(premise, opposite[1]):
        return []
    if opposite:
        message = f"The claim says {opposite[0]!r}; the evidence says {opposite[1]!r}."
        return [finding_of("direction", "conflict", opposite[0], opposite[1], message)]
    if my_cues and not their_cues:
        cue = sorted(my_cues)[0]
        shared = my_scope & theirs
        if not shared and _denies_softly(premise):
            return []
        if shared and not denied_heads(claim) & theirs and _denies_softly(premise, lex.EXEMPT):
            return []
        kind: FindingKind = "conflict" if shared else "missing"
        said = f"asserts it ({', '.join(sorted(shared))})" if shared else "has no denial"
        return [finding_of("negation", kind, cue, "", f"The claim denies ({cue!r}); the evidence {said}.")]
    twice = _twice_denied(claim, premise, my_cues & their_cues, mine, theirs)
    twice = twice or _crossed(my_cues, (their_scope & mine) - my_scope, (my_scope & theirs) - their_scope)
    if twice:
        return twice
    shared = (their_scope & mine) - my_scope
    if their_cues <= lex.DENIALS and shared <= _DAYS:
        return []  # "stopped in December" says nothing of what else is to come in December
    if (
        their_cues
        and shared
        and not my_cues
        and not (_superlatives(tokens(claim)) and _OUTDONE.search(premise))
    ):
        cue = sorted(their_cues)[0]
        message = f"The evidence denies ({cue!r}) what the claim asserts ({', '.join(sorted(shared))})."
        return [finding_of("negation", "conflict", "", cue, message)]
    if their_cues and not my_cues and _denied_as_a_whole(premise) and not _denies_softly(claim):
        cue = sorted(their_cues)[0]
        message = f"The evidence as a whole is a denial ({cue!r}); the claim asserts."
        return [finding_of("negation", "conflict", "", cue, message)]
    return []


def _denied_as_a_whole(premise: str) -> bool:
    """A short sentence of one clause whose verb is denied: "He never appeared in that season"."""
    words = words_of(premise)
    if len(words) > _SHORT or _SEVERAL_CLAUSES.search(premise.strip(" .!\"”'’")):
        return False
    return any(word in {"never", "not"} or word.endswith(("n't", "n’t")) for word in words[:5])


def _twice_denied(
    claim: str, premise: str, cues: set[str], mine: set[str], theirs: set[str]
) -> list[GuardFinding]:
    """ "was not rejected" against "was rejected": the denials of one side cancel each other out."""
    here, there = _cancelled(claim, cues, theirs), _cancelled(premise, cues, mine)
    if not cues or bool(here) == bool(there):
        return []
    side = "claim" if here else "evidence"
    message = f"The {side} denies once more ({here or there!r}) what both deny ({sorted(cues)[0]!r})."
    return [finding_of("negation", "conflict", here, there, message)]


def _crossed(cues: set[str], asserted: set[str], denied: set[str]) -> list[GuardFinding]:
    """ "a sailor, not a miner" against "a miner, not a sailor": each denies what the other one asserts."""
    if not (asserted and denied):
        return []
    mine, theirs = ", ".join(sorted(asserted)), ", ".join(sorted(denied))
    message = f"The claim asserts ({mine}) what the evidence denies, and denies what it asserts ({theirs})."
    return [finding_of("negation", "conflict", sorted(cues)[0], "", message)]


def denied_heads(text: str) -> set[str]:
    """Stem of the first telling word behind each denial: the denied verb, or the noun behind "no"."""
    words, heads = words_of(text), set()
    for index, word in enumerate(words):
        if word in lex.NEGATIONS or word in lex.DENIALS or word.endswith("n't"):
            heads |= {stem(w) for w in [w for w in words[index + 1 :] if w not in lex.STOPWORDS][:1]}
    return heads


def denied_matter(text: str) -> list[set[str]]:
    """For each denial the stems of what it denies at least: its verb, or the noun behind "no" and a verb."""
    words, found = words_of(text), []
    for index, word in enumerate(words):
        if _is_cue(word):
            telling = [w for w in words[index + 1 :] if w[0].isalpha() and w not in lex.STOPWORDS]
            found.append({stem(w) for w in telling[: 2 if word == "no" else 1]})
    return [stems for stems in found if stems]


def _denies_softly(premise: str, taking: frozenset[str] = lex.TAKING) -> bool:
    """Denial within a word ("unharmed", "powerless") or by a verb that takes away ("cut", "called off")."""
    words = [part for word in tokens(premise) for part in word.split("-")]
    return any(w in taking or (w.startswith("un") and w[2:] in lex.UNDONE) or _is_less(w) for w in words)


def _is_less(word: str) -> bool:
    return (
        word.endswith("less")
        and len(word) > 6
        and word not in {"unless", "regardless", "nonetheless", "nevertheless"}
    )


def _superlatives(words: list[str]) -> set[str]:
    plain_est = {w for w in words if w.endswith("est") and len(w) > 5 and w not in lex.NOT_SUPERLATIVE}
    return plain_est | (set(words) & {"most", "least", "best", "worst", "record", "top", "leading"})


def quantifier_findings(claim: str, premise: str) -> list[GuardFinding]:
    """Find "all", "only", "most" and superlatives of the claim that do not stand in the evidence."""
    mine, theirs = (
        tokens(_IN_NUMBER.sub(" ", _MERELY.sub(" ", claim))),
        tokens(_among_the_first(claim, _GREATER.sub("most of", premise))),
    )
    held = set(theirs)
    outdone = {"best"} if _OUTDONE.search(premise) else set()
    tests = (
        (set(mine) & lex.UNIVERSAL, held & (lex.UNIVERSAL | _universal_too(claim, mine, held))),
        (set(mine) & lex.EXCLUSIVE, held & (lex.EXCLUSIVE | lex.EXCLUSIVE_TOO)),
        (_superlatives(mine), outdone | _superlatives(theirs) | (held & lex.MOST_TOO)),
    )
    found: list[GuardFinding] = []
    for ours, others in tests:
        if not ours or others:
            continue
        word, partial = sorted(ours)[0], sorted(held & lex.PARTIAL)
        kind: FindingKind = "conflict" if ours & lex.UNIVERSAL and partial else "missing"
        stated = partial[0] if kind == "conflict" else ""
        said = f"the evidence says {stated!r}" if stated else "the evidence does not"
        found.append(finding_of("quantifier", kind, word, stated, f"The claim says {word!r}; {said}."))
    return found


def _among_the_first(claim: str, premise: str) -> str:
    """The premise without superlatives that several share, or that come second, unless the claim has one.

    "One of the largest" and "the second largest" are not the largest.
    """
    return premise if _NOT_THE_FIRST.search(claim) else _NOT_THE_FIRST.sub(" ", premise)


def _universal_too(claim: str, mine: list[str], held: set[str]) -> frozenset[str]:
    """Other ways to say "both" and, in a denial, "everyone" ("nobody was left")."""
    if set(mine) & lex.UNIVERSAL == {"both"}:
        joined = {"and"} if re.search(r"\bboth\b.*\band\b|\band\b.*\bboth\b", claim, re.I) else set()
        return frozenset({"two", "pair", "couple", "twins", "duo", *joined})
    return lex.NOT_ONE if held & lex.NOT_ONE and not held & lex.PARTIAL else frozenset()


def _positions(names: tuple[Name, ...], text: str) -> list[tuple[int, Name]]:
    lowered = plain(text)
    placed = []
    for name in names:
        at = lowered.find(name.words[-1])
        if at >= 0 and name_in(name, text):
            placed.append((at, name))
    return placed


def _reversed_order(claim: str, premise: str) -> bool:
    placed = _positions(find_names(claim), premise)
    return len(placed) >= 2 and placed[0][0] > placed[1][0]


def _stands_behind(before: str, words: str, name: Name) -> bool:
    """Whether the words stand before a name whose last word comes behind ``before``."""
    rest = "" if len(name.words) == 1 else rf"(?:\S+ ){{0,{len(name.words) - 1}}}"
    return re.search(rf"\b{words}{rest}$", before, re.IGNORECASE) is not None


def role_findings(claim: str, premise: str) -> list[GuardFinding]:
    """Two names around the same verb in the other order ("A beat B" against "B beat A"), passives aside."""
    names = find_names(claim)
    placed = _positions(names, premise)
    if len(names) < 2 or len(placed) < 2 or not _reversed_order(claim, premise):
        return []
    first, second = placed[0][1], placed[1][1]
    mine = plain(claim[first.end : second.start])
    theirs = plain(premise[placed[1][0] : placed[0][0]])
    verbs = {stem(w) for w in tokens(mine)} & {stem(w) for w in tokens(theirs)} - {
        stem(w) for w in lex.STOPWORDS
    }
    if not verbs or bool(re.search(r"\bby\b", mine)) != bool(re.search(r"\bby\b", theirs)):
        return []
    if re.search(r"\b(?:and|with|between|both|than|from|to)\b", mine + theirs):
        return []
    if (beside := _BESIDE.search(mine)) and _stands_behind(premise[: placed[1][0]], beside[0], second):
        return []  # "a host on Fox News", "on Fox News, host ...": not two sides of a deed
    message = (
        f"The claim has {first.text!r} before {second.text!r} around {sorted(verbs)[0]!r}; "
        "the evidence has them the other way."
    )
    return [
        finding_of(
            "entity", "conflict", f"{first.text} … {second.text}", f"{second.text} … {first.text}", message
        )
    ]
