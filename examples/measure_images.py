"""Measure what factdesk does with pictures: 120 claims with pictures, the index of known images, the OCR.

Everything is drawn from a seed; no picture is fetched. Towns are real (records are compared by the distance
of towns), all events, people and figures are invented. Usage::

    python examples/measure_images.py pairs [--seed 7] [--pairs 120]
    python examples/measure_images.py index [--images 1000]
    python examples/measure_images.py ocr [--screens 60]

Each prints one JSON object. The figures in docs/images.md come from these commands.
"""

# ruff: noqa: T201  (a script: printing is what it is for)

from __future__ import annotations

import argparse
import json
import os
import random
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageEnhance, ImageFont, ImageOps

TOWNS = ("Graz", "Porto", "Leipzig", "Bordeaux", "Valencia", "Dublin", "Oslo", "Turin", "Antwerp", "Tampere")
EVENTS = ("flood", "fire", "protest", "storm", "rally", "parade")
_YEAR = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
)  # fmt: skip
MONTHS = ("January", "March", "April", "June", "August", "October")
SOURCES = ("Danube Post", "Northern Wire", "Harbour Courier")
SHARES = {
    "true": 15, "false caption": 15, "out of context": 15, "wrong date": 15, "chart": 20, "doctored text": 15,
    "verifies itself": 15, "says so": 10,
}  # fmt: skip
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
        number = _YEAR.index(month) + 1
        fields = {
            "caption": f"{event.capitalize()} in {town} in {month} {year}",
            "published": f"{year}-{number:02d}-{self.rng.randint(10, 28)}",
            "source": self.rng.choice(SOURCES),
        }  # fmt: skip
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


def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size=size)


