"""What the data in a file says, put together: facts, contradictions between them, marks of programs, and hints. All of
it is the file's own word. A contradiction is worth a look and proves nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime, timedelta

from evidence.images.credentials import Credentials
from evidence.images.file_data import FILE_DATA, Block, Fields
from evidence.images.places import kilometres, nearest_place
from evidence.types import FileFacts, FindingKind, ImageFinding, ImageRecord, Place

NEAR_KM, AWAY_KM = 30.0, 100.0
"""Up to here two places are one; from here on a place is another one than the claimed town."""
_DEGREES_AN_HOUR = 15
_ZONES = timedelta(hours=4)
"""How far a legal time lies from the sun's at most, summer time and a little lag included."""
_LAG = timedelta(hours=1)
"""How old a position may be that a camera writes into a picture."""
_WIDEST = timedelta(hours=15)
"""No clock on earth is farther from universal time."""
_EDITORS = re.compile("|".join(FILE_DATA["programs"]["edit"]), re.IGNORECASE)
_GENERATORS = re.compile("|".join(FILE_DATA["programs"]["generate"]), re.IGNORECASE)
_SYNTHETIC = re.compile(r"trainedAlgorithmicMedia|compositeWithTrainedAlgorithmicMedia|compositeSynthetic")
_SETTINGS = re.compile(r"\bSteps: \d+.{0,200}?\b(?:Sampler|CFG scale|Seed): ", re.DOTALL)
"""How the web interfaces of Stable Diffusion write down what a picture was made with."""
_NODES = re.compile(r'"class_type"\s*:|"last_node_id"\s*:')
"""A workflow of ComfyUI."""


def file_facts(
    exif: Block,
    iptc: Block,
    xmp: Block,
    credentials: Credentials,
    texts: Mapping[str, str],
    fields: Fields = (),
) -> FileFacts:
    """EXIF first, then XMP, then IPTC; ``texts``: chunks and comments; ``fields``: the table of them all."""
    programs = (*(block.fields.get("software") for block in (exif, xmp, iptc)), *xmp.history)
    kinds = (xmp.fields.get("source_type"), *credentials.source_types)
    made = generator_in({**texts, "comment of EXIF": exif.comment, "description": exif.fields.get("description", "")})
    place = exif.place or xmp.place
    latitude, longitude = place or (None, None)
    return FileFacts(
        taken=exif.taken.date() if exif.taken else xmp.created or iptc.created,
        changed=exif.changed.date() if exif.changed else None,
        device=exif.fields.get("device"),
        software=next((p for p in programs if p), None),
        latitude=latitude,
        longitude=longitude,
        place=_place(place, iptc, xmp),
        edited_by=next((p for p in programs if p and _EDITORS.search(p)), None),
        generated_by=made or generated_by(*programs, credentials.generator or None, *kinds),
        fields=fields,
        empty=not fields
        and exif == Block("EXIF")
        and not iptc.fields
        and not xmp.fields
        and credentials.state == "none",
    )


def _place(place: tuple[float, float] | None, iptc: Block, xmp: Block) -> str | None:
    if place is not None:
        near = nearest_place(*place)
        return near.words if near else None
    named = ([b.fields[name] for name in ("city", "country") if name in b.fields] for b in (xmp, iptc))
    return next((", ".join(parts) for parts in named if parts), None)


def generated_by(*programs: str | None) -> str | None:
    """The first named program that makes pictures up, or the mark for that."""
    return next((p for p in programs if p and (_GENERATORS.search(p) or _SYNTHETIC.search(p))), None)


def generator_in(texts: Mapping[str, str]) -> str | None:
    """The program whose settings stand in a file's text fields (PNG chunks, comments)."""
    for key, text in texts.items():
        name = key.lower()
        if name in FILE_DATA["generator_fields"]:
            return str(FILE_DATA["generator_fields"][name])
        if _NODES.search(text) and _is_json(text):
            return "ComfyUI"
        if _SETTINGS.search(text):
            return "Stable Diffusion"
        if name in {"software", "source", "title", "make", "model", "comment"} and (found := generated_by(text)):
            return found[:80]
    return None


