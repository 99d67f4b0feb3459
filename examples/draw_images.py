"""Draw the eight example images: Pillow alone, its bundled font, every random number from a seed."""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from itertools import pairwise

from image_texts import CHART_VALUES, SCENE_EXIF, TABLE_HEAD, TABLE_ROWS, TEXTS, Exif
from PIL import Image, ImageDraw, ImageFilter, ImageFont

SEED = 20250601

Colour = tuple[int, int, int]
Font = ImageFont.FreeTypeFont

WHITE: Colour = (255, 255, 255)
INK: Colour = (24, 26, 32)
GREY: Colour = (84, 90, 100)
BLUE: Colour = (29, 84, 153)
RED: Colour = (172, 34, 38)


def font(size: int) -> Font:
    """Return Pillow's bundled font in ``size`` pixels.

    Raises:
        RuntimeError: Pillow was built without FreeType and has only its small bitmap font.
    """
    loaded = ImageFont.load_default(size=size)
    if not isinstance(loaded, ImageFont.FreeTypeFont):
        raise RuntimeError("this Pillow has no FreeType support; install Pillow from its wheel")
    return loaded


def write(
    draw: ImageDraw.ImageDraw,
    xy: tuple[float, float],
    text: str,
    size: int,
    fill: Colour = INK,
    anchor: str = "la",
    bold: bool = False,
) -> None:
    """Draw one line of ``text``; ``bold`` thickens it with a one pixel outline."""
    if bold:
        draw.text(xy, text, font=font(size), fill=fill, anchor=anchor, stroke_width=1, stroke_fill=fill)
    else:
        draw.text(xy, text, font=font(size), fill=fill, anchor=anchor)


def noise(size: tuple[int, int], seed: int) -> Image.Image:
    """Return seeded grey noise, mode L, values 0 to 255. *Shape:* ``size`` as (width, height)."""
    width, height = size
    return Image.frombytes("L", size, random.Random(seed).randbytes(width * height))


def as_png(image: Image.Image) -> bytes:
    """Encode ``image`` as PNG with a palette of 64 colours, which suits drawings and keeps files small."""
    buffer = io.BytesIO()
    image.convert("RGB").quantize(64, dither=Image.Dither.NONE).save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def chart() -> bytes:
    """Bar chart: production of a wind farm in four quarters, each bar labelled with its number."""
    image = Image.new("RGB", (1000, 680), WHITE)
    draw = ImageDraw.Draw(image)
    title, subtitle, *_, source = TEXTS["chart.png"]
    write(draw, (60, 32), title, 42, bold=True)
    write(draw, (60, 92), subtitle, 28, GREY)
    base, scale = 560, 0.66
    for step in (0, 200, 400, 600):
        y = base - step * scale
        draw.line((60, y, 940, y), fill=(206, 210, 216), width=2)
    for index, (label, value) in enumerate(CHART_VALUES):
        left = 100 + index * 215
        draw.rectangle((left, base - value * scale, left + 130, base), fill=BLUE)
        write(draw, (left + 65, base - value * scale - 10), f"{value} GWh", 30, anchor="ms", bold=True)
        write(draw, (left + 65, base + 14), label, 28, anchor="ma")
    write(draw, (60, 625), source, 24, GREY)
    return as_png(image)


def post() -> bytes:
    """Screenshot of a post in an invented social network, with author, handle, date and text."""
    image = Image.new("RGB", (960, 560), (236, 239, 243))
    draw = ImageDraw.Draw(image)
    author, handle, *lines, date, counts = TEXTS["post.png"]
    draw.rounded_rectangle((30, 30, 930, 530), radius=24, fill=WHITE, outline=(206, 210, 216), width=2)
    draw.ellipse((65, 65, 155, 155), fill=(214, 118, 32))
    draw.rounded_rectangle((88, 88, 132, 128), radius=8, fill=WHITE)
    draw.line((84, 138, 136, 138), fill=WHITE, width=6)
    write(draw, (180, 70), author, 36, bold=True)
    write(draw, (180, 118), handle, 28, GREY)
    for index, line in enumerate(lines):
        write(draw, (70, 195 + index * 58), line, 36)
    draw.line((70, 392, 890, 392), fill=(206, 210, 216), width=2)
    write(draw, (70, 412), date, 28, GREY)
    write(draw, (70, 466), counts, 28, GREY)
    return as_png(image)


