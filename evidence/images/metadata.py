"""IPTC and XMP data of a picture: who made it, when, where, with what, and what was done to it.

Whoever has the file can write these fields. They are told as sentences and never believed as such.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date

from evidence.images.days import day_words
from evidence.images.field_table import MAX_CAPTION
from evidence.types import FileField

MAX_FIELD = 200
"""Characters of a field that are told, but of a caption, which is told whole (``MAX_CAPTION``)."""
_IPTC = {
    5: "title",
    55: "created",
    80: "author",
    90: "city",
    101: "country",
    110: "credit",
    115: "source",
    116: "copyright",
    120: "description",
    65: "software",
}
_RDF = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}"
_XMP = {
    "{http://ns.adobe.com/photoshop/1.0/}City": "city",
    "{http://ns.adobe.com/photoshop/1.0/}Country": "country",
    "{http://ns.adobe.com/photoshop/1.0/}DateCreated": "created",
    "{http://ns.adobe.com/photoshop/1.0/}Credit": "credit",
    "{http://ns.adobe.com/photoshop/1.0/}Source": "source",
    "{http://ns.adobe.com/exif/1.0/}DateTimeOriginal": "created",
    "{http://ns.adobe.com/xap/1.0/}CreateDate": "file_created",
    "{http://ns.adobe.com/xap/1.0/}ModifyDate": "changed",
    "{http://ns.adobe.com/xap/1.0/}CreatorTool": "software",
    "{http://purl.org/dc/elements/1.1/}creator": "author",
    "{http://purl.org/dc/elements/1.1/}title": "title",
    "{http://purl.org/dc/elements/1.1/}rights": "copyright",
    "{http://ns.adobe.com/exif/1.0/}GPSLatitude": "latitude",
    "{http://ns.adobe.com/exif/1.0/}GPSLongitude": "longitude",
    "{http://purl.org/dc/elements/1.1/}description": "description",
    "{http://iptc.org/std/Iptc4xmpExt/2008-02-29/}DigitalSourceType": "source_type",
}
_LABELS = {
    "title": "the title of the image is",
    "author": "the image was made by",
    "credit": "the credit goes to",
    "copyright": "the copyright is that of",
    "source": "the source of the image is",
    "city": "the image was taken in the city",
    "country": "the image was taken in the country",
    "description": "of the image:",
}


@dataclass(frozen=True)
class Metadata:
    """Fields of one block of metadata, cleaned; ``block`` is ``IPTC`` or ``XMP``."""

    block: str
    fields: dict[str, str] = field(default_factory=dict)
    history: tuple[str, ...] = ()
    """Programs named in the history of edits, in order."""

    @property
    def created(self) -> date | None:
        """Day on which the picture was made, as the block says."""
        return day_of(self.fields.get("created", ""))

    @property
    def place(self) -> tuple[float, float] | None:
        """Latitude and longitude of XMP ("47,4.2N") in decimal degrees, south and west negative."""
        found = [degrees_of(self.fields.get(name, ""), limit) for name, limit in (("latitude", 90), ("longitude", 180))]
        latitude, longitude = found
        return (latitude, longitude) if latitude is not None and longitude is not None else None

    def sentences(self) -> tuple[tuple[FileField | None, str], ...]:
        """One plain sentence a field, with what it tells of."""
        head = f"The image's {self.block} data says"
        found: list[tuple[FileField | None, str]] = []
        if self.created is not None:
            found.append(("taken", f"{head} it was created on {day_words(self.created)}."))
        for name, words in _LABELS.items():
            if value := self.fields.get(name):
                sentence = f"{head} {words} {value}" + ("" if value[-1] in ".!?" else ".")
                found.append(("place" if name in ("city", "country") else None, sentence))
        if software := self.fields.get("software"):
            found.append(("software", f"{head} it was saved with the software {software}."))
        return tuple(found)


def day_of(text: str) -> date | None:
    """``2019-08-17T…``, ``20190817`` or ``2019:08:17 …`` as a day; ``None`` for anything else."""
    match = re.match(r"\s*(\d{4})[-:]?(\d\d)[-:]?(\d\d)(?!\d)", text)
    if match is None:
        return None
    try:
        found = date(*(int(part) for part in match.groups()))
    except ValueError:
        return None
    return found if found.year >= 1826 else None


def degrees_of(text: str, limit: int) -> float | None:
    """ "47,4.2N" or "47,4,12N" in decimal degrees; ``None`` for anything else."""
    match = re.fullmatch(r"(\d{1,3}),(\d{1,2}(?:\.\d+)?)(?:,(\d{1,2}))?([NSEW])", text)
    if match is None:
        return None
    degrees = int(match[1]) + float(match[2]) / 60 + int(match[3] or 0) / 3600
    if degrees > limit:
        return None
    return round(-degrees if match[4] in "SW" else degrees, 6)


def parse_iptc(raw: bytes) -> Metadata:
    """Datasets of record 2; what is damaged is left out."""
    fields: dict[str, str] = {}
    place = 0
    while place + 5 <= len(raw) and raw[place] == 0x1C:
        record, number, length = (
            raw[place + 1],
            raw[place + 2],
            int.from_bytes(raw[place + 3 : place + 5], "big"),
        )
        value = raw[place + 5 : place + 5 + length]
        if length & 0x8000 or len(value) != length:
            break
        name = _IPTC.get(number) if record == 2 else None
        if name is not None and (text := clean(value.decode("utf-8", "replace"), _most(name))):
            fields.setdefault(name, text)
        place += 5 + length
    return Metadata("IPTC", fields)


def parse_xmp(raw: bytes) -> Metadata:
    """The fields of an XMP packet. No entity is resolved and nothing is fetched; damage counts as none."""
    if not raw:
        return Metadata("XMP")
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    start, end = raw.find(b"<"), raw.rfind(b">")
    try:
        root = etree.fromstring(raw[start : end + 1], parser)
    except (etree.XMLSyntaxError, ValueError):
        return Metadata("XMP")
    fields: dict[str, str] = {}
    history: dict[str, None] = {}
    for element in root.iter(tag=etree.Element):
        for key, value in element.attrib.items():
            _take(fields, history, str(key), str(value))
        texts = [str(t) for t in element.itertext()]
        if len(element) == 0 or any(str(e.tag).startswith(_RDF) for e in element):
            _take(fields, history, str(element.tag), " ".join(texts))
    return Metadata("XMP", fields, tuple(history))


def _take(fields: dict[str, str], history: dict[str, None], key: str, value: str) -> None:
    text = clean(value, _most(_XMP.get(key, "")))
    if not text:
        return
    if key.endswith("}softwareAgent"):
        history.setdefault(text)
    elif key in _XMP:
        fields.setdefault(_XMP[key], text)


def _most(name: str) -> int:
    return MAX_CAPTION if name == "description" else MAX_FIELD


def clean(text: str, most: int = MAX_FIELD) -> str:
    """One printable line without an end mark inside, so that no field makes sentences of its own."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    line = re.sub(r"[.!?]+(?=\s|$)", "", line)[:most].strip()
    return line if any(c.isalnum() for c in line) else ""
