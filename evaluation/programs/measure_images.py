"""Measure what factdesk does with pictures: 120 claims with pictures, CLIP vectors, the OCR.

Everything is drawn from a seed; no picture is fetched. Towns are real (records are compared by the distance
of towns), all events, people and figures are invented. Usage::

    python -m evaluation.programs.measure_images pairs [--seed 7] [--pairs 120]
    python -m evaluation.programs.measure_images vectors
    python -m evaluation.programs.measure_images ocr [--screens 60]

Each prints one JSON object. The figures in docs/results/images.md come from these commands.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import click
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from evaluation.programs.image_pairs import Maker, font
from evaluation.programs.picture_checks import Tally, own_home, spread
from factdesk.checker import FactChecker


def measure_pairs(seed: int, total: int) -> dict[str, object]:
    """Checks every pair; accuracy a kind, wrong certifications, certified share, seconds."""
    from factdesk.images.caption_file import Description
    from factdesk.images.known import KnownImages

    with own_home() as folder:
        maker = Maker(folder, seed)
        pairs = maker.pairs(total)
        checker = FactChecker.from_config()
        known = KnownImages(checker.settings)
        for number, (image, fields) in enumerate(maker.archive):
            path = folder / f"archive-{number}.jpg"
            image.save(path, quality=92)
            known.add([path], Description.model_validate(fields))
        tally, altered = Tally(checker), 0
        for pair in pairs:
            found = tally.check(pair.kind, pair.claim, pair.expected, pair.picture)
            altered += pair.kind == "doctored text" and any(u["match"] == "altered" for u in found["earlier_uses"])
        return {"seed": seed, **tally.figures(), "doctored text told as altered": altered}


def measure_vectors(images: int = 100_000, width: int = 512) -> dict[str, object]:
    """The time of a look-up among CLIP vectors of so many images, drawn at random, and that it finds them."""
    from factdesk.images.proposals import Vectors

    rng = np.random.default_rng(2)
    rows = rng.normal(size=(images, width)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    kept = Vectors(tuple(map(str, range(images))), rows)
    times, found = [], 0
    for n in range(50):
        near = rows[n] + rng.normal(scale=0.01, size=width).astype(np.float32)
        start = time.perf_counter()
        answer = kept.near(near / np.linalg.norm(near))
        times.append(1000 * (time.perf_counter() - start))
        found += [known for known, _ in answer] == [str(n)]
    return {
        f"look-up among {images:,} CLIP vectors of {width}, ms": spread(times),
        "found of 50": found,
    }


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

    colours = (
        ("black", "white"),
        ("#777777", "white"),
        ("#c8c8d0", "#20222a"),
        ("#9a9a9a", "#e4e4e4"),
        ("white", "#b03030"),
    )
    fonts: list[Path | None] = [None, *_fonts()]
    read, total, seconds = Counter[str](), Counter[str](), []
    for n in range(screens):
        rng = random.Random(n)
        size, (ink, ground) = (12, 14, 18, 24, 32)[n % 5], colours[(n // 5) % 5]
        face = fonts[n % len(fonts)]
        made = ImageFont.truetype(str(face), size) if face else font(size)
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
        "screens": screens,
        "fonts": len(fonts),
        "word accuracy": {group: round(read[group] / total[group], 4) for group in sorted(total)},
        "seconds a screen, median": round(float(np.median(seconds)), 2),
    }


def main() -> None:
    """Read the arguments and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("pairs", "vectors", "ocr"))
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--pairs", type=int, default=120)
    parser.add_argument("--screens", type=int, default=60)
    given = parser.parse_args()
    measures: dict[str, Callable[[], object]] = {
        "pairs": lambda: measure_pairs(given.seed, given.pairs),
        "vectors": measure_vectors,
        "ocr": lambda: measure_ocr(given.screens),
    }
    click.echo(json.dumps(measures[given.what](), indent=2, ensure_ascii=False))


if __name__ == "__main__":
    main()
