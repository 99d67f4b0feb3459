"""The short facts of an image record, for the image context."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from evidence.types import ImageRecord

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
    """What was read from one image. ``text``: lines joined by ``" / "``; ``date``, ``place`` and ``device``
    are from the file's data alone (``place`` with "latitude, longitude" in decimal degrees where known);
    ``speaker``: who is quoted or has posted, by the words in the picture.
    """

    text: str = ""
    numbers: tuple[str, ...] = ()
    date: date | None = None
    place: str | None = None
    device: str | None = None
    speaker: str | None = None


def image_context_facts(record: ImageRecord) -> ImageFacts:
    """Collect the facts from a record's spans and file data."""
    read = [span.text for span in record.spans if span.kind in ("ocr", "chart")]
    numbers = dict.fromkeys(m.group().strip() for text in read for m in _NUMBER.finditer(text))
    return ImageFacts(
        text=" / ".join(read),
        numbers=tuple(numbers),
        date=record.file.taken,
        place=_place(record),
        device=record.file.device,
        speaker=speaker_of(read),
    )


def _place(record: ImageRecord) -> str | None:
    facts = record.file
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
