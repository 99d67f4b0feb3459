"""Reports and certificates over HTTP."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

from factdesk.service.desk import Desk
from factdesk.service.errors import Id
from factdesk.service.routes.described import problems
from report.types import Mode

Shown: TypeAlias = Annotated[Mode, Query(description="strict shows only what is verified.")]


def reports(desk: Desk) -> APIRouter:
    """Reports and certificates."""
    archive = desk.archive
    app = APIRouter(tags=["reports"])

    @app.get(
        "/reports/{certificate_id}.html",
        response_model=None,
        responses={**problems(404), 200: {"content": {"text/html": {"schema": {"type": "string"}}}}},
    )
    def report_page(certificate_id: Id, mode: Shown = "strict") -> HTMLResponse:
        """The report as an HTML page, made from the certificate alone."""
        page, policy = archive.page(certificate_id, mode)
        return HTMLResponse(page, headers={"Content-Security-Policy": policy})

    @app.get("/reports/{certificate_id}.json", responses=problems(404))
    def report_json(certificate_id: Id, mode: Shown = "strict") -> dict[str, Any]:
        """The report as ``factdesk check --json`` prints it."""
        return archive.json(certificate_id, mode)

    @app.get(
        "/reports/{certificate_id}",
        response_model=None,
        responses={
            **problems(404),
            200: {
                "content": {
                    "application/json": {"schema": {"type": "object"}},
                    "text/html": {"schema": {"type": "string"}},
                }
            },
        },
    )
    def report(request: Request, certificate_id: Id, mode: Shown = "strict") -> Response:
        """HTML for browsers, JSON for others (by the Accept header)."""
        if "text/html" in request.headers.get("accept", ""):
            return report_page(certificate_id, mode)
        return JSONResponse(report_json(certificate_id, mode))

    @app.get("/certificates/{certificate_id}", responses=problems(404))
    def certificate(certificate_id: Id) -> dict[str, Any]:
        """The certificate as canonical JSON, for ``factdesk verify`` elsewhere."""
        return Response(archive.text(certificate_id), media_type="application/json")  # type: ignore[return-value]

    return app
