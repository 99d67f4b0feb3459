"""Measure claims that put a known picture out of its context.

Usage::

    python -m evaluation.programs.measure_context [FOLDER] [--claims 120] [--seed 5]

Every picture (of FOLDER, or drawn) has a record with an event, a town and a day. A claim gives it event, town
and day of another record, in an ordinary sentence, over a changed copy; a third as many give it its own, and
as many have a record whose caption says that the picture shows no event. Prints one JSON object.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import Counter
from datetime import date, timedelta
from pathlib import Path

import click

from evaluation.data.word_lists import toml_beside
from evaluation.programs.measure_finding import pictures_of
from evaluation.programs.picture_changes import CHANGES
from evaluation.programs.picture_checks import own_home
from factdesk.checker import FactChecker
from language.calendar import in_words

STORIES = toml_beside(__file__, "context_claims.toml")
QUICK = tuple(name for name in CHANGES if "screenshot" not in name and name != "collage of four")


def _story(rng: random.Random) -> tuple[str, str, date]:
    return (
        rng.choice(STORIES["events"]),
        rng.choice(STORIES["towns"]),
        date(2008, 1, 1) + timedelta(days=rng.randrange(5800)),
    )


def _claim(story: tuple[str, str, date], rng: random.Random) -> str:
    event, town, day = story
    words = {"month": in_words(f"{day:%Y-%m}"), "day": in_words(day.isoformat()), "year": str(day.year)}
    return str(rng.choice(STORIES["frames"])).format(event=event, town=town, **words)


def measure(folder: Path | None, claims: int, seed: int) -> dict[str, object]:
    """Counts of verdicts by kind of claim, with seconds of processor a check."""
    rng = random.Random(seed)
    pictures, debunks = pictures_of(folder, 40), STORIES["debunks"]
    from factdesk.images.caption_file import Description
    from factdesk.images.known import KnownImages

    with own_home() as home:
        checker = FactChecker.from_config()
        known = KnownImages(checker.settings)
        stories = [_story(rng) for _ in pictures]
        made: dict[str, Counter[str]] = {}
        open_: list[str] = []
        spent = []
        for kind, count in (
            ("another story", claims),
            ("its own story", claims // 3),
            ("debunk", claims // 3),
        ):
            for number, (_, image) in enumerate(pictures):
                event, town, day = stories[number]
                caption = f"{event[:1].upper()}{event[1:]} in {town}, {in_words(day.isoformat())}"
                if kind == "debunk":
                    caption = debunks[number % len(debunks)].format(event=event, town=town)
                path = home / f"{number}.jpg"
                image.save(path, quality=92)
                known.add([path], Description(caption=caption, published=day, source="Harbour Courier"))
            for number in range(count):
                place = number % len(pictures)
                story = stories[place]
                while kind == "another story" and (story[1] == stories[place][1] or story == stories[place]):
                    story = stories[rng.randrange(len(stories))]
                claim, change = _claim(story, rng), rng.choice(QUICK)
                path = home / "submitted.jpg"
                CHANGES[change](pictures[place][1], rng).save(path, quality=85)
                start = time.process_time()
                found = checker.check(claim, images=[path], record=False).json()
                spent.append(time.process_time() - start)
                made.setdefault(kind, Counter())[found["verdict"]] += 1
                if (kind == "another story") != (found["verdict"] == "refuted"):
                    open_.append(f"{kind}, {change}: {claim} -> {found['verdict']}")
        return {
            "claims": {kind: dict(counts) for kind, counts in made.items()},
            "processor seconds a check": round(sum(spent) / len(spent), 2),
            "not as hoped": [line for line in open_ if "another story" in line or "refuted" in line][:40],
        }


def main() -> None:
    """Read the arguments and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--claims", type=int, default=120)
    parser.add_argument("--seed", type=int, default=5)
    given = parser.parse_args()
    click.echo(json.dumps(measure(given.folder, given.claims, given.seed), indent=2, ensure_ascii=False))


if __name__ == "__main__":
    main()
