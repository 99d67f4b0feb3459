"""What of a page a reader does not see: by elements and attributes, by styles, and by rules of its style sheets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.html import HtmlElement

UNSEEN = (
    "//template|//noscript|//script|//style|//textarea|//comment()|//processing-instruction()|//*[@hidden]"
    "|//*[@aria-hidden='true']|//details[not(@open)]/*[not(self::summary)]|//dialog[not(@open)]|//datalist"
    "|//object|//iframe"
)
_FONTS = "//font[@color][not(ancestor::*[@bgcolor or @background or contains(@style, 'background')])]"
FAINT = 0.1
"""Opacity, and alpha of a colour, up to which nothing is seen."""
TINY = {"px": 2.0, "pt": 2.0, "em": 0.15, "rem": 0.15, "%": 15.0, "": 2.0}
"""Size of letters up to which nothing can be read, by unit."""
_ZERO = r"0*(?:\.0*)?(?:px|r?em|pt|%|vw|vh)?(?:;|!|$)"
_FAR = r"-\d{3,}(?:\.\d+)?(?:px|r?em|pt|%|vw|vh)|-\d{2,}r?em"
_STYLE = re.compile(
    r"display:none|visibility:(?:hidden|collapse)|line-through|content-visibility:hidden"
    rf"|transform:[^;]*scale\(0(?![.\d]*[1-9])|(?:^|;)text-indent:{_FAR}"
    r"|clip:rect\((?:0(?:px)?[,)]?|1px,?)+|clip-path:inset\((?:50|100)%"
)
_OFF_SCREEN = re.compile(rf"(?:^|;)(?:left|right|top|bottom|margin(?:-left|-top)?|inset):(?:{_FAR})")
_NO_ROOM = re.compile(rf"(?:^|;)(?:max-)?(?:width|height):{_ZERO}")
_COLOUR = re.compile(r"(?:^|;)(color|background(?:-color)?):([^;!]+)")
_OPACITY = re.compile(r"(?:(?:^|;)opacity:|opacity\()(\d*\.?\d*)(%?)")
_SIZE = re.compile(r"(?:^|;)font-size:(\d*\.?\d*)(px|pt|r?em|%|)(?:;|!|$)")
_ESCAPED = re.compile(r"\\(?:([0-9a-f]{1,6})\s?|(.))", re.IGNORECASE | re.DOTALL)
_RULE = re.compile(r"([^{}@]+)\{([^{}]*)\}")
_STEP = re.compile(r"(?P<tag>[a-z][a-z0-9]*|\*)?(?P<tests>(?:[.#][\w-]+|\[[\w-]+(?:=[^\]\s]*)?\])*)", re.IGNORECASE)
_TEST = re.compile(r"([.#])([\w-]+)|\[([\w-]+)(?:=[\"']?([^\]\"']*)[\"']?)?\]")


def unseen(root: HtmlElement) -> Iterator[HtmlElement]:
    """The elements, each with all it holds."""
    yield from root.xpath(UNSEEN)
    for element in root.xpath("//*[@style]"):
        if hides(str(element.get("style"))):
            yield element
    for font in root.xpath(_FONTS):
        if hides(f"color:{font.get('color')}"):
            yield font
    rules = (rule for sheet in root.xpath("//style") for rule in _RULE.findall(sheet.text or ""))
    for selector in dict.fromkeys(one.strip() for rule, style in rules if hides(style) for one in rule.split(",")):
        yield from _selected(root, selector)


def hides(style: str) -> bool:
    """Whether a style leaves nothing of an element to be seen."""
    plain = re.sub(r"/\*.*?\*/|\s", "", _ESCAPED.sub(_unescaped, style), flags=re.DOTALL).lower()
    if _STYLE.search(plain) or _faint(plain):
        return True
    if _OFF_SCREEN.search(plain) and re.search(r"position:(?:absolute|fixed)|margin|text-indent", plain):
        return True
    if _NO_ROOM.search(plain) and "overflow:hidden" in plain:
        return True
    colours = dict(_COLOUR.findall(plain))
    ink = _rgb(colours.get("color", ""))
    ground = _rgb(colours.get("background-color") or colours.get("background") or "white")
    return ink is not None and (ink[3] <= FAINT * 255 or (ground is not None and ink[:3] == ground[:3]))


def _unescaped(match: re.Match[str]) -> str:
    code = int(match[1], 16) if match[1] else 0
    return chr(code) if 0 < code < 0x110000 else match[2] or ""


def _faint(style: str) -> bool:
    """Opacity or letters of next to nothing."""
    share = [_number(value) / (100 if unit else 1) for value, unit in _OPACITY.findall(style)]
    return min(share, default=1.0) <= FAINT or any(
        _number(value) <= TINY[unit.replace("rem", "em")] for value, unit in _SIZE.findall(style)
    )


def _number(written: str) -> float:
    """A figure of a style; what is none counts as plenty."""
    return float(written) if any(map(str.isdigit, written)) else float("inf")


@lru_cache(maxsize=1024)
def _rgb(colour: str) -> tuple[int, int, int, int] | None:
    """Red, green, blue and alpha (0 to 255) of a colour as a style writes it; ``None`` where it cannot be told."""
    if colour == "transparent":
        return 0, 0, 0, 0
    from PIL import ImageColor

    rgba = re.fullmatch(r"(rgb|hsl)a?\(([^()]*),(\d*\.?\d*%?)\)", colour) if colour.count(",") == 3 else None
    try:
        if rgba is None:
            found = ImageColor.getcolor(colour, "RGBA")
            return found if isinstance(found, tuple) and len(found) == 4 else None
        red, green, blue = ImageColor.getrgb(f"{rgba[1]}({rgba[2]})")[:3]
    except ValueError:
        return None
    alpha = _number(rgba[3].rstrip("%")) / (100 if rgba[3].endswith("%") else 1)
    return red, green, blue, round(255 * min(1.0, alpha))


def _selected(root: HtmlElement, selector: str) -> Iterator[HtmlElement]:
    """The elements of a selector by tags, classes, ids and attributes, one in the other; others are passed over, and so
    are rules for the whole page, which a script takes back once it is loaded.
    """
    path, names = "", dict[str, str]()
    for step in selector.replace(">", " > ").split():
        found = _STEP.fullmatch(step)
        if found is None and step != ">":
            return
        if found is None:
            path += "/"
        else:
            path += ("" if path.endswith("/") else "//") + (found["tag"] or "*").lower() + _tests(found["tests"], names)
    if path and not path.endswith("/"):
        yield from (e for e in root.xpath(path, **names) if e.tag not in ("html", "body"))


def _tests(written: str, names: dict[str, str]) -> str:
    """The conditions of a step; what they compare with is put into ``names``."""
    made = ""
    for kind, name, attribute, value in _TEST.findall(written):
        key = f"n{len(names)}"
        names[key] = name or value
        if kind == ".":
            made += f"[contains(concat(' ', normalize-space(@class), ' '), concat(' ', ${key}, ' '))]"
        elif kind == "#":
            made += f"[@id=${key}]"
        else:
            made += f"[@{attribute.lower()}=${key}]" if value else f"[@{attribute.lower()}]"
    return made