def _is_json(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False


def file_findings(facts: FileFacts, exif: Block, iptc: Block, xmp: Block) -> Iterator[str]:
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
    if exif.place and xmp.place and (away := kilometres(exif.place, [xmp.place]).min()) > NEAR_KM:
        yield f"The EXIF data gives another place than the XMP data, {away:.0f} km away."
    for block in (xmp, iptc):
        if exif.taken and block.created and abs((block.created - exif.taken.date()).days) > 1:
            yield (
                f"The EXIF data says it was taken on {exif.taken:%Y-%m-%d}, the {block.name} data says "
                f"{block.created.isoformat()}."
            )


def clock_findings(exif: Block) -> Iterator[str]:
    """Where the camera's clock, its time zone, the time of the satellites and the place do not go together."""
    taken, gps, offset = exif.taken, exif.satellites, exif.offset
    if taken is not None and gps is not None:
        if offset is not None and abs(taken - offset - gps) > _LAG:
            zone = f"{_words(taken)} ({_zone(offset)})"
            yield f"The camera's clock says {zone}, the satellites' time is {_words(gps)} (UTC)."
        elif offset is None and abs(taken - gps) > _WIDEST:
            yield f"The camera's clock says {_words(taken)}, the satellites' time is {_words(gps)} (UTC)."
    if exif.place is None:
        return
    sun = timedelta(hours=exif.place[1] / _DEGREES_AN_HOUR)
    if offset is not None and not _near(offset, sun):
        yield f"The camera's time zone ({_zone(offset)}) is not that of the coordinates in the file."
    elif offset is None and taken is not None and gps is not None and not _near(taken - gps, sun):
        yield "The camera's clock was not set to the time of the coordinates in the file."


def _near(a: timedelta, b: timedelta) -> bool:
    apart = abs(a - b) % timedelta(days=1)
    return min(apart, timedelta(days=1) - apart) <= _ZONES


def _words(when: datetime) -> str:
    return f"{when:%Y-%m-%d %H:%M}"


def _zone(offset: timedelta) -> str:
    minutes = round(offset.total_seconds() / 60)
    return f"UTC{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"


def future_findings(record: ImageRecord, today: date) -> list[ImageFinding]:
    """Days in the file that are yet to come; one day is left for time zones."""
    days = ((record.file.taken, "taken"), (record.file.changed, "changed"))
    late = [(day, words) for day, words in days if day is not None and day > today + timedelta(days=1)]
    told = (f"The file says the picture was {words} on {day.isoformat()}, which is yet to come." for day, words in late)
    return [_finding(record, "contradiction", text) for text in told]


def placed_findings(record: ImageRecord, claimed: Place | None) -> list[ImageFinding]:
    """How far the coordinates in the file lie from the town that the claim names."""
    latitude, longitude = record.file.latitude, record.file.longitude
    if claimed is None or not claimed.points or latitude is None or longitude is None:
        return []
    away = kilometres((latitude, longitude), claimed.points).min()
    text = f"The coordinates in the file lie {away:.0f} km from {claimed.name}, where the claim places the picture."
    return [_finding(record, "contradiction" if away >= AWAY_KM else "metadata", text)]


def dated_findings(record: ImageRecord, claim_date: date | None, pictured: date | None) -> list[ImageFinding]:
    """Where the file's own date does not go with the claim. ``claim_date``: day the claim was made; ``pictured``: first
    day of the time the claim gives the picture.
    """
    taken, found = record.file.taken, []
    if taken and claim_date and taken > claim_date:
        found.append(f"after the claim's own date {claim_date.isoformat()}.")
    if taken and pictured and taken < pictured:
        found.append(f"before the time the claim gives it (from {pictured.isoformat()} on).")
    return [_finding(record, "contradiction", f"The file says the picture was taken on {taken}, {w}") for w in found]


def _finding(record: ImageRecord, kind: FindingKind, text: str) -> ImageFinding:
    return ImageFinding(kind=kind, text=text, image=record.sha256)
