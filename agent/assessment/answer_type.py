"""Whether a sentence answers a question: rules over slots, names and words, without a model.

A re-run uses it too, so it imports no graph.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from agent.assessment.statement_form import StatementForm, statement_form
from agent.types import Asks, Fit, WantedKind
from language.names import content_stems, find_names, name_in, stem
from language.nlp.pipeline import parse
from language.nlp.relations import Relations
from language.quantities.mentions import find_slots
from language.types import Slot
from language.verbs import normal
from language.wordlists import read_table

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

LEAST_COVERED = 0.6
"""Least share of the question's telling words that an answer must hold."""
_AMOUNTS = frozenset({"number", "unit", "money", "percentage"})
_MEASURED = frozenset({"amount", "money", "share", "date"})
"""Kinds of answers that are amounts or dates."""
_WORDS = read_table("agent.assessment", "question_words.toml")
_KINDS: dict[WantedKind, str] = _WORDS["kinds"]
_LONG: dict[str, str] = _WORDS["long"]
_MEASURES: list[dict[str, str]] = _WORDS["measures"]
_CAUSE, _PLAN = (re.compile(_WORDS[name], re.IGNORECASE) for name in ("cause", "plan"))
_COUNTED = re.compile(_WORDS["counted"])
_ASKING = frozenset(stem(word) for word in _WORDS["asking"].split())


def read_question(question: str) -> Asks:
    """What a question asks for, and the words, names and amounts an answer must share with it."""
    plain = " ".join(question.lower().split())
    kind = _kind(plain)
    counted = _COUNTED.search(plain) if kind == "amount" else None
    measure = _measure(plain, statement_form(question)) if kind == "amount" and not counted else ("", "")
    return Asks(
        kind=kind,
        terms=tuple(sorted(_stems(question) - _ASKING)),
        names=tuple(n.text for n in find_names(question)),
        counted=normal(stem(counted[1].split()[-1])) if counted else "",
        units=tuple(measure[0].split()),
        cue=measure[1],
    )


def word_rules_suffice(question: str) -> bool:
    """Whether it asks for an amount or a day, which a sentence has or lacks; of other kinds words say little."""
    return read_question(question).kind in _MEASURED


def _measure(plain: str, form: StatementForm | None) -> tuple[str, str]:
    """Units and cue of the measure that a question asks for; empty: any."""
    found = next((m for m in _MEASURES if re.search(m["question"], plain)), None)
    if form is not None and form.gap == "measure" and form.counted == "long" and found != _MEASURES[0]:
        found = _LONG  # of a thing that may be long in space or in time
    return (found["units"], found["cue"]) if found is not None else ("", "")


def _kind(plain: str) -> WantedKind:
    """The kind of the first question word: "how many were hurt when ..." asks for an amount."""
    matches = ((re.search(pattern, plain), kind) for kind, pattern in _KINDS.items())
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
    form = statement_form(question)
    filled = form.fill_of(text) if form is not None else None
    if form is not None and filled is not None:
        return _by_form(claim_id, question, form, text, filled)
    single = len({(s.value, s.unit) for s in slots}) <= 1 or (asks.kind == "amount" and not asks.counted)
    return Fit(
        claim_id=claim_id,
        question_coverage=covered,
        answer_text=fill,
        plan=bool(_PLAN.search(text)),
        values=tuple(dict.fromkeys(f"{s.kind}|{s.value}|{s.unit}" for s in slots)),
        answers=fill is not None
        and told
        and single
        and covered >= LEAST_COVERED
        and not _missing(question, text)
        and (form is None or not form.asks_who_did or _tells_who(question, form, text)),
    )


def doers(doc: Doc, verb: str) -> Iterator[Token]:
    """Heads of the phrases that do what the verb (its stem) says: "was painted by X", "X, who led it", "X's win"."""
    predicates = Relations(doc).predicates
    for token in doc:
        if verb not in {normal(stem(token.lemma_.lower())), normal(stem(token.lower_))}:
            continue
        if token.i in predicates:
            yield from (doc[i] for i in sorted(predicates[token.i].subjects))
        if token.pos_ not in {"VERB", "AUX"}:
            yield from (c for c in token.children if c.dep_ == "poss")


def _tells_who(question: str, form: StatementForm, text: str) -> bool:
    """Whether somebody whom the question does not name does in the text what its verb says."""
    names = [n for n in find_names(text) if not name_in(n, question)]
    done = [(t.left_edge.idx, t.right_edge.idx) for t in doers(parse(text), form.verb)]
    return any(start <= name.start <= end for start, end in done for name in names)


def _by_form(claim_id: str, question: str, form: StatementForm, text: str, filled: str) -> Fit:
    """The fit of a text that is the question's own statement with the gap filled: by a filling of its kind."""
    asks = read_question(question)
    slots, at = _slots(asks, question, text), form.gap == "time" and filled.startswith("at ")
    sized = asks.kind in _MEASURED
    fill = _fill(asks, question, text, slots) if sized and not at else filled
    if form.named and not any(n.text in filled for n in find_names(text) if not name_in(n, question)):
        fill = None
    values = [f"{s.kind}|{s.value}|{s.unit}" for s in slots] or [f"said|{filled}|"] * (form.gap == "polarity")
    return Fit(
        claim_id=claim_id,
        question_coverage=1.0,
        answer_text=text if form.gap in {"polarity", "cause"} else fill,
        plan=bool(_PLAN.search(text)),
        values=tuple(dict.fromkeys(values)),
        answers=fill is not None,
    )


def _stems(text: str) -> set[str]:
    return {normal(t) for t in content_stems(text)}


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
    if asks.kind not in _MEASURED:
        return []
    known = find_slots(question)
    return [s for s in find_slots(text) if _wanted(asks, s, text) and not any(_same(s, k) for k in known)]


def _fill(asks: Asks, question: str, text: str, slots: list[Slot]) -> str | None:
    """What the sentence gives for the question word, or ``None``."""
    if asks.kind in _MEASURED:
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
    return asks.counted in {normal(t) for t in after}
