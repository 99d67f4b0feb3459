"""The 26 changes that a picture goes through before it reaches a desk, each drawn from a seed."""

from __future__ import annotations

import random
from collections.abc import Callable
from io import BytesIO

import numpy as np
from PIL import Image, ImageDraw, ImageEnhance, ImageFilter, ImageOps

from evaluation.programs.picture_pens import askew, face, jpeg

Change = Callable[[Image.Image, random.Random], Image.Image]
INK, PAPER, GREY = "#1c1e21", "#ffffff", "#8a8d91"
_WORDS = (
    "nobody on the evening news will show you this share it before it is gone look at what they did to the "
    "harbour last night my cousin lives there and says it is worse than anyone admits"
).split()


def again(image: Image.Image, quality: int) -> Image.Image:
    """The picture as it comes back from JPEG."""
    return Image.open(BytesIO(jpeg(image, quality))).convert("RGB")


def fitted(image: Image.Image, side: int) -> Image.Image:
    """With a longest side of ``side`` pixels."""
    factor = side / max(image.size)
    return image.resize((max(1, round(image.width * factor)), max(1, round(image.height * factor))))


def _wide(image: Image.Image, width: int) -> Image.Image:
    return image.resize((width, max(1, round(image.height * width / image.width))))


def _said(rng: random.Random, count: int) -> str:
    return " ".join(rng.choice(_WORDS) for _ in range(count))


def _cut(share: float) -> Change:
    def change(image: Image.Image, rng: random.Random) -> Image.Image:
        width, height = round(image.width * (1 - share)), round(image.height * (1 - share))
        left, top = rng.randint(0, image.width - width), rng.randint(0, image.height - height)
        return image.crop((left, top, left + width, top + height))

    return change


def square(image: Image.Image, _: random.Random) -> Image.Image:
    """The middle, as high as wide."""
    return ImageOps.fit(image, (min(image.size), min(image.size)))


def sepia(image: Image.Image, _: random.Random) -> Image.Image:
    """Brown tones."""
    return ImageOps.colorize(ImageOps.grayscale(image), "#24160a", "#fff2d8")


def grain(image: Image.Image, rng: random.Random) -> Image.Image:
    """Noise of a sensor in poor light."""
    noise = np.random.default_rng(rng.randint(0, 10**6)).normal(0, 14, (image.height, image.width, 3))
    return Image.fromarray((np.asarray(image) + noise).clip(0, 255).astype("uint8"))


