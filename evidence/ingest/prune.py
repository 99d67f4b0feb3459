"""Takes out of a page what is no evidence, before its text is read. Left out: what a reader does not see (by elements
and attributes, by styles, and by rules of its style sheets), what is struck out, what leads elsewhere (teasers, lists
of links), what others wrote below (comments), captions of pictures, and footers. Marks of footnotes go too
(``evidence.ingest.text``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from evidence.ingest.text import EXPRESSIONS, raised
from evidence.segmentation.layout import TEASER

if TYPE_CHECKING:
    from lxml.html import HtmlElement


_GONE = (
    "//del|//s|//strike|//figcaption|//*[contains(@itemtype, 'schema.org/Comment')]|//footer[not(ancestor::blockquote)]"
)
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
_BLOCKS = "//p|//li|//div[not(.//p|.//div|.//ul|.//ol|.//table|.//section|.//article|.//h1|.//h2|.//h3)]"
_RAISED = "//sup|//*[@role='doc-noteref']|//*[contains(translate(@style, ' ', ''), 'vertical-align:super')]"
LEAST_TOLD = 5
"""Words of a hidden passage from which on the page's notes tell of it."""
_LINK_SHARE_REST = 2
"""Letters and digits beside its links with which a block is still nothing but links."""
_TITLED = 3
"""Words from which on the link of a list item is a headline and not a name."""


def prune(root: HtmlElement) -> int:
    """Take out of the tree, in place, what is no evidence; the rest keeps its order. How many passages a reader of the
    page does not see are among it.
    """
    hidden = 0
    for element in list(_unseen(root)):
        told = isinstance(element.tag, str) and element.tag not in ("script", "style", "noscript", "template")
        hidden += told and element.getparent() is not None and len(_line(element).split()) >= LEAST_TOLD
        _drop(element)
    for element in root.xpath(_GONE):
        _drop(element)
    for element in root.xpath("//*[@class or @id]"):
        if is_aside(element):
            _drop(element)
    raise_marks(root)
    _keep_main_aside(root)
    for element in root.xpath("//h2|//h3|//h4|//h5|//h6"):
        if TEASER.fullmatch(_line(element).rstrip(":")):
            _drop_teased(element)
    for element in root.xpath(_BLOCKS):
        if is_teaser(element):
            _drop(element)
        elif element.tag == "div" and (
            _line(element).endswith((".", "!", "?")) or element.xpath("ancestor::li|ancestor::td|ancestor::th")
        ):
            element.tag = "p"  # running text, and parts of items and cells: trafilatura joins what is no paragraph
    return hidden


def is_aside(element: HtmlElement) -> bool:
    """Whether its class or id marks it as comments, teasers, a caption or a footer of the page."""
    if element.tag in ("html", "body", "main", "head") or not isinstance(element.tag, str):
        return False
    names = f"{element.get('class') or ''} {element.get('id') or ''}".lower().split()
    if not any(EXPRESSIONS["aside"].fullmatch(name.replace("_", "-").replace("--", "-")) for name in names):
        return False
    return not element.xpath(".//article|.//main|.//h1")


def is_teaser(block: HtmlElement) -> bool:
    """Whether a block is nothing but links, or links behind "Read more:"; short items of lists are not."""
    text, links = _line(block), [_line(link) for link in block.xpath(".//a[@href]")]
    linked = " ".join(links)
    if not linked:
        return False
    rest = text
    for link in links:
        rest = rest.replace(link, " ", 1)
    lead = " ".join(rest.split()).rstrip(" :.»›>→-–—|")
    if TEASER.fullmatch(lead):
        return True
    if sum(c.isalnum() for c in rest) > _LINK_SHARE_REST:
        return False
    return block.tag != "li" or len(linked.split()) >= _TITLED


def raise_marks(root: HtmlElement) -> None:
    """Write raised exponents and ordinals as plain text, and leave marks of footnotes out."""
    for element in root.xpath(_RAISED):
        linked = element.tag == "a" or bool(element.xpath(".//a[@href]|ancestor::a[@href]"))
        linked = linked or "reference" in str(element.get("class") or "")
        _drop(element, raised(_before(element), element.text_content(), _after(element), linked=linked))
    for element in root.xpath("//a[starts-with(@href, '#')]"):
        if EXPRESSIONS["footnote_mark"].fullmatch(element.text_content().strip()) and _before(element)[-1:].strip():
            _drop(element, "")


