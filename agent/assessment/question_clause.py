"""The clause behind the asking phrase of a question, in the order of a statement: subject, verb, what follows.

It is divided so only where the statement's parse has the subject, the verb and the gap in their places, and the
question's own parse agrees or no other division does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, Literal

from language.nlp.pipeline import parse
from language.verbs import PAST

if TYPE_CHECKING:
    from spacy.tokens import Token

Gap = Literal["thing", "counted", "measure", "time", "place", "cause", "polarity"]
"""What fills the gap: a noun phrase, an amount of what is counted, a measure, a phrase of time or place, a
cause, or nothing, where the answer is yes or no."""

AUXILIARIES = frozenset(
    "is are was were do does did has have had can could will would shall should may might must ca wo".split()
)
BE = frozenset({"is", "are", "was", "were"})
DO = frozenset({"do", "does", "did"})
_HAVE = frozenset({"has", "have", "had"})
_HELPING = frozenset({"be", "been", "being", "have"})
_PARTICIPLES = frozenset({"VBN", "VBG", "VBD"})
_BASES = frozenset({"VB", "VBP", "NN", "JJ"})
"""Tags of a verb's base form in a question, where it may look like a noun."""
_SUBJECTS = frozenset({"nsubj", "nsubjpass", "expl", "csubj", "csubjpass"})
STOOD_IN: dict[Gap, str] = {"time": "then", "place": "there", "cause": "then", "polarity": ""}
"""What stands in the gap while a statement is parsed; else "something"."""


@dataclass(frozen=True)
class Clause:
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
        if self.aux.lower_ in DO and not self.denied and self.verb is not None:
            return f"{text_of(self.adverbs)} {inflected(self.aux.lower_, self.verb.lower_)}".strip()
        return f"{self.helper} {text_of(verb)}".strip()

    @property
    def stranded(self) -> bool:
        """Whether it ends with a preposition that belongs before the gap."""
        return bool(self.tail) and self.tail[-1].tag_ == "IN"

    def around(self, gap: Gap) -> tuple[str, str]:
        """What stands between the verb and the gap, and behind the gap."""
        cut = len(self.tail)
        if self.verb is not None and gap not in STOOD_IN and not (self.stranded and gap != "measure"):
            early = (n for n, t in enumerate(self.tail) if not _early(t, self.tail[n - 1] if n else None))
            cut = next(early, cut)
        return text_of(self.tail[:cut]), text_of(self.tail[cut:])

    def holds(self, gap: Gap, lead: str = "") -> bool:
        """Whether the statement's parse has the subject, the verb and the gap where they were put."""
        helper = "will" if self.aux.lower_ in DO else self.helper
        verb = self.verb.text if self.verb is not None else ""
        before, after = self.around(gap)
        put = STOOD_IN.get(gap, "something")
        nominal = gap not in STOOD_IN and not lead and not self.stranded
        if not verb and (self.tail if nominal else not (put or self.tail)):  # "be" has one thing behind it
            return False
        text, starts = "", []
        for part in (capital(text_of(self.subject)), helper, text_of(self.adverbs), verb, before, lead, put, after):
            text = f"{text} {part}" if text and part else text or part
            starts.append(len(text) - len(part))
        at = {t.idx: t for t in parse(f"{text}.")}
        place, head, filling = at.get(starts[1]), at.get(starts[3] if verb else starts[1]), at.get(starts[6])
        if place is None or head is None or not led_by(place, head):
            return False
        said = {c.dep_ for c in head.children if c.left_edge.i == head.i + 1}
        if not verb and self.tail and said.isdisjoint({"acomp", "attr", "prep", "advmod"}):
            return False
        if filling is None or gap == "polarity":
            return gap == "polarity"
        return _modifies(filling, head) if gap in STOOD_IN else _belongs(filling, head)


def _early(token: Token, before: Token | None) -> bool:
    """Whether it belongs to the verb ("set aside") or leads to another ("stands to lose")."""
    return token.tag_ in {"RP", "TO"} or (before is not None and before.tag_ == "TO")


def led_by(place: Token, head: Token) -> bool:
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


def _modifies(filling: Token, head: Token) -> bool:
    """Whether the gap is said of the verb, not of a clause within."""
    above = takewhile(lambda t: t != head, (filling, *filling.ancestors))
    return {t.dep_ for t in above}.isdisjoint({"advcl", "relcl", "acl", "ccomp"})


def _belongs(filling: Token, head: Token) -> bool:
    """Whether the gap is what the verb has as its object, or one that it leads to, or a preposition of these."""
    above = filling.head
    while above != head and above.dep_ in {"prep", "xcomp", "pcomp", "prt"}:
        above = above.head
    if above != head or filling.dep_ in {"compound", "det", "nmod", "amod", "dative"}:
        return False
    if any(c.lower_ == "of" or c.dep_ not in {"prep", "npadvmod", "advmod"} for c in filling.rights):
        return False
    others = [c for c in head.rights if c != filling]
    if any(c.dep_ == "npadvmod" and c.left_edge.lower_ == "the" for c in others):  # an object that looks like a time
        return False
    return {c.dep_ for c in others}.isdisjoint({"dobj", "attr", "oprd", "ccomp", "dep"})


def divided(rest: list[Token], gap: Gap, lead: str = "") -> Clause | None:
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


def _divisions(aux: Token, body: list[Token], *, denied: bool) -> Iterator[Clause]:
    """All ways to divide the words behind an auxiliary into subject, verb and what follows."""
    for cut in range(len(body), 0, -1):
        subject, rest = body[:cut], body[cut:]
        if subject[-1].pos_ not in {"NOUN", "PROPN", "PRON", "NUM"} or subject[0].tag_ in {"VB", "VBN", "VBD"}:
            continue
        if aux.lower_ in BE:
            yield Clause(subject, aux, denied, [], None, rest)
        forms = _PARTICIPLES if aux.lower_ in BE | _HAVE else _BASES
        for place, token in enumerate(rest):
            base = token.lemma_ == token.text and (token == aux.head or token.tag_ in _PARTICIPLES)
            if token.is_lower and (token.tag_ in forms or (base and forms == _BASES)):
                yield Clause(subject, aux, denied, rest[:place], token, rest[place + 1 :])
            if token.lower_ in _HELPING:
                forms = _PARTICIPLES
            elif token.tag_ != "RB":
                break


def inflected(aux: str, verb: str) -> str:
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


def text_of(tokens: list[Token]) -> str:
    """The words as they stand."""
    return "".join(t.text_with_ws for t in tokens).strip()


def capital(text: str) -> str:
    """The text with a capital in front."""
    return text[:1].upper() + text[1:]
