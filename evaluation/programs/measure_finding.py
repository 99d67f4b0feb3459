"""Measure how known pictures are found after 26 changes, and how long a look-up takes.

Usage::

    python -m evaluation.programs.measure_finding changes [FOLDER] [--pictures 40]
    python -m evaluation.programs.measure_finding growth [--most 100000]

``changes``: the pictures of FOLDER (without one: drawn ones) are indexed; each is changed in 26 ways and
looked for. ``growth``: a look-up among 1,000 to 100,000 pictures whose features are drawn at random.
Each prints one JSON object or a table. The figures in docs/results/images.md come from these commands.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click
import numpy as np
from PIL import Image

from evaluation.programs.picture_changes import CHANGES, stranger
from evaluation.programs.picture_checks import own_home

SIDE = 1600
"""Pictures are made so small at most before they are changed, as archives and platforms do."""


def pictures_of(folder: Path | None, most: int) -> list[tuple[str, Image.Image]]:
    """Names and pictures; drawn ones where there is no folder."""
    if folder is None:
        return [(f"drawn-{n}.jpg", _drawn(n)) for n in range(most)]
    from factdesk.images.known import SUFFIXES

    found = sorted(p for p in folder.rglob("*") if p.suffix.lower() in SUFFIXES)
    opened = []
    for path in found[:most]:
        with Image.open(path) as image:
            small = image.convert("RGB")
            small.thumbnail((SIDE, SIDE))
            opened.append((path.name, small))
    return opened


def _drawn(number: int) -> Image.Image:
    """A stranger with grain, as a photograph has it."""
    made = stranger(random.Random(1000 + number)).resize((1200, 900), Image.Resampling.BICUBIC)
    noise = np.random.default_rng(number).normal(0, 5, (900, 1200, 1))
    return Image.fromarray((np.asarray(made) + noise).clip(0, 255).astype("uint8"))


def measure_changes(folder: Path | None, most: int, only: Sequence[str]) -> str:
    """The table: how many of the pictures are found, how they are told, false ones, seconds of processor."""
    pictures = pictures_of(folder, most)
    with own_home():
        from factdesk.images.caption_file import Description
        from factdesk.images.known import KnownImages, make_known
        from factdesk.images.matching import Submitted
        from factdesk.kernel import sha256_text
        from factdesk.settings import load_settings

        known = KnownImages(load_settings())
        start = time.process_time()
        made = [make_known(image, sha256_text(file), file, Description()) for file, image in pictures]
        added = (time.process_time() - start) / max(1, len(made))
        known.store.put(made)
        lines = [
            f"{len(made)} pictures, {1000 * added:.0f} ms of processor each to add",
            "",
            "| change | found | same or part | altered | similar | false | seconds |",
            "|---|---|---|---|---|---|---|",
        ]
        known.find(Submitted(pictures[0][1], "warm"))
        for change in only or CHANGES:
            told: Counter[str] = Counter()
            for number, (file, image) in enumerate(pictures):
                changed = CHANGES[change](image, random.Random(number))
                begun = time.process_time()
                uses = known.find(Submitted(changed, "changed")).uses
                told["time"] += round(1000 * (time.process_time() - begun))
                mine = [use for use in uses if use.known == sha256_text(file)]
                told["found"] += bool(mine)
                told["false"] += sum(use.match != "similar" for use in uses) - sum(
                    use.match != "similar" for use in mine
                )
                told[mine[0].match if mine else "none"] += 1
            lines.append(
                f"| {change} | {told['found']} | {told['same'] + told['part']} | {told['altered']} | "
                f"{told['similar']} | {told['false']} | {told['time'] / 1000 / len(pictures):.2f} |"
            )
        return "\n".join(lines)


def measure_growth(most: int) -> dict[str, object]:
    """Milliseconds of a look-up by the number of pictures, with features of a drawn picture."""
    from evidence.images.feature_index import build, load, save
    from evidence.images.features import known_features, submitted_features

    rng = np.random.default_rng(3)
    pool = np.concatenate([known_features(_drawn(n)).codes for n in range(60)])
    both = submitted_features(_drawn(7))
    rows = {}
    for count in (n for n in (1_000, 10_000, 100_000) if n <= most):
        codes = pool[rng.integers(0, len(pool), count * 256)]
        for part in range(2):  # a fifth of the bits of real features turned over
            flips = np.packbits(rng.random((1 << 16, 64)) < 0.2, axis=1).view("<u8").ravel()
            codes[:, part] ^= np.resize(flips, len(codes)).astype(np.uint64)
        start = time.perf_counter()
        index = build(codes, np.repeat(np.arange(count, dtype=np.uint32), 256), count)
        built = time.perf_counter() - start
        with tempfile.TemporaryDirectory() as name:
            path = Path(name) / "index"
            with path.open("wb") as file:
                save(index, file)
            size = path.stat().st_size
            del index, codes
            start = time.perf_counter()
            mapped = load(path)
            mapped.nearest(both[0], 12)
            cold = time.perf_counter() - start
            times = []
            for _ in range(20):
                start = time.process_time()
                for wanted in both:
                    mapped.nearest(wanted, 12)
                times.append(1000 * (time.process_time() - start))
        rows[f"{count:,} pictures"] = {
            "look-up, ms of processor, median": round(float(np.median(times)), 1),
            "first look-up ms": round(1000 * cold),
            "built in s": round(built, 1),
            "file MB": round(size / 1e6),
        }
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {**rows, "peak memory MB, building included": round(peak)}


def main() -> None:
    """Read the arguments and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("changes", "growth"))
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--pictures", type=int, default=40)
    parser.add_argument("--only", nargs="*", default=(), choices=tuple(CHANGES))
    parser.add_argument("--most", type=int, default=100_000)
    given = parser.parse_args()
    if given.what == "changes":
        click.echo(measure_changes(given.folder, given.pictures, given.only))
    else:
        click.echo(json.dumps(measure_growth(given.most), indent=2))


if __name__ == "__main__":
    main()
