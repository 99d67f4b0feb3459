"""Reverse image search by SerpAPI (``agent.web_ports.ReverseImageSearch``), as in RAGAR.

The service needs a public address of the picture. The key is in no error message, certificate or
recording.
"""

from __future__ import annotations

from typing import Any

import httpx

from agent.web_ports import PictureMatch
from factdesk.kernel import BackendUnavailable, ConfigError, Fingerprint, TransientError

ADDRESS = "https://serpapi.com/search.json"
ENGINE = "google_reverse_image"
MAX_BYTES = 5_000_000
_LATER = (408, 429, 500, 502, 503, 504)


class SerpApiImages:
    """``GET ADDRESS?engine=google_reverse_image&image_url=…``; redirects are not followed."""

    def __init__(self, key: str, url: str = ADDRESS, *, seconds: float = 30.0) -> None:
        """Raises ``ConfigError`` without a key."""
        if not key.strip():
            raise ConfigError("imagesearch.provider 'serpapi' needs a key; set FACTDESK_IMAGESEARCH__API_KEY")
        self._key = key.strip()
        self._url = url
        self._seconds = seconds

    @property
    def fingerprint(self) -> Fingerprint:
        """Name and version of this client."""
        return Fingerprint(name="imagesearch:serpapi", version=f"1 ({ENGINE})")

    def search(self, address: str, limit: int) -> tuple[PictureMatch, ...]:
        """Pages with the picture at ``address``, best first."""
        parameters = {"engine": ENGINE, "image_url": address, "api_key": self._key}
        try:
            with (
                httpx.Client(trust_env=False, timeout=self._seconds, follow_redirects=False) as client,
                client.stream("GET", self._url, params=parameters) as response,
            ):
                status, data = response.status_code, bytearray()
                for chunk in response.iter_bytes():
                    data += chunk
                    if len(data) > MAX_BYTES:
                        raise BackendUnavailable(f"SerpAPI answered with more than {MAX_BYTES} bytes")
            _refuse(status)
            found = httpx.Response(200, content=bytes(data)).json()
        except httpx.TransportError as error:  # its message may hold the address with the key
            raise TransientError(f"SerpAPI could not be reached ({type(error).__name__})") from None
        except (httpx.HTTPError, ValueError):
            raise BackendUnavailable("SerpAPI did not answer with JSON") from None
        return matches_in(found)[:limit]


def _refuse(status: int) -> None:
    if status in _LATER:
        raise TransientError(f"SerpAPI answered {status}")
    if status in (401, 403):
        raise BackendUnavailable(f"SerpAPI answered {status}; check imagesearch.api_key")
    if status != 200:
        raise BackendUnavailable(f"SerpAPI answered {status}")


def matches_in(found: Any) -> tuple[PictureMatch, ...]:
    """The pages of an answer. Raises ``BackendUnavailable`` for an invalid one."""
    if not isinstance(found, dict):
        raise BackendUnavailable("SerpAPI's answer is no JSON object")
    rows = found.get("image_results")
    if not isinstance(rows, list):
        if "error" in found or "search_information" in found:
            return ()  # the service says so when it found nothing
        raise BackendUnavailable("SerpAPI's answer has no list 'image_results'")
    return tuple(
        PictureMatch(page=row["link"], title=str(row.get("title") or ""), caption=str(row.get("snippet") or ""))
        for row in rows
        if isinstance(row, dict) and isinstance(row.get("link"), str)
    )
