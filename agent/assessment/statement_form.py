"""A question as the statement that answers it, with a gap: "Where was it found?" becomes "It was found …".

Made only where parses leave no doubt (``agent.assessment.question_clause``). A re-run uses it, so it imports no graph.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from agent.assessment.question_clause import AUXILIARIES, DO, STOOD_IN, Gap, capital, divided, led_by, text_of
from language import lexicon
from language.names import stem, tokens
from language.nlp.pipeline import parse
from language.verbs import normal

if TYPE_CHECKING:
    from spacy.tokens import Token

_FINITE = frozenset({"VBD", "VBZ", "VBP"})
LENGTHS = frozenset("tall long wide deep high old thick".split())
"""Adjectives that stand behind a measure."""
_LASTING = frozenset("take last need spend".split())
_SHARES = frozenset({"percentage", "share", "proportion", "number", "amount", "sum"})
_DAYS = frozenset({"year", "day", "date", "month"})
_ANYBODY = frozenset({"anybody", "anyone"})
_OPEN = frozenset({"any", "anything", "ever", "yet", "either"})
"""Words that a question has and an answer has not."""
_PAST_HELPERS = frozenset({"was", "were", "has been", "have been"})
_PASSIVE = re.compile(r".+? (was|were|is|are|has been|have been) (\w+) by (.+)")


@dataclass(frozen=True)
class StatementForm:
    """The statement around its gap; ``denied`` is the negative answer of a question of yes or no."""

    before: str
    after: str
    gap: Gap
    counted: str = ""
    """What an amount is of ("people"), the adjective of a measure ("tall"), or the noun of "what temperature"."""
    denied: str = ""
    verb: str = ""
    """Stem of the verb that a sentence must have too; ``""``: any."""
    named: bool = False
    """Only a name fills the gap ("who", "which ship")."""
    done_to: str = ""
    """Of "who did it": what it was done to, where that is all the rest, for the same in the other voice."""
    past: bool = False

    @property
    def asks_who_did(self) -> bool:
        """Whether the gap is the name of whoever does what the verb says."""
        return self.named and bool(self.verb) and not self.before.strip()

    def takes(self, fill: str) -> bool:
        """Whether a filling repeats no word of the statement, and is of what is counted or "what" asks for."""
        words = _words(fill)
        asked = self.counted if self.gap == "counted" or (self.gap == "thing" and not self.named) else ""
        lacking = _words(" ".join(asked.split()[-1:])) - words if asked != "money" else Counter[str]()
        told = words & _words(f"{self.before} {self.after}")
        return not told and not lacking and max(words.values(), default=1) == 1

    def filled(self, fill: str) -> str:
        """The statement with the gap filled, as a sentence."""
        return _sentence(f"{self.before} {fill} {self.after}")

    def passive(self, helper: str, participle: str, fill: str) -> str:
        """The statement in the other voice, in a sentence's own words: "It was painted by X"; ``""``: not this one."""
        fits = helper in (_PAST_HELPERS if self.past else {"is", "are"}) and normal(stem(participle)) == self.verb
        return _sentence(f"{self.done_to} {helper} {participle} by {fill}") if self.done_to and fits else ""

    def statements(self) -> tuple[str, ...]:
        """Of a question of yes or no: both answers."""
        return (_sentence(self.before), _sentence(self.denied)) if self.gap == "polarity" else ()

    def fill_of(self, text: str) -> str | None:
        """What fills the gap in a text that is the statement word for word; ``None``: it is not."""
        if self.gap == "polarity":
            return next((said for said, s in zip(("yes", "no"), self.statements(), strict=True) if s == text), None)
        start, end = capital(_tidy(self.before)), _tidy(self.after)
        plain = text.rstrip(".")
        voiced = _PASSIVE.fullmatch(plain)
        if voiced is not None and text == self.passive(*voiced.groups()):
            return voiced[3] if self.takes(voiced[3]) else None
        if len(plain) < len(start) + len(end) or not plain.startswith(start) or not plain.endswith(end):
            return None
        fill = plain[len(start) : len(plain) - len(end)].strip()
        return fill if fill and self.takes(fill) else None


def _words(text: str) -> Counter[str]:
    """How often a text has each word that carries meaning, by its stem."""
    return Counter(normal(stem(t)) for t in tokens(text) if t not in lexicon.STOPWORDS and not t[:1].isdigit())


@lru_cache(maxsize=256)
def statement_form(question: str) -> StatementForm | None:
    """The statement that answers a question; ``None`` where its parse leaves a doubt how to put it."""
    tokens = [t for t in parse(" ".join(question.split())) if not t.is_space]
    while tokens and tokens[-1].is_punct:
        tokens.pop()
    if len(tokens) < 3 or any(t.text in {"?", "!", ";", ":"} for t in tokens):
        return None
    if tokens[0].lower_ in AUXILIARIES:
        return _yes_no(tokens)
    lead = tokens.pop(0).lower_ if tokens[0].tag_ == "IN" and len(tokens) > 3 else ""
    first = tokens[0].lower_
    if first not in {"who", "whom", "what", "which", "when", "where", "why", "how"}:
        return None
    end = _asking_ends(tokens)
    if end is None or any(t.lower_ in {"that", "which", "who"} for t in tokens[1:end]):
        return None
    form = _around(tokens[:end], tokens[end:], lead)
    if form is None or form.gap not in {"thing", "place"}:
        return form
    return _strict(form, named=first in {"who", "whom", "which"} and form.gap == "thing")


