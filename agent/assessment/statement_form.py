"""A question as the statement that answers it, with a gap: "Where was it found?" becomes "It was found …".

A statement is made only where its parse has the subject, the verb and the gap where they were put, and the question's
own parse agrees or no other division of its words does. A re-run uses it too, so it imports no graph.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from language import lexicon
from language.names import stem, tokens
from language.nlp.pipeline import parse
from language.verbs import PAST, normal

if TYPE_CHECKING:
    from spacy.tokens import Token

Gap = Literal["thing", "counted", "measure", "time", "place", "cause", "polarity"]
"""What fills the gap: a noun phrase, an amount of what is counted, a measure, a phrase of time or place, a
cause, or nothing, where the answer is yes or no."""

_AUXILIARIES = frozenset(
    "is are was were do does did has have had can could will would shall should may might must ca wo".split()
)
_BE = frozenset({"is", "are", "was", "were"})
_DO = frozenset({"do", "does", "did"})
_FINITE = frozenset({"VBD", "VBZ", "VBP"})
_SUBJECTS = frozenset({"nsubj", "nsubjpass", "expl", "csubj", "csubjpass"})
LENGTHS = frozenset("tall long wide deep high old thick".split())
"""Adjectives that stand behind a measure."""
_LASTING = frozenset("take last need spend".split())
_SHARES = frozenset({"percentage", "share", "proportion", "number", "amount", "sum"})
_DAYS = frozenset({"year", "day", "date", "month"})
_HAVE = frozenset({"has", "have", "had"})
_HELPING = frozenset({"be", "been", "being", "have"})
_PARTICIPLES = frozenset({"VBN", "VBG", "VBD"})
_BASES = frozenset({"VB", "VBP", "NN", "JJ"})
"""Tags of a verb's base form in a question, where it may look like a noun."""
_ANYBODY = frozenset({"anybody", "anyone"})
_STOOD_IN: dict[Gap, str] = {"time": "then", "place": "there", "cause": "then", "polarity": ""}
"""What stands in the gap while a statement is parsed; else "something"."""

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
        """Whether a filling repeats no word of the statement, and is of the noun that "what" asks for."""
        words = _words(fill)
        told = words & _words(f"{self.before} {self.after}")
        of_it = self.gap != "thing" or self.named or not self.counted or _words(self.counted.split()[-1]) & words
        return not told and bool(of_it) and max(words.values(), default=1) == 1

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
            return voiced[3] if self.takes(voiced[3]) else None
        if len(plain) < len(start) + len(end) or not plain.startswith(start) or not plain.endswith(end):
            return None
        fill = plain[len(start) : len(plain) - len(end)].strip()
        return fill if fill and self.takes(fill) else None


def _words(text: str) -> Counter[str]:
    """How often a text has each word that carries meaning, by its stem."""
    return Counter(normal(stem(t)) for t in tokens(text) if t not in lexicon.STOPWORDS and not t[:1].isdigit())


@dataclass(frozen=True)
class _Clause:
    """What stands behind an asking phrase, in the order of a statement; ``verb`` is ``None`` for "be" alone."""

    subject: list[Token]
    aux: Token
    denied: bool
    adverbs: list[Token]
    verb: Token | None
    tail: list[Token]

    @property
    def helper(self) -> str:
        """The auxiliary, as it stands behind the subject."""
        plain = {"ca": "can", "wo": "will"}.get(self.aux.lower_, self.aux.lower_)
        if not self.denied:
            return plain
        return "cannot" if plain == "can" else f"{plain} not"

    @property
    def main(self) -> str:
        """The verb with its auxiliary; "does take" becomes "takes"."""
        verb = [*self.adverbs, self.verb] if self.verb is not None else []
        if self.aux.lower_ in _DO and not self.denied and self.verb is not None:
            return f"{_text(self.adverbs)} {_inflected(self.aux.lower_, self.verb.lower_)}".strip()
        return f"{self.helper} {_text(verb)}".strip()

    @property
    def stranded(self) -> bool:
        """Whether it ends with a preposition that belongs before the gap."""
        return bool(self.tail) and self.tail[-1].tag_ == "IN"

    def around(self, gap: Gap) -> tuple[str, str]:
        """What stands between the verb and the gap, and behind the gap."""
        cut = len(self.tail)
        if self.verb is not None and gap not in _STOOD_IN and not (self.stranded and gap != "measure"):
            early = (n for n, t in enumerate(self.tail) if not _early(t, self.tail[n - 1] if n else None))
            cut = next(early, cut)
        return _text(self.tail[:cut]), _text(self.tail[cut:])

    def holds(self, gap: Gap, lead: str = "") -> bool:
        """Whether the statement's parse has the subject, the verb and the gap where they were put."""
        helper = "will" if self.aux.lower_ in _DO else self.helper
        verb = self.verb.text if self.verb is not None else ""
        before, after = self.around(gap)
        put = _STOOD_IN.get(gap, "something")
        bare = gap not in _STOOD_IN and not lead and not self.stranded
        if not verb and bool(self.tail) if bare else not (verb or put or self.tail):
            return False
        text, starts = "", []
        for part in (_capital(_text(self.subject)), helper, _text(self.adverbs), verb, before, lead, put, after):
            text = f"{text} {part}" if text and part else text or part
            starts.append(len(text) - len(part))
        at = {t.idx: t for t in parse(f"{text}.")}
        place, head, filling = at.get(starts[1]), at.get(starts[3] if verb else starts[1]), at.get(starts[6])
        if place is None or head is None or not _led_by(place, head):
            return False
        said = {c.dep_ for c in head.children if c.left_edge.i == head.i + 1}
        if not verb and self.tail and said.isdisjoint({"acomp", "attr", "prep", "advmod"}):
            return False
        return gap in _STOOD_IN or (filling is not None and _belongs(filling, head))