def sign() -> bytes:
    """Town sign on two posts in front of a meadow."""
    image = Image.new("RGB", (960, 640), (186, 214, 236))
    draw = ImageDraw.Draw(image)
    rng = random.Random(SEED + 1)
    draw.rectangle((0, 470, 960, 640), fill=(112, 158, 84))
    for _ in range(500):
        x, y = rng.randrange(960), rng.randrange(485, 640)
        draw.line((x, y, x + rng.randrange(-3, 4), y - 12), fill=(86, 132, 66), width=2)
    for left in (190, 740):
        draw.rectangle((left, 420, left + 28, 610), fill=(92, 96, 102))
    draw.rounded_rectangle((90, 50, 870, 450), radius=22, fill=WHITE, outline=(20, 84, 52), width=12)
    name, *lines = TEXTS["sign.png"]
    write(draw, (480, 82), name, 84, (20, 84, 52), "ma", bold=True)
    draw.line((150, 192, 810, 192), fill=(20, 84, 52), width=4)
    for index, line in enumerate(lines):
        write(draw, (480, 212 + index * 56), line, 38, INK, "ma")
    return as_png(image)


def scan() -> bytes:
    """Scanned letter: grey, grainy, turned by a little more than one degree, with a stamp."""
    size = (1000, 1250)
    image = Image.new("RGB", size, (238, 237, 232))
    draw = ImageDraw.Draw(image)
    agency, place, headline, period, cases, admissions, deaths, *rest, signature, stamp = TEXTS["scan.jpg"]
    write(draw, (110, 110), agency, 46, bold=True)
    draw.line((110, 175, 890, 175), fill=INK, width=3)
    write(draw, (890, 200), place, 30, anchor="ra")
    write(draw, (110, 290), headline, 40, bold=True)
    write(draw, (110, 375), period, 32)
    for index, line in enumerate((cases, admissions, deaths)):
        write(draw, (150, 455 + index * 62), line, 38, bold=True)
    for index, line in enumerate(rest):
        write(draw, (110, 680 + index * 54), line, 32)
    rng = random.Random(SEED + 2)
    scrawl = [(120 + index * 14, 925 + rng.randrange(-26, 27)) for index in range(18)]
    draw.line(scrawl, fill=(38, 52, 120), width=4, joint="curve")
    write(draw, (110, 975), signature, 32)
    draw.rectangle((520, 1070, 900, 1140), outline=RED, width=5)
    write(draw, (710, 1105), stamp, 30, RED, "mm", bold=True)
    turned = image.rotate(-1.3, Image.Resampling.BICUBIC, fillcolor=(196, 195, 190)).convert("L")
    grain = noise(size, SEED + 3).filter(ImageFilter.GaussianBlur(1.2))
    grey = Image.blend(turned, grain, 0.12).filter(ImageFilter.GaussianBlur(0.6))
    buffer = io.BytesIO()
    grey.save(buffer, "JPEG", quality=72, optimize=True)
    return buffer.getvalue()


def ridge(rng: random.Random, width: int, level: float, rough: float) -> list[tuple[float, float]]:
    """Return the skyline of one hill range from left to right, by midpoint displacement, in pixels."""
    heights = [level + rng.uniform(-rough, rough), level + rng.uniform(-rough, rough)]
    while len(heights) < 65:
        finer: list[float] = []
        for first, second in pairwise(heights):
            finer += [first, (first + second) / 2 + rng.uniform(-rough, rough)]
        heights = [*finer, heights[-1]]
        rough *= 0.5
    return [(index * width / 64, height) for index, height in enumerate(heights)]


