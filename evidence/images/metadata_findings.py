"""What the data in a file says, put together: facts, contradictions between them, and hints.

All of it is the file's own word. A contradiction is worth a look and proves nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from datetime import date

from evidence.images.clocks import clock_findings
from evidence.images.credentials import Credentials
from evidence.images.exif import ExifData
from evidence.images.field_table import Fields
from evidence.images.generators import edited_by, generated_by, generator_in
from evidence.images.metadata import Metadata
from evidence.images.places import EARTH_KM, nearest_place
from evidence.types import FileFacts, FindingKind, ImageFinding, ImageRecord, Place

NEAR_KM, AWAY_KM = 30.0, 100.0
"""Up to here two places are one; from here on a place is another one than the claimed town."""


def file_facts(
    exif: ExifData,
    iptc: Metadata,
    xmp: Metadata,
    credentials: Credentials,
    texts: Mapping[str, str],
    fields: Fields = (),
) -> FileFacts:
    """EXIF first, then XMP, then IPTC; ``texts``: chunks and comments; ``fields``: the table of them all."""
    programs = (exif.software, xmp.fields.get("software"), iptc.fields.get("software"), *xmp.history)
    kinds = (xmp.fields.get("source_type"), *credentials.source_types)
    made = generator_in({**texts, "comment of EXIF": exif.comment, "description": exif.description or ""})
    place = exif.place or xmp.place
    latitude, longitude = place or (None, None)
    taken = exif.taken.date() if exif.taken else xmp.created or iptc.created
    return FileFacts(
        taken=taken,
        changed=exif.changed.date() if exif.changed else None,
        device=exif.device,
        software=next((p for p in programs if p), None),
        latitude=latitude,
        longitude=longitude,
        place=_place(place, iptc, xmp),
        edited_by=edited_by(*programs),
        generated_by=made or generated_by(*programs, credentials.generator or None, *kinds),
        fields=fields,
        empty=not fields and exif == ExifData() and not iptc.fields and not xmp.fields and credentials.state == "none",
    )


def _place(place: tuple[float, float] | None, iptc: Metadata, xmp: Metadata) -> str | None:
    if place is not None:
        near = nearest_place(*place)
        return near.words if near else None
    for block in (xmp, iptc):
        named = [block.fields[name] for name in ("city", "country") if name in block.fields]
        if named:
            return ", ".join(named)
    return None


def file_findings(facts: FileFacts, exif: ExifData, iptc: Metadata, xmp: Metadata) -> Iterator[str]:
    """Contradictions inside the file, in words."""
    if facts.generated_by:
        yield f"The file names {facts.generated_by!r}, which marks a picture made or composed by a model."
    if facts.edited_by:
        yield f"The file was saved by {facts.edited_by!r}, which edits pictures."
    if exif.taken and exif.changed and exif.changed < exif.taken:
        yield (
            f"The EXIF data says it was changed on {exif.changed:%Y-%m-%d}, before it was taken on "
            f"{exif.taken:%Y-%m-%d}."
        )
    yield from clock_findings(exif)
    if exif.place and xmp.place and _kilometres(exif.place, xmp.place) > NEAR_KM:
        yield f"The EXIF data gives another place than the XMP data, {_kilometres(exif.place, xmp.place):.0f} km away."
    for block in (xmp, iptc):
        if exif.taken and block.created and abs((block.created - exif.taken.date()).days) > 1:
            yield (
                f"The EXIF data says it was taken on {exif.taken:%Y-%m-%d}, the {block.block} data says "
                f"{block.created.isoformat()}."
            )


def placed_findings(record: ImageRecord, claimed: Place | None) -> list[ImageFinding]:
    """How far the coordinates in the file lie from the town that the claim names."""
    latitude, longitude = record.file.latitude, record.file.longitude
    if claimed is None or not claimed.points or latitude is None or longitude is None:
        return []
    away = min(_kilometres((latitude, longitude), point) for point in claimed.points)
    kind: FindingKind = "contradiction" if away >= AWAY_KM else "metadata"
    text = f"The coordinates in the file lie {away:.0f} km from {claimed.name}, where the claim places the picture."
    return [ImageFinding(kind=kind, text=text, image=record.sha256)]


def _kilometres(a: tuple[float, float], b: tuple[float, float]) -> float:
    """Along the great circle; in decimal degrees."""
    (lat_a, lon_a), (lat_b, lon_b) = (tuple(map(math.radians, p)) for p in (a, b))
    half = math.sin((lat_a - lat_b) / 2) ** 2
    half += math.cos(lat_a) * math.cos(lat_b) * math.sin((lon_a - lon_b) / 2) ** 2
    return 2 * EARTH_KM * math.asin(math.sqrt(min(1.0, half)))


def dated_findings(record: ImageRecord, claim_date: date | None, pictured: date | None) -> list[ImageFinding]:
    """Where the file's own date does not go with the claim.

    ``claim_date``: day the claim was made; ``pictured``: first day of the time the claim gives the picture.
    """
    taken, found = record.file.taken, []
    if taken and claim_date and taken > claim_date:
        found.append(
            f"The file says the picture was taken on {taken.isoformat()}, after the claim's own date "
            f"{claim_date.isoformat()}."
        )
    if taken and pictured and taken < pictured:
        found.append(
            f"The file says the picture was taken on {taken.isoformat()}, before the time the claim gives it "
            f"(from {pictured.isoformat()} on)."
        )
    return [ImageFinding(kind="contradiction", text=text, image=record.sha256) for text in found]