def _early(token: Token, before: Token | None) -> bool:
    """Whether it belongs to the verb ("set aside") or leads to another ("stands to lose")."""
    return token.tag_ in {"RP", "TO"} or (before is not None and before.tag_ == "TO")


def _led_by(place: Token, head: Token) -> bool:
    """Whether all before the auxiliary is the subject of the statement's verb, and no verb is left over."""
    doc = head.doc
    subject = {t.i for c in head.children if c.dep_ in _SUBJECTS for t in c.subtree}
    if head.dep_ != "ROOT" or subject != set(range(place.i)):
        return False
    if head != place and place.dep_ not in {"aux", "auxpass"}:
        return False
    between = {t.dep_ for t in doc[place.i + 1 : head.i]}
    return between <= {"aux", "auxpass", "advmod", "neg"} and not any(_loose(t) for t in doc if t != head)


def _loose(token: Token) -> bool:
    """A verb without "to", auxiliary or subject of its own: the words were put together wrongly."""
    if token.tag_ not in {"VB", "VBP"} or token.dep_ in {"aux", "auxpass", "conj"}:
        return False
    return not any(c.dep_ in {"aux", "nsubj", "nsubjpass"} for c in token.children)


def _belongs(filling: Token, head: Token) -> bool:
    """Whether the gap is what the verb has as its object, or one that it leads to, or a preposition of these."""
    above = filling.head
    while above != head and above.dep_ in {"prep", "xcomp", "pcomp", "prt"}:
        above = above.head
    if above != head or filling.dep_ in {"compound", "det", "nmod", "amod"}:
        return False
    others = {c.dep_ for c in head.rights if c != filling}
    return others.isdisjoint({"dobj", "attr", "oprd", "ccomp", "dep"}) and "of" not in {
        c.lower_ for c in filling.rights
    }


def _clause(rest: list[Token], gap: Gap, lead: str = "") -> _Clause | None:
    """The clause of "was the painting found in May", of all divisions of its words that hold as a statement.

    The only one whose verb the question has as a verb too, or whose subject it has, or that ends with a quality.
    """
    aux, body = rest[0], rest[1:]
    denied = bool(body) and body[0].dep_ == "neg"
    told = _subject_of(aux)
    holding = [c for c in _divisions(aux, body[denied:], denied=denied) if c.holds(gap, lead)]
    verbal = [c for c in holding if c.verb is not None and c.verb.pos_ in {"VERB", "AUX"}]
    plain = [c for c in holding if c.verb is None]
    quality = [c for c in plain if next((t.pos_ for t in c.tail if t.pos_ != "ADV"), "") == "ADJ"]
    agreed = [[c for c in some if c.subject == told] for some in (verbal, plain)]
    likeliest = agreed[0] or verbal or agreed[1] or quality or holding
    return likeliest[0] if len(likeliest) == 1 else None


def _subject_of(aux: Token) -> list[Token]:
    """The subject behind the auxiliary by the question's own parse; empty where it has not one."""
    verb = aux.head if aux.dep_ in {"aux", "auxpass"} else aux
    subjects = [c for c in verb.children if c.dep_ in _SUBJECTS and c.i > aux.i]
    return list(subjects[0].subtree) if len(subjects) == 1 else []


