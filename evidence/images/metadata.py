"""IPTC and XMP data of a picture: who made it, when, where, with what, and what was done to it.

Whoever has the file can write these fields. They are told as sentences and never believed as such.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date

from lxml import etree

from evidence.types import FileField
from language.calendar import in_words
from language.wordlists import read_table

MAX_FIELD = 200
"""Characters of a field that are told, but of a caption, which is told whole (``MAX_CAPTION``)."""
MAX_CAPTION = 2_000
MAX_FIELDS, MAX_VALUE = 120, 300
"""Of the table of a report: its rows, and characters of a value that is no caption."""
_CAPTIONS = ("description", "comment", "caption", "parameters", "title")
FILE_DATA = read_table("evidence.images", "data/file_data.toml")
_RDF = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}"
Fields = tuple[tuple[str, str], ...]


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
        latitude = _degrees_of(self.fields.get("latitude", ""), 90)
        longitude = _degrees_of(self.fields.get("longitude", ""), 180)
        return (latitude, longitude) if latitude is not None and longitude is not None else None

    def sentences(self) -> tuple[tuple[FileField | None, str], ...]:
        """One plain sentence a field, with what it tells of."""
        head = f"The image's {self.block} data says"
        found: list[tuple[FileField | None, str]] = []
        if self.created is not None:
            found.append(("taken", f"{head} it was created on {in_words(self.created.isoformat())}."))
        for name, words in FILE_DATA["told"].items():
            if value := self.fields.get(name):
                sentence = f"{head} {words} {value}" + ("" if value[-1] in ".!?" else ".")
                found.append(("place" if name in ("city", "country") else None, sentence))
        if software := self.fields.get("software"):
            found.append(("software", f"{head} it was saved with the software {software}."))
        return tuple(found)


def day_of(text: str) -> date | None:
    """``2019-08-17T…``, ``20190817`` or ``2019:08:17 …`` as a day; ``None`` for anything else."""
    match = re.match(r"\s*(\d{4})[-:]?(\d\d)[-:]?(\d\d)(?!\d)", text)
    try:
        found = date(*(int(part) for part in match.groups())) if match else None
    except ValueError:
        return None
    return found if found and found.year >= 1826 else None


def _degrees_of(text: str, limit: int) -> float | None:
    """ "47,4.2N" or "47,4,12N" in decimal degrees; ``None`` for anything else."""
    match = re.fullmatch(r"(\d{1,3}),(\d{1,2}(?:\.\d+)?)(?:,(\d{1,2}))?([NSEW])", text)
    if match is None:
        return None
    return decimal_degrees((float(match[1]), float(match[2]), float(match[3] or 0)), limit, negative=match[4] in "SW")


def decimal_degrees(parts: Iterable[float], limit: float, *, negative: bool) -> float | None:
    """Degrees, minutes and seconds as a number; ``None`` past the limit."""
    degrees, minutes, seconds = parts
    found = degrees + minutes / 60 + seconds / 3600
    return None if found > limit else round(-found if negative else found, 6)


def parse_iptc(raw: bytes) -> Metadata:
    """Datasets of record 2; what is damaged is left out."""
    fields: dict[str, str] = {}
    place = 0
    while place + 5 <= len(raw) and raw[place] == 0x1C:
        record, number = raw[place + 1], raw[place + 2]
        length = int.from_bytes(raw[place + 3 : place + 5], "big")
        value = raw[place + 5 : place + 5 + length]
        if length & 0x8000 or len(value) != length:
            break
        if record == 2:
            _take(fields, FILE_DATA["iptc"].get(str(number)), value.decode("utf-8", "replace"))
        place += 5 + length
    return Metadata("IPTC", fields)


def parse_xmp(raw: bytes) -> Metadata:
    """The fields of an XMP packet. No entity is resolved and nothing is fetched; damage counts as none."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    start, end = raw.find(b"<"), raw.rfind(b">")
    try:
        root = etree.fromstring(raw[start : end + 1], parser)
    except (etree.XMLSyntaxError, ValueError):
        return Metadata("XMP")
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
    return Metadata("XMP", fields, tuple(history))


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
