"""Pictures of a picture to look at with a magnifier: error levels and noise. Hints for the eye."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image

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
