"""A template with its values as a page: everything escaped, under one content security policy."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from fastapi.responses import HTMLResponse, RedirectResponse

from factdesk.annotation.rationale import written
from factdesk.annotation.report import shown_label
from factdesk.kernel import __version__
from report.render.templates import environment, printed

if TYPE_CHECKING:
    from jinja2 import Environment

POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; object-src 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)


def page(template: str, /, code: int = 200, **values: Any) -> HTMLResponse:
    """The template (named without its ending) filled in; ``refused``: why a form was not taken."""
    text = _environment().get_template(f"{template}.html.j2").render(**{"refused": "", **values})
    return HTMLResponse(text, code, {"Content-Security-Policy": POLICY})


def to(address: str) -> RedirectResponse:
    """To a page, after a form was taken: loading that page again sends nothing twice."""
    return RedirectResponse(address, 303)


def corpus_address(corpus: str, part: str = "", **query: object) -> str:
    """The page of a corpus, or a part of it."""
    path = f"/corpora/{quote(corpus, safe='')}" + (f"/{part}" if part else "")
    return f"{path}?{urlencode(query)}" if query else path


def text_address(corpus: str, doc_id: str, start: int = 0, end: int = 0) -> str:
    """The page with a document's text, at a sentence."""
    place = {"start": start, "end": end} if end else {}
    return corpus_address(corpus, "text", id=doc_id, **place) + ("#here" if end else "")


def moment(created: str) -> str:
    """A time of ISO 8601 for a reader."""
    return created.replace("T", " ").replace("Z", " UTC")


@cache
def asset(name: str) -> str:
    """A packaged file of the pages."""
    return (resources.files("factdesk.service") / "static" / name).read_text(encoding="utf-8")


@cache
def _environment() -> Environment:
    made = environment(printed, markup=True, package="factdesk.service")
    made.trim_blocks = made.lstrip_blocks = True
    made.globals |= {"version": __version__, "corpus_address": corpus_address, "text_address": text_address}
    made.filters |= {"moment": moment, "shown_label": shown_label, "written": written}
    return made
