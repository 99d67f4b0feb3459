"""Sentences with exact offsets, their section, and chunks. Sentence ends by ``sentencex``, with wrong cuts after
abbreviations joined again. Headings name a section and are no spans; list items and table rows are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from evidence.segmentation.framing import Framed, frames_of
from evidence.segmentation.layout import TEASER, Unit, units_of
from evidence.types import Document, Span
from language.calendar import MONTH_NAMES

SEGMENT_VERSION = "7"
"""Raised when the same text gives other spans; indexes are then made anew."""
MAX_SPAN = 600
"""Characters of a span; longer sentences are cut at a clause."""
MAX_CHUNK = 6
"""Sentences of a chunk."""
MAX_LEAD = 200
"""Characters kept of the document's first sentence as context."""
CONTEXT_JOIN = " | "

_OPEN_END = re.compile(
    r"(?:^|[\s(])(?:approx|vol|temp|ca|cf|incl|lt|capt|sgt|mt|dr|mr|mrs|ms|prof|vs|v|e\.g|i\.e|"
    r"nos?|nr|art|sec|ch|max|min|est|figs?|pp?|al|ref)\.\s*\Z",
    re.IGNORECASE,
)
_NEEDS_DIGIT = re.compile(r"(?:^|[\s(])(?:nos?|nr|art|sec|ch|max|min|est|figs?|pp?|al|v|ref)\.\s*\Z", re.IGNORECASE)
_DAY_END = re.compile(r"\b(?:on|am|the|of)\s+\d{1,2}\.\s*\Z", re.IGNORECASE)
_MONTH = re.compile(rf"(?:{'|'.join(MONTH_NAMES)})\b")
_MAY_END = re.compile(r"\bMay\.\s+(?=[\"“‘(]?[A-Z])")
""""May.", which sentencex reads as an abbreviation before a name."""
_LOWER_WORD = re.compile(r"[\"'“\u2018(\[]*[a-z]+(?![A-Za-z])")
_CUTS = (
    re.compile(r";\s+"),
    re.compile(r"[,:]\s+(?=(?:and|but|or|which|who|while|whereas|because|although|so|after|before|when|where)\s)"),
    re.compile(r"\s+[\u2013—-]\s+"),
    re.compile(r",\s+"),
    re.compile(r"\s+"),
)


@dataclass(frozen=True)
class _Sentence:
    start: int
    end: int
    section: str
    paragraph: int
    lead: str = ""
    """The sentence that introduces the list of a list item."""
    list_head: str = ""
    """Of a list item: its introducing sentence, else its heading."""
    rest: bool = False
    """What was cut off a longer sentence: it is not judged without its beginning."""


def spans_of(document: Document) -> tuple[Span, ...]:
    """All sentences, list items and table rows in order; ``text[start:end]`` is the span. A chunk is at most six
    sentences of one section, whole paragraphs where these are short. Ids are ``"<doc_id>#<chunk>.<n>"``, from 1.
    """
    text = document.text
    sentences = list(_sentences(text, document.media_type))
    spans: list[Span] = []
    before: _Sentence | None = None
    lead = lead_of(text[sentences[0].start : sentences[0].end]) if sentences else ""
    framed = [Framed(text[s.start : s.end], s.section, s.paragraph, s.list_head) for s in sentences]
    frames = frames_of(document.title, document.publisher or "", framed)
    for number, chunk in enumerate(_chunks(sentences), start=1):
        for n, sentence in enumerate(chunk, start=1):
            frame = frames[len(spans)] or ("cut" if sentence.rest else "")
            span = _span(document, sentence, before, f"{document.doc_id}#{number}")
            own = {"span_id": f"{span.chunk_id}.{n}", "lead": lead_for(lead, span.text, span.context), "frame": frame}
            spans.append(span.model_copy(update=own))
            before = sentence
    return tuple(spans)


def lead_of(sentence: str) -> str:
    """The document's first sentence as context, cut between words."""
    if len(sentence) <= MAX_LEAD:
        return sentence
    return sentence[: MAX_LEAD + 1].rpartition(" ")[0] or sentence[:MAX_LEAD]


def lead_for(lead: str, text: str, context: str) -> str:
    """``lead``; ``""`` for the sentence itself or where the context has it."""
    return "" if text.startswith(lead) or lead in context else lead


def _span(document: Document, sentence: _Sentence, before: _Sentence | None, chunk_id: str) -> Span:
    text = document.text[sentence.start : sentence.end]
    parts = [document.title] if document.title else []
    if sentence.lead:
        parts.append(sentence.lead)
    elif before and before.section == sentence.section and leans_back(text):
        parts.append(document.text[before.start : before.end])
    return Span.taken_from(
        document,
        span_id="",
        chunk_id=chunk_id,
        doc_sha256=document.sha256,
        start=sentence.start,
        end=sentence.end,
        text=text,
        section=sentence.section,
        context=CONTEXT_JOIN.join(parts),
    )


def _sentences(text: str, media_type: str) -> Iterator[_Sentence]:
    section, lead, paragraph, last = "", "", 0, ""
    previous: Unit | None = None
    for unit in units_of(text, media_type):
        if unit.kind == "heading":
            section, lead, last, previous = text[unit.start : unit.end].strip(), "", "", None
            continue
        together = previous is not None and previous.kind == unit.kind and unit.kind != "prose"
        if not together:
            paragraph += 1
            lead = last if unit.kind != "prose" and last.endswith(":") else ""
        for start, end, rest in _pieces(text, unit.start, unit.end, whole=unit.kind == "row"):
            if _leads_elsewhere(text[start:end], section):
                continue
            list_head = (lead or section) if unit.kind == "item" else ""
            yield _Sentence(start, end, section, paragraph, lead, list_head, rest)
            last = text[start:end]
        previous = unit


