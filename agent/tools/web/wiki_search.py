"""Search in Wikipedia, and in Wikidata for what has an article there, by the MediaWiki API."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from agent.tools.web.json_api import JsonApi, rows
from agent.web_ports import SearchResult
from factdesk.kernel import Fingerprint

WIKIPEDIA = "https://en.wikipedia.org"
WIKIDATA = "https://www.wikidata.org"
PATH = "/w/api.php"


class WikipediaSearch:
    """``agent.web_ports.WebSearch`` over ``list=search``; ``url`` may be that of another wiki."""

    def __init__(self, url: str = WIKIPEDIA) -> None:
        self._api = JsonApi("Wikipedia", url)

    @property
    def fingerprint(self) -> Fingerprint:
        """Name and version of this client."""
        return Fingerprint(name="websearch:wikipedia", version="1")

    def search(self, query: str, limit: int) -> tuple[SearchResult, ...]:
        """Articles in the wiki's order."""
        return tuple(
            SearchResult(url=f"{self._api.base}/wiki/{quote(title.replace(' ', '_'))}", title=title)
            for title in _titles(self._api, query, limit)
        )


class WikidataSearch:
    """``agent.web_ports.WebSearch``: the English article on each item that is found."""

    def __init__(self, url: str = WIKIDATA) -> None:
        self._api = JsonApi("Wikidata", url)

    @property
    def fingerprint(self) -> Fingerprint:
        """Name and version of this client."""
        return Fingerprint(name="websearch:wikidata", version="1")

    def search(self, query: str, limit: int) -> tuple[SearchResult, ...]:
        """Articles, by their items' order; items without an English article give none."""
        items = _titles(self._api, query, limit)
        if not items:
            return ()
        wanted = {"props": "sitelinks/urls", "sitefilter": "enwiki", "ids": "|".join(items)}
        found = self._api.get(PATH, {"action": "wbgetentities", "format": "json", **wanted})
        entities = found.get("entities")
        links = [_article(entities.get(item)) for item in items] if isinstance(entities, dict) else []
        return tuple(link for link in links if link is not None)


def _titles(api: JsonApi, query: str, limit: int) -> list[str]:
    asked = {"action": "query", "list": "search", "srsearch": query, "srlimit": str(limit), "format": "json"}
    found = api.get(PATH, asked).get("query")
    hits = rows(found.get("search")) if isinstance(found, dict) else []
    return [hit["title"] for hit in hits if isinstance(hit.get("title"), str)]


def _article(entity: Any) -> SearchResult | None:
    links = entity.get("sitelinks") if isinstance(entity, dict) else None
    link = links.get("enwiki") if isinstance(links, dict) else None
    if not isinstance(link, dict) or not isinstance(link.get("url"), str):
        return None
    return SearchResult(url=link["url"], title=str(link.get("title") or ""))
