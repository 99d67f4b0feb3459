"""What the pictures of ``draw_pictures.py`` are drawn with: fonts, grain, a view from the side, encoding."""

from __future__ import annotations

from importlib.util import find_spec
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

Points = tuple[tuple[int, int], tuple[int, int], tuple[int, int], tuple[int, int]]
Font = ImageFont.FreeTypeFont | ImageFont.ImageFont


def face(size: int, name: str = "") -> Font:
    """A font of matplotlib by its file name, or the one inside Pillow."""
    spec = find_spec("matplotlib") if name else None
    if spec and spec.origin:
        file = Path(spec.origin).parent / "mpl-data" / "fonts" / "ttf" / f"{name}.ttf"
        if file.is_file():
            return ImageFont.truetype(str(file), size)
    return ImageFont.load_default(size=size)


SANS, BOLD, SERIF, HEAVY, MONO = (
    "DejaVuSans",
    "DejaVuSans-Bold",
    "DejaVuSerif",
    "DejaVuSerif-Bold",
    "DejaVuSansMono",
)


def jpeg(image: Image.Image, quality: int) -> bytes:
    """Encoded as JPEG."""
    out = BytesIO()
    image.convert("RGB").save(out, "JPEG", quality=quality)
    return out.getvalue()


def png(image: Image.Image) -> bytes:
    """Encoded as PNG."""
    out = BytesIO()
    image.convert("RGB").save(out, "PNG")
    return out.getvalue()


def noisy(image: Image.Image, seed: int, strength: float) -> Image.Image:
    """With grain of a sensor, in grey levels."""
    grain = np.random.default_rng(seed).normal(0, strength, (image.height, image.width, 3))
    return Image.fromarray((np.asarray(image.convert("RGB")) + grain).clip(0, 255).astype("uint8"))


def askew(image: Image.Image, corners: Points, size: tuple[int, int], ground: str) -> Image.Image:
    """The picture seen from the side: its corners (clockwise from the top left) stand at ``corners``."""
    w, h = image.size
    rows, wanted = [], []
    for (x, y), (u, v) in zip(corners, ((0, 0), (w, 0), (w, h), (0, h)), strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        wanted += [u, v]
    found = np.linalg.solve(np.array(rows, dtype=float), np.array(wanted, dtype=float))
    shape = Image.new("L", image.size, 255)
    bend, smooth = tuple(float(x) for x in found), Image.Resampling.BICUBIC
    mask = shape.transform(size, Image.Transform.PERSPECTIVE, bend, smooth)
    seen = image.transform(size, Image.Transform.PERSPECTIVE, bend, smooth)
    return Image.composite(seen, Image.new("RGB", size, ground), mask)


def turned(image: Image.Image, text: str, place: tuple[int, int], degrees: int, font: Font, ink: str) -> None:
    """Write ``text`` turned against the clock, so that its right end stands at ``place``."""
    box = font.getbbox(text)
    label = Image.new("L", (int(box[2]) + 8, int(box[3]) + 8), 0)
    ImageDraw.Draw(label).text((4, 2), text, fill=255, font=font)
    leaning = label.rotate(degrees, expand=True, resample=Image.Resampling.BICUBIC)
    image.paste(ink, (place[0] - leaning.width, place[1]), leaning)