def _bar_chart(title: str, labels: list[str], values: list[int], *, sideways: bool) -> Image.Image:
    image = Image.new("RGB", (900, 560), "white")
    pen = ImageDraw.Draw(image)
    pen.text((40, 20), title, fill="black", font=_font(28))
    for n, (label, value) in enumerate(zip(labels, values, strict=True)):
        if sideways:
            y = 110 + 100 * n
            pen.text((40, y), label, fill="black", font=_font(24))
            pen.rectangle((200, y, 200 + value // 2, y + 34), fill="steelblue")
            pen.text((215 + value // 2, y), str(value), fill="black", font=_font(24))
        else:
            x = 80 + 200 * n
            pen.rectangle((x, 490 - value // 3, x + 90, 490), fill="steelblue")
            pen.text((x + 45, 460 - value // 3), str(value), fill="black", font=_font(24), anchor="ma")
            pen.text((x + 45, 505), label, fill="black", font=_font(24), anchor="ma")
    return image


def _sign(ground: Image.Image, town: str, number: int) -> Image.Image:
    pen = ImageDraw.Draw(ground)
    pen.rectangle((120, 120, 520, 300), fill="white", outline="black", width=6)
    pen.text((320, 150), town.upper(), fill="black", font=_font(44), anchor="ma")
    pen.text((320, 225), f"Population {number:,}", fill="black", font=_font(34), anchor="ma")
    return ground


def _post(text: str, rng: random.Random) -> Image.Image:
    dark = rng.random() < 0.4
    ink, ground = ("#e8e8ee", "#16181f") if dark else ("#18191f", "white")
    image = Image.new("RGB", (820, 300), ground)
    pen = ImageDraw.Draw(image)
    pen.ellipse((24, 24, 84, 84), fill="steelblue")
    pen.text((104, 24), "City Watch", fill=ink, font=_font(26))
    pen.text((104, 58), "@citywatch", fill="#7a7f8a", font=_font(22))
    pen.text((24, 140), text, fill=ink, font=_font(30))
    pen.text((24, 240), f"{rng.randint(10, 900)} reposts", fill="#7a7f8a", font=_font(20))
    return image


def measure_pairs(seed: int, total: int) -> dict[str, object]:
    """Checks every pair; accuracy a kind, wrong certifications, certified share, seconds."""
    with tempfile.TemporaryDirectory() as name:
        os.environ["FACTDESK_HOME"] = str(Path(name) / "home")
        from factdesk.checker import FactChecker
        from factdesk.known import KnownImages
        from factdesk.sidecar import Description

        maker = Maker(Path(name), seed)
        pairs = maker.pairs(total)
        checker = FactChecker.from_config()
        known = KnownImages(checker.settings)
        for number, (image, fields) in enumerate(maker.archive):
            path = Path(name) / f"archive-{number}.jpg"
            image.save(path, quality=92)
            known.add([path], Description.model_validate(fields))
        right: dict[str, list[bool]] = defaultdict(list)
        wrong: Counter[str] = Counter({"wrong verified": 0, "wrong refuted": 0})
        seconds, missed, certified, decidable, altered = [], [], 0, 0, 0
        for pair in pairs:
            start = time.perf_counter()
            found = checker.check(pair.claim, images=[pair.picture], record=False).json()
            seconds.append(time.perf_counter() - start)
            verdict = found["verdict"]
            right[pair.kind].append(verdict == pair.expected)
            wrong["wrong verified"] += verdict == "supported" != pair.expected
            wrong["wrong refuted"] += verdict == "refuted" != pair.expected
            decidable += pair.expected != "not_enough_evidence"
            certified += verdict == pair.expected != "not_enough_evidence"
            altered += pair.kind == "doctored text" and any(
                u["match"] == "altered" for u in found["earlier_uses"]
            )
            if verdict != pair.expected:
                missed.append(f"{pair.kind}: {pair.claim} -> {verdict}: {found['claims'][0]['reason'][:140]}")
        return {
            "pairs": len(pairs), "seed": seed,
            "right": {kind: f"{sum(v)}/{len(v)}" for kind, v in right.items()}, **wrong,
            "certified of decidable": f"{certified}/{decidable}", "doctored text told as altered": altered,
            "seconds a pair": {
                "median": round(float(np.median(seconds)), 2),
                "p95": round(float(np.quantile(seconds, 0.95)), 2),
            },
            "missed": missed,
        }  # fmt: skip


def measure_index(images: int) -> dict[str, object]:
    """Recall at each change, over an index of all images, and the time of a look-up at 100,000 images."""
    from evidence.images.compare import SAME, compare, thumbnail
    from evidence.images.hash_index import HashIndex
    from evidence.images.hashes import CROPS, hashes_of, submitted_hashes

    hashes = np.stack([hashes_of(scene(n)) for n in range(images)])
    kinds = [HashIndex(np.ascontiguousarray(hashes[:, :, k].ravel())) for k in range(2)]
    recall, same = {}, {}
    for name, change in CHANGES.items():
        hits = confirmed = compared = 0
        for n in range(images):
            picture = change(scene(n), random.Random(n))
            near = [
                (hit.distance, hit.entry, mirrored)
                for mirrored, row in enumerate(submitted_hashes(picture))
                for k, wanted in enumerate(row)
                for hit in kinds[k].near(int(wanted))
                if hit.entry // len(CROPS) == n
            ]
            hits += bool(near)
            if near and n % 10 == 0:
                _, entry, mirrored = min(near)
                turned = ImageOps.mirror(picture) if mirrored else picture
                found = compare(turned, thumbnail(scene(n)), entry % len(CROPS))
                compared += 1
                confirmed += found.similarity >= SAME and found.altered is None
        recall[name], same[name] = hits / images, round(confirmed / max(1, compared), 3)
    rng = np.random.default_rng(1)
    many = rng.integers(0, 2**63, 100_000 * len(CROPS), dtype=np.uint64)
    start = time.perf_counter()
    large = HashIndex(many)
    built = time.perf_counter() - start
    times = []
    for n in range(300):
        start = time.perf_counter()
        large.near(int(many[n]))
        times.append(1000 * (time.perf_counter() - start))
    return {
        "images": images, "recall": recall, "told to be the same (every tenth)": same,
        "look-up at 100,000 images, ms": {
            "median": round(float(np.median(times)), 2), "p95": round(float(np.quantile(times, 0.95)), 2),
        },
        "index of 100,000 images built in s": round(built, 2),
    }  # fmt: skip


WORDS = (
    "council bridge reopened after repairs that cost million euros while the mayor and residents of the "
    "northern district asked for lower fares better lighting and two more buses every hour said the report "
    "on Monday"
).split()


def _fonts() -> list[Path]:
    """DejaVu fonts that come with matplotlib, where it is installed."""
    from importlib.util import find_spec

    spec = find_spec("matplotlib")
    folder = Path(spec.origin).parent / "mpl-data" / "fonts" / "ttf" if spec and spec.origin else Path()
    names = (
        "DejaVuSans.ttf",
        "DejaVuSerif.ttf",
        "DejaVuSansMono.ttf",
        "DejaVuSans-Bold.ttf",
        "STIXGeneral.ttf",
    )
    return [folder / name for name in names if (folder / name).is_file()]


def measure_ocr(screens: int) -> dict[str, object]:
    """Share of words that are read rightly, on screenshots of varied fonts, sizes, contrast and turns."""
    from evidence.images.ocr import read_text

    colours = (("black", "white"), ("#777777", "white"), ("#c8c8d0", "#20222a"), ("#9a9a9a", "#e4e4e4"),
               ("white", "#b03030"))  # fmt: skip
    fonts: list[Path | None] = [None, *_fonts()]
    read, total, seconds = Counter[str](), Counter[str](), []
    for n in range(screens):
        rng = random.Random(n)
        size, (ink, ground) = (12, 14, 18, 24, 32)[n % 5], colours[(n // 5) % 5]
        font = fonts[n % len(fonts)]
        made = ImageFont.truetype(str(font), size) if font else _font(size)
        lines = []
        for _ in range(5):
            words = [*rng.sample(WORDS, 5), f"{rng.randint(1000, 99999):,}"]
            lines.append(" ".join(words))
        image = Image.new("RGB", (30 + 34 * size, 60 + 10 * size), ground)
        for row, line in enumerate(lines):
            ImageDraw.Draw(image).text((15, 20 + row * 2 * size), line, fill=ink, font=made)
        turn = (0, 0, 0, 0, 0, 90, 0, 180)[n % 8]
        start = time.perf_counter()
        found = " ".join(line.text for line in read_text(image.rotate(turn, expand=True)).lines).split()
        seconds.append(time.perf_counter() - start)
        wanted = Counter(" ".join(lines).split())
        hit = sum((wanted & Counter(found)).values())
        for group in (f"{size} px", "turned" if turn else "upright", "all"):
            read[group] += hit
            total[group] += wanted.total()
    return {
        "screens": screens, "fonts": len(fonts),
        "word accuracy": {group: round(read[group] / total[group], 4) for group in sorted(total)},
        "seconds a screen, median": round(float(np.median(seconds)), 2),
    }  # fmt: skip


def main() -> None:
    """Read the arguments and print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("pairs", "index", "ocr"))
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--pairs", type=int, default=120)
    parser.add_argument("--images", type=int, default=1000)
    parser.add_argument("--screens", type=int, default=60)
    given = parser.parse_args()
    figures = {
        "pairs": lambda: measure_pairs(given.seed, given.pairs),
        "index": lambda: measure_index(given.images),
        "ocr": lambda: measure_ocr(given.screens),
    }[given.what]()
    print(json.dumps(figures, indent=2, ensure_ascii=False))


if __name__ == "__main__":
    main()
