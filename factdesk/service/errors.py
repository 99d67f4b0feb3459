"""Errors of the service as HTTP answers."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from fastapi import Path
from fastapi.responses import JSONResponse

from factdesk.kernel import BackendUnavailable, CertificateError, FactdeskError, InputError
from factdesk.service.check_queue import Closing, QueueFull
from factdesk.service.types import ID_PATTERN, Problem

Id: TypeAlias = Annotated[str, Path(pattern=ID_PATTERN, description="Id of a check and of its certificate.")]


def of_error(error: FactdeskError) -> JSONResponse:
    """A factdesk error as an HTTP error."""
    if isinstance(error, QueueFull):
        return problem(429, str(error), **{"Retry-After": str(BUSY_SECONDS)})
    if isinstance(error, Closing):
        return problem(503, str(error), **{"Retry-After": str(BUSY_SECONDS)})
    if isinstance(error, BackendUnavailable):
        return problem(503, str(error))
    return problem(422 if isinstance(error, InputError | CertificateError) else 500, str(error))


BUSY_SECONDS = 10
"""Retry-After when the queue is full, in seconds."""


def problem(status: int, detail: str, **headers: str) -> JSONResponse:
    """A response that says what was wrong."""
    found = Problem(error=_WORDS.get(status, "failed"), detail=detail)
    return JSONResponse(found.model_dump(), status, headers)


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
