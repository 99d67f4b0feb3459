"""Evidence that two things go together is no evidence that one brought about the other."""

from __future__ import annotations

import re

from verifier.guard.rule import Hit, Rule, rules_of
from verifier.guard.text import TextPair

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
        "cause.compared": _only_compared,
    }
)
"""Rules on causes."""
