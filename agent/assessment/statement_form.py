"""A question as the statement that answers it, with a gap: "Where was it found?" becomes "It was found …".

Built from the question's words and the parse of the statement. A re-run uses it too, so it imports no graph.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from language.names import stem
from language.nlp.pipeline import parse
from language.verbs import PAST, normal

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

Gap = Literal["thing", "counted", "measure", "time", "place", "cause", "polarity"]
"""What fills the gap: a noun phrase, an amount of what is counted, a measure, a phrase of time or place, a
cause, or nothing, where the answer is yes or no."""

_AUXILIARIES = frozenset(
    "is are was were do does did has have had can could will would shall should may might must ca wo".split()
)
_BE = frozenset({"is", "are", "was", "were"})
_DO = frozenset({"do", "does", "did"})
_FINITE = frozenset({"VBD", "VBZ", "VBP"})
LENGTHS = frozenset("tall long wide deep high old thick".split())
"""Adjectives that stand behind a measure."""
_LASTING = frozenset("take last need spend".split())
_SHARES = frozenset({"percentage", "share", "proportion", "number", "amount", "sum"})
_ANYBODY = frozenset({"anybody", "anyone"})


_PAST_HELPERS = frozenset({"was", "were", "has been", "have been"})
_PASSIVE = re.compile(r".+? (was|were|is|are|has been|have been) (\w+) by (.+)")

_Clause = tuple[str, str, "list[Token]"]
"""Subject, verb with its auxiliary, and what follows them."""


@dataclass(frozen=True)
class StatementForm:
    """The statement around its gap; ``denied`` is the negative answer of a question of yes or no."""

    before: str
    after: str
    gap: Gap
    counted: str = ""
    """What an amount is of ("people"), or the adjective of a measure ("tall")."""
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
        start, end = _capital(_tidy(self.before)), _tidy(self.after)
        plain = text.rstrip(".")
        voiced = _PASSIVE.fullmatch(plain)
        if voiced is not None and text == self.passive(*voiced.groups()):
            return voiced[3]
        if len(plain) < len(start) + len(end) or not plain.startswith(start) or not plain.endswith(end):
            return None
        return plain[len(start) : len(plain) - len(end)].strip() or None


@lru_cache(maxsize=256)
def statement_form(question: str) -> StatementForm | None:
    """The statement that answers a question; ``None`` where its parse does not tell how to put it."""
    tokens = [t for t in parse(" ".join(question.split())) if not t.is_space]
    while tokens and tokens[-1].is_punct:
        tokens.pop()
    if len(tokens) < 3 or any(t.text in {"?", "!", ";", ":"} for t in tokens):
        return None
    first = tokens[0].lower_
    if first in _AUXILIARIES:
        return _yes_no(tokens)
    lead = tokens.pop(0).lower_ if tokens[0].tag_ == "IN" and len(tokens) > 3 else ""
    first = tokens[0].lower_
    if first not in {"who", "whom", "what", "which", "when", "where", "why", "how"}:
        return None
    end = _asking_ends(tokens)
    if end is None:
        return None
    form = _around(tokens[:end], tokens[end:], lead)
    return _strict(form, first) if form is not None else None


def _strict(form: StatementForm, first: str) -> StatementForm | None:
    """With the verb and the kind of filling that a thing, a person or a place needs."""
    if form.gap not in {"thing", "place"}:
        return form
    doc = parse(form.filled("it"))
    said = [t for t in doc if t.dep_ == "ROOT"]
    verb = said[0].lemma_.lower() if said else ""
    if verb == "do":
        return None
    named = first in {"who", "whom", "which"} and form.gap == "thing"
    found = replace(form, verb="" if verb == "be" else normal(stem(verb)), named=named)
    if not found.asks_who_did:
        return found
    objects = [c for c in said[0].children if c.dep_ == "dobj"]
    whole = len(objects) == 1 and (objects[0].left_edge.i, objects[0].right_edge.i) == (said[0].i + 1, len(doc) - 2)
    done_to = doc[said[0].i + 1 : len(doc) - 1].text if whole else ""
    return replace(found, done_to=done_to, past=said[0].tag_ == "VBD")


def _asking_ends(tokens: list[Token]) -> int | None:
    """Where the finite verb stands behind the asking phrase."""
    if tokens[0].lower_ in {"who", "whom", "when", "where", "why"}:
        return 1
    for i, token in enumerate(tokens[1:], 1):
        if token.lower_ in _AUXILIARIES or (token.tag_ in _FINITE and i > 0):
            return i
    return None


def _around(asking: list[Token], rest: list[Token], lead: str) -> StatementForm | None:
    gap, counted = _gap(asking)
    if any(t.lower_ in {"that", "which", "who"} for t in asking[1:]):
        return None
    if not lead and gap in {"thing", "counted"} and _is_subject(rest):
        return StatementForm("", _text(rest), gap, counted)
    clause = _declarative(rest) if rest[0].lower_ in _AUXILIARIES else None
    if clause is None:
        return None
    front, main, tail = clause
    held = [f"{front} {main}"]
    if gap in {"time", "place", "cause"} or (tail and tail[-1].tag_ == "IN" and gap != "measure"):
        stranded = bool(tail) and tail[-1].tag_ == "IN"
        return StatementForm(_text_of(held, tail), "", "thing" if gap == "place" and stranded else gap, counted)
    if gap == "measure" and counted == "long" and main.split()[-1] not in _BE:
        lead = lead if _lasting(main) else "for"
        return StatementForm(f"{_text_of(held, tail)} {lead}", "", gap, "")
    early = 0
    while early < len(tail) and (tail[early].tag_ in {"RP", "TO"} or (early and tail[early - 1].tag_ == "TO")):
        early += 1
    more = asking[2:] if gap == "measure" else []
    return StatementForm(f"{_text_of(held, tail[:early])} {lead}", _text([*more, *tail[early:]]), gap, counted)


def _text_of(held: list[str], tail: list[Token]) -> str:
    return " ".join((*held, _text(tail)))


def _lasting(main: str) -> bool:
    last = main.split()[-1]
    return last in _LASTING or last.removesuffix("s") in _LASTING or last in {"took", "lasted", "needed", "spent"}


def _gap(asking: list[Token]) -> tuple[Gap, str]:
    first, words = asking[0].lower_, [t.lower_ for t in asking]
    if first in {"what", "which"} and len(words) > 1 and words[1] in _SHARES:
        return "counted", _text(asking[2:])
    if first in {"who", "whom", "what", "which"}:
        if words[-1] in {"year", "day", "date", "month"}:
            return "time", ""
        return "thing", ""
    if first != "how":
        gaps: dict[str, Gap] = {"when": "time", "where": "place", "why": "cause"}
        return gaps[first], ""
    if words[1:2] == ["many"] or (words[1:2] == ["much"] and len(words) > 2):
        return "counted", _text(asking[2:])
    return "measure", words[1] if len(words) > 1 else ""


def _is_subject(rest: list[Token]) -> bool:
    """Whether the asking phrase is the subject of the verb that follows it."""
    verb, following = rest[0], rest[1:]
    if verb.lower_ not in _AUXILIARIES:
        return True
    if verb.lower_ in _DO:
        return False
    if verb.lower_ in _BE and _declarative(rest) is None:
        return True
    return bool(following) and following[0].tag_ in {"VBN", "VBG", "VB", "IN", "JJ", "RB"}


def _declarative(rest: list[Token]) -> _Clause | None:
    """Subject, verb with its auxiliary, and what follows, of "was the painting found in May"."""
    aux, body = rest[0], rest[1:]
    denied = bool(body) and body[0].dep_ == "neg"
    body = body[1:] if denied else body
    cuts = [(body[:cut], body[cut:]) for cut in range(len(body) - 1, 0, -1)]
    verbal = [(s, p) for s, p in cuts if _verb_follows(s, aux, p)]
    if verbal:
        known = next(((s, p) for s, p in verbal if p[0].pos_ == "VERB"), None)
        if known is None and any(t.tag_ in {"VB", "VBP"} and t.nbor(-1).tag_ != "TO" for t in body):
            return None
        likely = next(((s, p) for s, p in verbal if p[0].pos_ != "ADV"), verbal[0])
        subject, predicate = known or likely
        return _joined(subject, aux, predicate, denied=denied)
    if aux.lower_ not in _BE:
        return None
    helper = _auxiliary(aux, denied=denied)
    told = [(s, p, _described(s, aux, p)) for s, p in cuts]
    quality = next(((s, p) for s, p, kind in told if kind == "acomp"), None)
    if quality is None and _is_noun_phrase(body):
        return _text(body), helper, []
    found = quality or next(((s, p) for s, p, kind in reversed(told) if kind), None)
    return (_text(found[0]), helper, found[1]) if found is not None else None


def _statement_of(subject: list[Token], helper: str, predicate: list[Token]) -> tuple[Doc, int]:
    """The parse of a statement, and the place of its auxiliary."""
    front = _capital(_text(subject))
    doc = parse(f"{front} {helper} {_text(predicate)}.")
    return doc, next((t.i for t in doc if t.idx > len(front)), len(doc) - 1)


def _verb_follows(subject: list[Token], aux: Token, predicate: list[Token]) -> bool:
    """Whether these parts make a statement whose verb stands right behind its auxiliary."""
    if subject[-1].pos_ == "ADP":
        return False
    helper = "will" if aux.lower_ in _DO else _auxiliary(aux, denied=False)
    doc, place = _statement_of(subject, helper, predicate)
    head = doc[place].head
    if head.dep_ != "ROOT" or doc[place].dep_ not in {"aux", "auxpass"} or head.i < place:
        return False
    if any(t.dep_ not in {"aux", "auxpass", "advmod", "neg"} for t in doc[place + 1 : head.i]):
        return False
    whole = _one_subject(head, place) or (aux.lower_ in _DO and predicate[0].tag_ in {"VB", "VBP"})
    return whole and not any(_loose(t) for t in doc if t != head)


def _loose(token: Token) -> bool:
    """A verb without "to", auxiliary or subject of its own: the words were put together wrongly."""
    if token.tag_ not in {"VB", "VBP"} or token.dep_ in {"aux", "auxpass"}:
        return False
    return not any(c.dep_ in {"aux", "nsubj", "nsubjpass"} for c in token.children) and token.dep_ != "conj"


def _described(subject: list[Token], aux: Token, predicate: list[Token]) -> str:
    """What is said of the subject with "be" as the verb: ``acomp``, ``attr`` or ``prep``; ``""``: nothing."""
    doc, place = _statement_of(subject, aux.lower_, predicate)
    verb = doc[place]
    if verb.dep_ != "ROOT" or not _one_subject(verb, place) or place + 1 >= len(doc):
        return ""
    kinds = [c.dep_ for c in verb.children if c.i > place and c.left_edge.i == place + 1]
    return next((k for k in kinds if k in {"acomp", "attr", "prep", "advmod"}), "")


def _one_subject(head: Token, place: int) -> bool:
    subjects = [c for c in head.children if c.dep_ in {"nsubj", "nsubjpass", "expl", "csubj"}]
    return len(subjects) == 1 and subjects[0].right_edge.i == place - 1 and subjects[0].left_edge.i == 0


def _is_noun_phrase(body: list[Token]) -> bool:
    if not body:
        return False
    doc = parse(f"{_capital(_text(body))} was there.")
    subjects = [c for t in doc if t.dep_ == "ROOT" for c in t.children if c.dep_ == "nsubj"]
    return len(subjects) == 1 and subjects[0].left_edge.i == 0 and subjects[0].right_edge.i == len(doc) - 4


def _joined(subject: list[Token], aux: Token, predicate: list[Token], *, denied: bool) -> _Clause:
    """A clause whose verb is not "be" alone; "does take" becomes "takes"."""
    helper = "will" if aux.lower_ in _DO else _auxiliary(aux, denied=False)
    doc, place = _statement_of(subject, helper, predicate)
    early = doc[place].head.i - place - 1
    adverbs, verb, tail = predicate[:early], predicate[early], predicate[early + 1 :]
    if aux.lower_ in _DO and not denied:
        return _text(subject), f"{_text(adverbs)} {_inflected(aux.lower_, verb.lower_)}".strip(), tail
    return _text(subject), f"{_auxiliary(aux, denied=denied)} {_text([*adverbs, verb])}", tail


def _yes_no(tokens: list[Token]) -> StatementForm | None:
    clause = _declarative(tokens)
    if clause is None or (len(tokens) > 1 and tokens[1].dep_ == "neg"):
        return None
    front, main, tail = clause
    aux, rest = tokens[0].lower_, _text(tail)
    said = " ".join(f"{front} {main} {rest}".split())
    if front.lower() in _ANYBODY:
        return StatementForm(f"Somebody {main} {rest}", "", "polarity", denied=f"Nobody {main} {rest}")
    still = re.search(r"\bstill ", said)
    if still is not None:
        return StatementForm(said, "", "polarity", denied=said.replace("still ", "no longer ", 1))
    if aux in _DO:
        base = _text(tokens[len(parse(front)) + 1 :])
        return StatementForm(said, "", "polarity", denied=f"{front} {aux} not {base}")
    helper, _, verb = main.partition(" ")
    return StatementForm(said, "", "polarity", denied=f"{front} {helper} not {verb} {rest}")


def _auxiliary(aux: Token, *, denied: bool) -> str:
    plain = {"ca": "can", "wo": "will"}.get(aux.lower_, aux.lower_)
    if not denied:
        return plain
    return "cannot" if plain == "can" else f"{plain} not"


def _inflected(aux: str, verb: str) -> str:
    """The verb in the tense of its "do"."""
    if aux == "do":
        return verb
    if aux == "does":
        if verb == "have":
            return "has"
        if re.search(r"(?:s|x|z|ch|sh|o)$", verb):
            return f"{verb}es"
        return f"{verb[:-1]}ies" if re.search(r"[^aeiou]y$", verb) else f"{verb}s"
    if verb in PAST:
        return PAST[verb]
    if verb.endswith("e"):
        return f"{verb}d"
    if re.search(r"[^aeiou]y$", verb):
        return f"{verb[:-1]}ied"
    doubled = re.fullmatch(r"[^aeiou]*[aeiou][bdgklmnprt]", verb)
    return f"{verb}{verb[-1]}ed" if doubled else f"{verb}ed"


def _text(tokens: list[Token]) -> str:
    return "".join(t.text_with_ws for t in tokens).strip()


def _tidy(text: str) -> str:
    return " ".join(text.split())


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _sentence(text: str) -> str:
    return f"{_capital(_tidy(text)).rstrip('.')}."
