"""Pairs of a claim and a picture, drawn from a seed, with the archive of known images behind them.

Towns are real (records are compared by the distance of towns), all events, people and figures are invented.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageEnhance, ImageFont, ImageOps

from language.calendar import MONTH_NAMES

TOWNS = ("Graz", "Porto", "Leipzig", "Bordeaux", "Valencia", "Dublin", "Oslo", "Turin", "Antwerp", "Tampere")
EVENTS = ("flood", "fire", "protest", "storm", "rally", "parade")
MONTHS = ("January", "March", "April", "June", "August", "October")
SOURCES = ("Danube Post", "Northern Wire", "Harbour Courier")
SHARES = {
    "true": 15,
    "false caption": 15,
    "out of context": 15,
    "wrong date": 15,
    "chart": 20,
    "doctored text": 15,
    "verifies itself": 15,
    "says so": 10,
}
"""Pairs of each kind, of 120."""


def scene(seed: int, size: tuple[int, int] = (640, 480)) -> Image.Image:
    """A photo-like picture: soft ground, shapes, noise."""
    rng = np.random.default_rng(seed)
    ground = Image.fromarray((rng.random((6, 8, 3)) * 255).astype("uint8"))
    image = ground.resize(size, Image.Resampling.BICUBIC)
    pen = ImageDraw.Draw(image)
    for _ in range(14):
        x, y = (int(rng.integers(0, side - 40)) for side in size)
        w, h = int(rng.integers(20, 200)), int(rng.integers(20, 160))
        colour = tuple(int(v) for v in rng.integers(0, 255, 3))
        (pen.ellipse if rng.random() < 0.5 else pen.rectangle)((x, y, x + w, y + h), fill=colour)
    noisy = np.asarray(image).astype(int) + rng.normal(0, 6, (size[1], size[0], 1))
    return Image.fromarray(noisy.clip(0, 255).astype("uint8"))


def jpeg(image: Image.Image, quality: int) -> Image.Image:
    """The picture as it comes back from JPEG."""
    out = BytesIO()
    image.save(out, "JPEG", quality=quality)
    return Image.open(BytesIO(out.getvalue())).convert("RGB")


def _cropped(image: Image.Image, rng: random.Random) -> Image.Image:
    w, h = image.size
    left, top = int(rng.random() * 0.1 * w), int(rng.random() * 0.1 * h)
    return image.crop((left, top, left + round(0.9 * w), top + round(0.9 * h)))


CHANGES: dict[str, Callable[[Image.Image, random.Random], Image.Image]] = {
    "none": lambda i, _: i,
    "resized to half": lambda i, _: i.resize((i.width // 2, i.height // 2)),
    "JPEG quality 40": lambda i, _: jpeg(i, 40),
    "cropped by 10 % a side length": _cropped,
    "mirrored": lambda i, _: ImageOps.mirror(i),
    "brightness +6 %, saturation +15 %": lambda i, _: ImageEnhance.Brightness(
        ImageEnhance.Color(i).enhance(1.15)
    ).enhance(1.06),
    "cropped, mirrored, JPEG 60": lambda i, r: jpeg(ImageOps.mirror(_cropped(i, r)), 60),
}


@dataclass(frozen=True)
class Pair:
    """A claim with its picture, and what should come out."""

    kind: str
    claim: str
    picture: Path
    expected: str


class Maker:
    """Draws pairs and the archive of known images behind them."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.rng = folder, random.Random(seed)
        self.archive: list[tuple[Image.Image, dict[str, str]]] = []
        self.count = seed * 10_000

    def pairs(self, total: int) -> list[Pair]:
        """So many of each kind as ``SHARES`` says, scaled to ``total``."""
        made = []
        for kind, share in SHARES.items():
            for number in range(round(share * total / sum(SHARES.values()))):
                claim, image, expected = getattr(self, "_" + kind.replace(" ", "_"))(number)
                path = self.folder / f"{kind.replace(' ', '-')}-{number}.jpg"
                image.save(path, quality=85)
                made.append(Pair(kind, claim, path, expected))
        return made

    def _known(self) -> tuple[Image.Image, str, str, str, int]:
        """A photo in the archive: (picture, event, town, month, year)."""
        self.count += 1
        event, town = self.rng.choice(EVENTS), self.rng.choice(TOWNS)
        month, year = self.rng.choice(MONTHS), self.rng.randint(2010, 2018)
        image = scene(self.count)
        number = MONTH_NAMES.index(month) + 1
        fields = {
            "caption": f"{event.capitalize()} in {town} in {month} {year}",
            "published": f"{year}-{number:02d}-{self.rng.randint(10, 28)}",
            "source": self.rng.choice(SOURCES),
        }
        self.archive.append((image, fields))
        return image, event, town, month, year

    def _true(self, _: int) -> tuple[str, Image.Image, str]:
        image, event, town, month, year = self._known()
        return f"This photo shows a {event} in {town} in {month} {year}.", jpeg(image, 80), "supported"

    def _false_caption(self, _: int) -> tuple[str, Image.Image, str]:
        image, event, town, month, year = self._known()
        other = self.rng.choice([t for t in TOWNS if t != town])
        return f"The picture shows a {event} in {other} in {month} {year}.", jpeg(image, 80), "refuted"

    def _out_of_context(self, number: int) -> tuple[str, Image.Image, str]:
        image, event, town, month, _ = self._known()
        changes = [c for name, c in CHANGES.items() if name not in ("none", "resized to half")]
        changed = changes[number % len(changes)](image, self.rng)
        later = self.rng.randint(2020, 2025)
        return f"This photo shows a {event} in {town} in {month} {later}.", changed, "refuted"

    def _wrong_date(self, _: int) -> tuple[str, Image.Image, str]:
        image, _event, _town, month, _year = self._known()
        return f"The photo was taken in {month} {self.rng.randint(2020, 2025)}.", image, "refuted"

    def _chart(self, number: int) -> tuple[str, Image.Image, str]:
        labels = self.rng.sample(TOWNS, 4)
        values = self.rng.sample(range(110, 990), 4)
        image = _bar_chart("Museum visitors in thousands", labels, values, sideways=number % 2 == 1)
        label, value = labels[number % 4], values[number % 4]
        right = number % 4 < 2
        shown = value if right else value + self.rng.choice((-70, 90, 115))
        return f"The chart shows {shown} for {label}.", image, "supported" if right else "refuted"

    def _doctored_text(self, _: int) -> tuple[str, Image.Image, str]:
        town, number = self.rng.choice(TOWNS), self.rng.randint(11_000, 99_000)
        self.count += 1
        image, forged = (_sign(scene(self.count), town, n) for n in (number, number + 30_000))
        self.archive.append((image, {"caption": f"Town sign of {town}", "published": "2016-05-04"}))
        return f"{number + 30_000:,} people live in {town}.", forged, "not_enough_evidence"

    def _verifies_itself(self, number: int) -> tuple[str, Image.Image, str]:
        event, town, year = self.rng.choice(EVENTS), self.rng.choice(TOWNS), self.rng.randint(2015, 2025)
        said = f"A {event} hit {town} in {year}."
        frame = ("{}", "The image shows that a" + "{}", "{}")[number % 3]
        claim = frame.format(said[1:] if number % 3 == 1 else said)
        return claim, _post(said, self.rng), "not_enough_evidence"

    def _says_so(self, _: int) -> tuple[str, Image.Image, str]:
        town, hurt = self.rng.choice(TOWNS), self.rng.randint(11, 90)
        said = f"{hurt} people were hurt in {town}."
        return f"The post says that {hurt} people were hurt in {town}.", _post(said, self.rng), "supported"


