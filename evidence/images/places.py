"""From coordinates to the name of the nearest town, without the network. The table holds the 34,006 places of GeoNames
with more than 15,000 inhabitants (CC BY 4.0).
"""

from __future__ import annotations

import gzip
import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evidence.types import Place
from language.scenes import PlaceName
from language.wordlists import read_table

EARTH_KM = 6371.0
FAR_KM = 150.0
"""Farther away no town is named: it would say nothing about the place."""
SPREAD_KM = 0.2
"""Radius of a town by the square root of its inhabitants in thousands: 3 km at 250,000, 19 at 9 million."""
LARGER = 3
"""Times as many inhabitants as the nearest place has, from which on a town is told beside it."""
_OTHER_NAMES: dict[str, list[str]] = read_table("evidence.images", "data/countries.toml")
"""Other names of countries by the plain form of the table's own."""


@dataclass(frozen=True)
class NearPlace:
    """The nearest town; ``kilometres`` from its centre to the coordinates."""

    name: str
    country: str
    kilometres: float
    city: str = ""
    """A much larger town in or beside which the coordinates lie; ``""`` where that is ``name``."""

    @property
    def words(self) -> str:
        """``"near Gramercy Park and New York City, United States"``, with the distance from 10 km on."""
        where = f"{self.name} and {self.city}, {self.country}" if self.city else f"{self.name}, {self.country}"
        return f"near {where}" if self.kilometres < 10 else f"{round(self.kilometres)} km from {where}"


def kilometres(place: tuple[float, float], points: ArrayLike) -> NDArray[np.float64]:
    """Along the great circle to each point; latitudes and longitudes in degrees. *Shape:* (n_points,)."""
    here, there = np.radians(place), np.radians(points)
    half = np.sin((there - here) / 2) ** 2
    apart = half[:, 0] + np.cos(there[:, 0]) * np.cos(here[0]) * half[:, 1]
    return np.asarray(2 * EARTH_KM * np.arcsin(np.sqrt(np.clip(apart, 0.0, 1.0))), dtype=np.float64)


def nearest_place(latitude: float, longitude: float) -> NearPlace | None:
    """The nearest known town within 150 km, or ``None``. In degrees, south and west negative."""
    points, names, people = _table()[:3]
    distance = kilometres((latitude, longitude), points)
    index = int(distance.argmin())
    if distance[index] > FAR_KM:
        return None
    country, name = names[index]
    large = (distance <= SPREAD_KM * np.sqrt(people / 1000)) & (people >= LARGER * people[index])
    around = [int(n) for n in np.flatnonzero(large) if names[int(n)][0] == country]
    city = names[max(around, key=lambda n: float(people[n]))][1] if around else ""
    return NearPlace(name, country, round(float(distance[index]), 1), city)


def named_place(name: str, within: str = "") -> Place | None:
    """All towns of that name, case and accents apart, in any language; ``None`` for a name the table has not.
    ``within``: the country behind the name, which settles an ambiguous one. Where the table has no such town there (a
    state, a province), all of the name are meant.
    """
    points, names, _, others = _table()
    wanted, country = plain(name), plain(within)
    bearers = [n for n, known in enumerate(others) if f"|{wanted}|" in known] if wanted else []
    named = [plain(names[n][0]) for n in bearers]
    inside = [n for n, own in zip(bearers, named, strict=True) if country in (own, *_OTHER_NAMES.get(own, ()))]
    found = tuple((float(points[n][0]), float(points[n][1])) for n in inside or bearers)
    return Place(name=name.strip(), points=found) if found else None


def scene_place(found: PlaceName | None) -> Place | None:
    """The town that a described scene is set in; ``None`` where another of its names is a town as well."""
    if found is None or any(named_place(name) is not None for name in found.others):
        return None
    return named_place(found.town, found.within) or (named_place(found.within) if found.spot else None)


def plain(name: str) -> str:
    """Lower case without accents, points and hyphens."""
    parts = unicodedata.normalize("NFKD", name.strip().casefold())
    return re.sub(r"[\s.'’-]+", " ", "".join(c for c in parts if not unicodedata.combining(c))).strip()


@lru_cache(maxsize=1)
def _table() -> tuple[NDArray[np.float64], list[tuple[str, str]], NDArray[np.float64], list[str]]:
    """Coordinates, (country, name), inhabitants, and names in plain form between bars."""
    raw = files("evidence.images").joinpath("data", "places.tsv.gz").read_bytes()
    rows = [line.split("\t") for line in gzip.decompress(raw).decode("utf-8").split("\n")]
    points, people = np.array([[float(r[0]), float(r[1])] for r in rows]), np.array([float(r[4]) for r in rows])
    return points, [(r[2], r[3]) for r in rows], people, [f"|{r[5]}|" for r in rows]
