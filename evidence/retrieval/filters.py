"""Which documents a query may draw on: publication date, domain and publisher, as conditions in SQL."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evidence.domains import as_domain
from evidence.index.corpus_index import CorpusIndex
from evidence.types import Query

_SITE = "(host = ? OR substr(host, -length(?)) = ? OR publisher_key = ?)"


def row_mask(index: CorpusIndex, query: Query) -> NDArray[np.bool_] | None:
    """Which spans may be returned. *Shape:* (n_spans,); ``None`` where the query sets no bounds."""
    conditions: list[str] = []
    values: list[str] = []
    for day, way in ((query.published_from, ">="), (query.published_to, "<=")):
        if day is not None:
            conditions.append(f"(published IS NULL OR published {way} ?)")
            values.append(day.isoformat())
    for names, way in ((query.only_domains, ""), (query.block_domains, "NOT ")):
        if names:
            condition, named = _of_sites(names)
            conditions.append(way + condition)
            values += named
    return index.mask(" AND ".join(conditions), tuple(values)) if conditions else None


def _of_sites(names: Sequence[str]) -> tuple[str, list[str]]:
    """A condition as ``evidence.domains.matches`` has it, for any of some names; and its values."""
    sites = [site for site in map(as_domain, names) if site]
    values = [value for site in sites for value in (site, f".{site}", f".{site}", site)]
    return f"({' OR '.join([_SITE] * len(sites)) or '0'})", values
