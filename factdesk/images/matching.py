"""A known picture laid over a submitted one: what the comparison means, in a record and in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from PIL import ImageOps
from PIL.Image import Image

from evidence.images import features, hashes
from evidence.images.boxes import around, corners, within
from evidence.images.compare import ALIKE, NOTHING, SAME, Comparison, align, compare, stands_alone
from evidence.images.files import decode
from evidence.images.records import text_differs
from evidence.types import Box, EarlierUse, ImageRecord, KnownImage, Match

PART_SHARE = 0.6
"""Share of the submitted picture below which the known one is a part of it."""
_SIDE = 720
"""Pixels that the longest side of what is compared has at least, where the picture has so many."""
_DENSE = 4
"""Lines with digits from which on a picture is a page, whose small text must be compared."""


@dataclass(frozen=True)
class Submitted:
    """A decoded picture to look for. ``lines``: what was read in it, and where; ``None``: nobody looked."""

    image: Image
    sha256: str
    lines: tuple[tuple[str, Box | None], ...] | None = None

    @classmethod
    def of(cls, record: ImageRecord, data: bytes) -> Submitted:
        """A picture of a check, by its file's bytes."""
        lines = tuple((s.text, s.region) for s in record.spans if s.kind in ("ocr", "chart"))
        return cls(decode(data, record.name).pixels, record.sha256, lines)

    @property
    def step(self) -> int:
        """How many times as long the sides are as those of ``small``."""
        return max(1, max(self.image.size) // _SIDE)

    @cached_property
    def small(self) -> Image:
        """The picture in RGB, a large one made smaller by a whole step; comparisons read no more of it."""
        if self.step == 1:
            return self.image.convert("RGB")
        width, height = (side - side % self.step for side in self.image.size)
        return self.image.convert("RGB").reduce(self.step, box=(0, 0, width, height))

    @cached_property
    def features(self) -> tuple[features.Features, features.Features]:
        """Those of ``small`` as it is, and mirrored."""
        return features.submitted_features(self.small)

    @cached_property
    def hashes(self) -> NDArray[np.uint64]:
        """*Shape:* (2, 2): as it is, and mirrored."""
        return hashes.submitted_hashes(self.small)

    @cached_property
    def seen(self) -> tuple[Image, Image]:
        """``small`` as it is, and mirrored."""
        return self.small, ImageOps.mirror(self.small)

    @cached_property
    def regions(self) -> tuple[Box, ...]:
        """Where text was read, in ``small``."""
        size = self.small.size
        read = [np.array(corners(box)) / self.step for _, box in self.lines or () if box is not None]
        return tuple(around(points, size) for points in read)

    def whole(self, box: Box, *, mirrored: bool) -> Box:
        """A region of ``small``, or of its mirror image, in the picture as it is."""
        x0, x1 = (self.small.width - box.x1, self.small.width - box.x0) if mirrored else (box.x0, box.x1)
        n = self.step
        return Box(x0=n * x0, y0=n * box.y0, x1=n * x1, y1=n * box.y1)

    def distance(self, known: KnownImage) -> int:
        """Bits in which the nearer of the two perceptual hashes differs."""
        there = known.hashes
        return int(hashes.differing(hashes.from_bytes(there), self.hashes).min()) if len(there) == hashes.SIZE else 64


@dataclass(frozen=True)
class Matched:
    """A known image that was laid over the submitted one. ``why``: how their texts differ, in words;
    ``box``: the altered region.
    """

    use: EarlierUse
    known: KnownImage
    why: str | None = None
    box: Box | None = None


def matched(submitted: Submitted, known: KnownImage, *, mirrored: bool) -> Matched | None:
    """The known picture laid over the submitted one; ``None`` where they are not alike."""
    found, agreeing = _compared(submitted, known, mirrored=mirrored)
    equal = submitted.sha256 == known.image_id
    if found.similarity < ALIKE and not equal:
        return None
    place, altered = (box and submitted.whole(box, mirrored=mirrored) for box in (found.place, found.altered))
    overlaid = tuple(submitted.whole(box, mirrored=mirrored) for box in found.overlaid)
    why, match = None, "same"
    if not equal:
        inside = [] if mirrored else _lines_inside(submitted, place, overlaid)
        why, match = _judged(inside, known, found)
    use = EarlierUse.taken_from(
        known,
        image=submitted.sha256,
        known=known.image_id,
        distance=submitted.distance(known),
        agreeing=agreeing,
        match=match,
        mirrored=mirrored,
        similarity=1.0 if equal else round(found.similarity, 3),
        place=place,
        overlaid=overlaid,
        alone=match != "part" or (found.place is not None and stands_alone(submitted.seen[mirrored], found.place)),
    )
    return Matched(use, known, why, altered if match == "altered" else None)


def _compared(submitted: Submitted, known: KnownImage, *, mirrored: bool) -> tuple[Comparison, int]:
    """By the map that so many features agree on, or whole on whole where a hash is near, whichever fits better."""
    image = submitted.seen[mirrored]
    warp, agreeing = align(features.from_bytes(known.features), submitted.features[int(mirrored)]) or (None, 0)
    lines = () if mirrored else submitted.regions
    found = NOTHING if warp is None else compare(image, known.thumbnail, warp, lines)
    if found.similarity < SAME and submitted.distance(known) <= hashes.RADIUS:
        found = max(found, compare(image, known.thumbnail, lines=lines), key=lambda comparison: comparison.similarity)
    return found, agreeing


def _lines_inside(submitted: Submitted, place: Box | None, overlaid: Sequence[Box]) -> list[str]:
    """What was read where the known picture lies, but for marks laid over it."""
    return [
        text
        for text, box in submitted.lines or ()
        if box is None or ((place is None or within(box, place)) and not any(within(box, over) for over in overlaid))
    ]


def _judged(inside: Sequence[str], known: KnownImage, found: Comparison) -> tuple[str | None, Match]:
    why = text_differs(" / ".join(inside), known.text) if known.text.strip() else None
    unread = not known.text and sum(any(c.isdigit() for c in text) for text in inside) >= _DENSE
    if found.similarity < SAME or unread:
        return why, "similar"
    if found.altered is not None or why is not None:
        return why, "altered"
    return None, "part" if found.share < PART_SHARE else "same"


def resembling(submitted: Submitted, known: KnownImage, cosine: float) -> Matched:
    """A picture that CLIP alone finds alike: a hint, never evidence."""
    use = EarlierUse.taken_from(
        known,
        image=submitted.sha256,
        known=known.image_id,
        distance=submitted.distance(known),
        match="similar",
        place=None,
    )
    return Matched(use, known, f"CLIP finds the two alike ({cosine:.2f}); their pixels do not go together.")


def use_sentence(use: EarlierUse) -> str:
    """ "This picture was published on … by … as …"; says so where it is a part, differs or is only alike."""
    head = {
        "same": "This picture",
        "altered": "A picture from which this one differs in part",
        "part": "A picture that this one has inside",
        "similar": "A picture that resembles this one",
    }[use.match]
    mirrored = ", mirrored," if use.mirrored else ""
    when = f" was published on {use.published.isoformat()}" if use.published else " is known, undated,"
    by = f" by {use.source}" if use.source else ""
    caption = " ".join(use.caption.split()).rstrip(".")
    told = f"{head}{mirrored}{when}{by}" + (f' as: "{caption}".' if caption else ".")
    if use.match == "part" and not use.alone:
        told += " Other pictures stand beside it, so it decides nothing."
    if use.match in ("same", "part") and use.overlaid:
        told += " Letters, a bar or a watermark are laid over it."
    return told
