"""Markdown files: front matter by python-frontmatter, the body by markdown-it-py, written as plain text."""

from __future__ import annotations

from evidence.ingest.elements import element_blocks
from evidence.ingest.page import Block, Page, located, page_of
from evidence.ingest.prune import prune
from evidence.ingest.text import EXPRESSIONS, clean_line, decode, normalise
from factdesk.kernel import InputError


def read_markdown(data: bytes) -> Page:
    """Text and metadata of a Markdown file. Front matter may give ``title``, ``publisher``, ``published`` (or
    ``date``), ``retrieved``, ``url`` and ``author`` (used as the publisher where none is given). Front matter that is
    not valid YAML is left out and noted. Raises ``InputError``: the bytes are no text.
    """
    notes: list[str] = []
    meta, body = _split(decode(data), notes)
    blocks = markdown_blocks(body)
    heading = next((block.text for block in blocks if block.kind == "heading"), None)
    return page_of(*located(blocks), {**meta, "title": clean_line(meta.get("title")) or heading}, notes)


def _split(text: str, notes: list[str]) -> tuple[dict[str, object], str]:
    import yaml
    from frontmatter.default_handlers import YAMLHandler

    handler = YAMLHandler()
    text = text.replace("\r\n", "\n")
    if not handler.detect(text):
        return {}, text
    try:
        front, body = handler.split(text)
    except ValueError:
        return {}, text
    try:
        meta = handler.load(front)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        notes.append(f"kept without its front matter, which is not valid YAML: {clean_line(str(error))}")
        return {}, body
    return (meta if isinstance(meta, dict) else {}), body


def markdown_blocks(body: str) -> list[Block]:
    """The blocks of a Markdown text (CommonMark with tables), without emphasis, links, images and code. It is made HTML
    first, so that what is no evidence is left out as in a web page (``prune``).
    """
    from lxml import etree, html
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    plain = normalise(body)
    for name, instead in (("note", ""), ("note_reference", ""), ("superscript", r"<sup>\1</sup>")):
        plain = EXPRESSIONS[name].sub(instead, plain)
    try:
        root = html.fragment_fromstring(parser.render(plain), create_parent="div")
    except (etree.LxmlError, ValueError) as error:
        raise InputError(f"the Markdown holds broken HTML ({type(error).__name__})") from error
    prune(root)
    return element_blocks(root)
