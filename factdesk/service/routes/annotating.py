"""The page that annotates a text: its claims in colours, each with its triplets."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from factdesk.kernel import FactdeskError
from factdesk.service.desk import Desk
from factdesk.service.errors import status_of
from factdesk.service.routes.annotations import AnnotationRequest, annotated
from factdesk.service.uploads import read_form
from factdesk.service.views.annotation import annotation_values
from factdesk.service.views.choices import corpora_of
from factdesk.service.views.page import page


def annotating(desk: Desk) -> APIRouter:
    """The form, and the text it gives back."""
    app = APIRouter()

    @app.get("/annotate")
    def form() -> HTMLResponse:
        return _page(desk)

    @app.post("/annotate")
    async def annotate(request: Request) -> HTMLResponse:
        try:
            asked, _ = await read_form(request, AnnotationRequest)
        except HTTPException as error:
            return await run_in_threadpool(_page, desk, error=error)
        return await run_in_threadpool(_annotated, desk, asked)

    return app


def _annotated(desk: Desk, asked: AnnotationRequest) -> HTMLResponse:
    try:
        found = annotated(desk, asked)
    except (FactdeskError, HTTPException) as error:
        return _page(desk, asked, error=error)
    corpus = asked.corpus or desk.settings.corpus[0]
    stored = corpus if desk.corpora.has(corpus) else ""
    return _page(desk, asked, found=annotation_values(found.annotation, stored))


def _page(
    desk: Desk,
    asked: AnnotationRequest | None = None,
    *,
    found: dict[str, object] | None = None,
    error: FactdeskError | HTTPException | None = None,
) -> HTMLResponse:
    code, why, headers = status_of(error) if error is not None else (200, "", {})
    return page(
        "annotate",
        code,
        headers,
        here="annotate",
        text=asked.text if asked is not None else "",
        chosen=(asked.corpus if asked is not None else None) or desk.settings.corpus[0],
        corpora=corpora_of(desk),
        found=found,
        refused=why,
    )
