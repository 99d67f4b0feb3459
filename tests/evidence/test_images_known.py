"""Perceptual hashes, their index, laying pictures over each other, and the records of known images."""

from __future__ import annotations

import random
from io import BytesIO
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageFont

from evaluation.programs.picture_changes import CHANGES
from evidence.images.compare import compare, thumbnail
from evidence.images.hashes import RADIUS, differing, from_bytes, hashes_of, nearest, to_bytes
from evidence.images.records import record_document, record_spans, text_differs
from evidence.images.tamper import copied_region, tampering_hints
from evidence.types import Box, EarlierUse, FileFacts, KnownImage
from factdesk.images.caption_file import Description
from factdesk.images.known import make_known
from factdesk.images.matching import Submitted, matched

hashes = st.integers(0, 2**64 - 1)


def scene(seed: int) -> Image.Image:
    """A photo-like picture: soft ground, shapes, noise."""
    rng = np.random.default_rng(seed)
    image = Image.fromarray((rng.random((6, 8, 3)) * 255).astype("uint8")).resize((640, 480), Image.Resampling.BICUBIC)
    pen = ImageDraw.Draw(image)
    for _ in range(14):
        x, y, w, h = (int(v) for v in rng.integers((0, 0, 20, 20), (600, 440, 200, 160)))
        colour = tuple(int(v) for v in rng.integers(0, 255, 3))
        (pen.ellipse if rng.random() < 0.5 else pen.rectangle)((x, y, x + w, y + h), fill=colour)
    noisy = np.asarray(image).astype(int) + rng.normal(0, 6, (480, 640, 1))
    return Image.fromarray(noisy.clip(0, 255).astype("uint8"))


def jpeg(image: Image.Image, quality: int) -> Image.Image:
    out = BytesIO()
    image.save(out, "JPEG", quality=quality)
    return Image.open(BytesIO(out.getvalue())).convert("RGB")


def known_image(image: Image.Image, **fields: object) -> KnownImage:
    return make_known(image, "ab" * 32, "known.jpg", Description.model_validate(fields))


def match_of(known: Image.Image, submitted: Image.Image) -> EarlierUse | None:
    """What comes of laying one over the other, as it is or mirrored."""
    found = Submitted(submitted, "cd" * 32)
    matches = [matched(found, known_image(known), mirrored=turned) for turned in (False, True)]
    uses = [m.use for m in matches if m is not None]
    return max(uses, key=lambda use: use.similarity, default=None)


@pytest.mark.parametrize(
    "change",
    [
        "JPEG quality 20",
        "stretched by 20 %",
        "sepia",
        "cut by 30 %",
        "turned by 90 degrees",
        "meme bar",
        "browser screenshot",
        "phone screenshot",
        "collage of four",
        "repost",
    ],
)
def test_a_changed_copy_is_found_and_is_the_same(change: str) -> None:
    use = match_of(scene(1), CHANGES[change](scene(1), random.Random(1)))
    assert use is not None
    parts = ("browser screenshot", "phone screenshot", "collage of four")
    assert use.match == ("part" if change in parts else "same")
    assert use.mirrored == (change in ("mirrored", "repost"))
    assert use.is_evidence == (change != "collage of four")


def test_the_place_inside_a_screenshot_is_kept() -> None:
    page = Image.new("RGB", (1200, 900), "white")
    page.paste(scene(1).resize((480, 360)), (500, 300))
    use = match_of(scene(1), page)
    assert use is not None
    assert use.place is not None
    assert (
        max(
            abs(a - b)
            for a, b in zip((use.place.x0, use.place.y0, use.place.x1, use.place.y1), (500, 300, 980, 660), strict=True)
        )
        <= 8
    )


@pytest.mark.parametrize("change", ["letters on it", "broadcaster's bar", "watermark"])
def test_a_mark_laid_over_it_alters_nothing_but_what_is_painted_in_does(change: str) -> None:
    use = match_of(scene(4), CHANGES[change](scene(4), random.Random(2)))
    assert use is not None
    assert (use.match, bool(use.overlaid)) == ("same", True)
    painted = scene(4)
    ImageDraw.Draw(painted).ellipse((300, 200, 380, 290), fill=(250, 250, 20))
    altered = match_of(scene(4), CHANGES[change](painted, random.Random(2)))
    assert altered is not None
    assert altered.match == "altered"


def test_another_picture_is_not_the_same() -> None:
    for a, b in pairwise(range(6)):
        assert compare(scene(a), thumbnail(scene(b))).similarity < 0.7


