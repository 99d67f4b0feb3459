"""Elements of a page that its reader does not see: by attribute, by their own style, or by the page's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.html import HtmlElement

UNSEEN = (
    "//template|//noscript|//script|//style|//textarea|//comment()|//processing-instruction()|//*[@hidden]"
    "|//*[@aria-hidden='true']|//details[not(@open)]/*[not(self::summary)]|//dialog[not(@open)]|//datalist"
    "|//object|//iframe"
)
_ZERO = r"0*(?:\.0*)?(?:px|r?em|pt|%|vw|vh)?(?:;|!|$)"
_FAR = r"-\d{3,}(?:\.\d+)?(?:px|r?em|pt|%|vw|vh)|-\d{2,}r?em"
_STYLE = re.compile(
    rf"display:none|visibility:(?:hidden|collapse)|line-through|content-visibility:hidden"
    rf"|(?:^|;)(?:opacity|font-size):{_ZERO}|transform:[^;]*scale\(0|(?:^|;)text-indent:{_FAR}"
    r"|clip:rect\((?:0(?:px)?[,)]?|1px,?)+|clip-path:inset\((?:50|100)%"
)
_OFF_SCREEN = re.compile(rf"(?:^|;)(?:left|right|top|bottom|margin(?:-left|-top)?|inset):(?:{_FAR})")
_NO_ROOM = re.compile(rf"(?:^|;)(?:max-)?(?:width|height):{_ZERO}")
_COLOUR = re.compile(r"(?:^|;)(color|background(?:-color)?):([^;!]+)")
_WHITE = {"white", "#fff", "#ffffff", "rgb(255,255,255)", "rgba(255,255,255,1)", "hsl(0,0%,100%)"}
_RULE = re.compile(r"([^{}@]+)\{([^{}]*)\}")
_SIMPLE = re.compile(r"(?P<tag>[a-z][a-z0-9]*)?(?P<kind>[.#])(?P<name>[\w-]+)", re.IGNORECASE)


def unseen(root: HtmlElement) -> Iterator[HtmlElement]:
    """The elements, each with all it holds."""
    yield from root.xpath(UNSEEN)
    for element in root.xpath("//*[@style]"):
        if hides(str(element.get("style"))):
            yield element
    for sheet in root.xpath("//style"):
        for selector, style in _RULE.findall(sheet.text or ""):
            if hides(style):
                yield from _selected(root, selector)


def hides(style: str) -> bool:
    """Whether a style leaves nothing of an element to be seen."""
    plain = re.sub(r"\s|/\*.*?\*/", "", style).lower()
    if _STYLE.search(plain):
        return True
    if _OFF_SCREEN.search(plain) and re.search(r"position:(?:absolute|fixed)|margin|text-indent", plain):
        return True
    if _NO_ROOM.search(plain) and "overflow:hidden" in plain:
        return True
    colours = dict(_COLOUR.findall(plain))
    ink = colours.get("color", "")
    ground = colours.get("background-color") or colours.get("background")
    return ink == "transparent" or (bool(ink) and _same(ink, ground or "white"))


def _same(ink: str, ground: str) -> bool:
    return ink == ground or {ink, ground} <= _WHITE


def _selected(root: HtmlElement, selectors: str) -> Iterator[HtmlElement]:
    """The elements of plain selectors (``.class``, ``#id``, ``tag.class``); others are passed over."""
    for selector in selectors.split(","):
        found = _SIMPLE.fullmatch(selector.strip())
        if found is None:
            continue
        tag, name = (found["tag"] or "*").lower(), found["name"]
        test = "@id=$name" if found["kind"] == "#" else "contains(concat(' ',@class,' '),concat(' ',$name,' '))"
        yield from root.xpath(f"//{tag}[{test}]", name=name)
