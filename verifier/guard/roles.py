"""Who did what to whom, giver and receiver, what another clause tells; and what brought about what."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

from language import lexicon as lex
from language.names import Name, find_names, name_in, plain, stem
from verifier.guard.rule import Hit, Rule, rules_of
from verifier.guard.text import Text, TextPair, text_of

_BESIDE = re.compile(r"\b(?:on|in|at|for|of) (?:the )?$", re.IGNORECASE)
_LINKED = re.compile(r"\b(?:and|with|between|both|than|from|to)\b")
_GIVING = (
    r"\b(?:hand(?:s|ed|ing)?|pass(?:es|ed|ing)?|giv(?:e|es|en|ing)|gave|s(?:ell|ells|old|elling)|transfer(?:s|red|ring)?"
    r"|ced(?:e|es|ed|ing)|le(?:nd|nds|nt|nding)|donat(?:e|es|ed|ing)|bequeath(?:s|ed)?|le(?:ft|aves?)|award(?:s|ed|ing)?"
    r"|lost|loses|los(?:e|ing)|yield(?:s|ed|ing)?|send(?:s|ing)?|sent)\b"
)
_TAKING = (
    r"\b(?:took|tak(?:e|es|en|ing)|b(?:uy|uys|ought|uying)|receiv(?:e|es|ed|ing)|inherit(?:s|ed|ing)?|acquir(?:e|es|ed|ing)"
    r"|borrow(?:s|ed|ing)?|g(?:et|ets|ot|etting)|won|wins?|purchas(?:e|es|ed|ing))\b"
)
_FOLLOWING = r"\b(?:succeed(?:s|ed|ing)?|replac(?:e|es|ed|ing)|follow(?:s|ed)?)\b"
_FEW = r"(?:[\w'’-]+\s+){0,4}"
"""Words that may stand before a name: "to the former mayor Ida Holm"."""
_TO = re.compile(rf"{_GIVING}.*\bto\s+{_FEW}$", re.IGNORECASE)
_FROM = re.compile(rf"{_TAKING}.*\bfrom\s+{_FEW}$", re.IGNORECASE)
_AFTER = re.compile(rf"^\s*(?:has\s+|had\s+|then\s+)?{_FOLLOWING}\s+{_FEW}$", re.IGNORECASE)
_BY_NEXT = re.compile(rf"\b(?:was|were|been|is|being)\b.*{_FOLLOWING}.*\bby\s+{_FEW}$", re.IGNORECASE)
_NEXT = re.compile(r"[.;:?!]|\b(?:who|which|whom|whose|while|whereas|but)\b", re.IGNORECASE)
_CLAUSE = re.compile(r";|,?\s\b(?:while|whereas)\b|,\s+but\b")
_ASIDE = re.compile(r"\([^)]*\)|\[[^\]]*\]")
_STATES = re.compile(
    r"^[^:]*\b(?:is|are|was|were|has|have|had|will|did|does|went|came|took|got|gave|made|held|lies|stood|cost|ran|won|left"
    r"|paid|began|drew|wrote|built|led|[a-z]{3,}ed)\b",
    re.IGNORECASE,
)
"""A clause that states something; a row of a table ("Genre: rock") does not."""
_PART = 1 / 3
"""Share of what the claim tells of its name that stands in the other clause alone."""
_POINTS_BACK = re.compile(r"\W*(?:it|its|he|his|she|her|they|their|both|this|these|there)\b", re.IGNORECASE)


@lru_cache(maxsize=1024)
def _positions(claim: Text, premise: Text) -> tuple[tuple[int, Name], ...]:
    """Where the claim's names stand in the premise."""
    placed = ((premise.plain.find(name.words[-1]), name) for name in claim.names)
    return tuple((at, name) for at, name in placed if at >= 0 and name_in(name, premise.raw))


def reversed_order(claim: Text, premise: Text) -> bool:
    """Whether the claim's first two names stand in the premise in the other order."""
    placed = _positions(claim, premise)
    return len(placed) >= 2 and placed[0][0] > placed[1][0]


