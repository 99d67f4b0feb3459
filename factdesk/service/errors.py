"""Errors of the service as HTTP answers: records for programs, pages for a browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, TypeAlias, TypeVar

from fastapi import FastAPI, Path, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException

from factdesk.kernel import BackendUnavailable, CertificateError, FactdeskError, InputError
from factdesk.service.check_queue import Closing, QueueFull
from factdesk.service.desk import busy
from factdesk.service.rendering import page
from factdesk.service.types import ID_PATTERN, Problem
from factdesk.service.uploads import explained

Id: TypeAlias = Annotated[str, Path(pattern=ID_PATTERN, description="Id of a check and of its certificate.")]
Route = TypeVar("Route", bound=Callable[..., Any])
FormPage: TypeAlias = Callable[[Request, str], Response]
_WORDS = {
    400: ("bad_request", ""),
    401: ("", "A password is needed"),
    403: ("forbidden", "Not taken"),
    404: ("not_found", "Not here"),
    405: ("wrong_method", ""),
    413: ("too_large", "Too large"),
    415: ("wrong_kind", ""),
    422: ("not_usable", ""),
    429: ("too_many", "Too much at once"),
    503: ("unavailable", "Not now"),
}
"""Short name of a status, and the title of its page."""
_FORM_PAGES: dict[object, FormPage] = {}


def refused_on(form_page: FormPage) -> Callable[[Route], Route]:
    """For a route that takes a form: why it was not taken is told on the page that has the form."""

    def mark(route: Route) -> Route:
        _FORM_PAGES[route] = form_page
        return route

    return mark


def problem(asked: Headers, status: int, detail: str, error: str = "", **headers: str) -> Response:
    """A response that says what was wrong. ``error``: its short name, where the status does not tell."""
    word, title = _WORDS.get(status, ("", ""))
    if "text/html" in asked.get("accept", ""):
        shown: Response = page("problem", status, title=title or "That did not work", detail=detail)
    else:
        found = Problem(error=error or word or "failed", detail=detail)
        shown = JSONResponse(found.model_dump(), status)
    shown.headers.update(headers)
    return shown


def problems(*codes: int) -> dict[int | str, dict[str, Any]]:
    """Error responses in the description of a route: those of every one, and ``codes``."""
    common = (400, 401, 422, 429, 500, 503)
    return {code: {"model": Problem} for code in sorted({*common, *codes})}


def add_errors(app: FastAPI) -> None:
    """Answers to all that goes wrong; the words of an error that is not ours stay in the log."""

    def known(request: Request, error: Exception) -> Response:
        if not isinstance(error, FactdeskError | HTTPException):
            return problem(request.headers, 500, "an error inside factdesk")
        status, detail, headers = _status_of(error)
        form_page = _FORM_PAGES.get(request.scope.get("endpoint"))
        if form_page is not None and hasattr(request.state, "given"):
            try:
                shown = form_page(request, detail)
            except (FactdeskError, HTTPException):
                return problem(request.headers, status, detail, **headers)
            shown.status_code = status
            shown.headers.update(headers)
            return shown
        return problem(request.headers, status, detail, **headers)

    def invalid(request: Request, error: Exception) -> Response:
        found = error.errors() if isinstance(error, RequestValidationError) else []
        return problem(request.headers, 422, explained(found))

    for kind in (FactdeskError, HTTPException, Exception):
        app.add_exception_handler(kind, known)
    app.add_exception_handler(RequestValidationError, invalid)


def _status_of(error: FactdeskError | HTTPException) -> tuple[int, str, dict[str, str]]:
    """Status, sentence and headers of an error of ours."""
    if isinstance(error, HTTPException):
        return error.status_code, str(error.detail), dict(error.headers or {})
    if isinstance(error, QueueFull):
        return 429, str(error), busy()
    if isinstance(error, Closing):
        return 503, str(error), busy()
    if isinstance(error, BackendUnavailable):
        return 503, str(error), {}
    return 422 if isinstance(error, InputError | CertificateError) else 500, str(error), {}
