"""A template with its values as a page: everything escaped, under one content security policy."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from fastapi.responses import HTMLResponse

from factdesk.kernel import __version__
from report.render.safe import printed

if TYPE_CHECKING:
    from jinja2 import Environment

POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; object-src 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)


def page(template: str, /, code: int = 200, headers: dict[str, str] | None = None, **values: Any) -> HTMLResponse:
    """The template (named without its ending) filled in."""
    text = _environment().get_template(f"{template}.html.j2").render(version=__version__, **values)
    return HTMLResponse(text, code, {"Content-Security-Policy": POLICY, **(headers or {})})


@cache
def asset(folder: str, name: str) -> str:
    """A packaged file of the service."""
    return (resources.files("factdesk.service") / folder / name).read_text(encoding="utf-8")


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    return Environment(
        loader=FunctionLoader(lambda name: asset("templates", name)),
        autoescape=True,
        finalize=printed,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