def font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size=size)


def _bar_chart(title: str, labels: list[str], values: list[int], *, sideways: bool) -> Image.Image:
    image = Image.new("RGB", (900, 560), "white")
    pen = ImageDraw.Draw(image)
    pen.text((40, 20), title, fill="black", font=font(28))
    for n, (label, value) in enumerate(zip(labels, values, strict=True)):
        if sideways:
            y = 110 + 100 * n
            pen.text((40, y), label, fill="black", font=font(24))
            pen.rectangle((200, y, 200 + value // 2, y + 34), fill="steelblue")
            pen.text((215 + value // 2, y), str(value), fill="black", font=font(24))
        else:
            x = 80 + 200 * n
            pen.rectangle((x, 490 - value // 3, x + 90, 490), fill="steelblue")
            pen.text((x + 45, 460 - value // 3), str(value), fill="black", font=font(24), anchor="ma")
            pen.text((x + 45, 505), label, fill="black", font=font(24), anchor="ma")
    return image


def _sign(ground: Image.Image, town: str, number: int) -> Image.Image:
    pen = ImageDraw.Draw(ground)
    pen.rectangle((120, 120, 520, 300), fill="white", outline="black", width=6)
    pen.text((320, 150), town.upper(), fill="black", font=font(44), anchor="ma")
    pen.text((320, 225), f"Population {number:,}", fill="black", font=font(34), anchor="ma")
    return ground


def _post(text: str, rng: random.Random) -> Image.Image:
    dark = rng.random() < 0.4
    ink, ground = ("#e8e8ee", "#16181f") if dark else ("#18191f", "white")
    image = Image.new("RGB", (820, 300), ground)
    pen = ImageDraw.Draw(image)
    pen.ellipse((24, 24, 84, 84), fill="steelblue")
    pen.text((104, 24), "City Watch", fill=ink, font=font(26))
    pen.text((104, 58), "@citywatch", fill="#7a7f8a", font=font(22))
    pen.text((24, 140), text, fill=ink, font=font(30))
    pen.text((24, 240), f"{rng.randint(10, 900)} reposts", fill="#7a7f8a", font=font(20))
    return image
