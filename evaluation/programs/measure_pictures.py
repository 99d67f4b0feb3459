"""Check claims about the pictures of ``draw_pictures.py``: what a newsroom is sent.

Each picture has claims that it bears out, that it contradicts, and that it must leave open; a few are checked
with three short articles beside it, which alone may settle what is said of the world. Usage::

    python -m evaluation.programs.measure_pictures [--seed 7] [--only NAME…]

Prints one JSON object; the figures in docs/results/images.md come from it.
"""

from __future__ import annotations

import argparse
import json

import click

from evaluation.data.word_lists import toml_beside
from evaluation.programs.draw_pictures import PICTURES
from evaluation.programs.picture_checks import Tally, own_home
from factdesk.checker import FactChecker

CLAIMS = toml_beside(__file__, "picture_claims.toml")


def measure(seed: int, only: list[str]) -> dict[str, object]:
    """Check every pair: right a picture, wrong certifications, the certified share, seconds."""
    with own_home() as folder:
        articles = folder / "articles"
        articles.mkdir()
        for title, text in CLAIMS["articles"].items():
            (articles / f"{title}.md").write_text(f"---\ntitle: {title}\n---\n\n{text}\n")
        rows = [(p, claim, expected, ()) for p, pairs in CLAIMS["pairs"].items() for claim, expected in pairs]
        rows += [(*row, (str(articles),)) for row in CLAIMS["with_articles"]]
        tally = Tally(FactChecker.from_config())
        for picture, claim, expected, corpus in rows:
            if only and picture not in only:
                continue
            file = folder / f"{picture}.jpg"
            if not file.exists():
                file.write_bytes(PICTURES[picture](seed))
            tally.check(picture, claim, expected, file, corpus)
        return {"seed": seed, **tally.figures()}


def main() -> None:
    """Read the arguments and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--only", nargs="*", default=[], choices=sorted(PICTURES))
    given = parser.parse_args()
    click.echo(json.dumps(measure(given.seed, given.only), indent=2, ensure_ascii=False))


if __name__ == "__main__":
    main()