def _strict(form: StatementForm, *, named: bool) -> StatementForm | None:
    """With the verb and the kind of filling that a thing, a person or a place needs."""
    doc = parse(form.filled("it"))
    root = next((t for t in doc if t.dep_ == "ROOT"), None)
    verb = root.lemma_.lower() if root is not None else ""
    if root is None or verb == "do":
        return None
    found = replace(form, verb="" if verb == "be" else normal(stem(verb)), named=named)
    if not found.asks_who_did:
        return found
    objects = [c for c in root.children if c.dep_ == "dobj"]
    whole = len(objects) == 1 and (objects[0].left_edge.i, objects[0].right_edge.i) == (root.i + 1, len(doc) - 2)
    done_to = doc[root.i + 1 : len(doc) - 1].text if whole else ""
    return replace(found, done_to=done_to, past=root.tag_ == "VBD")


def _asking_ends(tokens: list[Token]) -> int | None:
    """Where the finite verb stands behind the asking phrase."""
    if tokens[0].lower_ in {"who", "whom", "when", "where", "why"}:
        return 1
    finite = (i for i, t in enumerate(tokens) if i and (t.lower_ in AUXILIARIES or t.tag_ in _FINITE))
    return next(finite, None)


def _around(asking: list[Token], rest: list[Token], lead: str) -> StatementForm | None:
    gap, counted = _gap(asking)
    if not lead and gap in {"thing", "counted"} and _is_subject(rest):
        return StatementForm("", text_of(rest), gap, counted) if _asks_its_subject(rest) else None
    lasting = gap == "measure" and counted == "long"
    lead = "" if gap in STOOD_IN else lead
    clause = divided(rest, "time" if lasting else gap, lead) if rest[0].lower_ in AUXILIARIES else None
    if clause is None or (counted == "far" and any(t.lower_ in {"from", "off", "to"} for t in clause.subject)):
        return None
    before, after = clause.around(gap)
    said = f"{text_of(clause.subject)} {clause.main} {before}"
    if gap == "place" and clause.stranded:
        gap = "thing"
    if lasting and clause.verb is not None:
        lasts = clause.verb.lemma_.lower() in _LASTING
        return StatementForm(f"{said} {after} {lead if lasts else 'for'}", "", gap, "")
    more = asking[2:] if gap == "measure" else []
    return StatementForm(f"{said} {lead}", f"{text_of(more)} {after}", gap, counted)


def _gap(asking: list[Token]) -> tuple[Gap, str]:
    first, words = asking[0].lower_, [t.lower_ for t in asking]
    if first in {"what", "which"} and len(words) > 1 and words[1] in _SHARES:
        return "counted", text_of(asking[2:])
    if first in {"who", "whom", "what", "which"}:
        return ("time", "") if words[-1] in _DAYS else ("thing", text_of(asking[1:]))
    if first != "how":
        gaps: dict[str, Gap] = {"when": "time", "where": "place", "why": "cause"}
        return gaps[first], ""
    if words[1:2] == ["many"] or (words[1:2] == ["much"] and len(words) > 2):
        return "counted", text_of(asking[2:])
    return "measure", words[1] if len(words) > 1 else ""


def _is_subject(rest: list[Token]) -> bool:
    """Whether the asking phrase may be the subject of the verb that follows it."""
    first = rest[0].lower_
    followed = any(t.tag_ in {"VBN", "VBG", "VB", "IN", "JJ", "RB"} for t in rest[1:2])
    return first not in AUXILIARIES or (first not in DO and followed)


def _asks_its_subject(rest: list[Token]) -> bool:
    """Whether the statement's parse has the gap as its subject, and the verb behind it."""
    put = "It" if rest[0].tag_ == "VBZ" or rest[0].lower_ in {"was", "is", "has", "does"} else "They"
    first = parse(f"{put} {text_of(rest)}.")[1]
    return led_by(first, first.head)


def _yes_no(tokens: list[Token]) -> StatementForm | None:
    clause = divided(tokens, "polarity")
    if clause is None or clause.denied or any(t.lower_ in _OPEN for t in tokens):
        return None
    front, rest = text_of(clause.subject), text_of(clause.tail)
    said = _tidy(f"{front} {clause.main} {rest}")
    if front.lower() in _ANYBODY:
        somebody, nobody = (f"{who} {clause.main} {rest}" for who in ("Somebody", "Nobody"))
        return StatementForm(somebody, "", "polarity", denied=nobody)
    if re.search(r"\bstill ", said):
        return StatementForm(said, "", "polarity", denied=said.replace("still ", "no longer ", 1))
    denied = replace(clause, denied=True)
    return StatementForm(said, "", "polarity", denied=f"{front} {denied.main} {rest}")


def _tidy(text: str) -> str:
    return " ".join(text.split())


def _sentence(text: str) -> str:
    return f"{capital(_tidy(text)).rstrip('.')}."
