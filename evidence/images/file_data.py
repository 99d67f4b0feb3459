"""EXIF, IPTC and XMP data of a picture: who made it, when, where, with what, and what was done to it. Whoever has the
file can write these fields. They are told as sentences and never believed as such.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from itertools import chain
from typing import Any, get_args

from lxml import etree
from PIL import ExifTags
from PIL.ExifTags import GPS, IFD, Base
from PIL.Image import Exif

from evidence.images.files import DECODER_ERRORS
from evidence.types import FileField
from language.calendar import in_words
from language.wordlists import read_table

MAX_FIELD = 200
"""Characters of a field that are told, but of a caption, which is told whole (``MAX_CAPTION``)."""
MAX_CAPTION = 2_000
MAX_FIELDS, MAX_VALUE = 120, 300
"""Of the table of a report: its rows, and characters of a value that is no caption."""
_MAX_EXIF = 80
_CAPTIONS = ("description", "comment", "caption", "parameters", "title")
FILE_DATA = read_table("evidence.images", "data/file_data.toml")
_TELLS: dict[str, FileField] = {
    **{name: name for name in get_args(FileField)},
    **{"created": "taken", "city": "place", "country": "place"},
}
_RDF = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}"
_TEXTS = {"software": Base.Software, "author": Base.Artist, "copyright": Base.Copyright}
_OFFSETS = (Base.OffsetTimeOriginal, Base.OffsetTime)
"""Time zone of the picture's taking, else of its last change."""
_UNREADABLE = frozenset({"MakerNote", "PrintImageMatching", "ExifInteroperabilityOffset", "ExifOffset", "GPSInfo"})
_OLDEST = 1826
"""No photograph is older."""
Fields = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Block:
    """One block of a file's data; ``name`` is ``EXIF``, ``IPTC`` or ``XMP``."""

    name: str
    fields: dict[str, str] = field(default_factory=dict)
    """Cleaned, by our names."""
    created: date | None = None
    """Day on which the picture was made, as IPTC or XMP says."""
    taken: datetime | None = None
    """By the camera's clock, as EXIF says; ``changed`` too."""
    changed: datetime | None = None
    place: tuple[float, float] | None = None
    """Latitude and longitude in decimal degrees, south and west negative."""
    history: tuple[str, ...] = ()
    """Programs named in the history of edits, in order."""
    satellites: datetime | None = None
    """Universal time of the position."""
    offset: timedelta | None = None
    """Of the camera's clock from universal time."""
    comment: str = ""
    """Of EXIF, as it stands, also over several lines."""

    def sentences(self) -> tuple[tuple[FileField | None, str], ...]:
        """One plain sentence a field, with what it tells of."""
        said = {
            **self.fields,
            "created": _moment(self.created),
            "taken": _moment(self.taken),
            "changed": _moment(self.changed if self.changed != self.taken else None),
            "place": f"latitude {self.place[0]:.5f}, longitude {self.place[1]:.5f}" if self.place else "",
        }
        words = FILE_DATA["told"]["EXIF" if self.name == "EXIF" else "others"]
        return tuple(
            (_TELLS.get(name), f"The image's {self.name} data {told} {value}" + ("" if value[-1] in ".!?" else "."))
            for name, told in words.items()
            if (value := said.get(name))
        )


def _moment(when: date | None) -> str:
    if when is None:
        return ""
    clock = f", {when:%H:%M:%S}" if isinstance(when, datetime) else ""
    return f"{in_words(f'{when:%Y-%m-%d}')}{clock}"


def parse_exif(raw: bytes) -> Block:
    """Read raw EXIF data; what is damaged or absurd is left out."""
    main, sub, gps = _directories(raw)
    comment = sub.get(Base.UserComment)
    texts = {"device": _device(main), "description": _text(main.get(Base.ImageDescription), MAX_CAPTION)}
    texts |= {name: _text(main.get(key)) for name, key in _TEXTS.items()}
    return Block(
        "EXIF",
        {name: text for name, text in texts.items() if text},
        taken=_date(sub.get(Base.DateTimeOriginal, main.get(Base.DateTimeOriginal))),
        changed=_date(main.get(Base.DateTime)),
        place=_place(gps),
        satellites=_satellites(gps),
        offset=next((o for key in _OFFSETS if (o := _offset(sub.get(key))) is not None), None),
        comment=(_decoded(comment) if isinstance(comment, bytes) else str(comment or ""))[:MAX_CAPTION],
    )


def exif_fields(raw: bytes) -> Fields:
    """Every readable field by its name ("EXIF Artist", "GPS GPSDateStamp")."""
    main, sub, gps = _directories(raw)
    own = [(ExifTags.TAGS[key], value) for key, value in chain(main.items(), sub.items()) if key in ExifTags.TAGS]
    place = [(ExifTags.GPSTAGS[key], value) for key, value in gps.items() if key in ExifTags.GPSTAGS]
    readable = [[(name, _plain(value)) for name, value in part if name not in _UNREADABLE] for part in (own, place)]
    return (*table_of("EXIF", readable[0]), *table_of("GPS", readable[1]))[:MAX_FIELDS]


def _directories(raw: bytes) -> tuple[dict[int, Any], dict[int, Any], dict[int, Any]]:
    """Main, camera's and position's fields by their numbers; damage counts as none."""
    exif = Exif()
    try:
        exif.load(raw)
        return dict(exif), dict(exif.get_ifd(IFD.Exif)), dict(exif.get_ifd(IFD.GPSInfo))
    except DECODER_ERRORS:
        return {}, {}, {}


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


def _text(value: Any, most: int = _MAX_EXIF) -> str | None:
    text = value.decode("utf-8", "replace") if isinstance(value, bytes) else value
    return clean(text, most) or None if isinstance(text, str) else None


