"""The packaged Jinja templates; a format's ``finalize`` makes every printed value harmless."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from report.sanitize import foreign, page_text

if TYPE_CHECKING:
    from jinja2 import Environment

_PACKAGE = "report.render"


def template_text(name: str, package: str = _PACKAGE) -> str:
    """A file of the folder ``templates`` of a package."""
    return (resources.files(package) / "templates" / name).read_text(encoding="utf-8")


WORDS: dict[str, Any] = tomllib.loads(template_text("words.toml"))
"""The report's own words: of verdicts, rules, questions and pictures."""


def clip(text: str, limit: int) -> Markup:
    """:func:`report.sanitize.foreign`, at most ``limit`` characters."""
    return Markup(foreign(text, limit))


def printed(value: object) -> object:
    """Jinja's ``finalize``: every printed value becomes harmless text; only our own markup passes."""
    if value is None:
        return ""
    return value if isinstance(value, Markup) else page_text(str(value))


@cache
def environment(finalize: Callable[[object], object], *, markup: bool = False, package: str = _PACKAGE) -> Environment:
    """Jinja for one format. What is printed passes ``finalize``.

    ``markup``: HTML, so that values are escaped besides, and the templates trim their own white space.
    Without, the filter ``own`` marks words of ours that need not pass.
    """
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    made = Environment(
        loader=FunctionLoader(lambda name: template_text(name, package)),
        autoescape=markup,
        finalize=finalize,
        undefined=StrictUndefined,
        trim_blocks=not markup,
        lstrip_blocks=not markup,
        keep_trailing_newline=not markup,
    )
    made.filters["clip"] = clip
    if not markup:
        made.filters["own"] = Markup
    return made
