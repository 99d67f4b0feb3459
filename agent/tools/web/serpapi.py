"""Reverse image search by SerpAPI (``agent.web_ports.ReverseImageSearch``), as in RAGAR.

The service needs a public address of the picture. The key is in no error message, certificate or
recording.
"""

from __future__ import annotations

from agent.tools.web.json_api import JsonApi, OwnAddress, text_of
from agent.web_ports import PictureMatch
from factdesk.kernel import ConfigError, Fingerprint

ADDRESS = "https://serpapi.com/search.json"
ENGINE = "google_reverse_image"


class SerpApiImages:
    """``GET ADDRESS?engine=google_reverse_image&image_url=…``; redirects are not followed."""

    def __init__(self, key: str, url: str = ADDRESS) -> None:
        """Raises ``ConfigError`` without a key."""
        if not key.strip():
            raise ConfigError("imagesearch.provider 'serpapi' needs a key; set FACTDESK_IMAGESEARCH__API_KEY")
        self._key = key.strip()
        self._api = JsonApi("SerpAPI", url, guard=OwnAddress(), seconds=30.0, settings="imagesearch")

    @property
    def fingerprint(self) -> Fingerprint:
        """Name and version of this client."""
        return Fingerprint(name="imagesearch:serpapi", version=f"1 ({ENGINE})")

    def search(self, address: str, limit: int) -> tuple[PictureMatch, ...]:
        """Pages with the picture at ``address``, best first."""
        found = self._api.get("", {"engine": ENGINE, "image_url": address, "api_key": self._key})
        if "image_results" not in found and ("error" in found or "search_information" in found):
            return ()  # the service says so when it found nothing
        usable = [row for row in self._api.rows(found, "image_results") if isinstance(row.get("link"), str)]
        return tuple(
            PictureMatch(page=row["link"], title=text_of(row, "title"), caption=text_of(row, "snippet"))
            for row in usable[:limit]
        )
