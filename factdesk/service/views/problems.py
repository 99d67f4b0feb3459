"""What was wrong with a request: a record, or a page where a browser asked for one."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.responses import JSONResponse, Response

from factdesk.service.types import Problem
from factdesk.service.views.page import page

_WORDS = {
    400: "bad_request",
    403: "forbidden",
    404: "not_found",
    405: "wrong_method",
    413: "too_large",
    415: "wrong_kind",
    422: "not_usable",
    429: "too_many",
    503: "unavailable",
}
_TITLES = {
    401: "A password is needed",
    403: "Not taken",
    404: "Not here",
    413: "Too large",
    429: "Too much at once",
    503: "Not now",
}


def problem(asked: Headers, status: int, detail: str, error: str = "", **headers: str) -> Response:
    """A response that says what was wrong. ``error``: its short name, where the status does not tell."""
    if "text/html" in asked.get("accept", ""):
        return page("problem", status, headers, title=_TITLES.get(status, "That did not work"), detail=detail)
    found = Problem(error=error or _WORDS.get(status, "failed"), detail=detail)
    return JSONResponse(found.model_dump(), status, headers)
