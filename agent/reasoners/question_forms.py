"""Questions as a person would ask them, built from the parse of a claim (its fields): whether, when, where,
who, how many, how much. ``None`` where the fields do not tell how to ask.
"""

from __future__ import annotations

import re

from agent.types import AtomicClaim, Field
from language.names import is_common

_AUXILIARIES = frozenset(
    "is are was were has have had will would can could may might must shall should does do did".split()
)
_UNCHANGED = frozenset("cost put hit cut set let shut read spread bet quit split hurt".split())
"""Verbs whose past looks like their base form."""
_LEADING = r"(?:in|on|at|by|since|during|near|from|to|until|around|about)"
_MONEY = re.compile(r"[£$€¥%]|\b(?:euros?|dollars?|pounds?|percent|per cent)\b", re.IGNORECASE)
_KIND = re.compile(r"\s*((?:[a-z][\w-]*\s+){0,2}[a-z][\w-]*s)\b")
_ENDED = " .!?,;:"


def whether(claim: AtomicClaim) -> str | None:
    """The claim as a question: "Did the library open in May?"."""
    parts = _parts(claim)
    return _written("", *parts) if parts else None


def asked_for(claim: AtomicClaim, field: Field) -> str | None:
    """The question whose answer is a field's value: "When did the library open?"."""
    parts = _parts(claim)
    if parts is None:
        return None
    front, subject, verb, rest = parts
    if field.role in {"person", "organisation"}:
        return _who(claim, field, parts)
    if field.text in subject:
        return None
    if field.role == "date":
        return _written("when", front, subject, verb, _lacking(rest, field.text))
    if field.role == "place":
        if not re.search(rf"\b{_LEADING}\s+(?:the\s+)?{re.escape(field.text)}", rest):
            return None
        return _written("where", front, subject, verb, _lacking(rest, field.text))
    return _amount(field, parts)


Parts = tuple[str, str, str, str]
"""Auxiliary, subject, verb, and what follows or precedes them."""


def _parts(claim: AtomicClaim) -> Parts | None:
    subject = next((f for f in claim.fields if f.role == "subject"), None)
    predicate = next((f for f in claim.fields if f.role == "predicate"), None)
    if subject is None or predicate is None or subject.end > predicate.start:
        return None
    if claim.attribution is not None or '"' in claim.text or "“" in claim.text:
        return None
    opening = claim.text[: subject.start].strip(_ENDED)
    between = claim.text[subject.end : predicate.start].split()
    rest = " ".join(filter(None, (claim.text[predicate.end :].strip(_ENDED), _small(opening))))
    named = _small(subject.text)
    if between and between[0].lower() in _AUXILIARIES:
        return between[0].lower(), named, " ".join([*_asked(between[1:]), predicate.text]), rest
    if predicate.value == "be" and predicate.text.lower() in _AUXILIARIES:
        told = re.sub(r"^(?:not|never)\s+", "", rest)
        return predicate.text.lower(), named, " ".join(_asked(between)), told
    if any(not word.endswith("ly") and word.lower() not in {"also", "never", "still"} for word in between):
        return None
    return _helper(predicate), named, " ".join([*_asked(between), predicate.value]), rest


def _asked(between: list[str]) -> list[str]:
    """Words before the verb, without a denial: the question is put the open way."""
    plain = [w for w in between if w.lower() not in {"not", "n't", "n’t"}]
    return ["ever" if w.lower() == "never" else w for w in plain]


def _helper(predicate: Field) -> str:
    """The form of "do" for a verb without an auxiliary."""
    verb, base = predicate.text.lower(), predicate.value.lower()
    if verb == base:
        return "did" if base in _UNCHANGED else "do"
    return "does" if verb.endswith("s") and verb[:2] == base[:2] and not base.endswith("s") else "did"


def _small(phrase: str) -> str:
    """A phrase that opened a sentence, for use inside one."""
    first, _, others = phrase.partition(" ")
    if phrase.lower() in {"nobody", "no one"}:
        return "anybody"
    plain = is_common(first.lower()) and not others[:1].isupper()
    determined = first.lower() in {"the", "a", "an", "its", "his", "her", "their", "in", "on", "at", "since"}
    return f"{first.lower()} {others}".strip() if plain or determined else phrase


def _lacking(rest: str, value: str) -> str:
    """What follows the verb without a value and the word that leads to it."""
    return re.sub(rf"(?:\b{_LEADING}\s+)?(?:the\s+)?{re.escape(value)}", " ", rest, count=1)


def _who(claim: AtomicClaim, field: Field, parts: Parts) -> str | None:
    front, subject, verb, rest = parts
    word = "who" if field.role == "person" else "which organisation"
    if front in {"is", "are", "was", "were"} and not verb and rest[:1].isdigit():
        return None
    if _small(field.text) == subject or field.text == subject:
        told = claim.text[field.end :].strip(_ENDED) if claim.text.startswith(field.text) else ""
        return f"{word.capitalize()} {told}?" if told else None
    by = f"by {field.text}"
    if by not in rest:
        return None
    asked = "by whom" if word == "who" else f"by {word}"
    return _written(asked, front, subject, verb, rest.replace(by, " ", 1))


def _amount(field: Field, parts: Parts) -> str | None:
    front, subject, verb, rest = parts
    at = rest.find(field.text)
    if at < 0:
        return None
    before, after = rest[:at].strip(), rest[at + len(field.text) :]
    if _MONEY.search(field.text):
        by = re.sub(r"\bby$", "", before).strip()
        word = "by how much" if before.endswith("by") else "how much"
        return _written(word, front, subject, verb, f"{by} {after}")
    unit = field.text.split(maxsplit=1)[1] if " " in field.text and field.text.split()[-1].isalpha() else ""
    kind = _KIND.match(after)
    if unit:
        measure = re.match(r"\s*(long|wide|high|tall|deep|old|away)\b", after)
        word = f"how many {unit} {measure[1] if measure else ''}".strip()
        return _written(word, front, subject, verb, f"{before} {after[measure.end() if measure else 0 :]}")
    if kind is None or before:
        return None
    return _written(f"how many {kind[1]}", front, subject, verb, after[kind.end() :])


def _written(word: str, front: str, subject: str, verb: str, rest: str) -> str:
    words = " ".join(f"{word} {front} {subject} {verb} {rest}".split()).strip(_ENDED)
    return f"{words[:1].upper()}{words[1:]}?"
