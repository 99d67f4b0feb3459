"""Books (.epub): the chapters in the order of reading, each read as a web page of its own. The container is read here
with lxml: the packages that read it are under the AGPL.
"""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import unquote

from evidence.ingest.archive import unpacked
from evidence.ingest.elements import element_blocks
from evidence.ingest.page import Block, Page, dated, located
from evidence.ingest.prune import prune
from evidence.ingest.text import clean_line
from factdesk.kernel import InputError

if TYPE_CHECKING:
    from lxml.etree import _Element

MEDIA_TYPE = "application/epub+zip"
_DC = "{http://purl.org/dc/elements/1.1/}"
_HTML = ("application/xhtml+xml", "text/html")


def read_epub(data: bytes) -> Page:
    """Text, title, publisher and day of publication; the place of a sentence is its chapter. Raises ``InputError``: it
    is damaged, protected or has no text.
    """
    with unpacked(data, "book") as stream, zipfile.ZipFile(stream) as archive:
        if "META-INF/rights.xml" in archive.namelist():
            raise InputError("the book is protected against copying and cannot be read")
        path = str(_xml(archive, "META-INF/container.xml").xpath("string(//*[@full-path]/@full-path)"))
        package = _xml(archive, path)
        text, locators = located(_chapters(archive, package, posixpath.dirname(path)), "book")
    notes: list[str] = []
    said = {name: package.findtext(f".//{_DC}{name}") for name in ("title", "publisher", "creator", "date")}
    return Page(
        text=text,
        title=clean_line(said["title"]),
        publisher=clean_line(said["publisher"]) or clean_line(said["creator"]),
        published=dated(said["date"], notes),
        media_type=MEDIA_TYPE,
        notes=tuple(notes),
        locators=locators,
    )


def _xml(archive: zipfile.ZipFile, name: str) -> _Element:
    from lxml import etree

    return etree.fromstring(archive.read(name), etree.XMLParser(resolve_entities=False, no_network=True))


def _chapters(archive: zipfile.ZipFile, package: _Element, folder: str) -> Iterator[Block]:
    """The blocks of all chapters in the order of the spine."""
    from lxml import html

    items = {item.get("id"): item for item in package.iterfind(".//{*}manifest/{*}item")}
    order = (items.get(ref.get("idref")) for ref in package.iterfind(".//{*}spine/{*}itemref"))
    number = 0
    for item in order:
        if item is None or item.get("media-type") not in _HTML or "nav" in (item.get("properties") or ""):
            continue
        data = archive.read(posixpath.normpath(posixpath.join(folder, unquote(item.get("href") or ""))))
        root = html.document_fromstring(data, parser=html.HTMLParser(encoding="utf-8"))
        prune(root)
        body = root.find("body")
        blocks = element_blocks(root if body is None else body)
        if blocks:
            number += 1
            yield from (replace(b, locator=f"chapter {number}") for b in blocks)
