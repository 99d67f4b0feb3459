"""Every readable field of a picture's data, name and value, for the table of a report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from evidence.images.files import DECODER_ERRORS

MAX_FIELDS = 120
MAX_VALUE = 300
MAX_CAPTION = 2_000
"""Characters of a value; of a caption, which is kept whole up to here."""
_CAPTIONS = ("description", "comment", "caption", "parameters", "title")
_UNREADABLE = frozenset({"MakerNote", "PrintImageMatching", "ExifInteroperabilityOffset", "ExifOffset", "GPSInfo"})

Fields = tuple[tuple[str, str], ...]


def exif_fields(raw: bytes) -> Fields:
    """EXIF fields by their names ("EXIF Artist", "GPS GPSDateStamp"); damage counts as none."""
    if not raw:
        return ()
    from PIL import ExifTags
    from PIL.Image import Exif

    exif = Exif()
    try:
        exif.load(raw)
        parts: tuple[tuple[str, Mapping[int, Any], Mapping[int, str]], ...] = (
            ("EXIF", dict(exif), ExifTags.TAGS),
            ("EXIF", dict(exif.get_ifd(0x8769)), ExifTags.TAGS),
            ("GPS", dict(exif.get_ifd(0x8825)), ExifTags.GPSTAGS),
        )
    except DECODER_ERRORS:
        return ()
    found = (
        (f"{head} {names[key]}", value) for head, part, names in parts for key, value in part.items() if key in names
    )
    return _cleaned((name, _plain(value)) for name, value in found if name.split()[1] not in _UNREADABLE)


def text_fields(head: str, fields: Mapping[str, str]) -> Fields:
    """Fields of IPTC, XMP or PNG text chunks under their names."""
    return _cleaned((f"{head} {name}", value) for name, value in fields.items())


def _cleaned(fields: Iterator[tuple[str, str]]) -> Fields:
    found: dict[str, str] = {}
    for name, value in fields:
        text = printable(value)[: MAX_CAPTION if any(c in name.lower() for c in _CAPTIONS) else MAX_VALUE]
        if text and len(found) < MAX_FIELDS:
            found.setdefault(printable(name)[:60], text)
    return tuple(found.items())


def printable(text: str) -> str:
    """One line of printable characters."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _plain(value: Any) -> str:
    if isinstance(value, bytes):
        return decoded(value)
    if isinstance(value, tuple | list):
        return ", ".join(_plain(v) for v in value[:20])
    return str(value)


def decoded(value: bytes) -> str:
    """Text of a field with or without the EXIF prefix that names its encoding; ``""`` where it is none."""
    codes = {b"ASCII\0\0\0": "ascii", b"UNICODE\0": "utf-16", b"JIS\0\0\0\0\0": "shift_jis"}
    body, code = (value[8:], codes[value[:8]]) if value[:8] in codes else (value, "utf-8")
    if code == "utf-16" and body[:2] not in (b"\xff\xfe", b"\xfe\xff"):
        code = "utf-16-be" if body[:1] == b"\0" else "utf-16-le"
    text = body.decode(code, "replace").strip("\0 ")
    return text if text.count("\N{REPLACEMENT CHARACTER}") * 10 <= len(text) and "\0" not in text else ""
