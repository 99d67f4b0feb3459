"""Which documents a query may draw on: publication date, domain and publisher."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from evidence.index.corpus_index import CorpusIndex
from evidence.index.rows import DocumentRow
from evidence.types import Query


def row_mask(index: CorpusIndex, query: Query) -> NDArray[np.bool_] | None:
    """Which spans may be returned. *Shape:* (n_spans,); ``None`` where the query sets no bounds."""
    if not (query.published_from or query.published_to or query.only_domains or query.block_domains):
        return None
    key = (query.published_from, query.published_to, query.only_domains, query.block_domains)
    return index.mask(key, lambda: _mask(index, query))


def _mask(index: CorpusIndex, query: Query) -> NDArray[np.bool_]:
    only = [as_domain(name) for name in query.only_domains]
    block = [as_domain(name) for name in query.block_domains]
    documents = index.documents()
    allowed = np.array([_allowed(document, query, only, block) for document in documents], dtype=np.bool_)
    return np.repeat(allowed, [document.rows for document in documents])


def _allowed(document: DocumentRow, query: Query, only: Sequence[str], block: Sequence[str]) -> bool:
    day = document.published
    if day is not None:
        if query.published_from is not None and day < query.published_from:
            return False
        if query.published_to is not None and day > query.published_to:
            return False
    host = host_of(document.url)
    publisher = (document.publisher or "").casefold()
    if only and not any(matches(name, host, publisher) for name in only):
        return False
    return not any(matches(name, host, publisher) for name in block)


def matches(name: str, host: str, publisher: str) -> bool:
    """Whether a filter names this host, a domain above it, or this publisher (both in lower case)."""
    return bool(name) and (host == name or host.endswith("." + name) or publisher == name)


def as_domain(name: str) -> str:
    """A filter as users write it (``https://bbc.co.uk/news``, ``BBC.co.uk``, ``The Times``) made plain."""
    name = name.strip()
    if "://" in name:
        return host_of(name).removeprefix("www.")
    return _ascii(name.casefold().rstrip("./")).removeprefix("www.").removeprefix("*.")


def host_of(url: str | None) -> str:
    """Host of an address in lower case and ASCII form, or ``""``."""
    try:
        return _ascii((urlsplit(url or "").hostname or "").rstrip("."))
    except ValueError:
        return ""


def _ascii(host: str) -> str:
    if host.isascii() or " " in host:
        return host
    try:
        return host.encode("idna").decode("ascii")
    except UnicodeError:
        return host
