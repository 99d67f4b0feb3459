"""Measure how known pictures are found after 26 changes, and how long a look-up takes.

Usage::

    python -m evaluation.programs.measure_finding changes [FOLDER] [--pictures 40]
    python -m evaluation.programs.measure_finding growth [--most 100000]

``changes``: the pictures of FOLDER (without one: drawn ones) are indexed; each is changed in 26 ways and
looked for. ``growth``: a look-up among 1,000 to 100,000 pictures of which all but one are invented.
Each prints one JSON object or a table. The figures in docs/results/images.md come from these commands.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import click
import numpy as np
from PIL import Image

from evaluation.programs.picture_changes import CHANGES, stranger
from evaluation.programs.picture_checks import own_home, spread
from evidence.images.compare import thumbnail
from evidence.images.features import ROW
from evidence.types import KnownImage
from factdesk.images.caption_file import Description

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
    """By the number of known pictures, what :func:`_at` measures."""
    return {f"{count:,} pictures": _at(count) for count in (1_000, 10_000, 100_000) if count <= most}


def _at(count: int) -> dict[str, object]:
    """Milliseconds of whole look-ups and of the index's share, sizes and memory, with ``count`` known pictures.

    All but the one that is sought have drawn features: those of 60 pictures with a fifth of the bits turned over.
    """
    from factdesk.images.known import KnownImages, make_known
    from factdesk.images.matching import Submitted
    from factdesk.images.proposals import proposals_of
    from factdesk.settings import load_settings

    changed = CHANGES["browser screenshot"](_drawn(7), random.Random(7))
    with own_home() as home:
        settings = load_settings()
        known = KnownImages(settings)
        known.store.put([make_known(_drawn(7), "sought", "sought.jpg", Description())])
        for batch in _invented(count - 1):
            known.store.put(batch)

        def look_up() -> tuple[str, ...]:
            return tuple(use.match for use in known.find(Submitted(changed, "changed")).uses)

        built = _milliseconds(look_up)
        proposals_of.cache_clear()
        first = _milliseconds(look_up)
        index = proposals_of(settings.store, settings.paths.cache, known.store.revision())
        both = Submitted(changed, "changed").features
        return {
            "look-up, ms of the clock": spread([_milliseconds(look_up, time.perf_counter) for _ in range(10)]),
            "look-up, ms of processor": spread([_milliseconds(look_up) for _ in range(10)]),
            "of it among the features": spread([_milliseconds(lambda: index.by_features(both)) for _ in range(10)]),
            "found": look_up(),
            "first look-up of a process, ms": round(first),
            "index built in s": round(built / 1000, 1),
            "index MB": round(sum(f.stat().st_size for f in home.rglob("features-2")) / 1e6),
            "peak memory MB, building included": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
        }


def _milliseconds(work: Callable[[], object], clock: Callable[[], float] = time.process_time) -> float:
    """Of the processor, or by another clock."""
    start = clock()
    work()
    return 1000 * (clock() - start)


def _invented(count: int) -> Iterator[list[KnownImage]]:
    """Known pictures whose features and hashes are drawn."""
    from evidence.images.features import KNOWN_MOST, VERSION, known_features, to_bytes

    rng = np.random.default_rng(3)
    head, pool = len(VERSION), [to_bytes(known_features(_drawn(100 + n))) for n in range(60)]
    features = np.concatenate([np.frombuffer(raw[head:], dtype=ROW) for raw in pool])
    small = thumbnail(_drawn(0).resize((32, 24)))
    for begin in range(0, count, 500):
        batch = []
        for number in range(begin, min(count, begin + 500)):
            mine = features[rng.integers(0, len(features), KNOWN_MOST)]
            mine["code"] ^= np.packbits(rng.random((KNOWN_MOST, 128)) < 0.2, axis=1).view("<u8")
            batch.append(
                KnownImage(
                    image_id=f"{number:064x}",
                    name=f"{number}.jpg",
                    width=32,
                    height=24,
                    hashes=rng.bytes(16),
                    features=VERSION + mine.tobytes(),
                    thumbnail=small,
                )
            )
        yield batch


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
