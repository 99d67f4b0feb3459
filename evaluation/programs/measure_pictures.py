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

from evaluation.programs.draw_pictures import PICTURES

S, R, N = "supported", "refuted", "not_enough_evidence"

PAIRS: dict[str, tuple[tuple[str, str], ...]] = {
    "chat": (
        ("The message says that there are no lessons on Friday, 14 March.", S),
        ("The message says that the canteen stays open until 13:00.", S),
        ("The message says that the trip to Lisbon costs 85 euros.", S),
        ("The message says that the trip to Lisbon costs 58 euros.", R),
        ("The message says that there are lessons on Friday, 14 March.", R),
        ("The trip to Lisbon costs 85 euros.", N),
    ),
    "news_app": (
        ("The headline says that the old fish market will be sold to Norvik Estates.", N),
        ("The article in the screenshot says that rents for the 42 stalls will rise by 6 per cent.", S),
        ("The article in the screenshot says that rents for the 42 stalls will rise by 16 per cent.", R),
        ("The old fish market will be sold to Norvik Estates.", N),
        ("The text in the picture says that no offer for the market had been accepted.", S),
    ),
    "poster": (
        ("The poster says that the entry costs 4 euros.", S),
        ("The poster says that the entry costs 14 euros.", R),
        ("According to the poster, the summer market is on Saturday, 21 June 2025.", S),
        ("The poster says that the market is organised by the Lowmere Trade Union.", S),
        ("The summer market takes place on 21 June 2025.", N),
        ("The photo shows a market in Lowmere in June 2025.", N),
    ),
    "night_notice": (
        ("The notice says that the swimming pool is closed from 4 to 19 November 2024.", S),
        ("The notice says that the swimming pool is closed from 4 to 29 November 2024.", R),
        ("The notice says that season tickets stay valid.", S),
        ("The notice says that season tickets are no longer valid.", R),
        ("The photo was taken in November 2024.", N),
    ),
    "dark_chart": (
        ("The chart shows 88 new electric buses for 2023.", S),
        ("The chart shows 61 new electric buses for 2023.", R),
        ("The chart shows 45 new electric buses in 2021.", S),
        ("The chart shows 100 new electric buses in 2024.", R),
        ("Lowmere bought 88 electric buses in 2023.", N),
    ),
    "inside_chart": (
        ("The chart shows 54% for Yes.", S),
        ("According to the chart, 31% answered No.", S),
        ("The chart shows 45% for No.", R),
        ("54% of Lowmere's residents would use the night bus.", N),
    ),
    "line_chart": (
        ("The chart shows 5.2 per cent unemployment for 2024.", S),
        ("The chart shows 6.3 per cent unemployment for 2024.", R),
        ("The chart shows 7.1 for 2021.", S),
        ("Unemployment in Lowmere was 5.2 per cent in 2024.", N),
    ),
    "two_series": (
        ("The chart shows 41 goals for Estwick in 2024.", R),
        ("The chart shows 58 goals for Estwick in 2024.", S),
        ("The chart shows 63 goals for Corvane in 2023.", S),
        ("The chart shows 29 goals for Hollin in 2024.", R),
    ),
    "table_scan": (
        ("The table says that the grade of Rockport is poor.", S),
        ("The table lists 31 samples for Lowmere Bay.", S),
        ("The table lists 24 samples for Lowmere Bay.", R),
        ("The table says that the grade of Rockport is good.", R),
        ("The water in Rockport is poor.", N),
    ),
    "meme": (
        ("The picture says that Mayor Holt gets a raise of 9,000 euros.", S),
        ("The picture says that Mayor Holt gets a raise of 90,000 euros.", R),
        ("Mayor Holt gets a raise of 9,000 euros.", N),
        ("The picture shows that the bridge is closed.", N),
    ),
    "receipt": (
        ("The receipt lists a lobster roll for 27.50 euros.", S),
        ("The receipt lists a lobster roll for 47.50 euros.", R),
        ("The receipt says that the total is 46.30 euros.", S),
        ("The receipt says that the total is 64.30 euros.", R),
        ("A lobster roll costs 27.50 euros at the Cafe Meridian.", N),
    ),
    "road_sign": (
        ("The sign says that Averstad is 24 km away.", S),
        ("The sign says that it is 57 km to Port Selwick.", S),
        ("The sign says that Corvane is 57 km away.", R),
        ("Averstad is 24 km away.", N),
    ),
    "two_languages": (
        ("The sign says that dogs must be kept on a leash.", S),
        ("The sign says that swimming is allowed from 1 May to 30 September.", S),
        ("The sign says that camping is allowed.", R),
        ("The sign says that swimming is allowed all year.", R),
    ),
    "tv_still": (
        ("The ticker says that Arvo Steel cuts 260 jobs in Hollin.", S),
        ("The ticker says that Arvo Steel cuts 620 jobs in Hollin.", R),
        ("The text says that the fuel price falls to 1.49 euros a litre.", S),
        ("Arvo Steel cuts 260 jobs in Hollin.", N),
        ("The photo shows the plant in Hollin in March 2025.", N),
    ),
    "quote_tile": (
        ("The picture quotes Petra Vance as saying that no second runway will be built before 2031.", S),
        ("The quote says that a second runway will be built before 2031.", R),
        ("Petra Vance said that no second runway will be built before 2031.", N),
        ("The picture says that the second runway will not be built before 2041.", R),
    ),
    "press_release": (
        ("The press release in the photo says that the new ward cost 7.4 million euros.", S),
        ("The press release in the photo says that the new ward cost 4.7 million euros.", R),
        ("The letter in the picture says that waiting times fell from 41 to 29 days.", S),
        ("The letter in the picture says that nurses are to be dismissed.", N),
        ("The new ward has 36 beds.", N),
    ),
}
"""Claims a picture, with what should come out without any document."""

ARTICLES = {
    "buses": "The town of Lowmere bought 73 electric buses in 2023. Lowmere Transit has 412 buses in all.",
    "ward": "The new ward of Northgate Hospital has 63 beds. It opened on Thursday, 8 May 2025.",
    "market": "The council of Lowmere sold the old fish market to Norvik Estates in March 2024.",
}
WITH_ARTICLES = (
    ("dark_chart", "Lowmere bought 88 electric buses in 2023.", R),
    ("dark_chart", "The chart shows 88 new electric buses for 2023.", S),
    ("dark_chart", "The chart shows 73 new electric buses for 2023.", R),
    ("press_release", "The new ward of Northgate Hospital has 63 beds.", S),
    ("press_release", "The press release in the photo says that the new ward has 63 beds.", R),
    ("press_release", "The press release in the photo says that the new ward has 36 beds.", S),
    ("news_app", "The council of Lowmere sold the old fish market to Norvik Estates in March 2024.", S),
)


def measure(seed: int, only: list[str]) -> dict[str, object]:
    """Check every pair: right a picture, wrong certifications, the certified share, seconds."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["FACTDESK_HOME"] = str(folder / "home")
        from factdesk.checker import FactChecker

        (folder / "articles").mkdir()
        for title, text in ARTICLES.items():
            (folder / "articles" / f"{title}.md").write_text(f"---\ntitle: {title}\n---\n\n{text}\n")
        rows: list[tuple[str, str, str, tuple[str, ...]]] = [
            (p, claim, expected, ()) for p, pairs in PAIRS.items() for claim, expected in pairs
        ]
        rows += [(p, claim, expected, (str(folder / "articles"),)) for p, claim, expected in WITH_ARTICLES]
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
