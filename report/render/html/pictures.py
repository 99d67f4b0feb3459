"""Submitted pictures in the page: the whole with boxes, and crops, where their bytes are at hand."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Any

from evidence.types import Box, FindingKind, ImageFinding
from factdesk.kernel import CertificateError
from report.render.evidence import EvidenceView
from report.render.view import ReportView

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_SIDE = 1200
"""Longest side of an embedded picture in pixels."""
LABELS: dict[FindingKind, str] = {
    "text": "Text",
    "chart": "Chart",
    "code": "Code",
    "exif": "EXIF",
    "metadata": "Metadata",
    "credentials": "Content credentials",
    "contradiction": "Worth a look",
    "earlier_use": "Earlier use",
    "altered": "Altered",
    "tampering": "Hint",
    "caption": "A model's view",
    "scene": "Scene",
}
MARGIN = 24
"""Pixels around a box that a crop shows."""

Pictures = Mapping[str, "Image"]
"""Upright RGB pictures by the SHA-256 of their files; who hands them over has checked the hash."""


@dataclass(frozen=True)
class Mark:
    """A box on a picture, with its number and the evidence it belongs to."""

    box: Box
    number: int
    evidence: EvidenceView


@dataclass(frozen=True)
class Crop:
    """The part of a picture around one box; ``box`` is relative to it."""

    data: str
    width: int
    height: int
    box: Box


@dataclass(frozen=True)
class FindingView:
    """Something found in or about a picture, with a crop around its place where the picture is at hand."""

    label: str
    text: str
    box: Box | None
    crop: Crop | None


@dataclass(frozen=True)
class PictureView:
    """A submitted picture: its size, what was read from it and where."""

    name: str
    sha256: str
    width: int
    height: int
    data: str | None
    """As a ``data:`` address; ``None`` where only the certificate is at hand."""
    marks: tuple[Mark, ...]
    text: str
    findings: tuple[FindingView, ...] = ()
    clip: str = ""
    """What CLIP says of it, or why nothing; on the first picture, which alone it is shown."""


def picture_views(
    images: Sequence[dict[str, Any]], view: ReportView, pictures: Pictures
) -> tuple[PictureView, ...]:
    """The submitted pictures with the boxes of the evidence on the page.

    Raises ``CertificateError`` when a picture that was handed over is not as large as the certificate says.
    """
    found = [e for s in view.shown for e in s.quoted if e.span.region is not None]
    views = []
    for number, image in enumerate(images):
        width, height = _size(image.get("width")), _size(image.get("height"))
        document = image.get("document")
        document = document if isinstance(document, dict) else {}
        picture = _picture(image, pictures)
        boxes: dict[Box, EvidenceView] = {}
        for item in found:
            region = item.span.region
            if (
                region is not None
                and item.span.doc_sha256 == document.get("sha256")
                and _inside(region, width, height)
            ):
                boxes.setdefault(region, item)
        marks = tuple(Mark(box, number, item) for number, (box, item) in enumerate(boxes.items(), 1))
        views.append(
            PictureView(
                name=str(image.get("name", "")),
                sha256=str(image.get("sha256", "")),
                width=width,
                height=height,
                data=_data(picture) if picture is not None else None,
                marks=marks,
                text=str(document.get("text", "")),
                findings=_findings(view.findings, str(image.get("sha256", "")), (width, height), picture),
                clip=view.clip if number == 0 else "",
            )
        )
    return tuple(views)


def _findings(
    findings: Sequence[ImageFinding], sha256: str, size: tuple[int, int], picture: Image | None
) -> tuple[FindingView, ...]:
    """What was found beyond the text that was read, which stands with the evidence."""
    views = []
    for found in findings:
        if found.image != sha256 or found.kind in ("text", "chart"):
            continue
        box = found.region if found.region is not None and _inside(found.region, *size) else None
        crop = _crop(picture, box) if picture is not None and box is not None else None
        views.append(FindingView(LABELS[found.kind], found.text, box, crop))
    return tuple(views)


def crops(images: Sequence[dict[str, Any]], view: ReportView, pictures: Pictures) -> dict[str, Crop]:
    """A crop for each piece of evidence with a box, by its anchor; empty without pictures."""
    by_text = {
        str(i["document"].get("sha256")): _picture(i, pictures)
        for i in images
        if isinstance(i.get("document"), dict)
    }
    found = {}
    for item in (e for s in view.shown for e in s.quoted):
        region, picture = item.span.region, by_text.get(item.span.doc_sha256)
        if region is not None and picture is not None and _inside(region, picture.width, picture.height):
            found[item.anchor] = _crop(picture, region)
    return found


def _picture(image: dict[str, Any], pictures: Pictures) -> Image | None:
    picture = pictures.get(str(image.get("sha256", "")))
    if picture is not None and (picture.width, picture.height) != (image.get("width"), image.get("height")):
        raise CertificateError(
            f"the picture {image.get('name')!r} is {picture.width} x {picture.height} pixels, but the "
            f"certificate says {image.get('width')!r} x {image.get('height')!r}"
        )
    return picture


def _crop(picture: Image, box: Box) -> Crop:
    x0, y0 = max(0, box.x0 - MARGIN), max(0, box.y0 - MARGIN)
    x1, y1 = min(picture.width, box.x1 + MARGIN), min(picture.height, box.y1 + MARGIN)
    inner = Box(x0=box.x0 - x0, y0=box.y0 - y0, x1=box.x1 - x0, y1=box.y1 - y0)
    return Crop(_data(picture.crop((x0, y0, x1, y1))), x1 - x0, y1 - y0, inner)


def _data(picture: Image) -> str:
    """Drawn anew, so that nothing but pixels of the file comes along."""
    small = picture.convert("RGB")
    small.thumbnail((MAX_SIDE, MAX_SIDE))
    out = BytesIO()
    small.save(out, format="JPEG", quality=82)
    return "data:image/jpeg;base64," + base64.b64encode(out.getvalue()).decode("ascii")


def _size(value: object) -> int:
    return value if isinstance(value, int) and 0 < value <= 100_000 else 0


def _inside(box: Box, width: int, height: int) -> bool:
    return 0 <= box.x0 < box.x1 <= width and 0 <= box.y0 < box.y1 <= height
