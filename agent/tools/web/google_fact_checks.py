"""Published fact checks, by the Google Fact Check Tools API (claims:search).

Each result is the review itself in ClaimReview form, which is read in the place of its page.
"""

from __future__ import annotations

import json
from typing import Any

from agent.tools.web.json_api import JsonApi, rows
from agent.web_ports import SearchResult
from factdesk.kernel import ConfigError, Fingerprint

ADDRESS = "https://factchecktools.googleapis.com"
KEY_HEADER = "X-Goog-Api-Key"


class GoogleFactChecks:
    """``agent.web_ports.WebSearch`` over ``GET /v1alpha1/claims:search``."""

    def __init__(self, key: str, url: str = ADDRESS) -> None:
        """Raises ``ConfigError`` without a key."""
        if not key.strip():
            raise ConfigError("websearch.provider 'google-factcheck' needs a key; set FACTDESK_WEBSEARCH__API_KEY")
        self._api = JsonApi("Google Fact Check Tools", url, key_header=(KEY_HEADER, key.strip()))

    @property
    def fingerprint(self) -> Fingerprint:
        """Name and version of this client."""
        return Fingerprint(name="websearch:google-factcheck", version="1")

    def search(self, query: str, limit: int) -> tuple[SearchResult, ...]:
        """Reviews in the service's order."""
        found = self._api.get("/v1alpha1/claims:search", {"query": query, "pageSize": str(limit), "languageCode": "en"})
        results = [r for claim in rows(found.get("claims")) for r in _results(claim)]
        return tuple(results[:limit])


def _results(claim: dict[str, Any]) -> list[SearchResult]:
    """One a review that has an address."""
    return [
        SearchResult(
            url=review["url"],
            title=str(review.get("title") or ""),
            review=json.dumps({"claims": [{**claim, "claimReview": [review]}]}, ensure_ascii=False, sort_keys=True),
        )
        for review in rows(claim.get("claimReview"))
        if isinstance(review.get("url"), str)
    ]
