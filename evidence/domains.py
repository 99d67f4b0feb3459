"""Which site a page is of, as addresses and users write hosts and domains; and which documents a query may find."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from evidence.types import Document, Query


def matches(name: str, host: str, publisher: str) -> bool:
    """Whether a filter names this host, a domain above it, or this publisher (both in lower case)."""
    return bool(name) and (host == name or host.endswith("." + name) or publisher == name)


def on_site(url: str | None, sites: Iterable[str]) -> bool:
    """Whether an address is on one of the sites, or on a part of one; a publisher's name does not count."""
    host = host_of(url)
    return any(matches(site, host, "") for site in sites)


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


def within(query: Query) -> Callable[[str | None, str, str], bool]:
    """Whether a document of a day (ISO, if any), host and publisher (in lower case) lies within a query's dates and
    sites; undated ones do.
    """
    first, last = (query.published_from or date.min).isoformat(), (query.published_to or date.max).isoformat()
    only, block = ([as_domain(name) for name in names] for names in (query.only_domains, query.block_domains))

    def holds(published: str | None, host: str, publisher: str) -> bool:
        if published is not None and not first <= published <= last:
            return False
        if only and not any(matches(name, host, publisher) for name in only):
            return False
        return not any(matches(name, host, publisher) for name in block)

    return holds


def allowed(document: Document, query: Query) -> bool:
    """Whether a document lies within the query's dates and sites."""
    published = document.published.isoformat() if document.published else None
    return within(query)(published, host_of(document.url), (document.publisher or "").casefold())
