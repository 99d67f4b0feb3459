"""The short facts of an image record, for the image context."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from evidence.types import ImageRecord

_NUMBER = re.compile(
    r"(?<![\w.,])[$€£]?\d{1,3}(?:[.,\s]\d{3})*(?:[.,]\d+)?%?(?!\w)|(?<![\w.,])[$€£]?\d+(?:[.,]\d+)?%?(?!\w)"
)
_TAKEN = re.compile(r"was taken on (\d{4})-(\d\d)-(\d\d) ")
_PLACE = re.compile(r"was taken at latitude (-?\d+\.\d+), longitude (-?\d+\.\d+)\.$")
_DEVICE = re.compile(r"was taken with the device (.+)\.$")


@dataclass(frozen=True)
class ImageFacts:
    """What was read from one image. ``text``: lines joined by ``" / "``; ``date``, ``place`` and ``device``
    are from EXIF data alone (``place`` as "latitude, longitude" in decimal degrees)."""

    text: str = ""
    numbers: tuple[str, ...] = ()
    date: date | None = None
    place: str | None = None
    device: str | None = None


def image_context_facts(record: ImageRecord) -> ImageFacts:
    """Collect the facts from a record's spans."""
    read = [span.text for span in record.spans if span.kind == "ocr"]
    exif = [span.text for span in record.spans if span.kind == "exif"]
    numbers = dict.fromkeys(m.group().strip() for text in read for m in _NUMBER.finditer(text))
    taken, place, device = (_first(pattern, exif) for pattern in (_TAKEN, _PLACE, _DEVICE))
    return ImageFacts(
        text=" / ".join(read),
        numbers=tuple(numbers),
        date=date(*(int(part) for part in taken.groups())) if taken else None,
        place=f"{place.group(1)}, {place.group(2)}" if place else None,
        device=device.group(1) if device else None,
    )


def _first(pattern: re.Pattern[str], texts: list[str]) -> re.Match[str] | None:
    return next((m for m in map(pattern.search, texts) if m), None)