def _device(main: dict[int, Any]) -> str | None:
    make, model = _text(main.get(Base.Make)), _text(main.get(Base.Model))
    if make is None or model is None:
        return model or make
    return model if model.lower().startswith(make.lower()) else f"{make} {model}"


def _date(value: Any) -> datetime | None:
    try:
        found = datetime.strptime(_text(value) or "", "%Y:%m:%d %H:%M:%S")
    except ValueError:
        return None
    return found if found.year >= _OLDEST else None


def _satellites(gps: dict[int, Any]) -> datetime | None:
    try:
        hours, minutes, seconds = (float(part) for part in gps[GPS.GPSTimeStamp])
        start = datetime.strptime(_text(gps.get(GPS.GPSDateStamp)) or "", "%Y:%m:%d")
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


def _place(gps: dict[int, Any]) -> tuple[float, float] | None:
    latitude = _degrees(gps.get(GPS.GPSLatitude), _text(gps.get(GPS.GPSLatitudeRef)), 90.0)
    longitude = _degrees(gps.get(GPS.GPSLongitude), _text(gps.get(GPS.GPSLongitudeRef)), 180.0)
    return (latitude, longitude) if latitude is not None and longitude is not None and (latitude or longitude) else None


def _degrees(value: Any, mark: str | None, limit: float) -> float | None:
    """Degrees, minutes and seconds behind a mark of direction in decimal degrees; ``None`` past the limit."""
    try:
        parts = [float(part) for part in value]
        degrees, minutes, seconds = parts
    except (TypeError, ValueError, ArithmeticError):
        return None
    found = degrees + minutes / 60 + seconds / 3600
    if mark is None or found > limit or not all(0 <= part <= limit for part in parts):
        return None
    return round(-found if mark.upper().startswith(("S", "W")) else found, 6)


def parse_iptc(raw: bytes) -> Block:
    """Datasets of record 2; what is damaged is left out."""
    fields: dict[str, str] = {}
    start = 0
    while start + 5 <= len(raw) and raw[start] == 0x1C:
        record, number = raw[start + 1], raw[start + 2]
        length = int.from_bytes(raw[start + 3 : start + 5], "big")
        value = raw[start + 5 : start + 5 + length]
        if length & 0x8000 or len(value) != length:
            break
        if record == 2:
            _take(fields, FILE_DATA["iptc"].get(str(number)), value.decode("utf-8", "replace"))
        start += 5 + length
    return Block("IPTC", fields, created=day_of(fields.get("created", "")))


def parse_xmp(raw: bytes) -> Block:
    """The fields of an XMP packet. No entity is resolved and nothing is fetched; damage counts as none."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    start, end = raw.find(b"<"), raw.rfind(b">")
    try:
        root = etree.fromstring(raw[start : end + 1], parser)
    except (etree.XMLSyntaxError, ValueError):
        return Block("XMP")
    fields: dict[str, str] = {}
    history: dict[str, None] = {}
    for element in root.iter(tag=etree.Element):
        found = [(str(key), str(value)) for key, value in element.attrib.items()]
        if len(element) == 0 or any(str(e.tag).startswith(_RDF) for e in element):
            found.append((str(element.tag), " ".join(str(t) for t in element.itertext())))
        for key, value in found:
            if key.endswith("}softwareAgent") and (agent := clean(value)):
                history.setdefault(agent)
            _take(fields, FILE_DATA["xmp"].get(key), value)
    latitude, longitude = _xmp_degrees(fields.get("latitude", ""), 90), _xmp_degrees(fields.get("longitude", ""), 180)
    place = (latitude, longitude) if latitude is not None and longitude is not None else None
    return Block("XMP", fields, created=day_of(fields.get("created", "")), place=place, history=tuple(history))


def _xmp_degrees(text: str, limit: float) -> float | None:
    """ "47,4.2N" or "47,4,12N" in decimal degrees; ``None`` for anything else."""
    match = re.fullmatch(r"(\d{1,3}),(\d{1,2}(?:\.\d+)?)(?:,(\d{1,2}))?([NSEW])", text)
    return _degrees((match[1], match[2], match[3] or 0), match[4], limit) if match else None


def day_of(text: str) -> date | None:
    """``2019-08-17T…``, ``20190817`` or ``2019:08:17 …`` as a day; ``None`` for anything else."""
    match = re.match(r"\s*(\d{4})[-:]?(\d\d)[-:]?(\d\d)(?!\d)", text)
    try:
        found = date(*(int(part) for part in match.groups())) if match else None
    except ValueError:
        return None
    return found if found and found.year >= _OLDEST else None


def _take(fields: dict[str, str], name: str | None, value: str) -> None:
    """Keep the first value of a field that is known."""
    if name is not None and (text := clean(value, MAX_CAPTION if name == "description" else MAX_FIELD)):
        fields.setdefault(name, text)


def table_of(head: str, fields: Iterable[tuple[str, str]]) -> Fields:
    """Readable fields under their names, for the table of a report."""
    found: dict[str, str] = {}
    for key, value in fields:
        name = f"{head} {key}"
        text = printable(value)[: MAX_CAPTION if any(c in name.lower() for c in _CAPTIONS) else MAX_VALUE]
        if text and len(found) < MAX_FIELDS:
            found.setdefault(printable(name)[:60], text)
    return tuple(found.items())


def printable(text: str) -> str:
    """One line of printable characters."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def clean(text: str, most: int = MAX_FIELD) -> str:
    """One printable line without an end mark inside, so that no field makes sentences of its own."""
    line = re.sub(r"[.!?]+(?=\s|$)", "", printable(text))[:most].strip()
    return line if any(c.isalnum() for c in line) else ""
