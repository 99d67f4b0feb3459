"""Markdown files: front matter by python-frontmatter, the body by markdown-it-py, written as plain text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evidence.ingest.blocks import Block, render, table_rows
from evidence.ingest.page import Page, dated, web_address
from evidence.ingest.text import clean_line, decode

if TYPE_CHECKING:
    from markdown_it.tree import SyntaxTreeNode

_MEDIA_TYPE = "text/markdown"


def read_markdown(data: bytes) -> Page:
    """Text and metadata of a Markdown file.

    Front matter may give ``title``, ``publisher``, ``published`` (or ``date``), ``retrieved``, ``url`` and
    ``author`` (used as the publisher where none is given). Front matter that is not valid YAML is left out
    and noted.

    Raises:
        InputError: the bytes are no text.
    """
    notes: list[str] = []
    meta, body = _split(decode(data), notes)
    blocks = markdown_blocks(body)
    heading = next((block.text for block in blocks if block.kind == "heading"), None)
    return Page(
        text=render(blocks),
        title=clean_line(meta.get("title")) or clean_line(heading),
        url=web_address(meta.get("url")),
        publisher=clean_line(meta.get("publisher")) or clean_line(meta.get("author")),
        published=dated(meta.get("published", meta.get("date")), notes),
        retrieved=dated(meta.get("retrieved"), notes, "retrieved"),
        media_type=_MEDIA_TYPE,
        notes=tuple(notes),
    )


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
    """The blocks of a Markdown text (CommonMark with tables), without emphasis, links, images and code."""
    from markdown_it import MarkdownIt
    from markdown_it.tree import SyntaxTreeNode

    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    blocks: list[Block] = []
    for node in SyntaxTreeNode(parser.parse(body)).children:
        _walk(node, blocks, 0)
    return blocks


def _walk(node: SyntaxTreeNode, blocks: list[Block], depth: int) -> None:
    if node.type == "heading":
        blocks.append(Block("heading", _inline(node), int(node.tag[1])))
    elif node.type == "paragraph":
        blocks.append(Block("paragraph", _inline(node)))
    elif node.type in ("bullet_list", "ordered_list"):
        for item in node.children:
            _item(item, blocks, depth)
    elif node.type == "table":
        rows = [[_inline(cell) for cell in row.children] for part in node.children for row in part.children]
        blocks.extend(table_rows(rows[0], rows[1:]))
    elif node.type in ("fence", "code_block"):
        blocks.extend(Block("paragraph", line) for line in node.content.splitlines())
    elif node.type == "html_block":
        blocks.append(Block("paragraph", _visible(node.content)))
    else:
        for child in node.children:
            _walk(child, blocks, depth)


def _item(item: SyntaxTreeNode, blocks: list[Block], depth: int) -> None:
    for number, child in enumerate(item.children):
        if child.type == "paragraph":
            blocks.append(Block("item" if number == 0 else "paragraph", _inline(child), depth))
        else:
            _walk(child, blocks, depth + 1)


def _inline(node: SyntaxTreeNode) -> str:
    parts: list[str] = []
    for child in node.walk():
        if child.type in ("text", "code_inline"):
            parts.append(child.content)
        elif child.type in ("softbreak", "hardbreak"):
            parts.append(" ")
    return "".join(parts)


def _visible(markup: str) -> str:
    from lxml import etree, html

    try:
        tree = html.fragment_fromstring(markup, create_parent="div")
    except (etree.ParserError, ValueError):
        return ""
    for hidden in tree.xpath("//script|//style|//template|//comment()"):
        hidden.drop_tree()
    return str(tree.text_content())
