"""Web search by a SearXNG instance, through its JSON interface.

The address may be local, since it comes from the settings; redirects are not followed.
"""

from __future__ import annotations

from typing import Any

import httpx

from agent.web_ports import SearchResult
from factdesk.kernel import BackendUnavailable, ConfigError, Fingerprint, TransientError

MAX_BYTES = 3_000_000


class SearxngSearch:
    """``agent.web_ports.WebSearch`` over ``GET URL/search?format=json``."""

    def __init__(self, url: str, *, seconds: float = 10.0) -> None:
        """Raises ``ConfigError`` for an invalid address."""
        try:
            base = httpx.URL(url)
        except httpx.InvalidURL as error:
            raise ConfigError(f"websearch.url {url!r} is no address; give http://HOST or https://HOST") from error
        if base.scheme not in ("http", "https") or not base.host:
            raise ConfigError(f"websearch.url {url!r} is no address; give http://HOST or https://HOST")
        self._url = str(base).rstrip("/").removesuffix("/search") + "/search"
        self._seconds = seconds

    @property
    def fingerprint(self) -> Fingerprint:
        """Name and version of this client."""
        return Fingerprint(name="websearch:searxng", version="1")

    def search(self, query: str, limit: int) -> tuple[SearchResult, ...]:
        """Results in the instance's order."""
        parameters = {"q": query, "format": "json", "categories": "general", "safesearch": "0"}
        try:
            with (
                httpx.Client(trust_env=False, timeout=self._seconds, follow_redirects=False) as client,
                client.stream("GET", self._url, params=parameters) as response,
            ):
                _refuse_status(response.status_code)
                data = bytearray()
                for chunk in response.iter_bytes():
                    data += chunk
                    if len(data) > MAX_BYTES:
                        raise BackendUnavailable(f"SearXNG answered with more than {MAX_BYTES} bytes")
            found = httpx.Response(200, content=bytes(data)).json()
        except httpx.TransportError as error:
            raise TransientError(f"SearXNG could not be reached ({type(error).__name__})") from error
        except (httpx.HTTPError, ValueError) as error:
            raise BackendUnavailable("SearXNG did not answer with JSON; allow format 'json' in it") from error
        return _results(found)[:limit]


def _refuse_status(status: int) -> None:
    if status in (429, 500, 502, 503, 504):
        raise TransientError(f"SearXNG answered {status}")
    if status == 403:
        raise BackendUnavailable("SearXNG answered 403; allow format 'json' in its settings (search.formats)")
    if status != 200:
        raise BackendUnavailable(f"SearXNG answered {status}; check websearch.url")


def _results(found: Any) -> tuple[SearchResult, ...]:
    rows = found.get("results") if isinstance(found, dict) else None
    if not isinstance(rows, list):
        raise BackendUnavailable("SearXNG's answer has no list 'results'; check websearch.url")
    return tuple(
        SearchResult(url=row["url"], title=str(row.get("title") or ""), snippet=str(row.get("content") or ""))
        for row in rows
        if isinstance(row, dict) and isinstance(row.get("url"), str)
    )
