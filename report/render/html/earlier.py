"""What stands beside a submitted picture in the page: earlier uses of it, and views of it for a magnifier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING
from urllib.parse import quote

from evidence.types import Box, EarlierUse, Match
from report.render.safe import Link, link
from report.types import CertificateBody

if TYPE_CHECKING:
    from PIL.Image import Image


KNOWN = "known:"
"""Before the id of a known picture, among the pictures that a page is given."""
_HEADS: dict[Match, str] = {
    "same": "The same picture was published before",
    "part": "The submitted picture has this one inside",
    "altered": "The submitted picture differs from this one in part",
    "similar": "A picture that looks alike",
}
_SEARCHES = (
    ("Google Lens", "https://lens.google.com/", "https://lens.google.com/uploadbyurl?url="),
    ("Bing", "https://www.bing.com/visualsearch", "https://www.bing.com/images/search?view=detailv2&iss=sbi&q=imgurl:"),
    ("Yandex", "https://yandex.com/images/", "https://yandex.com/images/search?rpt=imageview&url="),
    ("TinEye", "https://tineye.com/", "https://tineye.com/search?url="),
)


@dataclass(frozen=True)
class EarlierView:
    """An earlier use. ``known``: the thumbnail where it is at hand; ``decides``: a decision rests on it."""

    head: str
    published: str
    source: str
    caption: str
    link: Link | None
    known: Image | None
    mirrored: bool
    decides: bool
    place: Box | None
    overlaid: tuple[Box, ...]
    on_the_web: bool


def earlier_views(body: CertificateBody, sha256: str, pictures: Mapping[str, Image]) -> tuple[EarlierView, ...]:
    """Those of one submitted picture, the deciding ones first."""
    deciding = {span_id.split("#")[0] for d in body.decisions if d.state != "UNVERIFIED" for span_id in d.span_ids}
    uses: Sequence[EarlierUse] = body.image_report.earlier_uses if body.image_report else ()
    views = [
        EarlierView(
            head=_HEADS[use.match],
            published=use.published.isoformat() if use.published else "undated",
            source=use.source or "not recorded",
            caption=use.caption,
            link=link(use.url),
            known=pictures.get(KNOWN + use.known),
            mirrored=use.mirrored,
            decides=bool(use.doc_id) and use.doc_id in deciding,
            place=use.place,
            overlaid=use.overlaid,
            on_the_web=use.origin == "web",
        )
        for use in uses
        if use.image == sha256
    ]
    return tuple(sorted(views, key=lambda view: not view.decides))


def searches(address: str | None) -> tuple[tuple[str, str], ...]:
    """Name and address of pages that search for a picture: by its own address where it has one."""
    if address and address.startswith(("https://", "http://")):
        return tuple((name, by_address + quote(address, safe="")) for name, _, by_address in _SEARCHES)
    return tuple((name, page) for name, page, _ in _SEARCHES)


def map_link(latitude: object, longitude: object) -> str | None:
    """A map of the coordinates."""
    if not isinstance(latitude, float | int) or not isinstance(longitude, float | int):
        return None
    place = f"{float(latitude):.5f}", f"{float(longitude):.5f}"
    return f"https://www.openstreetmap.org/?mlat={place[0]}&mlon={place[1]}#map=14/{place[0]}/{place[1]}"


SIDE = 800
_ERROR, _NOISE = 14, 8
"""How many times each is made stronger, so that it is seen."""


@dataclass(frozen=True)
class Inspection:
    """A derived picture with what to look for in it."""

    name: str
    words: str
    image: Image


def inspections(picture: Image) -> tuple[Inspection, ...]:
    """Error levels (saved again as JPEG at quality 90, the difference made stronger) and noise (what a
    median filter takes off).
    """
    from PIL import Image as module
    from PIL import ImageChops, ImageFilter

    small = picture.convert("RGB")
    small.thumbnail((SIDE, SIDE))
    out = BytesIO()
    small.save(out, "JPEG", quality=90)
    with module.open(BytesIO(out.getvalue())) as again:
        error = ImageChops.difference(small, again.convert("RGB")).point(lambda v: min(255, v * _ERROR))
    grey = small.convert("L")
    noise = ImageChops.difference(grey, grey.filter(ImageFilter.MedianFilter(3)))
    return (
        Inspection(
            "Error levels",
            "How much each place changes when the picture is saved again. A part brighter than others "
            "of its kind may come from another picture; edges are always bright.",
            error,
        ),
        Inspection(
            "Noise",
            "The grain of the picture. A part with finer or coarser grain than its surroundings may "
            "have been put in; smooth ground has little.",
            noise.point(lambda v: min(255, v * _NOISE)).convert("RGB"),
        ),
    )
