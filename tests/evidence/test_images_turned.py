"""Small text that lies on its side is read the right way round."""

from __future__ import annotations

import pytest
from PIL import Image, ImageDraw, ImageFont

from evidence.images.ocr import read_text

WORDS = "northern asked mayor of while council bridge reopened after repairs that cost".split()


@pytest.mark.parametrize(
    ("size", "ink", "ground", "degrees"), [(12, "white", "#b03030", 90), (18, "#c8c8d0", "#20222a", 270)]
)
def test_small_text_on_its_side(size: int, ink: str, ground: str, degrees: int) -> None:
    image = Image.new("RGB", (34 * size, 12 * size), ground)
    for row in range(4):
        text = " ".join(WORDS[3 * row : 3 * row + 3])
        ImageDraw.Draw(image).text((15, 15 + row * 2 * size), text, fill=ink, font=ImageFont.load_default(size=size))
    found = read_text(image.rotate(degrees, expand=True))
    assert found.turned == 360 - degrees
    assert " ".join(line.text for line in found.lines).split() == WORDS