def _drop(element: HtmlElement, instead: str | None = None) -> None:
    """Take it out with all it holds. Words on both sides stay apart, unless ``instead`` is given."""
    if element.getparent() is None:
        return
    if instead is None:
        glued = _before(element)[-1:].isalnum() and (element.tail or "")[:1].isalnum()
        instead = " " if glued else ""
    element.tail = instead + (element.tail or "")
    element.drop_tree()


def _drop_teased(heading: HtmlElement) -> None:
    """Take out a heading such as "Related stories" with the links that follow it."""
    for sibling in list(heading.itersiblings()):
        items = sibling.xpath("./li") if sibling.tag in ("ul", "ol") else [sibling]
        if not items or not all(is_teaser(item) or item.xpath("./a[@href]") for item in items):
            break
        _drop(sibling)
    _drop(heading)


def _before(element: HtmlElement) -> str:
    """The text right before an element, within its block."""
    previous = element.getprevious()
    if previous is not None:
        return str(previous.tail or (previous.text_content() if isinstance(previous.tag, str) else ""))
    parent = element.getparent()
    if parent is None:
        return ""
    inline = parent.tag in ("a", "b", "em", "i", "span", "strong", "u", "small", "font", "mark")
    return str(parent.text or (_before(parent) if inline else ""))


def _after(element: HtmlElement) -> str:
    """The text right behind an element, into the next one."""
    following = element.getnext()
    told = following.text_content() if following is not None and isinstance(following.tag, str) else ""
    return f"{element.tail or ''}{told}"


def _keep_main_aside(root: HtmlElement) -> None:
    """Where nothing is marked as the main text and most of it stands in an ``aside``, that is it."""
    if root.xpath("//article|//main|//*[@role='main' or contains(@itemprop, 'articleBody')]"):
        return
    inside = sum(len(_line(p)) for p in root.xpath("//p[ancestor::aside]"))
    outside = sum(len(_line(p)) for p in root.xpath("//p[not(ancestor::aside)]"))
    if inside > outside:
        for aside in root.xpath("//aside"):
            aside.tag = "article"


def _line(element: HtmlElement) -> str:
    return " ".join(str(element.text_content()).split())


def _unseen(root: HtmlElement) -> Iterator[HtmlElement]:
    """The elements, each with all it holds."""
    yield from root.xpath(UNSEEN)
    for element in root.xpath("//*[@style]"):
        if hides(str(element.get("style"))):
            yield element
    for font in root.xpath(_FONTS):
        if hides(f"color:{font.get('color')}"):
            yield font
    rules = (rule for sheet in root.xpath("//style") for rule in EXPRESSIONS["rule"].findall(sheet.text or ""))
    for selector in dict.fromkeys(one.strip() for rule, style in rules if hides(style) for one in rule.split(",")):
        yield from _selected(root, selector)


def hides(style: str) -> bool:
    """Whether a style leaves nothing of an element to be seen."""
    plain = EXPRESSIONS["comment_or_blank"].sub("", EXPRESSIONS["escaped"].sub(_unescaped, style)).lower()
    if EXPRESSIONS["hidden_style"].search(plain) or _faint(plain):
        return True
    if EXPRESSIONS["off_screen"].search(plain) and EXPRESSIONS["moved"].search(plain):
        return True
    if EXPRESSIONS["no_room"].search(plain) and "overflow:hidden" in plain:
        return True
    colours = dict(EXPRESSIONS["colour"].findall(plain))
    ink = _rgb(colours.get("color", ""))
    ground = _rgb(colours.get("background-color") or colours.get("background") or "white")
    return ink is not None and (ink[3] <= FAINT * 255 or (ground is not None and ink[:3] == ground[:3]))


def _unescaped(match: re.Match[str]) -> str:
    code = int(match[1], 16) if match[1] else 0
    return chr(code) if 0 < code < 0x110000 else match[2] or ""


def _faint(style: str) -> bool:
    """Opacity or letters of next to nothing."""
    share = [_number(value) / (100 if unit else 1) for value, unit in EXPRESSIONS["opacity"].findall(style)]
    return min(share, default=1.0) <= FAINT or any(
        _number(value) <= TINY[unit.replace("rem", "em")] for value, unit in EXPRESSIONS["font_size"].findall(style)
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
        found = EXPRESSIONS["step"].fullmatch(step)
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
    for kind, name, attribute, value in EXPRESSIONS["test"].findall(written):
        key = f"n{len(names)}"
        names[key] = name or value
        if kind == ".":
            made += f"[contains(concat(' ', normalize-space(@class), ' '), concat(' ', ${key}, ' '))]"
        elif kind == "#":
            made += f"[@id=${key}]"
        else:
            made += f"[@{attribute.lower()}=${key}]" if value else f"[@{attribute.lower()}]"
    return made
