"""The short facts of an image record, for the image context."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from evidence.types import FileFacts, ImageRecord

_NUMBER = re.compile(
    r"(?<![\w.,])[$€£]?\d{1,3}(?:[.,\s]\d{3})*(?:[.,]\d+)?%?(?!\w)|(?<![\w.,])[$€£]?\d+(?:[.,]\d+)?%?(?!\w)"
)
_NAME = r"(?:[A-Z][\w'’-]*\.?)(?:\s(?:[A-Z][\w'’-]*\.?|of|the|de|van|von|al|bin)){0,5}"
_SAID = re.compile(
    rf"(?P<before>{_NAME}),?\s(?:said|says|told|announced|wrote|tweeted|stated|declared|warned)\b"
    rf"|\b(?:said|says|according to)\s(?P<after>{_NAME})"
)
_SIGNED = re.compile(rf"^[—–―-]\s?(?P<name>{_NAME})$")
_HANDLE = re.compile(r"(?<![\w.])@\w{2,30}\b(?!\.\w)")
_OPENERS = frozenset({"The", "A", "An", "He", "She", "They", "It", "We", "I", "This", "That", "There"})


@dataclass(frozen=True)
class ImageFacts:
    """What was read from images. ``text``: lines joined by ``" / "``; ``date``, ``place`` and ``device`` are from
    the files' data alone (``place`` with "latitude, longitude" in decimal degrees where known); ``speaker``: who is
    quoted or has posted, by the words in a picture. Each from the first image that has it.
    """

    text: str
    numbers: tuple[str, ...]
    date: date | None
    place: str | None
    device: str | None
    speaker: str | None


def image_context_facts(records: Sequence[ImageRecord]) -> ImageFacts:
    """Collect the facts from the records' spans and file data."""
    read = [[span.text for span in record.spans if span.kind in ("ocr", "chart")] for record in records]
    texts = [text for part in read for text in part]
    return ImageFacts(
        text=" / ".join(texts),
        numbers=tuple(dict.fromkeys(m.group().strip() for text in texts for m in _NUMBER.finditer(text))),
        date=next((record.file.taken for record in records if record.file.taken), None),
        place=next((place for record in records if (place := _place(record.file))), None),
        device=next((record.file.device for record in records if record.file.device), None),
        speaker=next((speaker for part in read if (speaker := speaker_of(part))), None),
    )


def _place(facts: FileFacts) -> str | None:
    if facts.latitude is None or facts.longitude is None:
        return facts.place
    degrees = f"{facts.latitude:.5f}, {facts.longitude:.5f}"
    return f"{facts.place} ({degrees})" if facts.place else degrees


def speaker_of(texts: list[str]) -> str | None:
    """Who speaks in a picture: named beside "said", signed under a quotation, or the account of a post."""
    for text in texts:
        if match := _SIGNED.match(text):
            return match["name"]
    for text in texts:
        for match in _SAID.finditer(text):
            name = match["before"] or match["after"]
            words = name.split()
            while words and words[0] in _OPENERS:
                words = words[1:]
            if words:
                return " ".join(words).rstrip(".,")
    for number, text in enumerate(texts):
        if match := _HANDLE.search(text):
            own = text[: match.start()].strip(" ·|-")
            above = texts[number - 1].strip() if number else ""
            name = own or (above if 0 < len(above.split()) <= 5 and not above.endswith((".", "!", "?")) else "")
            return f"{name} ({match.group()})" if name else match.group()
    return None
