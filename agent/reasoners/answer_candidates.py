"""Phrases of sentences that may fill the gap of a question's statement; the verifier says which ones do."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from agent.assessment.answer_type import doers, read_question
from agent.assessment.nli_pairs import pair_of, statement_of
from agent.assessment.statement_form import LENGTHS, StatementForm
from agent.types import AtomicClaim
from evidence.types import Hit
from language.names import content_stems
from language.nlp.pipeline import parse
from language.quantities.mentions import find_slots
from language.types import Slot
from language.verbs import normal
from language.wordlists import read_table
from verifier import pair_decision
from verifier.types import Thresholds, Verifier

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

MOST = 4
"""Phrases of one sentence that are tried."""
MOST_READ = 48
"""Statements of one question that are read against the sentence that they come from."""
LONGEST = 90
"""Characters of one phrase."""
_WORDS = read_table("agent.reasoners", "words.toml")["fills"]
_PLACES, _TIME_LEADS = (frozenset(_WORDS[name].split()) for name in ("places", "time_leads"))
_TIMES = frozenset({"DATE", "TIME"})
_CAUSES, _BECAUSE = (re.compile(_WORDS[name], re.IGNORECASE) for name in ("causes", "because"))


def fills(form: StatementForm, question: str, sentence: str) -> tuple[str, ...]:
    """At most ``MOST`` phrases of the sentence, in the form that the gap needs, in their order."""
    asked = content_stems(question)
    if form.verb and form.verb not in {normal(t) for t in content_stems(sentence)}:
        return ()
    found = (f for f in _found(form, question, sentence) if len(f) <= LONGEST and form.takes(f))
    return tuple(islice(dict.fromkeys(f for f in found if _is_new(f, question, asked)), MOST))


def _is_new(phrase: str, question: str, asked: set[str]) -> bool:
    """Whether it says something that the question does not."""
    amounts = re.findall(r"\d[\d.,:]*\d|\d", phrase)
    return any(a not in question for a in amounts) or not content_stems(phrase) <= asked


def _found(form: StatementForm, question: str, sentence: str) -> Iterator[str]:
    doc = parse(sentence)
    if form.gap == "thing":
        within = {t.i for d in doers(doc, form.verb) for t in d.subtree} if form.asks_who_did else None
        yield from _things(doc, within, named=form.named)
    elif form.gap == "place":
        yield from _places(doc)
    elif form.gap == "time":
        yield from _times(doc)
    elif form.gap == "cause":
        yield from _causes(doc)
    else:
        yield from _amounts(form, question, sentence)


def _things(doc: Doc, within: Collection[int] | None, *, named: bool) -> Iterator[str]:
    """Noun phrases, of some words; of names that are joined first all together, since together they answer."""

    def there(head: Token) -> bool:
        return within is None or head.i in within

    if named:
        yield from (_joined_names(t) for t in doc if there(t) and t.dep_ != "conj" and _next_name(t) is not None)
        yield from (_bare(e.text) for e in doc.ents if e.label_ in {"PERSON", "ORG", "NORP"} and there(e.root))
    for chunk in doc.noun_chunks:
        proper = any(t.pos_ == "PROPN" and t.ent_type_ not in _TIMES for t in chunk)
        if there(chunk.root) and chunk.root.pos_ != "PRON" and (proper or not named):
            yield _phrase(chunk.root)


def _next_name(name: Token) -> Token | None:
    """The name that "and" joins to one."""
    joined = [c for c in name.children if name.pos_ == c.pos_ == "PROPN" and c.dep_ == "conj"]
    return joined[-1] if joined else None


def _joined_names(first: Token) -> str:
    """The names as they stand, to the end of the last one."""
    last = first
    while (more := _next_name(last)) is not None:
        last = more
    return _bare(first.doc[first.left_edge.i : last.i + 1].text)


def _bare(name: str) -> str:
    return re.sub(r"['’]s?$", "", name)


def _places(doc: Doc) -> Iterator[str]:
    for token in doc:
        timed = any(t.ent_type_ in _TIMES for t in token.children)
        if token.dep_ in {"prep", "agent"} and token.lower_ in _PLACES and not timed:
            yield _phrase(token)


def _times(doc: Doc) -> Iterator[str]:
    for ent in doc.ents:
        if ent.label_ in _TIMES:
            lead = doc[ent.start - 1].lower_ if ent.start else ""
            if lead == "since":  # what began then
                lead = "on" if re.search(r"\d{1,2} [A-Z]|[A-Z]\w+ \d{1,2}\b|day\b", ent.text) else "in"
            yield f"{lead} {ent.text}" if lead in _TIME_LEADS else ent.text
    for token in doc:
        if token.lower_ == "at" and any(c.like_num and c.ent_type_ not in _TIMES for c in token.children):
            yield _phrase(token)


def _causes(doc: Doc) -> Iterator[str]:
    clause = _BECAUSE.search(doc.text)
    if clause is not None:
        yield f"because {clause[1].strip()}"
    if _CAUSES.search(doc.text):
        for chunk in doc.noun_chunks:
            if chunk.root.pos_ != "PRON":
                yield f"because of {_phrase(chunk.root)}"


def _amounts(form: StatementForm, question: str, sentence: str) -> Iterator[str]:
    wanted = read_question(question)
    if not wanted.cue.endswith("$") and not re.search(wanted.cue, sentence.lower()):
        return  # the statement names the measure; the sentence must too
    for text, slot in _joined_units(sentence):
        if slot.kind not in {"number", "unit", "money", "percentage"} or slot.unit == "ordinal":
            continue
        if form.gap == "measure":
            if slot.kind != "number" and (not wanted.units or slot.unit in wanted.units):
                yield f"{text} {form.counted}" if form.counted in LENGTHS else text
        elif form.counted in {"", "money"} or content_stems(form.counted) & content_stems(text):
            yield text
        else:
            yield f"{text} of {form.counted}" if slot.kind in {"unit", "money"} else f"{text} {form.counted}"


def _joined_units(sentence: str) -> Iterator[tuple[str, Slot]]:
    """Amounts as they stand; "two hours and ten minutes" is one."""
    slots, done = find_slots(sentence), -1
    for number, slot in enumerate(slots):
        if slot.start < done:
            continue
        done = slot.end
        for more in slots[number + 1 : number + 2]:
            alike = slot.kind == more.kind == "unit" and slot.unit == more.unit
            if alike and sentence[slot.end : more.start] in {" and ", " "}:
                done = more.end
        yield sentence[slot.start : done], slot


_ASIDE = frozenset({"relcl", "acl", "advcl", "appos", "conj", "cc", ",", ";"})


def _phrase(head: Token, without: Collection[str] = _ASIDE) -> str:
    """The head with what belongs to it, without clauses and asides."""
    gone: set[int] = set()
    for token in head.subtree:
        if token != head and (token.dep_ in without or token.text in without):
            gone |= {t.i for t in token.subtree if t.i > head.i}
    kept = [t for t in head.subtree if t.i not in gone]
    run = [t for i, t in enumerate(kept) if t.i - i == head.i - kept.index(head)]
    return "".join(t.text_with_ws for t in run).strip(' ,;:"“”')


@dataclass(frozen=True)
class GapReading:
    """Statements that their own sentence supports, surest first, and the spans that lean to answering."""

    statements: tuple[str, ...]
    leaning: frozenset[str]


def read_gap(
    question: str, form: StatementForm, hits: Sequence[Hit], verifier: Verifier, thresholds: Thresholds
) -> GapReading:
    """Fill the gap from each sentence, and let the verifier say which statements the sentence supports.

    Raises ``BackendUnavailable`` when the verifier cannot run.
    """
    tried = [(hit, text) for hit in hits for text in _statements(form, question, hit)][:MOST_READ]
    blank = AtomicClaim(claim_id="draft", text="", start=0, end=0, source="")
    found = verifier.assess([pair_of(statement_of(blank, text), hit.span) for hit, text in tried]) if tried else ()
    read = [(hit, text, a) for (hit, text), a in zip(tried, found, strict=True)]
    supported = [(text, a.calibrated.entailment) for _, text, a in read if pair_decision.supports(a, thresholds)]
    statements = dict.fromkeys(text for text, _ in sorted(supported, key=lambda one: -one[1]))
    leaning = frozenset(hit.span.span_id for hit, _, a in read if a.calibrated.entailment >= pair_decision.LEANS)
    return GapReading(tuple(statements), leaning)


def _statements(form: StatementForm, question: str, hit: Hit) -> tuple[str, ...]:
    if form.gap == "polarity":
        return form.statements()
    text = hit.span.text
    voiced = in_other_voice(form, parse(text)) if form.asks_who_did else ()
    return tuple(islice(dict.fromkeys((*voiced, *map(form.filled, fills(form, question, text)))), MOST))


def in_other_voice(form: StatementForm, doc: Doc) -> tuple[str, ...]:
    """Of "was founded by two brothers, A and B": the statement in the sentence's own words."""
    found: list[str] = []
    for head in doers(doc, form.verb):
        if head.dep_ == "pobj" and any(t.pos_ == "PROPN" for t in head.subtree):
            verb = head.head.head
            helper = " ".join(c.lower_ for c in verb.children if c.dep_ in {"aux", "auxpass"})
            if text := form.passive(helper, verb.text, _phrase(head, {"relcl", "acl", "advcl"})):
                found.append(text)
    return tuple(found)
