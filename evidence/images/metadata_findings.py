"""What the data in a file says, put together: facts, contradictions between them, and hints.

All of it is the file's own word. A contradiction is worth a look and proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from evidence.images.credentials import Credentials
from evidence.images.exif import ExifData
from evidence.images.metadata import Metadata, edited_by, generated_by
from evidence.images.places import nearest_place
from evidence.types import FileFacts, ImageFinding, ImageRecord


def file_facts(exif: ExifData, iptc: Metadata, xmp: Metadata, credentials: Credentials) -> FileFacts:
    """EXIF first, then XMP, then IPTC."""
    programs = (exif.software, xmp.fields.get("software"), iptc.fields.get("software"), *xmp.history)
    kinds = (xmp.fields.get("source_type"), *credentials.source_types)
    latitude, longitude = exif.place or (None, None)
    taken = exif.taken.date() if exif.taken else xmp.created or iptc.created
    return FileFacts(
        taken=taken,
        changed=exif.changed.date() if exif.changed else None,
        device=exif.device,
        software=next((p for p in programs if p), None),
        latitude=latitude,
        longitude=longitude,
        place=_place(exif, iptc, xmp),
        edited_by=edited_by(*programs),
        generated_by=generated_by(*programs, credentials.generator or None, *kinds),
        empty=exif == ExifData() and not iptc.fields and not xmp.fields and credentials.state == "none",
    )


def _place(exif: ExifData, iptc: Metadata, xmp: Metadata) -> str | None:
    if exif.place is not None:
        near = nearest_place(*exif.place)
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
    for block in (xmp, iptc):
        if exif.taken and block.created and abs((block.created - exif.taken.date()).days) > 1:
            yield (
                f"The EXIF data says it was taken on {exif.taken:%Y-%m-%d}, the {block.block} data says "
                f"{block.created.isoformat()}."
            )


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
