"""Whether a sentence answers a question: rules over slots, names and words, without a model.

A re-run uses it too, so it imports no graph.
"""

from __future__ import annotations

import re

from agent.types import Asks, Fit, WantedKind
from language.names import content_stems, find_names, name_in, stem
from language.quantities.mentions import find_slots
from language.quantities.types import Slot
from language.wordlists import read_table

LEAST_COVERED = 0.6
"""Least share of the question's telling words that an answer must hold."""
_AMOUNTS = frozenset({"number", "unit", "money", "percentage"})
_KINDS: tuple[tuple[WantedKind, str], ...] = (
    ("cause", r"\bwhy\b|\bhow come\b|\bwhat (?:caused|led to|(?:was|is) the (?:cause|reason))\b"),
    ("date", r"\bwhen\b|\b(?:what|which) (?:year|day|date|month)\b|\bsince when\b"),
    ("person", r"^(?:\w+ )?who(?:m|se)?\b"),
    ("share", r"\b(?:what|which) (?:percentage|share|proportion|part)\b|\bhow many percent\b"),
    (
        "money",
        r"\bhow much\b.*\b(?:cost|pa(?:y|id)|price|fined?|spen[dt]|raised?|earn\w*|insured|worth|"
        r"receive\w*|money|lose|lost)\b|\bwhat (?:did|does|do|was|is) .*\bcosts?\b|"
        r"\bwhat .*\b(?:price|fee|fine|budget)\b|"
        r"\bhow (?:high|large|big)\b.*\b(?:price|fees?|fine|budget|bill|cost|debt|loss|salary)\b",
    ),
    (
        "amount",
        r"\bhow (?:many|much|long|deep|far|old|large|big|high|tall|wide|often|fast|heavy|late)\b|"
        r"\b(?:what|which) (?:number|amount|sum|temperature|speed|depth|length|height|width|capacity|"
        r"time|age|weight|area|frequency)\b",
    ),
    ("place", r"\bwhere\b"),
    ("yes_no", r"^(?:is|are|was|were|did|does|do|has|have|had|can|could|will|would)\b"),
)
_CAUSE = re.compile(
    r"\b(?:because|due to|owing to|caused?|causes|reasons?|result of|since|blame[ds]?|so that|led to|"
    r"thanks to)\b",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"\bhow many (?:[a-z]+ly )?((?:[a-z-]+ ){0,2}?[a-z-]+?)"
    r"(?= (?:is|are|was|were|did|does|do|has|have|had|can|could|will|would|per|a|in|at|of|on|that|which|from|"
    r"with|to|for|by)\b|[ ?]*$)"
)
_LASTS = (
    r"\b(?:for|last(?:s|ed|ing)?|took|takes?|spent|after|during)\b"
    r"(?:\W+(?:about|around|nearly|almost|some|roughly|more|less|than|only|just|at|least|most|over|up|to|the|"
    r"a|first|next|another|and|[\d.,]+|hours?|minutes?|days?|weeks?|months?|years?))*\W*$"
)
_MEASURES: tuple[tuple[str, str, str], ...] = (
    (r"\bhow long\b.*\b(?:bridge|road|river|tunnel|wall|route|ship|boat)s?[ ?]*$", "metre", r""),
    (r"\bhow long\b|\b(?:what|which) duration\b", "second month", _LASTS),
    (r"\bhow deep\b|\bdepth\b", "metre", r"\bdeep|\bdepth|\bbelow\b|\bunder\b"),
    (r"\bhow (?:tall|high)\b|\bheight\b", "metre", r"\btall|\bhigh|\bheight|\bris(?:es|ing)\b"),
    (r"\bhow wide\b|\bwidth\b", "metre", r"\bwid(?:e|th)"),
    (r"\bhow far\b", "metre second", r"\bfar\b|\bdistan|\baway\b|\bfrom\b"),
    (r"\bhow old\b|\bage\b", "age month", r""),
    (r"\bhow heavy\b|\bweight\b", "gram", r"\bweigh|\bheavy|\bweight"),
    (r"\bhow fast\b|\bspeed\b", "km/h", r""),
    (r"\bhow often\b|\bfrequency\b", "second month", r"\bevery\b"),
    (r"\btemperature\b|\bhow (?:hot|cold|warm)\b", "celsius fahrenheit", r""),
)
"""Questions of a measure: units that an answer may have, and words before or about it in the sentence.

How long something lasted is said right before the amount; the first pattern that fits the question counts.
"""
_PLAN = re.compile(
    r"\b(?:will|would|is to|are to|was to|should|expected|expects?|plans?|(?<!than )planned|intends?|"
    r"is due)\b",
    re.IGNORECASE,
)
_IRREGULAR = {
    stem(other): stem(word)
    for word, others in read_table("agent.assessment", "irregular.toml").items()
    for other in others.split()
}
_ASKING = frozenset(
    stem(w)
    for w in (
        "who whom whose when where why how what which many much long deep far old large big high tall wide "
        "often fast year day date month percentage share proportion number amount kind sort name called come "
        "happen happened take place percent say said money times"
    ).split()
)