def _divisions(aux: Token, body: list[Token], *, denied: bool) -> Iterator[_Clause]:
    """All ways to divide the words behind an auxiliary into subject, verb and what follows."""
    for cut in range(len(body), 0, -1):
        subject, rest = body[:cut], body[cut:]
        if subject[-1].pos_ not in {"NOUN", "PROPN", "PRON", "NUM"}:
            continue
        if aux.lower_ in _BE:
            yield _Clause(subject, aux, denied, [], None, rest)
        forms = _PARTICIPLES if aux.lower_ in _BE | _HAVE else _BASES
        for place, token in enumerate(rest):
            base = token.lemma_ == token.text and (token == aux.head or token.tag_ in _PARTICIPLES)
            if token.is_lower and (token.tag_ in forms or (base and forms == _BASES)):
                yield _Clause(subject, aux, denied, rest[:place], token, rest[place + 1 :])
            if token.lower_ in _HELPING:
                forms = _PARTICIPLES
            elif token.tag_ != "RB":
                break


@lru_cache(maxsize=256)
def statement_form(question: str) -> StatementForm | None:
    """The statement that answers a question; ``None`` where its parse leaves a doubt how to put it."""
    tokens = [t for t in parse(" ".join(question.split())) if not t.is_space]
    while tokens and tokens[-1].is_punct:
        tokens.pop()
    if len(tokens) < 3 or any(t.text in {"?", "!", ";", ":"} for t in tokens):
        return None
    if tokens[0].lower_ in _AUXILIARIES:
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
    finite = (i for i, t in enumerate(tokens) if i and (t.lower_ in _AUXILIARIES or t.tag_ in _FINITE))
    return next(finite, None)


def _around(asking: list[Token], rest: list[Token], lead: str) -> StatementForm | None:
    gap, counted = _gap(asking)
    if not lead and gap in {"thing", "counted"} and _is_subject(rest):
        return StatementForm("", _text(rest), gap, counted) if _asks_its_subject(rest) else None
    lasting = gap == "measure" and counted == "long"
    lead = "" if gap in _STOOD_IN else lead
    clause = _clause(rest, "time" if lasting else gap, lead) if rest[0].lower_ in _AUXILIARIES else None
    if clause is None or (counted == "far" and any(t.lower_ in {"from", "off", "to"} for t in clause.subject)):
        return None
    before, after = clause.around(gap)
    said = f"{_text(clause.subject)} {clause.main} {before}"
    if gap == "place" and clause.stranded:
        gap = "thing"
    if lasting and clause.verb is not None:
        lasts = clause.verb.lemma_.lower() in _LASTING
        return StatementForm(f"{said} {after} {lead if lasts else 'for'}", "", gap, "")
    more = asking[2:] if gap == "measure" else []
    return StatementForm(f"{said} {lead}", f"{_text(more)} {after}", gap, counted)


def _gap(asking: list[Token]) -> tuple[Gap, str]:
    first, words = asking[0].lower_, [t.lower_ for t in asking]
    if first in {"what", "which"} and len(words) > 1 and words[1] in _SHARES:
        return "counted", _text(asking[2:])
    if first in {"who", "whom", "what", "which"}:
        return ("time", "") if words[-1] in _DAYS else ("thing", _text(asking[1:]))
    if first != "how":
        gaps: dict[str, Gap] = {"when": "time", "where": "place", "why": "cause"}
        return gaps[first], ""
    if words[1:2] == ["many"] or (words[1:2] == ["much"] and len(words) > 2):
        return "counted", _text(asking[2:])
    return "measure", words[1] if len(words) > 1 else ""


def _is_subject(rest: list[Token]) -> bool:
    """Whether the asking phrase may be the subject of the verb that follows it."""
    first = rest[0].lower_
    followed = len(rest) > 1 and rest[1].tag_ in {"VBN", "VBG", "VB", "IN", "JJ", "RB"}
    return first not in _AUXILIARIES or (first not in _DO and followed)


def _asks_its_subject(rest: list[Token]) -> bool:
    """Whether the statement's parse has the gap as its subject, and the verb behind it."""
    put = "It" if rest[0].tag_ == "VBZ" or rest[0].lower_ in {"was", "is", "has", "does"} else "They"
    first = parse(f"{put} {_text(rest)}.")[1]
    return _led_by(first, first.head)


def _yes_no(tokens: list[Token]) -> StatementForm | None:
    clause = _clause(tokens, "polarity")
    if clause is None or clause.denied:
        return None
    front, rest = _text(clause.subject), _text(clause.tail)
    said = _tidy(f"{front} {clause.main} {rest}")
    if front.lower() in _ANYBODY:
        somebody, nobody = (f"{who} {clause.main} {rest}" for who in ("Somebody", "Nobody"))
        return StatementForm(somebody, "", "polarity", denied=nobody)
    if re.search(r"\bstill ", said):
        return StatementForm(said, "", "polarity", denied=said.replace("still ", "no longer ", 1))
    denied = replace(clause, denied=True)
    return StatementForm(said, "", "polarity", denied=f"{front} {denied.main} {rest}")


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
