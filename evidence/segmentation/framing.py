"""Sentences that a page does not assert: rated as false, quoted as a post, supposed, or fictional. Read from labels,
headings, verdicts and declarations. Such a sentence supports nothing; one rated as false also contradicts.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files

from evidence.types import Frame


@dataclass(frozen=True)
class Framed:
    """A sentence as framing reads it: text, heading above, number of its paragraph, and what a list stands under."""

    text: str
    section: str
    paragraph: int
    list_head: str = ""
    """Of a list item: the sentence that introduces the list, else its heading."""


def _any(words: str) -> str:
    return "|".join(word.replace("_", r"[\s-]+") for word in words.split())


_WORDS = tomllib.loads(files("evidence.segmentation").joinpath("framing.toml").read_text(encoding="utf-8"))
_STATEMENT, _UNTRUE, _FALSE, _FICTION, _SUPPOSED, _VERDICT = (
    _any(_WORDS[kind]) for kind in ("statement", "untrue", "false", "fiction", "supposed", "verdict")
)
_THING = r"(?:claim|statement|post|story|rumou?r|report|message)"

_LABEL = re.compile(
    rf"^\W*(?P<label>[^:.!?]{{0,60}}?\b(?:{_STATEMENT}|{_FICTION}|{_SUPPOSED})\b[^:.!?]{{0,40}}?):(?P<rest>.*)",
    re.I | re.S,
)
_LABEL_ALONE = re.compile(rf"^\W*(?:the\s+)?(?:{_STATEMENT}|{_FICTION}|{_SUPPOSED})(?:\s+(?:no\.?\s*)?\d+)?\W*$", re.I)
_HEADING = re.compile(rf"\b(?:{_STATEMENT}|{_FICTION}|{_SUPPOSED})\b", re.I)
_SAYS_OF_THEM = re.compile(r"\b(?:what|that|which|who|we|you|they|not|never|no|cannot|\w+n['’]t|\w{3,}ed)\b", re.I)
"""In the heading of a list: it says something of what is listed ("Ten books we could not find", "Rejected plans")."""
_NO_FRAME = re.compile(rf"\b(?:{_VERDICT})\b", re.I)
_OUTCOME = re.compile(rf"\b(?:{_any('verdict rating ruling conclusion')})\b\W+(?:\w+\W+){{0,3}}?(?:{_FALSE})\b", re.I)
_STARTS_FALSE = re.compile(rf"^\W*(?:{_FALSE})\b\s*(?:[.:;,!—–-]|$)", re.I)
_SAYS_FALSE = re.compile(
    rf"^\W*(?:this|that|it|(?:the|this) {_THING}|these(?: \w+)?|(?:all|both) (?:of )?(?:these|this|them))"
    rf"(?:\s+\w+)?\s+(?:is|are|was|were)\s+(?:\w+\s+)?(?:{_FALSE})\b",
    re.I,
)
_NONE_TRUE = re.compile(
    r"^\W*(?:none|nothing|not one) of (?:these|this|them|it|that)\b.{0,30}\b(?:true|correct|right)\b", re.I
)
_ASKS = re.compile(r"\btrue or false\b|\bfact or fiction\b|\bright or wrong\b", re.I)
_MANY = re.compile(r"\b(?:these|them|all|both|none)\b", re.I)
_SUPPOSES = re.compile(
    r"^\W*(?:suppose|imagine|picture|assume|let us (?:suppose|imagine|say|assume)|what if|say that"
    r"|read the (?:text|passage|story))\b",
    re.I,
)
_BELOW = re.compile(
    r"\b(?:do(?:n.t| not) (?:believe|trust|share|fall for)|ignore|beware of)\b"
    r".{0,60}\b(?:below|following|here)\b"
    rf"|\bthe (?:following|post below|message below|text below)\b.{{0,60}}\b(?:{_FALSE})\b",
    re.I,
)
_DECLARES = re.compile(
    r"\b(?:this (?:article|page|post|story|text|piece|site|website|column|report)"
    r"|everything (?:on this page|here|in this (?:article|story))|all of this|the above|(?:editor.s )?note)\b"
    r"[^.!?]{0,80}\b(?:satire|satirical|parody|spoof|fiction|fictional|made up|invented|a joke|a hoax"
    r"|april fool|none of it is true|not (?:be )?(?:real|true))",
    re.I,
)
_APRIL = re.compile(r"\b(?:was|is) (?:our|an?|this year.s|the) april fool", re.I)
_TITLED_FICTION = re.compile(rf"^\W*(?:{_FICTION})\s*[:|–-]|[:|–—-]\s*(?:{_FICTION})\W*$", re.I)
_SITE = re.compile(r"\b(?:satire|satirical|parody|spoof)\b", re.I)
_INVENTED: Frame = "fiction"
_KINDS: tuple[tuple[Frame, str], ...] = (
    (_INVENTED, _FICTION),
    ("supposed", _SUPPOSED),
    ("rated_false", _UNTRUE),
    ("claimed", _STATEMENT),
)
"""What a label makes of what it stands before, the first that fits."""
_LONGEST_LABEL = 8
"""Most words before a colon that are a label."""


def frames_of(title: str, publisher: str, sentences: Sequence[Framed]) -> tuple[Frame, ...]:
    """The frame of each sentence, in order. *Shape:* ``(len(sentences),)``."""
    if _is_fiction(title, publisher, sentences):
        return tuple(_INVENTED for _ in sentences)
    rated = any(_OUTCOME.search(s.text) or _false_verdict(s) for s in sentences)
    frames: list[Frame] = ["" for _ in sentences]
    for i, sentence in enumerate(sentences):
        for place, frame in _set_by(i, sentence, sentences):
            if not frames[place] or frame == "rated_false":
                frames[place] = frame
    return tuple(_with_verdict(frame, rated) for frame in frames)


def _with_verdict(frame: Frame, rated: bool) -> Frame:
    """A claim on a page whose verdict is "false" is rated false."""
    return "rated_false" if rated and frame == "claimed" else frame


def _is_fiction(title: str, publisher: str, sentences: Sequence[Framed]) -> bool:
    if _SITE.search(publisher) or _TITLED_FICTION.search(title):
        return True
    label = bool(sentences) and re.match(rf"^\W*(?:{_FICTION})\W*(?:\s[–—-]\s|$)", sentences[0].text, re.I)
    return bool(label) or any(_DECLARES.search(s.text) or _APRIL.search(s.text) for s in sentences)


def _false_verdict(sentence: Framed) -> bool:
    return bool(re.search(r"\b(?:verdict|rating|ruling)\b", sentence.section, re.I)) and bool(
        re.match(rf"\W*(?:{_FALSE})\b", sentence.text, re.I)
    )


def _set_by(i: int, sentence: Framed, sentences: Sequence[Framed]) -> Iterator[tuple[int, Frame]]:
    """The frames that one sentence sets: on itself, on what it rates, on what it introduces."""
    label = _LABEL.match(sentence.text)
    own = _kind(label["label"]) if label and len(label["label"].split()) <= _LONGEST_LABEL else ""
    if own and label and not _NO_FRAME.search(label["label"]):
        yield i, own
        if not label["rest"].strip(" \"'“”*_"):
            yield from _following(i, sentences, own)
    elif _LABEL_ALONE.match(sentence.text) and not (i and _rates(sentence.text)):
        yield i, _kind(sentence.text) or "claimed"
        yield from _following(i, sentences, _kind(sentence.text) or "claimed")
    if _names_statements(sentence.section):
        yield i, _kind(sentence.section) or "claimed"
    elif _SAYS_OF_THEM.search(sentence.list_head):
        yield i, "supposed"
    if _rates(sentence.text):
        yield from _before(i, sentences, "rated_false", many=bool(_MANY.search(sentence.text[:40])))
    if _ASKS.search(sentence.text):
        yield from _before(i, sentences, "supposed", many=True)
        yield from ((j, "supposed") for j in range(i + 1, min(i + 2, len(sentences))))
    if _SUPPOSES.match(sentence.text):
        yield i, "supposed"
        yield from _following(i, sentences, "supposed")
    if _BELOW.search(sentence.text):
        yield from ((j, "rated_false") for j in _next_paragraph(i, sentences))


def _names_statements(heading: str) -> bool:
    """Whether a heading announces claims, posts or stories."""
    found = _HEADING.search(heading) and not _NO_FRAME.search(heading)
    return bool(found) and not heading.rstrip().endswith("?")


def _rates(text: str) -> bool:
    return bool(_STARTS_FALSE.match(text) or _SAYS_FALSE.match(text) or _NONE_TRUE.match(text))


def _kind(label: str) -> Frame:
    return next((frame for frame, words in _KINDS if re.search(rf"\b(?:{words})\b", label, re.I)), "")


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