def exif_bytes(data: Exif) -> bytes:
    """Return ``data`` as an EXIF block with its Exif and GPS directories."""
    exif = Image.Exif()
    exif[0x010F] = data.make
    exif[0x0110] = data.model
    exif[0x0131] = data.software
    exif[0x0132] = data.taken
    exif[0x8769] = {0x9003: data.taken, 0x9004: data.taken}
    exif[0x8825] = {1: "N", 2: data.latitude, 3: "W", 4: data.longitude}
    return exif.tobytes()


def scene() -> bytes:
    """Painted landscape in the manner of a photograph: hills, a lake, a notice board, and EXIF."""
    width, height = size = (1120, 740)
    rng = random.Random(SEED + 4)
    sky = Image.linear_gradient("L").resize(size)
    low, high = Image.new("RGB", size, (224, 232, 236)), Image.new("RGB", size, (96, 148, 208))
    image = Image.composite(low, high, sky)
    draw = ImageDraw.Draw(image)
    for _ in range(26):
        x, y, reach = rng.randrange(width), rng.randrange(20, 190), rng.randrange(40, 110)
        draw.ellipse((x - reach, y - reach // 5, x + reach, y + reach // 5), fill=(238, 241, 244))
    image = image.filter(ImageFilter.GaussianBlur(9))
    draw = ImageDraw.Draw(image)
    for level, rough, colour in (
        (250.0, 60.0, (128, 150, 170)),
        (310.0, 46.0, (92, 122, 118)),
        (362.0, 26.0, (58, 92, 62)),
    ):
        draw.polygon([(0, height), *ridge(rng, width, level, rough), (width, height)], fill=colour)
    draw.rectangle((0, 400, width, height), fill=(84, 124, 150))
    for _ in range(900):
        y = rng.randrange(404, 640)
        x, reach = rng.randrange(width), 6 + (y - 400) // 8
        shade = rng.randrange(-22, 30)
        draw.line((x, y, x + reach, y), fill=(100 + shade, 138 + shade, 162 + shade), width=2)
    shore = [(x, y + 590) for x, y in ridge(rng, width, 0.0, 24.0)]
    draw.polygon([(0, height), *shore, (width, height)], fill=(186, 170, 128))
    for _ in range(420):
        x, y = rng.randrange(width), rng.randrange(620, height)
        draw.line((x, y, x + rng.randrange(-8, 9), y - rng.randrange(14, 44)), fill=(96, 116, 62), width=3)
    image = image.filter(ImageFilter.GaussianBlur(1.1))
    draw = ImageDraw.Draw(image)
    for left in (420, 676):
        draw.rectangle((left, 600, left + 22, 715), fill=(84, 62, 44))
    draw.rectangle((360, 450, 760, 618), fill=(246, 244, 236), outline=(84, 62, 44), width=8)
    lake, ban = TEXTS["scene.jpg"][:2]
    write(draw, (560, 472), lake, 44, INK, "ma", bold=True)
    write(draw, (560, 538), ban, 52, RED, "ma", bold=True)
    grain = noise(size, SEED + 5).convert("RGB")
    image = Image.blend(image, grain, 0.03)
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=80, optimize=True, exif=exif_bytes(SCENE_EXIF))
    return buffer.getvalue()


def table() -> bytes:
    """Table of results with four columns and six rows."""
    image = Image.new("RGB", (1000, 640), WHITE)
    draw = ImageDraw.Draw(image)
    title, subtitle = TEXTS["table.png"][:2]
    write(draw, (50, 32), title, 38, bold=True)
    write(draw, (50, 90), subtitle, 30, GREY)
    columns = (60, 170, 500, 790)
    for index, row in enumerate((TABLE_HEAD, *TABLE_ROWS)):
        top = 150 + index * 64
        if index == 0:
            draw.rectangle((40, top, 960, top + 64), fill=(30, 62, 94))
        elif index % 2 == 0:
            draw.rectangle((40, top, 960, top + 64), fill=(234, 239, 245))
        for x, cell in zip(columns, row, strict=True):
            write(draw, (x, top + 32), cell, 32, WHITE if index == 0 else INK, "lm", bold=index == 0)
    draw.rectangle((40, 150, 960, 150 + 64 * 7), outline=(30, 62, 94), width=3)
    return as_png(image)


def frontpage() -> bytes:
    """Clipping of a newspaper front page: masthead, headline, two columns."""
    image = Image.new("RGB", (1000, 1040), (247, 244, 235))
    draw = ImageDraw.Draw(image)
    texts = TEXTS["frontpage.png"]
    write(draw, (500, 44), texts[0], 66, INK, "ma", bold=True)
    draw.line((50, 136, 950, 136), fill=INK, width=4)
    write(draw, (50, 148), texts[1], 26)
    write(draw, (950, 148), texts[2], 26, anchor="ra")
    draw.line((50, 194, 950, 194), fill=INK, width=2)
    write(draw, (500, 222), texts[3], 66, INK, "ma", bold=True)
    write(draw, (500, 322), texts[4], 38, INK, "ma")
    for index, line in enumerate(texts[5:11]):
        write(draw, (60, 420 + index * 46), line, 28)
    draw.rectangle((60, 720, 460, 910), fill=(176, 190, 200))
    draw.rectangle((90, 810, 430, 910), fill=(112, 88, 76))
    draw.polygon([(90, 810), (175, 765), (260, 810), (345, 765), (430, 810)], fill=(86, 66, 58))
    draw.rectangle((350, 735, 378, 800), fill=(86, 66, 58))
    draw.line((500, 420, 500, 910), fill=GREY, width=2)
    for index, line in enumerate(texts[11:13]):
        write(draw, (540, 416 + index * 50), line, 36, bold=True)
    for index, line in enumerate(texts[13:16]):
        write(draw, (540, 540 + index * 46), line, 28)
    draw.line((50, 940, 950, 940), fill=INK, width=2)
    write(draw, (500, 960), texts[16], 30, INK, "ma")
    return as_png(image)


def infographic() -> bytes:
    """Infographic with one large percentage in a ring and two further figures."""
    image = Image.new("RGB", (1000, 900), (250, 246, 238))
    draw = ImageDraw.Draw(image)
    texts = TEXTS["infographic.png"]
    draw.rectangle((0, 0, 1000, 120), fill=(68, 32, 96))
    write(draw, (500, 60), texts[0], 52, WHITE, "mm", bold=True)
    draw.arc((80, 170, 400, 490), 0, 360, fill=(222, 212, 226), width=40)
    draw.arc((80, 170, 400, 490), -90, -90 + 360 * 0.64, fill=(140, 52, 160), width=40)
    write(draw, (240, 330), texts[1], 96, (68, 32, 96), "mm", bold=True)
    write(draw, (450, 280), texts[2], 38)
    write(draw, (450, 340), texts[3], 38)
    for index, line in enumerate(texts[4:6]):
        top = 550 + index * 100
        box = (70, top, 930, top + 80)
        draw.rounded_rectangle(box, radius=16, fill=WHITE, outline=(140, 52, 160), width=3)
        write(draw, (500, top + 40), line, 34, INK, "mm")
    write(draw, (70, 780), texts[6], 28, GREY)
    write(draw, (70, 824), texts[7], 28, GREY)
    return as_png(image)


MAKERS: dict[str, Callable[[], bytes]] = {
    "chart.png": chart,
    "post.png": post,
    "sign.png": sign,
    "scan.jpg": scan,
    "scene.jpg": scene,
    "table.png": table,
    "frontpage.png": frontpage,
    "infographic.png": infographic,
}