def _stands_behind(before: str, words: str, name: Name) -> bool:
    """Whether the words stand before a name whose last word comes behind ``before``."""
    rest = "" if len(name.words) == 1 else rf"(?:\S+ ){{0,{len(name.words) - 1}}}"
    return re.search(rf"\b{words}{rest}$", before, re.IGNORECASE) is not None


def _in_other_order(pair: TextPair) -> Hit | None:
    """Two names around the same verb in the other order ("A beat B", "B beat A"), passives aside.

    "A host on Fox News" and "on Fox News, host ..." are not two sides of a deed.
    """
    claim, premise = pair.claim, pair.premise
    if len(claim.names) < 2 or not reversed_order(claim, premise):
        return None
    (start, first), (end, second) = _positions(claim, premise)[:2]
    mine = plain(claim.raw[first.end : second.start])
    theirs = plain(premise.raw[end:start])
    verbs = text_of(mine).token_stems & text_of(theirs).token_stems - {stem(w) for w in lex.STOPWORDS}
    if not verbs or bool(re.search(r"\bby\b", mine)) != bool(re.search(r"\bby\b", theirs)):
        return None
    if _LINKED.search(mine + theirs):
        return None
    if (beside := _BESIDE.search(mine)) and _stands_behind(premise.raw[:end], beside[0], second):
        return None
    names = f"{first.text} … {second.text}", f"{second.text} … {first.text}"
    return Hit(*names, f"{first.text!r} before {second.text!r} around {sorted(verbs)[0]!r}")


def _handed_back(pair: TextPair) -> Hit | None:
    """Giver and receiver the other way round than in the evidence."""
    theirs = list(_handed(pair.premise))
    for giver, receiver in _handed(pair.claim):
        for their_giver, their_receiver in theirs:
            if _same(giver, their_receiver) and _same(receiver, their_giver):
                return Hit(f"{giver.text} → {receiver.text}", f"{their_giver.text} → {their_receiver.text}")
    return None


def _handed(text: Text) -> Iterator[tuple[Name, Name]]:
    """(who had it, who has it then), as far as the words between two names tell."""
    for first, second in combinations(text.names, 2):
        between = text.raw[first.end : second.start]
        if _NEXT.search(between):
            continue
        if _TO.search(between) or _BY_NEXT.search(between):
            yield first, second
        elif _FROM.search(between) or _AFTER.search(between):
            yield second, first


def _same(one: Name, other: Name) -> bool:
    return name_in(one, other.text) or name_in(other, one.text)


def _of_another_clause(pair: TextPair) -> Hit | None:
    """The claim's only name stands in one clause, a thing of the claim only in another that has its own."""
    clauses = [c for c in _CLAUSE.split(_ASIDE.sub(" ", pair.premise.raw)) if c.strip()]
    if len(pair.claim.names) != 1 or len(clauses) < 2:
        return None
    [name] = pair.claim.names
    inside = [c for c in clauses if set(name.words) <= text_of(c).token_set]
    if len(inside) != 1:
        return None
    own = {w for n in pair.premise.names for w in n.words}
    wanted = pair.claim.stems - {stem(w) for w in (*name.words, *own)}
    missing = wanted - text_of(inside[0]).stems
    for clause in clauses:
        others = [n for n in find_names(clause) if not name_in(n, pair.claim.raw)]
        if clause is inside[0] or not others or _POINTS_BACK.match(clause) or not _STATES.search(clause):
            continue
        if len(told := missing & text_of(clause).stems) >= max(1, _PART * len(wanted)):
            return Hit(name.text, others[0].text, sorted(told)[0])
    return None