def letterbox(image: Image.Image, _: random.Random) -> Image.Image:
    """Black bars that make the picture a video's frame."""
    side = max(image.width * 9 // 16, image.height) if image.width > image.height else image.height
    wide = max(round(side * 1.2), image.height)
    ground = Image.new("RGB", (round(max(image.width, wide * 0.8)), wide), "black")
    ground.paste(image, ((ground.width - image.width) // 2, (ground.height - image.height) // 2))
    return ground


def framed(image: Image.Image, _: random.Random) -> Image.Image:
    """A white frame, broad at its foot."""
    margin = image.width // 16
    ground = Image.new("RGB", (image.width + 2 * margin, image.height + 5 * margin), "#f7f4ec")
    ground.paste(image, (margin, margin))
    return ground


def meme(image: Image.Image, rng: random.Random) -> Image.Image:
    """A white bar with a text above the picture."""
    bar = image.height // 4
    ground = Image.new("RGB", (image.width, image.height + bar), PAPER)
    ground.paste(image, (0, bar))
    pen = ImageDraw.Draw(ground)
    for row in range(2):
        place = (image.width // 2, round(bar * (0.15 + 0.4 * row)))
        pen.text(place, _said(rng, 5), fill="black", font=face(max(10, bar // 4)), anchor="ma")
    return ground


def lettered(image: Image.Image, rng: random.Random) -> Image.Image:
    """White letters with black edges over the top and the foot of the picture."""
    made = image.copy()
    pen, size = ImageDraw.Draw(made), max(14, image.width // 16)
    for y in (0.02, 0.97 - size / image.height):
        place = (image.width // 2, round(y * image.height))
        pen.text(
            place,
            _said(rng, 4).upper(),
            fill="white",
            stroke_fill="black",
            stroke_width=max(1, size // 14),
            font=face(size),
            anchor="ma",
        )
    return made


def lower_third(image: Image.Image, rng: random.Random) -> Image.Image:
    """A broadcaster's bar over the foot of the picture."""
    made = image.copy()
    pen, height = ImageDraw.Draw(made), image.height // 7
    top = image.height - height - image.height // 25
    pen.rectangle((0, top, image.width, top + height), fill="#8d1220")
    place = (image.width // 40, top + height // 4)
    pen.text(place, _said(rng, 6).title(), fill="white", font=face(max(10, height // 3)))
    return made


def watermark(image: Image.Image, rng: random.Random) -> Image.Image:
    """A half transparent name across the picture."""
    layer = Image.new("RGBA", image.size, (0, 0, 0, 0))
    pen, size = ImageDraw.Draw(layer), max(14, image.width // 9)
    for y in (0.2, 0.6):
        place = (rng.randint(0, image.width // 3), round(y * image.height))
        pen.text(place, "picturedesk", fill=(255, 255, 255, 105), font=face(size))
    return Image.alpha_composite(image.convert("RGBA"), layer).convert("RGB")


def _lines(pen: ImageDraw.ImageDraw, rng: random.Random, box: tuple[int, int, int, int], size: int) -> None:
    x0, y0, x1, y1 = box
    y = y0
    while y + size < y1:
        pen.text((x0, y), _said(rng, max(2, (x1 - x0) // (size * 4))), fill=INK, font=face(size))
        y += round(size * 1.6)


def browser(image: Image.Image, rng: random.Random) -> Image.Image:
    """A browser's window with a post and the picture in its middle."""
    page = Image.new("RGB", (1440, 900), "#f0f2f5")
    pen = ImageDraw.Draw(page)
    pen.rectangle((0, 0, 1440, 40), fill="#dee1e6")
    pen.rectangle((0, 40, 1440, 84), fill=PAPER)
    pen.rounded_rectangle((120, 48, 1200, 76), 14, fill="#eceff1")
    pen.text((140, 53), "https://www.cityboard.example/post/8231", fill=INK, font=face(15))
    shown = fitted(image, 620)
    pen.rectangle((380, 100, 1060, 900), fill=PAPER)
    _lines(pen, rng, (400, 150, 1040, 226), 18)
    page.paste(shown, (400, 230))
    pen.text((400, 110), "Northern Watch", fill=INK, font=face(20))
    _lines(pen, rng, (30, 140, 340, 600), 16)
    _lines(pen, rng, (1090, 140, 1400, 500), 16)
    return again(page, 85)


def phone(image: Image.Image, rng: random.Random) -> Image.Image:
    """A phone's screen with a post, sent on by a messenger that makes it smaller."""
    page = Image.new("RGB", (1080, 2340), PAPER)
    pen = ImageDraw.Draw(page)
    pen.text((60, 30), "21:47", fill=INK, font=face(36))
    pen.rectangle((900, 36, 1010, 70), outline=INK, width=4)
    pen.ellipse((40, 160, 140, 260), fill="steelblue")
    pen.text((170, 170), "Northern Watch", fill=INK, font=face(40))
    pen.text((170, 222), "2 h", fill=GREY, font=face(30))
    _lines(pen, rng, (40, 300, 1040, 520), 42)
    shown = _wide(image, 1080)
    shown = shown.crop((0, 0, 1080, min(shown.height, 1350)))
    page.paste(shown, (0, 540))
    _lines(pen, rng, (40, 580 + shown.height, 1040, 2200), 38)
    return again(fitted(page, 1280), 70)


def collage(image: Image.Image, rng: random.Random) -> Image.Image:
    """Four pictures, the known one among strangers."""
    page = Image.new("RGB", (1200, 900), PAPER)
    place = rng.randrange(4)
    for number in range(4):
        tile = image if number == place else stranger(rng)
        cell = ImageOps.fit(tile, (595, 445))
        page.paste(cell, ((number % 2) * 605, (number // 2) * 455))
    return again(page, 85)


def stranger(rng: random.Random) -> Image.Image:
    """A picture that nobody knows: soft ground, shapes, noise."""
    numbers = np.random.default_rng(rng.randint(0, 10**9))
    ground = Image.fromarray((numbers.random((9, 12, 3)) * 255).astype("uint8"))
    made = ground.resize((640, 480), Image.Resampling.BICUBIC)
    pen = ImageDraw.Draw(made)
    for _ in range(40):
        x, y, w, h = (int(v) for v in numbers.integers((0, 0, 8, 8), (600, 440, 110, 90)))
        colour = tuple(int(v) for v in numbers.integers(0, 255, 3))
        (pen.ellipse if numbers.random() < 0.5 else pen.rectangle)((x, y, x + w, y + h), fill=colour)
    return made


def screen(image: Image.Image, _: random.Random) -> Image.Image:
    """A photograph of a screen, from the side."""
    shown = fitted(image, 900)
    w, h = shown.size
    corners = ((90, 70), (90 + round(w * 0.93), 110), (70 + round(w * 0.97), 70 + h), (60, 40 + h))
    seen = askew(shown, corners, (w + 160, h + 140), "#26231f")
    return again(ImageEnhance.Contrast(seen).enhance(0.85), 75)


def repost(image: Image.Image, rng: random.Random) -> Image.Image:
    """Cut, lettered, mirrored, small, and saved twice."""
    made = lettered(ImageOps.mirror(_cut(0.15)(image, rng)), rng)
    return again(fitted(again(made, 60), 600), 50)


CHANGES: dict[str, Change] = {
    "JPEG quality 20": lambda i, _: again(i, 20),
    "half size": lambda i, _: fitted(i, max(i.size) // 2),
    "240 pixels": lambda i, _: fitted(i, 240),
    "grey": lambda i, _: ImageOps.grayscale(i).convert("RGB"),
    "stretched by 20 %": lambda i, _: i.resize((round(i.width * 1.2), i.height)),
    "mirrored": lambda i, _: ImageOps.mirror(i),
    "brighter, more colour": lambda i, _: ImageEnhance.Brightness(ImageEnhance.Color(i).enhance(1.3)).enhance(1.2),
    "sepia": sepia,
    "soft": lambda i, _: fitted(i, 640).filter(ImageFilter.GaussianBlur(1.2)),
    "grain": grain,
    "cut by 10 %": _cut(0.1),
    "cut by 20 %": _cut(0.2),
    "cut by 30 %": _cut(0.3),
    "square": square,
    "turned by 90 degrees": lambda i, _: i.transpose(Image.Transpose.ROTATE_90),
    "turned by 180 degrees": lambda i, _: i.transpose(Image.Transpose.ROTATE_180),
    "letterbox": letterbox,
    "frame": framed,
    "meme bar": meme,
    "letters on it": lettered,
    "broadcaster's bar": lower_third,
    "watermark": watermark,
    "browser screenshot": browser,
    "phone screenshot": phone,
    "collage of four": collage,
    "repost": repost,
}
"""What is done to each picture, by name."""
EXTRA: dict[str, Change] = {"photograph of a screen": screen}
