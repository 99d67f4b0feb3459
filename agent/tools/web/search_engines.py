"""Search engines with a JSON interface: SearXNG, Google Fact Check Tools, Wikipedia, Wikidata; SerpAPI for pictures."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

from agent.tools.web.json_api import JsonApi, OwnAddress, rows, text_of
from agent.web_ports import SearchResult
from factdesk.kernel import ConfigError, Fingerprint

FACT_CHECKS = "https://factchecktools.googleapis.com"
SERPAPI = "https://serpapi.com/search.json"


class JsonEngine:
    """What the engines share (``agent.web_ports.WebSearch``): a name and an interface."""

    name: str
    title: str
    home: str

    def __init__(self, url: str | None = None) -> None:
        """``url``: of the interface, if not at home. Raises ``ConfigError`` for an invalid address."""
        self.api = JsonApi(self.title, url or self.home)

    @property
    def fingerprint(self) -> Fingerprint:
        """Name and version of this client."""
        return Fingerprint(name=f"websearch:{self.name}", version="1")


class SearxngSearch(JsonEngine):
    """``GET URL/search?format=json``; the address may be local."""

    name = "searxng"

    def __init__(self, url: str) -> None:
        """Raises ``ConfigError`` for an invalid address."""
        base = url.rstrip("/").removesuffix("/search")
        hint = "check websearch.url, and allow format 'json' in its settings (search.formats)"
        self.api = JsonApi("SearXNG", base, guard=OwnAddress(), seconds=10.0, hint=hint)

    def search(self, query: str, limit: int) -> tuple[SearchResult, ...]:
        """Results in the instance's order."""
        asked = {"q": query, "format": "json", "categories": "general", "safesearch": "0"}
        return results_of(self.api.rows(self.api.get("/search", asked), "results"), "url", "content")[:limit]


class GoogleFactChecks(JsonEngine):
    """``GET /v1alpha1/claims:search``; each result is a review in ClaimReview form, read in the place of its page."""

    name = "google-factcheck"

    def __init__(self, key: str, url: str = FACT_CHECKS) -> None:
        """Raises ``ConfigError`` without a key."""
        if not key.strip():
            raise ConfigError("websearch.provider 'google-factcheck' needs a key; set FACTDESK_WEBSEARCH__API_KEY")
        self.api = JsonApi("Google Fact Check Tools", url, key_header=("X-Goog-Api-Key", key.strip()))

    def search(self, query: str, limit: int) -> tuple[SearchResult, ...]:
        """Reviews in the service's order, those that have an address."""
        asked = {"query": query, "pageSize": str(limit), "languageCode": "en"}
        claims = rows(self.api.get("/v1alpha1/claims:search", asked).get("claims"))
        reviews = [(claim, review) for claim in claims for review in rows(claim.get("claimReview"))]
        usable = [(claim, review) for claim, review in reviews if isinstance(review.get("url"), str)]
        return tuple(
            SearchResult(
                url=review["url"],
                title=text_of(review, "title"),
                review=json.dumps({"claims": [{**claim, "claimReview": [review]}]}, ensure_ascii=False, sort_keys=True),
            )
            for claim, review in usable[:limit]
        )


class WikipediaSearch(JsonEngine):
    """``list=search`` of the MediaWiki API; ``url`` may be that of another wiki."""

    name, title, home = "wikipedia", "Wikipedia", "https://en.wikipedia.org"

    def search(self, query: str, limit: int) -> tuple[SearchResult, ...]:
        """Articles in the wiki's order."""
        return tuple(
            SearchResult(url=f"{self.api.base}/wiki/{quote(title.replace(' ', '_'))}", title=title)
            for title in _titles(self.api, query, limit)
        )


class WikidataSearch(JsonEngine):
    """The English article on each item that is found."""

    name, title, home = "wikidata", "Wikidata", "https://www.wikidata.org"

    def search(self, query: str, limit: int) -> tuple[SearchResult, ...]:
        """Articles, by their items' order; items without an English article give none."""
        items = _titles(self.api, query, limit)
        if not items:
            return ()
        wanted = {"props": "sitelinks/urls", "sitefilter": "enwiki", "ids": "|".join(items)}
        found = _asked(self.api, {"action": "wbgetentities", **wanted})
        links = [_member(found, "entities", item, "sitelinks", "enwiki") for item in items]
        return results_of(links, "url")


class SerpApiImages(JsonEngine):
    """Reverse image search (RAGAR): ``GET ADDRESS?engine=google_reverse_image&image_url=…``.

    The key is in no error message, certificate or recording.
    """

    def __init__(self, key: str, url: str = SERPAPI) -> None:
        """Raises ``ConfigError`` without a key."""
        if not key.strip():
            raise ConfigError("imagesearch.provider 'serpapi' needs a key; set FACTDESK_IMAGESEARCH__API_KEY")
        self._asked = {"engine": "google_reverse_image", "api_key": key.strip()}
        self.api = JsonApi("SerpAPI", url, guard=OwnAddress(), seconds=30.0, settings="imagesearch")

    @property
    def fingerprint(self) -> Fingerprint:
        """Name and version of this client."""
        return Fingerprint(name="imagesearch:serpapi", version=f"1 ({self._asked['engine']})")

    def search(self, query: str, limit: int) -> tuple[SearchResult, ...]:
        """Pages with the picture at the public address ``query``, best first."""
        found = self.api.get("", {**self._asked, "image_url": query})
        if "image_results" not in found and ("error" in found or "search_information" in found):
            return ()  # the service says so when it found nothing
        return results_of(self.api.rows(found, "image_results"), "link", "snippet")[:limit]


def results_of(found: Iterable[dict[str, Any]], url: str, snippet: str = "") -> tuple[SearchResult, ...]:
    """Results from rows that have an address, by the names of their fields."""
    return tuple(
        SearchResult(url=row[url], title=text_of(row, "title"), snippet=text_of(row, snippet))
        for row in found
        if isinstance(row.get(url), str)
    )


def _titles(api: JsonApi, query: str, limit: int) -> list[str]:
    found = _asked(api, {"action": "query", "list": "search", "srsearch": query, "srlimit": str(limit)})
    hits = rows(_member(found, "query").get("search"))
    return [hit["title"] for hit in hits if isinstance(hit.get("title"), str)]


def _asked(api: JsonApi, parameters: dict[str, str]) -> dict[str, Any]:
    return api.get("/w/api.php", {**parameters, "format": "json"})


def _member(found: Any, *names: str) -> dict[str, Any]:
    """The object within objects, by name; empty where there is none."""
    for name in names:
        found = found.get(name) if isinstance(found, dict) else None
    return found if isinstance(found, dict) else {}