_EFFECTS = (
    r"(?:lower|rais|reduc|increas|decreas|improv|worsen|boost|shorten|lengthen|prolong|slow|curb|eas|strengthen"
    r"|weaken|prevent|harm|damag|protect|speed|accelerat|halv|doubl|trebl|tripl|cur)(?:e|es|ed|s|ing)?"
)
_CAUSES = (
    r"\b(?:because|due to|owing to|thanks to|as a result|caus(?:e|es|ed|ing)|led to|leads? to|leading to"
    r"|result(?:s|ed|ing)? in|brought about|brings? about|trigger(?:s|ed)?|to blame for|responsible for"
    r"|the reasons? (?:for|why|behind)|is why|was why|makes? (?:people|them|it|those)"
    r"|made (?:people|them|it|those))\b"
)
_EFFECT_ON = re.compile(
    rf"\b{_EFFECTS}(?=\s+(?:the|a|an|its|their|his|her|our|this|that|these|those|(?!(?:by|to|in|from|at|for|since|on"
    r"|during|over|again|with|than|and|or|but|as|after|before|until|between|among|when|while|if|up|down|sharply"
    r"|slightly|strongly|steadily|considerably)\b)[a-z]+))",
    re.IGNORECASE,
)
"""Something changes something else: "lowered the rate", not "rose by 3 percent" or "increased in May"."""
_PASSIVE = re.compile(r"\b(?:is|are|was|were|be|been|being|has|have|had)\s+(?:\w+ly\s+)?$", re.IGNORECASE)
_CAUSE = re.compile(_CAUSES, re.IGNORECASE)
_BRINGS_ABOUT = re.compile(
    rf"{_CAUSES}|\b(?:{_EFFECTS}|effects?|affect\w*|impact\w*|reasons?|therefore|help\w*|contribut\w+|owed?|thank\w*"
    r"|mak(?:e|es|ing)|made|cuts?|enabl\w+|allow\w*|let|forc\w+|driv\w+|drove|spurred|led|lead\w*)\b",
    re.IGNORECASE,
)
"""Any word by which evidence may speak of a cause; where there is one, the model decides."""
_TRIAL = re.compile(r"\b(?:randomi[sz]ed|placebo|control group|controlled|trials?)\b", re.IGNORECASE)
"""An experiment does show causes by comparing groups."""
_TOGETHER = re.compile(
    r"\bassociat\w+|\bcorrelat\w+|\blink(?:s|ed)? (?:to|with|between)\b|\brelationship between\b"
    r"|\bgo(?:es)? (?:together|along|hand in hand)\b|\bcoincid\w+|\btend(?:s|ed)? to\b"
    r"|\b(?:more|less|fewer|higher|lower|greater|smaller|rarer|\w{2,}(?<!oth)(?<!rath)(?<!ev)er)\b[^.;:]{0,80}\bthan\b"
    r"|\bcompared (?:with|to)\b|\b(?:twice|half|times) as \w+ as\b",
    re.IGNORECASE,
)
"""Words by which a sentence says that two things go together, or sets groups side by side."""


def _only_compared(pair: TextPair) -> Hit | None:
    """A claim that one thing brought about another, by evidence that only compares groups or links things.

    "Patients on the diet fell ill less often than others" does not say that the diet did it; they may differ
    in more than that.
    """
    claim, premise = pair.claim.raw, pair.premise.raw
    word = _claimed_cause(claim)
    found = _TOGETHER.search(premise)
    if word is None or found is None or _TOGETHER.search(claim):
        return None
    return None if _BRINGS_ABOUT.search(premise) or _TRIAL.search(premise) else Hit(word, found[0])


def _claimed_cause(claim: str) -> str | None:
    """The word by which a claim speaks of a cause; ``None``: it does not."""
    if found := _CAUSE.search(claim):
        return found[0]
    changes = (m for m in _EFFECT_ON.finditer(claim) if not _PASSIVE.search(claim[: m.start()]))
    return next((m[0] for m in changes), None)


RULES: tuple[Rule[TextPair], ...] = rules_of(
    {
        "role.order": _in_other_order,
        "role.transfer": _handed_back,
        "role.clause": _of_another_clause,
        "cause.compared": _only_compared,
    }
)
"""Rules on names and deeds."""
