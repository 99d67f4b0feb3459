"""Which site a page is of: hosts and domains as addresses and users write them."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit


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
