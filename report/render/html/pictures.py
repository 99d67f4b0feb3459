"""Submitted pictures in the page: boxes, crops, known pictures beside them, and views of them for a magnifier."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

from evidence.types import Box, EarlierUse, ImageFinding
from factdesk.kernel import CertificateError
from report.render.templates import WORDS
from report.render.trail import EvidenceView
from report.render.view import ReportView

if TYPE_CHECKING:
    from PIL.Image import Image

KNOWN = "known:"
"""Before the id of a known picture, among the pictures that a page is given."""
MAX_SIDE = 1200
"""Longest side of an embedded picture in pixels."""
MARGIN = 24
"""Pixels around a box that a crop shows."""
INSPECTED_SIDE = 800
_ERROR, _NOISE = 14, 8
"""How many times each is made stronger, so that it is seen."""

Pictures = Mapping[str, "Image"]
"""Upright RGB pictures by the SHA-256 of their files (who hands them over has checked it), known ones by ``KNOWN`` and
their id."""


class Crop(NamedTuple):
    """The part of a picture around one box; ``box`` is relative to it."""

    data: str
    width: int
    height: int
    box: Box


class Found(NamedTuple):
    """Something found in or about a picture, with a crop around its place where the picture is at hand."""

    finding: ImageFinding
    box: Box | None
    crop: Crop | None


class Earlier(NamedTuple):
    """An earlier use with the known picture as a ``data:`` address, where it is at hand."""

    use: EarlierUse
    why: str
    """Reason of the decision that rests on it, or ``""``."""
    data: str | None


class PictureView:
    """A submitted picture of a page: its size, what was read from it and where, known pictures beside it.

    Raises ``CertificateError`` when the picture that was handed over is not as large as the certificate says.
    """

    def __init__(self, image: dict[str, Any], view: ReportView, pictures: Pictures) -> None:
        document, file = _mapping(image.get("document")), _mapping(image.get("file"))
        sha256, picture = str(image.get("sha256", "")), _picture(image, pictures)
        found = [f for f in view.findings if f.image == sha256 and f.kind not in ("text", "chart")]
        own = {f.text for f in found if f.kind in ("exif", "metadata")}
        fields = file.get("fields")
        self.name = str(image.get("name", ""))
        self.width, self.height = _size(image.get("width")), _size(image.get("height"))
        self.data = _data(picture) if picture is not None else None
        """As a ``data:`` address; ``None`` where only the certificate is at hand."""
        marks: dict[Box, EvidenceView] = {}
        self.crops: dict[str, Crop] = {}
        """Around each piece of evidence with a box, by its anchor, where the picture is at hand."""
        for region, item in _quoted(view):
            if item.span.doc_sha256 == document.get("sha256") and _inside(region, self.width, self.height):
                marks.setdefault(region, item)
                if picture is not None:
                    self.crops[item.anchor] = _crop(picture, region)
        self.marks = tuple(marks.values())
        """What is quoted from it, one a box."""
        self.lines = [line for line in str(document.get("text", "")).splitlines() if line not in own]
        """What was read in it, without what the file says of itself."""
        self.findings = [_found(f, self.width, self.height, picture) for f in found]
        """What was found beyond the text that was read, which stands with the evidence."""
        self.earlier = _earlier(view, sha256, pictures)
        """Known pictures to show beside it, the deciding ones first."""
        self.searches = searches(str(image.get("url") or ""))
        self.map = map_link(file.get("latitude"), file.get("longitude"))
        self.facts = [(words, str(file[k])) for k, words in WORDS["file_facts"].items() if file.get(k) is not None]
        """What the data in its file says."""
        pairs = (
            pair for pair in (fields if isinstance(fields, list | tuple) else ()) if isinstance(pair, list | tuple)
        )
        self.fields = [(str(pair[0]), str(pair[1])) for pair in pairs if len(pair) == 2]
        """All readable fields of its file, name and value."""
        made = inspections(picture) if picture is not None else ()
        self.inspections = [(name, WORDS["inspections"][name], _data(shown)) for name, shown in made]
        """Name, words and ``data:`` address of pictures to look at."""


def _quoted(view: ReportView) -> Iterator[tuple[Box, EvidenceView]]:
    """What is quoted on the page from a place in a picture."""
    for item in (e for s in view.shown for e in s.quoted):
        if item.span.region is not None:
            yield item.span.region, item


def _found(finding: ImageFinding, width: int, height: int, picture: Image | None) -> Found:
    box = finding.region if finding.region is not None and _inside(finding.region, width, height) else None
    return Found(finding, box, _crop(picture, box) if picture is not None and box is not None else None)


def _earlier(view: ReportView, sha256: str, pictures: Pictures) -> tuple[Earlier, ...]:
    certified = [d for d in view.body.decisions if d.state != "UNVERIFIED"]
    reasons = {span_id.split("#")[0]: d.reason for d in certified for span_id in d.span_ids}
    uses = view.body.image_report.earlier_uses if view.body.image_report else ()
    found = []
    for use in (u for u in uses if u.image == sha256):
        known = pictures.get(KNOWN + use.known)
        why = reasons.get(use.doc_id or "", "")
        found.append(Earlier(use, why, _data(known) if known is not None else None))
    return tuple(sorted(found, key=lambda earlier: not earlier.why))


def searches(address: str | None) -> tuple[tuple[str, str], ...]:
    """Name and address of pages that search for a picture: by its own address where it has one."""
    if address and address.startswith(("https://", "http://")):
        return tuple((s["name"], s["by_address"] + quote(address, safe="")) for s in WORDS["searches"])
    return tuple((s["name"], s["page"]) for s in WORDS["searches"])


def map_link(latitude: object, longitude: object) -> str | None:
    """A map of the coordinates."""
    if not isinstance(latitude, float | int) or not isinstance(longitude, float | int):
        return None
    place = f"{float(latitude):.5f}", f"{float(longitude):.5f}"
    return f"https://www.openstreetmap.org/?mlat={place[0]}&mlon={place[1]}#map=14/{place[0]}/{place[1]}"


def inspections(picture: Image) -> Iterator[tuple[str, Image]]:
    """Error levels (saved again as JPEG at quality 90, the difference made stronger) and noise (what a
    median filter takes off), by their names in ``words.toml``.
    """
    from PIL import Image as module
    from PIL import ImageChops, ImageFilter

    small = picture.convert("RGB")
    small.thumbnail((INSPECTED_SIDE, INSPECTED_SIDE))
    with module.open(_jpeg(small, 90)) as again:
        error = ImageChops.difference(small, again.convert("RGB"))
        yield "Error levels", error.point(lambda v: min(255, v * _ERROR))
    grey = small.convert("L")
    noise = ImageChops.difference(grey, grey.filter(ImageFilter.MedianFilter(3)))
    yield "Noise", noise.point(lambda v: min(255, v * _NOISE)).convert("RGB")


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
    return "data:image/jpeg;base64," + base64.b64encode(_jpeg(small, 82).getvalue()).decode("ascii")


def _jpeg(picture: Image, quality: int) -> BytesIO:
    out = BytesIO()
    picture.save(out, "JPEG", quality=quality)
    out.seek(0)
    return out


def _mapping(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _size(value: object) -> int:
    return value if isinstance(value, int) and 0 < value <= 100_000 else 0


def _inside(box: Box, width: int, height: int) -> bool:
    return 0 <= box.x0 < box.x1 <= width and 0 <= box.y0 < box.y1 <= height
