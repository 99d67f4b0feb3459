"""Sentences with exact offsets, their section, and chunks. Sentence ends by ``sentencex``, with wrong cuts after
abbreviations joined again. Headings name a section and are no spans; list items and table rows are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from evidence.segmentation.framing import Framed, frames_of
from evidence.segmentation.layout import EXPRESSIONS, TEASER, Unit, units_of
from evidence.types import Document, Span

SEGMENT_VERSION = "8"
"""Raised when the same text gives other spans; indexes are then made anew."""
MAX_SPAN = 600
"""Characters of a span; longer sentences are cut at a clause."""
MAX_CHUNK = 6
"""Sentences of a chunk."""
MAX_LEAD = 200
"""Characters kept of the document's first sentence as context."""
CONTEXT_JOIN = " | "

_CUTS = (
    re.compile(r";\s+"),
    re.compile(r"[,:]\s+(?=(?:and|but|or|which|who|while|whereas|because|although|so|after|before|when|where)\s)"),
    re.compile(r"\s+[\u2013—-]\s+"),
    re.compile(r",\s+"),
    re.compile(r"\s+"),
)


@dataclass(frozen=True, kw_only=True)
class _Sentence(Framed):
    start: int
    end: int
    lead: str = ""
    """The sentence that introduces the list of a list item."""
    rest: bool = False
    """What was cut off a longer sentence: it is not judged without its beginning."""


def spans_of(document: Document) -> tuple[Span, ...]:
    """All sentences, list items and table rows in order; ``text[start:end]`` is the span. A chunk is at most six
    sentences of one section, whole paragraphs where these are short. Ids are ``"<doc_id>#<chunk>.<n>"``, from 1.
    """
    sentences = list(_sentences(document.text, document.media_type))
    frames = iter(frames_of(document.title, document.publisher or "", sentences))
    lead = lead_of(sentences[0].text) if sentences else ""
    spans: list[Span] = []
    before: _Sentence | None = None
    for number, chunk in enumerate(_chunks(sentences), start=1):
        for n, sentence in enumerate(chunk, start=1):
            context = CONTEXT_JOIN.join(filter(None, (document.title, _introduction(sentence, before))))
            span = Span.taken_from(
                document,
                span_id=f"{document.doc_id}#{number}.{n}",
                chunk_id=f"{document.doc_id}#{number}",
                doc_sha256=document.sha256,
                start=sentence.start,
                end=sentence.end,
                text=sentence.text,
                section=sentence.section,
                context=context,
                lead=lead_for(lead, sentence.text, context),
                frame=next(frames) or ("cut" if sentence.rest else ""),
            )
            spans.append(span)
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


def _introduction(sentence: _Sentence, before: _Sentence | None) -> str:
    """What tells its subject: the sentence above its list, or the one before where it leans on it."""
    if not sentence.lead and before and before.section == sentence.section and leans_back(sentence.text):
        return before.text
    return sentence.lead


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
            last, list_head = text[start:end], (lead or section) if unit.kind == "item" else ""
            yield _Sentence(last, section, paragraph, list_head, start=start, end=end, lead=lead, rest=rest)
        previous = unit


def _leads_elsewhere(sentence: str, section: str) -> bool:
    """Whether it is a teaser: after "Read more:", or a title below "Related stories"."""
    if (lead := TEASER.match(sentence)) and sentence[lead.end() : lead.end() + 1] == ":":
        return True
    return TEASER.fullmatch(section.rstrip(":")) is not None and sentence[-1] not in ".!?"


def sentence_ranges(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Ranges of the sentences in ``text[start:end]``, trimmed, at most 600 characters each."""
    return ((left, right) for left, right, _ in _pieces(text, start, end, whole=False))


def _pieces(text: str, start: int, end: int, *, whole: bool) -> Iterator[tuple[int, int, bool]]:
    """The same, and of each whether it is the rest of a sentence that was cut. ``whole``: it is one sentence."""
    if start >= end:
        return
    for left, right in [(start, end)] if whole else _joined(text, _boundaries(text, start, end)):
        for cut_left, cut_right in _cut(text, left, right):
            part = text[cut_left:cut_right]
            if own := part.strip():
                begin = cut_left + len(part) - len(part.lstrip())
                yield begin, begin + len(own), cut_left > left


def _boundaries(text: str, start: int, end: int) -> list[tuple[int, int]]:
    import sentencex

    # Line breaks inside a unit are soft; the blank that stands for one keeps all offsets.
    flat = re.sub(r"\s", " ", text[start:end])
    found = sentencex.get_sentence_boundaries("en", flat)
    months = (match.end() for match in EXPRESSIONS["may_end"].finditer(flat))
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
    before, after = before.lstrip(), after.lstrip()
    if EXPRESSIONS["open_end"].search(before) and (after[0].isdigit() or not EXPRESSIONS["needs_digit"].search(before)):
        return True
    if EXPRESSIONS["day_end"].search(before) and EXPRESSIONS["month"].match(after):
        return True
    return bool(EXPRESSIONS["lower_word"].match(after)) and not EXPRESSIONS["lower_word"].match(before)


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


def leans_back(sentence: str) -> bool:
    """Whether it opens with a pronoun, demonstrative or bare description ("The company"). Or has "her" or "him" before
    any name.
    """
    if EXPRESSIONS["leaning"].match(sentence):
        return True
    person = EXPRESSIONS["person"].search(sentence)
    return person is not None and not EXPRESSIONS["full_name"].search(sentence, 0, person.start())