def test_what_was_painted_in_is_found_with_its_place() -> None:
    painted = scene(3)
    ImageDraw.Draw(painted).ellipse((300, 200, 380, 290), fill=(250, 250, 20))
    found = compare(jpeg(painted, 80), thumbnail(scene(3)))
    assert found.altered is not None
    assert found.altered.x0 <= 340 <= found.altered.x1
    assert found.altered.y0 <= 245 <= found.altered.y1


def test_another_digit_in_a_number_that_was_read_alters_the_picture() -> None:
    def sign(number: str) -> Image.Image:
        made = scene(3)
        ImageDraw.Draw(made).rectangle((120, 120, 520, 300), fill="white")
        ImageDraw.Draw(made).text((180, 190), number, fill="black", font=ImageFont.load_default(size=40))
        return made

    line = [Box(x0=175, y0=185, x1=400, y1=235)]
    for changed in (sign("61,442"), jpeg(sign("61,442"), 40)):
        assert compare(changed, thumbnail(sign("61,442")), lines=line).altered is None
        assert compare(changed, thumbnail(sign("91,442")), lines=line).altered == line[0]


def test_a_thumbnail_that_is_damaged_is_like_nothing() -> None:
    assert compare(scene(1), b"not a picture").similarity == 0.0
    assert (
        compare(Image.new("RGB", (400, 300), "white"), thumbnail(Image.new("RGB", (400, 300), "white"))).similarity
        == 0.0
    )


@given(st.lists(hashes, max_size=60), hashes, hashes, st.lists(st.integers(0, 63), max_size=14), st.booleans())
def test_all_hashes_that_are_near_are_found(
    entries: list[int], wanted: int, other: int, flips: list[int], turned: bool
) -> None:
    near = wanted
    for bit in flips:
        near ^= 1 << bit
    rows = np.array([[entry, ~entry & (2**64 - 1)] for entry in [*entries, near]], dtype=np.uint64)
    asked = np.array([[wanted, other], [other, wanted]][:: -1 if turned else 1], dtype=np.uint64)
    expected = []
    for number, row in enumerate(rows):
        apart = [min(int(h ^ w).bit_count() for h, w in zip(row, pair, strict=True)) for pair in asked]
        expected.append((min(apart), int(apart[1] < apart[0]), number))
    found = [(int(differing(rows, asked)[:, n].min()), int(mirrored), n) for n, mirrored in nearest(rows, asked)]
    assert found == sorted(item for item in expected if item[0] <= RADIUS)


def test_hashes_survive_their_bytes() -> None:
    made = hashes_of(scene(1))
    assert made.shape == (2,)
    assert np.array_equal(from_bytes(2 * to_bytes(made)), np.stack([made, made]))


def test_a_record_becomes_a_document_with_exact_spans() -> None:
    known = KnownImage(
        image_id="ab" * 32,
        name="a.jpg",
        caption="Flood in Linz",
        published="2013-06-03",
        source="Post",
        place="Linz, Austria",
        width=1,
        height=1,
        hashes=b"",
        thumbnail=b"",
    )
    document = record_document(known)
    spans = record_spans(known)
    assert [s.text for s in spans] == [
        "Flood in Linz.",
        "The picture was published on 3 June 2013 by Post.",
        "The picture was taken in Linz, Austria.",
    ]
    for item in spans:
        assert document.text[item.start : item.end] == item.text
        assert item.kind == "record"
        assert str(item.published) == "2013-06-03"


@pytest.mark.parametrize(
    ("here", "there", "differs"),
    [
        ("Population 18,740", "Population 18,740 / HARROWMERE", False),
        ("Population 28,740", "Population 18,740", True),
        ("", "Population 18,740", False),
        ("The mayor resigned today", "The mayor opened the library", True),
    ],
)
def test_texts_are_compared(here: str, there: str, differs: bool) -> None:
    assert (text_differs(here, there) is not None) == differs


def test_a_copied_region_is_a_hint_with_its_place() -> None:
    rng = np.random.default_rng(5)
    ground = Image.fromarray((rng.random((60, 80, 3)) * 255).astype("uint8")).resize(
        (800, 600), Image.Resampling.BICUBIC
    )
    assert copied_region(ground) is None
    ground.paste(ground.crop((50, 60, 250, 240)), (500, 350))
    region = copied_region(ground)
    assert region is not None
    out = BytesIO()
    ground.save(out, "PNG")
    hints = tampering_hints(ground, out.getvalue(), "PNG", FileFacts())
    assert any("a second time" in hint.text and hint.region == region for hint in hints)
    assert all(hint.span_id is None and hint.kind == "tampering" for hint in hints)
