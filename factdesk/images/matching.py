"""A known picture laid over a submitted one: what the comparison means, in a record and in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from evidence.types import Box, EarlierUse, KnownImage, Match

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image

    from evidence.images.alignment import Alignment
    from evidence.images.compare import Comparison
    from evidence.images.features import Features

PART_SHARE = 0.6
"""Share of the submitted picture below which the known one is a part of it."""
FAR_BITS = 64
_DENSE = 4
"""Lines with digits from which on a picture is a page, whose small text must be compared."""


@dataclass(frozen=True)
class Submitted:
    """A decoded picture to look for. ``lines``: what was read in it, and where; ``None``: nobody looked."""

    image: Image
    sha256: str
    lines: tuple[tuple[str, Box | None], ...] | None = None

    @cached_property
    def features(self) -> tuple[Features, Features]:
        """As it is, and mirrored."""
        from evidence.images.features import submitted_features

        return submitted_features(self.image)

    @cached_property
    def hashes(self) -> NDArray[np.uint64]:
        """*Shape:* (2, 2): as it is, and mirrored."""
        from evidence.images.hashes import submitted_hashes

        return submitted_hashes(self.image)

    @cached_property
    def mirrored(self) -> Image:
        """The mirror image."""
        from PIL.Image import Transpose

        return self.image.transpose(Transpose.FLIP_LEFT_RIGHT)


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
    from evidence.images.compare import ALIKE

    found, aligned = _compared(submitted, known, mirrored=mirrored)
    equal = submitted.sha256 == known.image_id
    if found.similarity < ALIKE and not equal:
        return None
    place, altered = found.place, found.altered
    overlaid: Sequence[Box] = found.overlaid
    if mirrored:
        width = submitted.image.width
        place, altered = _turned_back(place, width), _turned_back(altered, width)
        overlaid = [box for b in overlaid if (box := _turned_back(b, width))]
    why, match = None, "same"
    if not equal:
        why, match = _judged(submitted, known, found, place, overlaid, mirrored=mirrored)
    use = EarlierUse.model_validate(
        {
            **_told(submitted.sha256, known),
            "distance": hash_distance(submitted, known),
            "agreeing": aligned.agreeing if aligned else 0,
            "match": match,
            "mirrored": mirrored,
            "similarity": 1.0 if equal else round(found.similarity, 3),
            "place": place,
            "overlaid": tuple(overlaid),
            "alone": match != "part" or _alone(submitted.image, place),
        }
    )
    return Matched(use, known, why, altered if match == "altered" else None)


def _compared(submitted: Submitted, known: KnownImage, *, mirrored: bool) -> tuple[Comparison, Alignment | None]:
    """By the map that features agree on, or whole on whole where a hash is near, whichever fits better."""
    from evidence.images.alignment import align
    from evidence.images.compare import NOTHING, SAME, compare
    from evidence.images.features import from_bytes
    from evidence.images.hash_index import RADIUS

    image = submitted.mirrored if mirrored else submitted.image
    aligned = align(from_bytes(known.features), submitted.features[int(mirrored)])
    found = compare(image, known.thumbnail, aligned.warp) if aligned else None
    if found is not None and found.similarity >= SAME:
        return found, aligned
    near = hash_distance(submitted, known) <= RADIUS
    whole = compare(image, known.thumbnail) if near else None
    if whole is not None and (found is None or whole.similarity > found.similarity):
        return whole, aligned
    return found or NOTHING, aligned


def _judged(
    submitted: Submitted,
    known: KnownImage,
    found: Comparison,
    place: Box | None,
    overlaid: Sequence[Box],
    *,
    mirrored: bool,
) -> tuple[str | None, Match]:
    from evidence.images.compare import SAME
    from evidence.images.records import text_differs

    inside = (
        []
        if mirrored
        else [
            text
            for text, box in submitted.lines or ()
            if box is None or (_within(box, place) and not any(_within(box, over) for over in overlaid))
        ]
    )
    why = text_differs(" / ".join(inside), known.text) if known.text.strip() else None
    unread = not known.text and sum(any(c.isdigit() for c in text) for text in inside) >= _DENSE
    if found.similarity < SAME or unread:
        return why, "similar"
    if found.altered is not None or why is not None:
        return why, "altered"
    return None, "part" if found.share < PART_SHARE else "same"


def _within(box: Box, place: Box | None) -> bool:
    """Whether most of ``box`` lies in ``place``."""
    if place is None:
        return True
    across = min(box.x1, place.x1) - max(box.x0, place.x0)
    down = min(box.y1, place.y1) - max(box.y0, place.y0)
    return across > 0 and down > 0 and across * down > 0.5 * (box.x1 - box.x0) * (box.y1 - box.y0)


def _alone(image: Image, place: Box | None) -> bool:
    from evidence.images.surroundings import stands_alone

    return place is not None and stands_alone(image, place)


def hash_distance(submitted: Submitted, known: KnownImage) -> int:
    """Bits in which the nearer of the two perceptual hashes differs."""
    import numpy as np

    from evidence.images.hashes import from_bytes

    there = from_bytes(known.hashes)
    if len(there) != submitted.hashes.shape[1]:
        return FAR_BITS
    return int(np.bitwise_count(there[None, :] ^ submitted.hashes).min())


def resembling(submitted: Submitted, known: KnownImage, cosine: float) -> Matched:
    """A picture that CLIP alone finds alike: a hint, never evidence."""
    use = EarlierUse.model_validate(
        {
            **_told(submitted.sha256, known),
            "distance": hash_distance(submitted, known),
            "match": "similar",
        }
    )
    return Matched(use, known, f"CLIP finds the two alike ({cosine:.2f}); their pixels do not go together.")


def _told(digest: str, known: KnownImage) -> dict[str, object]:
    return {
        "image": digest,
        "known": known.image_id,
        "published": known.published,
        "source": known.source,
        "caption": known.caption,
        "url": known.url,
    }


def _turned_back(box: Box | None, width: int) -> Box | None:
    return box and Box(x0=width - box.x1, y0=box.y0, x1=width - box.x0, y1=box.y1)


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
