"""Template pairs: one news fact in many wordings, and its near misses.

The wordings stand in ``templates.txt``, whose head explains their form; this module fills their slots and
decides which two sentences meet. Labels follow from how a pair is made, never from a model.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from verifier.calibration.labelled_pairs import Pair, one_hot
from verifier.training.template_slots import SMALL, Value, alter, draw, write

SOURCE = "templates"
FILE = Path(__file__).parent / "templates.txt"
_SHARES = (("entailment", 0.38), ("contradiction", 0.36), ("neutral", 0.26))
_SLOT = re.compile(r"\{(#?)(\w+)((?::[^{}]*)?)('?)\}")
_COMMON = "About More Over Around Roughly Some Half Three It" + " " + " ".join(SMALL).title()
_ARTICLE = re.compile(r"\b([Aa])n? (?=([\w“]+))")
_MARKS = {"=": "same", "<": "weaker", "!": "opposed", "?": "beside", "~": "hedged", "+": "extra"}

_SAID = (
    "the ministry",
    "the city council",
    "a spokesperson",
    "the police",
    "officials",
    "the operator",
    "the news agency",
    "the regional government",
    "a report",
    "the organisers",
    "the statistics office",
    "the broadcaster",
    "its website",
)
_RUMOURS = (
    "According to unconfirmed reports, {s}.",
    "Rumours on social media suggest that {s}.",
    "A blogger speculated that {s}, but offered no evidence.",
    "It is not known whether {s}.",
    "Investigators are still checking whether {s}.",
    "It could not be confirmed that {s}.",
    "Some observers believe that {s}, while others doubt it.",
    "The office would not say whether {s}.",
)
_DENIALS = (
    "It is not true that {s}.",
    "Reports that {s} are false.",
    "The claim that {s} is wrong, as the records show.",
    "Contrary to what was reported, it is not the case that {s}.",
    "Officials denied that {s}, calling the report an invention.",
)
_CAUSES = (
    "because of a lack of money",
    "as a result of public pressure",
    "because of a dispute between two ministries",
    "after a tip from a journalist",
    "because of new European rules",
    "on the advice of a consultant",
    "because of bad weather",
    "as a result of a change in the law",
)
_FILLERS = (
    "A local newspaper first wrote about it on {#weekday}.",
    "The full report runs to {#int:14:420} pages.",
    "The press conference lasted {#int:15:90} minutes.",
    "The figures were published on {#weekday} evening.",
    "Reporters from {#int:3:40} countries followed the story.",
    "{#person}, who has covered the subject for {#int:4:30} years, called it no surprise.",
    "A separate study of the matter is due {#month:2027:2030}.",
)


@dataclass(frozen=True)
class Family:
    """One fact: its slots and the sentences that say it, oppose it or come near it."""

    name: str
    slots: dict[str, str]
    vary: tuple[str, ...]
    subjects: tuple[str, ...]
    swap: tuple[str, ...]
    flags: frozenset[str]
    lines: dict[str, tuple[str, ...]]


@cache
def _text() -> str:
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return "\n".join(line for line in lines if not line.startswith("#")).strip()


@cache
def families() -> tuple[Family, ...]:
    """All families, parsed from their text blocks."""
    return tuple(_parse(block) for block in re.split(r"\n\s*\n", _text()))


def _parse(block: str) -> Family:
    head, *rows = block.strip().splitlines()
    name, _, declared = head.removeprefix("@").strip().partition(" ")
    slots: dict[str, str] = {}
    vary, subjects, swap, flags = [], [], [], set()
    for word in declared.split():
        if word.startswith("%"):
            swap = word[1:].split("/")
        elif "=" not in word:
            flags.add(word)
        else:
            key, spec = word.lstrip("*^").split("=", 1)
            slots[key] = spec
            if word.startswith("*"):
                vary.append(key)
            if word.startswith("^"):
                subjects.append(key)
    lines = {kind: tuple(r[1:].strip() for r in rows if r[0] == mark) for mark, kind in _MARKS.items()}
    for row in rows:
        for fresh, key, _, _ in _SLOT.findall(row):
            if not fresh and key not in slots:
                raise ValueError(f"family {name}: unknown slot {key} in {row!r}")
    return Family(name, slots, tuple(vary), tuple(subjects), tuple(swap), frozenset(flags), lines)


@dataclass
class _Case:
    """One family with its true values and, for every slot, another value."""

    family: Family
    values: dict[str, Value]
    others: dict[str, Value]
    rng: random.Random
    mirrored: bool = False

    def pick(self, *kinds: str, holding: str = "") -> str:
        found = [line for kind in kinds for line in self._lines(kind) if not holding or _holds(line, holding)]
        return self.rng.choice(found) if found else ""

    def _lines(self, kind: str) -> tuple[str, ...]:
        if self.mirrored:
            kind = {"same": "opposed", "opposed": "same", "weaker": "", "hedged": ""}.get(kind, kind)
        return self.family.lines.get(kind, ())

    def fill(self, line: str, changed: tuple[str, ...] = (), loose: bool = False, swapped: bool = False) -> str:
        values = {k: self.others[k] if k in changed else v for k, v in self.values.items()}
        if swapped:
            first, second = self.family.swap
            values[first], values[second] = values[second], values[first]

        def one(match: re.Match[str]) -> str:
            fresh, key, form, prime = match.groups()
            if fresh:
                return write(draw(key + form, self.rng), self.rng)
            value = self.others[key] if prime else values[key]
            return write(value, self.rng, form.lstrip(":"), loose and not prime)

        return polish(_SLOT.sub(one, line))


def _holds(line: str, key: str) -> bool:
    return f"{{{key}}}" in line or f"{{{key}:" in line


def polish(text: str) -> str:
    """Capital at the start, "a" or "an" by the sound that follows, no doubled words."""

    def article(match: re.Match[str]) -> str:
        word = match.group(2).lower().lstrip("“")
        vowel = word[0] in "aeiou" and not re.match(r"(uni|use|euro|one|once)", word)
        vowel = vowel or bool(re.fullmatch(r"(8\d*|11|18)", word)) or word == "hour"
        return match.group(1) + ("n " if vowel else " ")

    text = re.sub(r"\bthe the\b", "the", text, flags=re.I)
    text = re.sub(r"\bThe MV\b", "MV", re.sub(r"\bthe MV\b", "MV", text))
    text = _ARTICLE.sub(article, text)
    text = re.sub(r"\bat at least\b", "at more than", text)  # loose figures lie strictly below the true one
    text = re.sub(r"s's\b", "s'", text)
    return re.sub(r"([.!?]) ([a-z])", lambda m: f"{m[1]} {m[2].upper()}", text[0].upper() + text[1:])


@cache
def _common_words() -> frozenset[str]:
    """First words of sentences that are no names: of the rows, and of the common nouns that fill slots."""
    rows = re.findall(r"^[=<!?~+] ([A-Z][a-z]*)", _text(), re.M)
    nouns = [w.split("_")[0] for spec in re.findall(r"=pick:(\S+)", _text()) for w in spec.split("|")]
    return frozenset((*rows, *(w.capitalize() for w in nouns if w.islower()), *_COMMON.split())) - {"New"}


def inner(sentence: str) -> str:
    """The sentence as a clause: no full stop, small letter where the first word is no name."""
    text = sentence.rstrip(".")
    return text[0].lower() + text[1:] if re.split(r"[\s,'-]", text)[0] in _common_words() else text


def _dress(case: _Case, sentence: str, subject_extra: bool = True) -> str:
    """News clothing round a premise that leaves its content as it is."""
    rng = case.rng
    text = sentence
    roll = rng.random()
    if roll < 0.14:
        text = f"{text.rstrip('.')}, {rng.choice(_SAID)} said on {write(draw('weekday', rng), rng)}."
    elif roll < 0.2:
        text = polish(f"{rng.choice(_SAID)} said on {write(draw('weekday', rng), rng)} that {inner(text)}.")
    elif roll < 0.24:
        text = polish(f"{rng.choice(_SAID)} confirmed that {inner(text)}.")
    extras = [*case.family.lines["extra"]] if subject_extra and not case.mirrored else []
    if rng.random() < 0.42:
        second = rng.choice(extras) if extras and rng.random() < 0.75 else rng.choice(_FILLERS)
        second = case.fill(second)
        text = f"{second} {text}" if rng.random() < 0.15 and second[:2] != "It" else f"{text} {second}"
    if rng.random() < 0.08 and case.family.subjects:
        subject = case.values[case.family.subjects[0]]
        named = subject.text and not subject.number and subject.kind != "pick"
        text = polish(f"{subject.text}. {text}") if named else text
    return text


def _same(case: _Case) -> tuple[str, str] | None:
    first = case.pick("same")
    others = [line for line in case._lines("same") if line != first]
    if case.rng.random() < 0.25 and case._lines("weaker"):
        others = list(case._lines("weaker"))
    premise = case.fill(first)
    key = case.rng.choice(case.family.vary) if case.family.vary else ""
    if key and _holds(first, key) and case.rng.random() < 0.07:
        premise = _corrected(case, premise, key)
        return premise, case.fill(case.rng.choice(others), loose=True)
    return _dress(case, premise), case.fill(case.rng.choice(others), loose=True)


def _corrected(case: _Case, premise: str, key: str) -> str:
    old = write(case.others[key], case.rng)
    shape = case.rng.choice(
        (
            f"{premise.rstrip('.')}, not {old} as first reported.",
            f"{premise} An earlier report had wrongly said {old}.",
            f"Correction: {premise} The first version of this article said {old}.",
        )
    )
    return polish(shape)


def _changed(case: _Case) -> tuple[str, str] | None:
    """One slot of the claim or of the premise has another value."""
    if not case.family.vary:
        return None
    key = case.rng.choice(case.family.vary)
    premise, claim = case.pick("same", holding=key), case.pick("same", "same", "weaker", holding=key)
    if not premise or not claim:
        return None
    if case.rng.random() < 0.25:  # the same sentence, but for the one detail
        claim = premise
    roll = case.rng.random()
    if roll < 0.08:
        return _corrected(case, case.fill(premise), key), case.fill(claim, (key,))
    if roll < 0.75:
        return _dress(case, case.fill(premise)), case.fill(claim, (key,))
    return _dress(case, case.fill(premise, (key,)), subject_extra=False), case.fill(claim)


def _opposed(case: _Case) -> tuple[str, str] | None:
    """A hand-written opposite, in either order."""
    if not case._lines("opposed"):
        return None
    first, second = case.fill(case.pick("same")), case.fill(case.pick("opposed"))
    if case.rng.random() < 0.35:
        return _dress(case, second, subject_extra=False), first
    return _dress(case, first), second


def _swapped(case: _Case) -> tuple[str, str] | None:
    if not case.family.swap:
        return None
    return _dress(case, case.fill(case.pick("same"))), case.fill(case.pick("same"), swapped=True)


def _denied(case: _Case) -> tuple[str, str] | None:
    clause = inner(case.fill(case.pick("same")))
    return polish(case.rng.choice(_DENIALS).format(s=clause)), case.fill(case.pick("same"))


def _beside(case: _Case) -> tuple[str, str] | None:
    """A claim about something else of the same subject, written with the same values."""
    if not case._lines("beside"):
        return None
    return _dress(case, case.fill(case.pick("same")), subject_extra=False), case.fill(case.pick("beside"))


def _hedged(case: _Case) -> tuple[str, str] | None:
    if not case._lines("hedged"):
        return None
    return _dress(case, case.fill(case.pick("hedged")), subject_extra=False), case.fill(case.pick("same"))


def _rumoured(case: _Case) -> tuple[str, str] | None:
    clause = inner(case.fill(case.pick("same")))
    return polish(case.rng.choice(_RUMOURS).format(s=clause)), case.fill(case.pick("same"))


def _too_specific(case: _Case) -> tuple[str, str] | None:
    if not case._lines("weaker"):
        return None
    return _dress(case, case.fill(case.pick("weaker")), subject_extra=False), case.fill(case.pick("same"))


def _other_subject(case: _Case) -> tuple[str, str] | None:
    if not case.family.subjects:
        return None
    key = case.rng.choice(case.family.subjects)
    line, claim = case.pick("same", holding=key), case.pick("same", "weaker", holding=key)
    if not line or not claim:
        return None
    if case.rng.random() < 0.3:
        claim = line
    return _dress(case, case.fill(line), subject_extra=False), case.fill(claim, (key,))


def _caused(case: _Case) -> tuple[str, str] | None:
    if "cause" not in case.family.flags:
        return None
    claim = case.fill(case.pick("same")).rstrip(".")
    return _dress(case, case.fill(case.pick("same")), subject_extra=False), f"{claim} {case.rng.choice(_CAUSES)}."


Maker = Callable[[_Case], tuple[str, str] | None]
_MAKERS: dict[str, tuple[tuple[Maker, float], ...]] = {
    "entailment": ((_same, 1.0),),
    "contradiction": ((_changed, 5.0), (_opposed, 3.0), (_swapped, 2.0), (_denied, 0.35)),
    "neutral": (
        (_beside, 4.0),
        (_hedged, 2.5),
        (_rumoured, 0.5),
        (_too_specific, 1.5),
        (_other_subject, 2.5),
        (_caused, 1.0),
    ),
}


def _case(rng: random.Random) -> _Case:
    family = rng.choice(families())
    values: dict[str, Value] = {}
    for key, spec in family.slots.items():
        value = draw(spec, rng)
        while any(value.text and value.text == old.text and not value.number for old in values.values()):
            value = draw(spec, rng)
        values[key] = value
    others = {key: alter(value, rng) for key, value in values.items()}
    return _Case(family, values, others, rng, "mirror" in family.flags and rng.random() < 0.5)


def make_template_pairs(count: int, rng: random.Random) -> list[Pair]:
    """``count`` pairs with the label shares of ``_SHARES``; the same generator state gives the same pairs."""
    labels, weights = [label for label, _ in _SHARES], [share for _, share in _SHARES]
    pairs: list[Pair] = []
    while len(pairs) < count:
        label = rng.choices(labels, weights)[0]
        makers, odds = [maker for maker, _ in _MAKERS[label]], [share for _, share in _MAKERS[label]]
        for _ in range(60):
            made = rng.choices(makers, odds)[0](_case(rng))
            if made and made[0] != made[1]:
                pairs.append(Pair(made[0], made[1], one_hot(label), SOURCE))
                break
    return pairs
