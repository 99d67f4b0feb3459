"""The pictures of a fetched page with caption, alternative text and metadata."""

from __future__ import annotations

from urllib.parse import urldefrag, urljoin, urlsplit

from agent.web_ports import FetchedPage
from factdesk.kernel import Record

MAX_FIGURES = 6
MAX_CAPTION = 500
_META = ("og:image", "og:image:url", "twitter:image")


class Figure(Record):
    """One picture of a page; ``captioned``: its words are a caption."""

    address: str
    caption: str
    captioned: bool = False


def figures_of(page: FetchedPage) -> tuple[Figure, ...]:
    """Pictures of a page, those with captions first; empty if it cannot be parsed."""
    from lxml import html
    from lxml.etree import LxmlError

    try:
        root = html.document_fromstring(page.body)
    except (LxmlError, ValueError, RecursionError):
        return ()
    found: dict[str, Figure] = {}

    def keep(address: str | None, caption: str, *, captioned: bool) -> None:
        target = urldefrag(urljoin(page.final_url, (address or "").strip()))[0]
        words = " ".join(caption.split())[:MAX_CAPTION]
        if urlsplit(target).scheme in ("http", "https") and (target not in found or captioned):
            found[target] = Figure(address=target, caption=words, captioned=captioned)

    for figure in root.iter("figure"):
        caption = next(("".join(map(str, c.itertext())) for c in figure.iter("figcaption")), "")
        for image in figure.iter("img"):
            keep(image.get("src"), caption or image.get("alt") or "", captioned=bool(caption.strip()))
    meta = {m.get("property") or m.get("name"): m.get("content") for m in root.iter("meta")}
    told = meta.get("og:image:alt") or meta.get("og:title") or root.findtext(".//title") or ""
    for name in _META:
        if meta.get(name):
            keep(meta[name], told, captioned=False)
    for image in root.iter("img"):
        if image.get("alt"):
            keep(image.get("src"), image.get("alt") or "", captioned=False)
    return tuple(sorted(found.values(), key=lambda f: not f.captioned))[:MAX_FIGURES]
