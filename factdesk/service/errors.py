"""Errors of the service as HTTP answers: records for programs, a page for a browser."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from fastapi import FastAPI, Path, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from factdesk.kernel import BackendUnavailable, CertificateError, FactdeskError, InputError
from factdesk.service.check_queue import Closing, QueueFull
from factdesk.service.desk import busy
from factdesk.service.types import ID_PATTERN
from factdesk.service.uploads import explained
from factdesk.service.views.problems import problem

Id: TypeAlias = Annotated[str, Path(pattern=ID_PATTERN, description="Id of a check and of its certificate.")]


def status_of(error: FactdeskError | HTTPException) -> tuple[int, str, dict[str, str]]:
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


def add_errors(app: FastAPI) -> None:
    """Answers to all that goes wrong; the words of an error that is not ours stay in the log."""

    async def known(request: Request, error: Exception) -> Response:
        if not isinstance(error, FactdeskError | HTTPException):
            return problem(request.headers, 500, "an error inside factdesk")
        status, detail, headers = status_of(error)
        return problem(request.headers, status, detail, **headers)

    async def invalid(request: Request, error: Exception) -> Response:
        found = error.errors() if isinstance(error, RequestValidationError) else []
        return problem(request.headers, 422, explained(found))

    app.add_exception_handler(FactdeskError, known)
    app.add_exception_handler(HTTPException, known)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(Exception, known)