def _leads_elsewhere(sentence: str, section: str) -> bool:
    """Whether it is a teaser: after "Read more:", or a title below "Related stories"."""
    if (lead := TEASER.match(sentence)) and sentence[lead.end() : lead.end() + 1] == ":":
        return True
    return TEASER.fullmatch(section.rstrip(":")) is not None and sentence[-1] not in ".!?"


def sentence_ranges(text: str, start: int, end: int, *, whole: bool = False) -> Iterator[tuple[int, int]]:
    """Ranges of the sentences in ``text[start:end]``, trimmed, at most 600 characters each. ``whole`` takes the range
    as one sentence.
    """
    return ((left, right) for left, right, _ in _pieces(text, start, end, whole=whole))


def _pieces(text: str, start: int, end: int, *, whole: bool) -> Iterator[tuple[int, int, bool]]:
    """The same, and of each whether it is the rest of a sentence that was cut."""
    if start >= end:
        return
    ranges = [(start, end)] if whole else _joined(text, _boundaries(text, start, end))
    for left, right in ranges:
        for cut_left, cut_right in _cut(text, left, right):
            trimmed = _trim(text, cut_left, cut_right)
            if trimmed:
                yield (*trimmed, cut_left > left)


def _boundaries(text: str, start: int, end: int) -> list[tuple[int, int]]:
    import sentencex

    # Line breaks inside a unit are soft; the blank that stands for one keeps all offsets.
    flat = re.sub(r"\s", " ", text[start:end])
    found = sentencex.get_sentence_boundaries("en", flat)
    months = (match.end() for match in _MAY_END.finditer(flat))
    starts = sorted({0, *(int(item["start_index"]) for item in found), *months} - {len(flat)})
    return [
        (start + left, start + right)
        for left, right in zip(starts, [*starts[1:], len(flat)], strict=True)
        if left < right
    ]


def _joined(text: str, ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for left, right in ranges:
        if joined and _belongs(text[joined[-1][0] : joined[-1][1]], text[left:right]):
            joined[-1] = (joined[-1][0], right)
        else:
            joined.append((left, right))
    return joined


def _belongs(before: str, after: str) -> bool:
    if not after.strip() or not before.strip():
        return True
    first = after.lstrip()[0]
    if _OPEN_END.search(before) and (first.isdigit() or not _NEEDS_DIGIT.search(before)):
        return True
    if _DAY_END.search(before) and _MONTH.match(after.lstrip()):
        return True
    return _LOWER_WORD.match(after.lstrip()) is not None and not _LOWER_WORD.match(before.lstrip())


def _cut(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while end - start > MAX_SPAN:
        at = _clause_end(text, start, start + MAX_SPAN)
        yield start, at
        start = at
    yield start, end


def _clause_end(text: str, start: int, limit: int) -> int:
    least = start + MAX_SPAN // 3
    for pattern in _CUTS:
        ends = [match.end() for match in pattern.finditer(text, start, limit) if match.end() >= least]
        if ends:
            return ends[-1]
    return limit


def _trim(text: str, start: int, end: int) -> tuple[int, int] | None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return (start, end) if start < end else None


def _chunks(sentences: list[_Sentence]) -> Iterator[list[_Sentence]]:
    for _, group in groupby(sentences, key=lambda sentence: sentence.section):
        chunk: list[_Sentence] = []
        for _, members in groupby(group, key=lambda sentence: sentence.paragraph):
            for part in _even(list(members)):
                if chunk and len(chunk) + len(part) > MAX_CHUNK:
                    yield chunk
                    chunk = []
                chunk.extend(part)
        if chunk:
            yield chunk


def _even(sentences: list[_Sentence]) -> Iterator[list[_Sentence]]:
    """A paragraph in as few parts of at most six as needed, of similar length."""
    parts = -(-len(sentences) // MAX_CHUNK)
    for part in range(parts):
        yield sentences[part * len(sentences) // parts : (part + 1) * len(sentences) // parts]


_PRONOUNS = """
he she it they we this that these those his her hers its their theirs there here such both neither
another others? one some then he's she's it's they're that's
"""


def _any_of(words: str) -> str:
    return "|".join(words.split())


_OPENING = re.compile(
    r"[\"'\u201c\u2018(\[]*"
    r"(?:(?:but|and|yet|however,|so|still,|meanwhile,|later,|also,|instead,)\s+)?"
    rf"(?:(?:{_any_of(_PRONOUNS)})\b(?!-)"
    r"|(?:the|this|that|these|those)\s+(?-i:[a-z][\w-]*)\b"
    r"(?!\s+(?:of|for|in|at|on|from|that|which|who|where|between|against)\b))",
    re.IGNORECASE,
)
"""A pronoun, or "the" with a bare noun ("The vessel", not "The mayor of Tarn")."""
_PERSON = re.compile(r"\b(?:he|she|him|her|his|hers)\b")
_FULL_NAME = re.compile(
    r"(?<!The )(?<!the )\b(?!The\b)[A-Z][\w'’-]+(?:\s+(?:[A-Z]\.|de|van|von|al|bin))?\s+[A-Z][\w'’-]+"
)


def leans_back(sentence: str) -> bool:
    """Whether it opens with a pronoun, demonstrative or bare description ("The company"). Or has "her" or "him" before
    any name.
    """
    if _OPENING.match(sentence):
        return True
    person = _PERSON.search(sentence)
    return person is not None and not _FULL_NAME.search(sentence, 0, person.start())
