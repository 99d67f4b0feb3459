"""Takes out of a page what is no evidence, before its text is read. Left out: what a reader does not see, what is
struck out, what leads elsewhere (teasers, lists of links), what others wrote below (comments), captions of pictures,
and footers. Marks of footnotes go too (``evidence.ingest.text``).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from evidence.ingest.text import raised
from evidence.ingest.unseen import unseen
from evidence.segmentation.layout import TEASER

if TYPE_CHECKING:
    from lxml.html import HtmlElement


_GONE = (
    "//del|//s|//strike|//figcaption|//*[contains(@itemtype, 'schema.org/Comment')]|//footer[not(ancestor::blockquote)]"
)
_ASIDE = re.compile(
    r"comments?|commentlist|(?:user|reader)-comments|comments?-(?:list|area|section|thread|wrapper|container|respond)"
    r"|disqus_thread|respond"
    r"|related|related-(?:articles?|stories|posts?|content|links?|items?|news|topics?|coverage|reading)"
    r"|teasers?|read-?more(?:-\w+)?|recommended|most-(?:read|popular|viewed)|trending|more-stories|also-read"
    r"|wp-caption|wp-caption-text|caption|(?:image|photo|media|picture|figure)-?(?:caption|credit)"
    r"|footer|(?:site|page|article)-footer|copyright|colophon"
)
_BLOCKS = "//p|//li|//div[not(.//p|.//div|.//ul|.//ol|.//table|.//section|.//article|.//h1|.//h2|.//h3)]"
_RAISED = "//sup|//*[@role='doc-noteref']|//*[contains(translate(@style, ' ', ''), 'vertical-align:super')]"
_MARK = re.compile(r"[\[(]?(?:\d{1,3}|[a-z]|[*†‡§¶]+)[\])]?")
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
    for element in list(unseen(root)):
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
        elif element.tag == "div" and _line(element).endswith((".", "!", "?")):
            element.tag = "p"  # running text, which trafilatura takes from paragraphs only
    return hidden


def is_aside(element: HtmlElement) -> bool:
    """Whether its class or id marks it as comments, teasers, a caption or a footer of the page."""
    if element.tag in ("html", "body", "main", "head") or not isinstance(element.tag, str):
        return False
    names = f"{element.get('class') or ''} {element.get('id') or ''}".lower().split()
    if not any(_ASIDE.fullmatch(name.replace("_", "-").replace("--", "-")) for name in names):
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
        if _MARK.fullmatch(element.text_content().strip()) and _before(element)[-1:].strip():
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
