"""Sentences that a page does not assert: rated as false, quoted as a post, supposed, or fictional. Read from labels,
headings, verdicts and declarations. Such a sentence supports nothing; one rated as false also contradicts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evidence.segmentation.layout import EXPRESSIONS
from evidence.types import Frame


@dataclass(frozen=True)
class Framed:
    """A sentence as framing reads it: text, heading above, number of its paragraph, and what a list stands under."""

    text: str
    section: str
    paragraph: int
    list_head: str = ""
    """Of a list item: the sentence that introduces the list, else its heading."""


_INVENTED: Frame = "fiction"
_KINDS: tuple[tuple[Frame, str], ...] = (
    (_INVENTED, "fiction"),
    ("supposed", "supposed"),
    ("rated_false", "untrue"),
    ("claimed", "statement"),
)
"""What a label makes of what it stands before, the first that fits, and its expression."""
_LONGEST_LABEL = 8
"""Most words before a colon that are a label."""


def frames_of(title: str, publisher: str, sentences: Sequence[Framed]) -> tuple[Frame, ...]:
    """The frame of each sentence, in order. *Shape:* ``(len(sentences),)``."""
    if _is_fiction(title, publisher, sentences):
        return tuple(_INVENTED for _ in sentences)
    rated = any(EXPRESSIONS["outcome"].search(s.text) or _false_verdict(s) for s in sentences)
    frames: list[Frame] = ["" for _ in sentences]
    for i, sentence in enumerate(sentences):
        for place, frame in _set_by(i, sentence, sentences):
            if not frames[place] or frame == "rated_false":
                frames[place] = frame
    # A claim on a page whose verdict is "false" is rated false.
    return tuple("rated_false" if rated and frame == "claimed" else frame for frame in frames)


def _is_fiction(title: str, publisher: str, sentences: Sequence[Framed]) -> bool:
    if EXPRESSIONS["satire"].search(publisher) or EXPRESSIONS["titled_fiction"].search(title):
        return True
    label = bool(sentences) and EXPRESSIONS["starts_fiction"].match(sentences[0].text)
    return bool(label) or any(EXPRESSIONS["declares_fiction"].search(s.text) for s in sentences)


def _false_verdict(sentence: Framed) -> bool:
    return bool(EXPRESSIONS["of_outcome"].search(sentence.section) and EXPRESSIONS["is_false"].match(sentence.text))


def _set_by(i: int, sentence: Framed, sentences: Sequence[Framed]) -> Iterator[tuple[int, Frame]]:
    """The frames that one sentence sets: on itself, on what it rates, on what it introduces."""
    label = EXPRESSIONS["label"].match(sentence.text)
    own = _kind(label["label"]) if label and len(label["label"].split()) <= _LONGEST_LABEL else ""
    if own and label and not EXPRESSIONS["no_frame"].search(label["label"]):
        yield i, own
        if not label["rest"].strip(" \"'“”*_"):
            yield from _following(i, sentences, own)
    elif EXPRESSIONS["label_alone"].match(sentence.text) and not (i and _rates(sentence.text)):
        yield i, _kind(sentence.text) or "claimed"
        yield from _following(i, sentences, _kind(sentence.text) or "claimed")
    if _names_statements(sentence.section):
        yield i, _kind(sentence.section) or "claimed"
    elif EXPRESSIONS["says_of_them"].search(sentence.list_head):
        yield i, "supposed"
    if _rates(sentence.text):
        yield from _before(i, sentences, "rated_false", many=bool(EXPRESSIONS["many"].search(sentence.text[:40])))
    if EXPRESSIONS["asks"].search(sentence.text):
        yield from _before(i, sentences, "supposed", many=True)
        yield from ((j, "supposed") for j in range(i + 1, min(i + 2, len(sentences))))
    if EXPRESSIONS["supposes"].match(sentence.text):
        yield i, "supposed"
        yield from _following(i, sentences, "supposed")
    if EXPRESSIONS["below"].search(sentence.text):
        yield from ((j, "rated_false") for j in _next_paragraph(i, sentences))


def _names_statements(heading: str) -> bool:
    """Whether a heading announces claims, posts or stories."""
    found = EXPRESSIONS["heading"].search(heading) and not EXPRESSIONS["no_frame"].search(heading)
    return bool(found) and not heading.rstrip().endswith("?")


def _rates(text: str) -> bool:
    return any(EXPRESSIONS[name].match(text) for name in ("starts_false", "says_false", "none_true"))


def _kind(label: str) -> Frame:
    return next((frame for frame, name in _KINDS if EXPRESSIONS[name].search(label)), "")


def _following(i: int, sentences: Sequence[Framed], frame: Frame) -> Iterator[tuple[int, Frame]]:
    """The rest of a label's paragraph, else the next paragraph."""
    same = [j for j in range(i + 1, len(sentences)) if sentences[j].paragraph == sentences[i].paragraph]
    yield from ((j, frame) for j in same or _next_paragraph(i, sentences))


def _next_paragraph(i: int, sentences: Sequence[Framed]) -> list[int]:
    later = [j for j in range(i + 1, len(sentences)) if sentences[j].paragraph != sentences[i].paragraph]
    return [j for j in later if sentences[j].paragraph == sentences[later[0]].paragraph]


def _before(i: int, sentences: Sequence[Framed], frame: Frame, *, many: bool) -> Iterator[tuple[int, Frame]]:
    """What a verdict rates: the sentence before, or its section where it rates several."""
    if many:
        yield from ((j, frame) for j in range(i) if sentences[j].section == sentences[i].section)
    elif i > 0:
        yield i - 1, frame
