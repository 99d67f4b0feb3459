"""A draft answer from a question and its evidence: statements that stand on their own.

Extractive: atomic claims of the evidence that answer the question; a model's statements pass the same
filter. Every statement goes through the whole check afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date

from agent.assessment.answer_type import fit
from agent.types import AtomicClaim, ClaimIR
from evidence.types import Hit
from factdesk.kernel import InputError
from language.calendar import in_words
from language.dates.resolve import dates_given, written_out
from language.names import find_names
from language.quantities.mentions import find_slots
from language.wordlists import read_table
from verifier.guard.quantities import date_agrees
from verifier.guard.text import without_rejected

MAX_STATEMENTS = 4
"""Statements of a draft."""
MARGIN = 0.25
"""A statement that covers so much less of the question than the best is left out."""
MAX_LENGTH = 300
"""Characters of one statement."""
_JOIN = "\n\n"
_CONTEXT_JOIN = " | "

Compile = Callable[[str], ClaimIR]


_WORDS = read_table("agent.reasoners", "words.toml")["draft"]
_TAIL, _LEAD = (re.compile(_WORDS[name]) for name in ("tail", "lead"))
_QUALIFIES_LEAD, _QUALIFIES_TAIL = (re.compile(_WORDS[f"qualifies_{part}"], re.IGNORECASE) for part in ("lead", "tail"))
LEAST_WORDS = 5


def shorter(question: str, text: str, compile_claims: Compile) -> str:
    """The shortest cut of a statement that fits the question as well.

    Cut are a lead-in before a colon, a tail after a comma and a rejected value, unless they hold a
    qualifying word.
    """
    whole, best = fit(question, text), text
    fits = whole.answers
    for cut in _cuts(text):
        if (fits and len(cut) >= len(best)) or len(cut.split()) < LEAST_WORDS or cut.count('"') % 2:
            continue
        judged = fit(question, cut)
        if not judged.answers or judged.question_coverage < whole.question_coverage:
            continue
        if len(_read(_sentence(cut), "", compile_claims)) == 1:
            best, fits = cut, True
    return best


def _cuts(text: str) -> Iterator[str]:
    """Versions without a lead-in, a tail or a rejected value."""
    for given in dict.fromkeys((text, without_rejected(text))):
        bare = given.rstrip(".!")
        lead = _LEAD.match(bare)
        starts = [0, lead.end()] if lead and not _QUALIFIES_LEAD.search(lead[0]) else [0]
        for start in starts:
            body = bare[start:]
            tails = [t for t in _TAIL.finditer(body) if not _QUALIFIES_TAIL.search(body[t.end() :])]
            for end in (*([len(body)] if start or given != text else []), *(t.start() for t in tails)):
                yield body[:1].upper() + body[1:end]


def draft_answer(
    question: str,
    hits: Sequence[Hit],
    compile_claims: Compile,
    proposed: Sequence[str] = (),
    limit: int = MAX_STATEMENTS,
    own: Sequence[str] = (),
) -> str:
    """The draft's statements, best first, apart by blank lines; ``""`` where nothing answers.

    ``hits``: evidence, best first; ``proposed``: a model's statements, looked at first; ``limit``:
    statements at most; ``own``: the question's own statements with the gap filled, which stand first.
    """
    found: dict[str, tuple[float, int, str]] = {}
    for order, (text, published) in enumerate(_statements(hits, compile_claims, proposed)):
        for version in _dated(question, text, published):
            short = shorter(question, version, compile_claims)
            judged = fit(question, short)
            if judged.answers and len(short) <= MAX_LENGTH:
                found.setdefault(_plain(short), (-judged.question_coverage, order, short))
                break
    ranked = sorted(found.values())
    kept = [text for lacking, _, text in ranked if -lacking >= -ranked[0][0] - MARGIN]
    return _JOIN.join([_sentence(text) for text in dict.fromkeys((*own, *kept))][:limit])


def _statements(
    hits: Sequence[Hit], compile_claims: Compile, proposed: Sequence[str]
) -> Iterator[tuple[str, date | None]]:
    """Statements with the day of publication of their document."""
    for text in proposed:
        yield from ((c.text, None) for c in _read(text, "", compile_claims))
    for hit in hits:
        before = hit.span.context.partition(_CONTEXT_JOIN)[2].rpartition(_CONTEXT_JOIN)[2]
        for claim in _read(hit.span.text, before, compile_claims):
            yield claim.text, hit.span.published


def _dated(question: str, text: str, published: date | None) -> Iterator[str]:
    """The statement, and a version with the date that the question names and publication supplies."""
    yield text
    asked = [s for s in find_slots(question) if s.kind == "date"]
    held = [s for s in find_slots(text) if s.kind == "date"]
    lacking = [a for a in asked if not any(date_agrees(a.value, h.value) for h in held)]
    if published is None or not lacking:
        return
    if (resolved := written_out(text, published)) != text:
        yield resolved
    given = dates_given(text, published.isoformat())
    if len(lacking) == 1 and not held and any(date_agrees(lacking[0].value, g) for g in given):
        word = "On" if lacking[0].value.count("-") == 2 else "In"
        yield f"{word} {in_words(lacking[0].value)}, {_inner(text)}"


def _inner(text: str) -> str:
    """The sentence in lower case at its start, unless it begins with a name."""
    begins = any(name.start == 0 for name in find_names(text))
    return text if begins or not text[:1].isalpha() else text[0].lower() + text[1:]


def _read(text: str, before: str, compile_claims: Compile) -> list[AtomicClaim]:
    """Checkable claims of a text; earlier sentences resolve pronouns."""
    start = len(before) + 1 if before else 0
    try:
        compiled = compile_claims(f"{before} {text}" if before else text)
    except InputError:
        return []
    return [c for c in compiled.claims if c.start >= start and c.unsupported_by_design is None]


def _plain(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())


def _sentence(text: str) -> str:
    """The text with an end mark, so that intake reads each statement as a sentence."""
    return text if text.rstrip("\"”’')").endswith((".", "!", "?")) else f"{text}."
