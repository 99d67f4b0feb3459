"""What a camera wrote into the file: when, where, with what. Told as sentences, never believed as such."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain
from typing import Any

from PIL import ExifTags
from PIL.Image import Exif

from evidence.images.files import DECODER_ERRORS
from evidence.images.metadata import MAX_CAPTION, MAX_FIELDS, Fields, clean, decimal_degrees, table_of
from evidence.types import FileField
from language.calendar import in_words

_DATE_TAKEN = 0x9003
_MAKE, _MODEL, _SOFTWARE, _CHANGED = 0x010F, 0x0110, 0x0131, 0x0132
_DESCRIPTION, _ARTIST, _COPYRIGHT, _COMMENT = 0x010E, 0x013B, 0x8298, 0x9286
_OFFSETS = (0x9011, 0x9010)
"""Time zone of the picture's taking, else of its last change."""
_SUB_IFD, _GPS_IFD = 0x8769, 0x8825
_GPS_TIME, _GPS_DAY = 7, 29
_MAX_TEXT = 80
_UNREADABLE = frozenset({"MakerNote", "PrintImageMatching", "ExifInteroperabilityOffset", "ExifOffset", "GPSInfo"})


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
        place = self.place
        taken, changed = _moment(self.taken), _moment(self.changed if self.changed != self.taken else None)
        found: tuple[tuple[FileField | None, str | None], ...] = (
            ("taken", taken and f"says it was taken on {taken}"),
            ("place", place and f"says it was taken at latitude {place[0]:.5f}, longitude {place[1]:.5f}"),
            ("device", self.device and f"says it was taken with the device {self.device}"),
            ("software", self.software and f"says it was saved with the software {self.software}"),
            ("changed", changed and f"says it was last changed on {changed}"),
            (None, self.artist and f"says it was made by {self.artist}"),
            (None, self.copyright and f"names the copyright {self.copyright}"),
            (None, self.description and f"says of the image: {self.description}"),
        )
        return tuple((told, f"The image's EXIF data {words}.") for told, words in found if words)


def _moment(when: datetime | None) -> str:
    return f"{in_words(when.date().isoformat())}, {when:%H:%M:%S}" if when is not None else ""


def _directories(raw: bytes) -> tuple[dict[int, Any], dict[int, Any], dict[int, Any]]:
    """Main, camera's and position's fields by their numbers; damage counts as none."""
    exif = Exif()
    try:
        exif.load(raw)
        return dict(exif), dict(exif.get_ifd(_SUB_IFD)), dict(exif.get_ifd(_GPS_IFD))
    except DECODER_ERRORS:
        return {}, {}, {}


def parse_exif(raw: bytes) -> ExifData:
    """Read raw EXIF data; what is damaged or absurd is left out."""
    main, sub, gps = _directories(raw)
    comment = sub.get(_COMMENT)
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
        comment=(_decoded(comment) if isinstance(comment, bytes) else str(comment or ""))[:MAX_CAPTION],
    )


def exif_fields(raw: bytes) -> Fields:
    """Every readable field by its name ("EXIF Artist", "GPS GPSDateStamp")."""
    main, sub, gps = _directories(raw)
    own = [(ExifTags.TAGS[key], value) for key, value in chain(main.items(), sub.items()) if key in ExifTags.TAGS]
    place = [(ExifTags.GPSTAGS[key], value) for key, value in gps.items() if key in ExifTags.GPSTAGS]
    readable = [[(name, _plain(value)) for name, value in part if name not in _UNREADABLE] for part in (own, place)]
    return (*table_of("EXIF", readable[0]), *table_of("GPS", readable[1]))[:MAX_FIELDS]


def _plain(value: Any) -> str:
    if isinstance(value, bytes):
        return _decoded(value)
    if isinstance(value, tuple | list):
        return ", ".join(_plain(v) for v in value[:20])
    return str(value)


def _decoded(value: bytes) -> str:
    """Text of a field with or without the EXIF prefix that names its encoding; ``""`` where it is none."""
    codes = {b"ASCII\0\0\0": "ascii", b"UNICODE\0": "utf-16", b"JIS\0\0\0\0\0": "shift_jis"}
    body, code = (value[8:], codes[value[:8]]) if value[:8] in codes else (value, "utf-8")
    if code == "utf-16" and body[:2] not in (b"\xff\xfe", b"\xfe\xff"):
        code = "utf-16-be" if body[:1] == b"\0" else "utf-16-le"
    text = body.decode(code, "replace").strip("\0 ")
    return text if text.count("\N{REPLACEMENT CHARACTER}") * 10 <= len(text) and "\0" not in text else ""


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
    text = value.decode("utf-8", "replace") if isinstance(value, bytes) else value
    return clean(text, most) or None if isinstance(text, str) else None


def _device(main: dict[int, Any]) -> str | None:
    make, model = _text(main.get(_MAKE)), _text(main.get(_MODEL))
    if make is None or model is None:
        return model or make
    return model if model.lower().startswith(make.lower()) else f"{make} {model}"


def _date(value: Any) -> datetime | None:
    try:
        date = datetime.strptime(_text(value) or "", "%Y:%m:%d %H:%M:%S")
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
    return decimal_degrees(parts, limit, negative=mark.upper().startswith(negative))
