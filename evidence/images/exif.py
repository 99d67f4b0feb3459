"""What a camera wrote into the file: when, where, with what. Told as sentences, never believed as such."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from evidence.images.days import day_words
from evidence.images.field_table import MAX_CAPTION, decoded
from evidence.images.files import DECODER_ERRORS
from evidence.types import FileField

_DATE_TAKEN = 0x9003
_MAKE, _MODEL, _SOFTWARE, _CHANGED = 0x010F, 0x0110, 0x0131, 0x0132
_DESCRIPTION, _ARTIST, _COPYRIGHT, _COMMENT = 0x010E, 0x013B, 0x8298, 0x9286
_OFFSETS = (0x9011, 0x9010)
"""Time zone of the picture's taking, else of its last change."""
_SUB_IFD, _GPS_IFD = 0x8769, 0x8825
_GPS_TIME, _GPS_DAY = 7, 29
_MAX_TEXT = 80


@dataclass(frozen=True)
class ExifData:
    """Readable EXIF data; ``place`` is (latitude, longitude) in decimal degrees, south and west negative."""

    taken: datetime | None = None
    changed: datetime | None = None
    device: str | None = None
    software: str | None = None
    place: tuple[float, float] | None = None
    satellites: datetime | None = None
    """Universal time of the position."""
    offset: timedelta | None = None
    """Of the camera's clock from universal time."""
    artist: str | None = None
    copyright: str | None = None
    description: str | None = None
    comment: str = ""
    """As it stands, also over several lines."""

    def sentences(self) -> tuple[tuple[FileField | None, str], ...]:
        """One plain sentence a finding, with what it tells of."""
        head = "The image's EXIF data says it was"
        found: list[tuple[FileField | None, str]] = []
        if self.taken is not None:
            found.append(("taken", f"{head} taken on {day_words(self.taken)}, {self.taken:%H:%M:%S}."))
        if self.place is not None:
            latitude, longitude = self.place
            found.append(("place", f"{head} taken at latitude {latitude:.5f}, longitude {longitude:.5f}."))
        if self.device is not None:
            found.append(("device", f"{head} taken with the device {self.device}."))
        if self.software is not None:
            found.append(("software", f"{head} saved with the software {self.software}."))
        if self.changed is not None and self.changed != self.taken:
            when = f"{day_words(self.changed)}, {self.changed:%H:%M:%S}"
            found.append(("changed", f"{head} last changed on {when}."))
        if self.artist is not None:
            found.append((None, f"{head} made by {self.artist}."))
        if self.copyright is not None:
            found.append((None, f"The image's EXIF data names the copyright {self.copyright}."))
        if self.description is not None:
            found.append((None, f"The image's EXIF data says of the image: {self.description}."))
        return tuple(found)


def parse_exif(raw: bytes) -> ExifData:
    """Read raw EXIF data; what is damaged or absurd is left out."""
    if not raw:
        return ExifData()
    from PIL.Image import Exif

    exif = Exif()
    try:
        exif.load(raw)
        main = dict(exif)
        sub = dict(exif.get_ifd(_SUB_IFD))
        gps = dict(exif.get_ifd(_GPS_IFD))
    except DECODER_ERRORS:
        return ExifData()
    return ExifData(
        taken=_date(sub.get(_DATE_TAKEN, main.get(_DATE_TAKEN))),
        changed=_date(main.get(_CHANGED)),
        device=_device(main),
        software=_text(main.get(_SOFTWARE)),
        place=_place(gps),
        satellites=_satellites(gps),
        offset=next((o for key in _OFFSETS if (o := _offset(sub.get(key))) is not None), None),
        artist=_text(main.get(_ARTIST)),
        copyright=_text(main.get(_COPYRIGHT)),
        description=_text(main.get(_DESCRIPTION), MAX_CAPTION),
        comment=_comment(sub.get(_COMMENT)),
    )


def _comment(value: Any) -> str:
    return (decoded(value) if isinstance(value, bytes) else str(value or ""))[:MAX_CAPTION]


def _satellites(gps: dict[int, Any]) -> datetime | None:
    day = _text(gps.get(_GPS_DAY))
    try:
        hours, minutes, seconds = (float(part) for part in gps[_GPS_TIME])
        start = datetime.strptime(day or "", "%Y:%m:%d")
    except (KeyError, TypeError, ValueError, ArithmeticError):
        return None
    if start.year < 1980 or not (0 <= hours < 24 and 0 <= minutes < 60 and 0 <= seconds < 61):
        return None
    return start + timedelta(hours=int(hours), minutes=int(minutes), seconds=int(seconds))


def _offset(value: Any) -> timedelta | None:
    match = re.fullmatch(r"([+-])(\d\d):([0-5]\d)", _text(value) or "")
    if match is None or int(match[2]) > 14:
        return None
    found = timedelta(hours=int(match[2]), minutes=int(match[3]))
    return -found if match[1] == "-" else found


def _text(value: Any, most: int = _MAX_TEXT) -> str | None:
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    if not isinstance(value, str):
        return None
    clean = " ".join("".join(c if c.isprintable() else " " for c in value).split())
    clean = re.sub(r"[.!?]+(?=\s|$)", "", clean)[:most].strip()
    return clean if any(c.isalnum() for c in clean) else None


def _device(main: dict[int, Any]) -> str | None:
    make, model = _text(main.get(_MAKE)), _text(main.get(_MODEL))
    if make is None or model is None:
        return model or make
    return model if model.lower().startswith(make.lower()) else f"{make} {model}"


def _date(value: Any) -> datetime | None:
    text = _text(value)
    if text is None:
        return None
    try:
        date = datetime.strptime(text, "%Y:%m:%d %H:%M:%S")
    except ValueError:
        return None
    return date if date.year >= 1826 else None


def _place(gps: dict[int, Any]) -> tuple[float, float] | None:
    latitude = _degrees(gps.get(2), gps.get(1), "S", 90.0)
    longitude = _degrees(gps.get(4), gps.get(3), "W", 180.0)
    if latitude is None or longitude is None or (latitude == 0.0 and longitude == 0.0):
        return None
    return latitude, longitude


def _degrees(value: Any, reference: Any, negative: str, limit: float) -> float | None:
    try:
        parts = [float(part) for part in value]
    except (TypeError, ValueError, ArithmeticError):
        return None
    mark = _text(reference)
    if len(parts) != 3 or mark is None or not all(0 <= part <= limit for part in parts):
        return None
    degrees = parts[0] + parts[1] / 60 + parts[2] / 3600
    if degrees > limit:
        return None
    return round(-degrees if mark.upper().startswith(negative) else degrees, 6)
