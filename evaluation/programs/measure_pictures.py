"""Check claims about the pictures of ``draw_pictures.py``: what a newsroom is sent.

Each picture has claims that it bears out, that it contradicts, and that it must leave open; a few are checked
with three short articles beside it, which alone may settle what is said of the world. Usage::

    python -m evaluation.programs.measure_pictures [--seed 7] [--only NAME…]

Prints one JSON object; the figures in docs/results/images.md come from it.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path

import click
import numpy as np

from evaluation.data.word_lists import toml_beside
from evaluation.programs.draw_pictures import PICTURES

S, R, N = "supported", "refuted", "not_enough_evidence"
CLAIMS = toml_beside(__file__, "picture_claims.toml")


def measure(seed: int, only: list[str]) -> dict[str, object]:
    """Check every pair: right a picture, wrong certifications, the certified share, seconds."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["FACTDESK_HOME"] = str(folder / "home")
        from factdesk.checker import FactChecker

        (folder / "articles").mkdir()
        for title, text in CLAIMS["articles"].items():
            (folder / "articles" / f"{title}.md").write_text(f"---\ntitle: {title}\n---\n\n{text}\n")
        rows: list[tuple[str, str, str, tuple[str, ...]]] = [
            (p, claim, expected, ()) for p, pairs in CLAIMS["pairs"].items() for claim, expected in pairs
        ]
        rows += [(p, claim, expected, (str(folder / "articles"),)) for p, claim, expected in CLAIMS["with_articles"]]
        checker = FactChecker.from_config()
        right: dict[str, list[bool]] = defaultdict(list)
        counts, seconds, missed = Counter[str](), [], []
        for picture, claim, expected, corpus in rows:
            if only and picture not in only:
                continue
            file = folder / f"{picture}.jpg"
            if not file.exists():
                file.write_bytes(PICTURES[picture](seed))
            start = time.perf_counter()
            found = checker.check(claim, images=[file], corpus=corpus, record=False).json()
            seconds.append(time.perf_counter() - start)
            verdict = found["verdict"]
            right[picture].append(verdict == expected)
            counts["wrong verified"] += verdict == S != expected
            counts["wrong refuted"] += verdict == R != expected
            counts["decidable"] += expected != N
            counts["certified"] += verdict == expected != N
            if verdict != expected:
                why = found["claims"][0]["reason"][:160]
                missed.append(f"{picture}: {claim} -> {verdict} instead of {expected}: {why}")
        return {
            "pairs": len(seconds),
            "seed": seed,
            "wrong verified": counts["wrong verified"],
            "wrong refuted": counts["wrong refuted"],
            "certified of decidable": f"{counts['certified']}/{counts['decidable']}",
            "right": {kind: f"{sum(v)}/{len(v)}" for kind, v in right.items()},
            "seconds a pair": {
                "median": round(float(np.median(seconds)), 2),
                "p95": round(float(np.quantile(seconds, 0.95)), 2),
            },
            "missed": missed,
        }


def main() -> None:
    """Read the arguments and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--only", nargs="*", default=[], choices=sorted(PICTURES))
    given = parser.parse_args()
    click.echo(json.dumps(measure(given.seed, given.only), indent=2, ensure_ascii=False))


if __name__ == "__main__":
    main()
