"""Make the eight example images of factdesk, byte for byte the same on every run.

The script needs Pillow alone: every letter comes from the font that is bundled with Pillow, every random
number from a seeded generator. All places, people, companies and figures are invented and belong to the
articles in ``corpus/``.

Usage::

    python examples/make_images.py            # writes examples/images/
    python examples/make_images.py --check    # exits with 1 unless the shipped files equal a fresh run

Identical bytes are promised for one Pillow version (see ``MADE_WITH``); another version may compress or draw
differently, and ``--check`` then says whether the pixels differ too.
"""

# ruff: noqa: T201  (a script: printing is what it is for)

from __future__ import annotations

import argparse
import io
import sys
from pathlib import Path

import PIL
from draw_images import MAKERS
from PIL import Image, ImageChops

HERE = Path(__file__).resolve().parent
TARGET = HERE / "images"
MADE_WITH = "13.0.0"
MAX_BYTES = 200_000


def make_all() -> dict[str, bytes]:
    """Return the encoded images by file name.

    Raises:
        ValueError: an image is larger than ``MAX_BYTES``.
    """
    made = {name: maker() for name, maker in MAKERS.items()}
    for name, data in made.items():
        if len(data) >= MAX_BYTES:
            raise ValueError(f"{name!r} has {len(data)} bytes, allowed are fewer than {MAX_BYTES}")
    return made


def difference(shipped: bytes, fresh: bytes) -> str:
    """Say in words how two encoded images differ."""
    try:
        with Image.open(io.BytesIO(shipped)) as first, Image.open(io.BytesIO(fresh)) as second:
            if first.size != second.size:
                return f"size {first.size} instead of {second.size}"
            pixels = ImageChops.difference(first.convert("RGB"), second.convert("RGB"))
            same = pixels.getbbox() is None
    except OSError as error:
        return f"cannot be read ({error})"
    return "same pixels, other bytes" if same else "other pixels"


def check(made: dict[str, bytes]) -> list[str]:
    """Compare the files in ``TARGET`` with ``made`` and return one sentence per problem."""
    problems: list[str] = []
    for name, fresh in made.items():
        path = TARGET / name
        if not path.is_file():
            problems.append(f"{name}: missing")
        elif (shipped := path.read_bytes()) != fresh:
            problems.append(f"{name}: {difference(shipped, fresh)}")
    if TARGET.is_dir():
        strangers = sorted(path.name for path in TARGET.iterdir() if path.name not in made)
        problems += [f"{name}: not made here" for name in strangers]
    return problems


def main(arguments: list[str] | None = None) -> int:
    """Write the images, or compare them with ``--check``; return the exit code."""
    parser = argparse.ArgumentParser(description="Make the example images of factdesk.")
    parser.add_argument("--check", action="store_true", help="compare the shipped files with a fresh run")
    options = parser.parse_args(arguments)
    made = make_all()
    if options.check:
        problems = check(made)
        if problems and PIL.__version__ != MADE_WITH:
            problems.append(f"made with Pillow {MADE_WITH}, this is {PIL.__version__}; that can explain it")
        for problem in problems:
            print(problem, file=sys.stderr)
        if not problems:
            print(f"{len(made)} images equal a fresh run")
        return 1 if problems else 0
    TARGET.mkdir(parents=True, exist_ok=True)
    for name, data in made.items():
        (TARGET / name).write_bytes(data)
        print(f"{name}: {len(data)} bytes")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