def read_question(question: str) -> Asks:
    """What a question asks for, and the words, names and amounts an answer must share with it."""
    plain = " ".join(question.lower().split())
    kind = _kind(plain)
    counted = _COUNTED.search(plain) if kind == "amount" else None
    measure = _measure(plain) if kind == "amount" and not counted else ("", "")
    terms = sorted(t for t in _stems(question) if t not in _ASKING)
    names = tuple(n.text for n in find_names(question))
    return Asks(
        kind=kind,
        terms=tuple(terms),
        names=names,
        counted=_norm(stem(counted[1].split()[-1])) if counted else "",
        units=tuple(measure[0].split()),
        cue=measure[1],
    )


def _measure(plain: str) -> tuple[str, str]:
    """Units and cue of the measure that a question asks for; empty: any."""
    return next(((units, cue) for pattern, units, cue in _MEASURES if re.search(pattern, plain)), ("", ""))


def _kind(plain: str) -> WantedKind:
    """The kind of the first question word: "how many were hurt when ..." asks for an amount."""
    matches = ((re.search(pattern, plain), kind) for kind, pattern in _KINDS)
    places = [(m.start(), n, kind) for n, (m, kind) in enumerate(matches) if m is not None]
    return min(places)[2] if places else "any"


def fit(question: str, text: str, claim_id: str = "") -> Fit:
    """How a sentence answers a question. Deterministic; ``covered`` is 0 to 1, rounded to four places."""
    asks = read_question(question)
    held = _stems(text)
    covered = round(sum(t in held for t in asks.terms) / len(asks.terms), 4) if asks.terms else 0.0
    slots = _slots(asks, question, text)
    fill = _fill(asks, question, text, slots)
    own = set(asks.terms) - {t for name in asks.names for t in _stems(name)}
    told = not own or sum(t in held for t in own) * 2 >= len(own)  # names alone are not what is asked
    single = len({(s.value, s.unit) for s in slots}) <= 1 or (asks.kind == "amount" and not asks.counted)
    return Fit(
        claim_id=claim_id,
        question_coverage=covered,
        answer_text=fill,
        plan=bool(_PLAN.search(text)),
        values=tuple(dict.fromkeys(f"{s.kind}|{s.value}|{s.unit}" for s in slots)),
        answers=fill is not None and told and single and covered >= LEAST_COVERED and not _missing(question, text),
    )


def _stems(text: str) -> set[str]:
    return {_norm(t) for t in content_stems(text)}


def _norm(word: str) -> str:
    return _IRREGULAR.get(word, word)


def _missing(question: str, text: str) -> bool:
    """A name, amount or day of the question that the sentence lacks."""
    if any(not name_in(n, text) for n in find_names(question)):
        return True
    mine = find_slots(text)
    return any(not any(_same(slot, other) for other in mine) for slot in find_slots(question))


def _same(a: Slot, b: Slot) -> bool:
    if a.kind == "date" and b.kind == "date":
        return a.value.startswith(b.value) or b.value.startswith(a.value)
    return a.value == b.value and a.unit == b.unit


def _slots(asks: Asks, question: str, text: str) -> list[Slot]:
    """Amounts or dates of the kind asked for that the question does not have."""
    if asks.kind not in {"amount", "money", "share", "date"}:
        return []
    known = find_slots(question)
    return [s for s in find_slots(text) if _wanted(asks, s, text) and not any(_same(s, k) for k in known)]


def _fill(asks: Asks, question: str, text: str, slots: list[Slot]) -> str | None:
    """What the sentence gives for the question word, or ``None``."""
    if asks.kind in {"amount", "money", "share", "date"}:
        return "; ".join(text[s.start : s.end] for s in slots) or None
    if asks.kind in {"person", "place"}:
        names = [n.text for n in find_names(text) if not name_in(n, question)]
        return "; ".join(names) or None
    if asks.kind == "cause":
        return text if _CAUSE.search(text) else None
    fresh = _stems(text) - set(asks.terms)
    return text if asks.kind == "yes_no" or len(fresh) >= 2 else None


def _wanted(asks: Asks, slot: Slot, text: str) -> bool:
    if asks.kind == "date":
        return slot.kind == "date" and re.match(r"\d{4}", slot.value) is not None
    if asks.kind == "money":
        return slot.kind == "money"
    if asks.kind == "share":
        return slot.kind == "percentage"
    if slot.kind not in _AMOUNTS or slot.unit == "ordinal":
        return False
    if not asks.counted:
        before = text[: slot.start] if asks.cue.endswith("$") else text
        return not asks.units or (slot.unit in asks.units and re.search(asks.cue, before.lower()) is not None)
    after = content_stems(text[slot.start : slot.end + 40])
    return asks.counted in {_norm(t) for t in after}
