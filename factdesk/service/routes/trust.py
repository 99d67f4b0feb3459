"""The page of a corpus's trust: its documents ranked and drawn, why, and which ones are trusted from the start."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from fastapi import APIRouter, Query, Request
from fastapi import Path as PathPart
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.concurrency import run_in_threadpool

from factdesk.kernel import InputError
from factdesk.service.desk import Desk
from factdesk.service.views.documents import corpus_address
from factdesk.service.views.page import page
from factdesk.service.views.trust import RANKED, document_trust, ranked, trust_elements

Name: TypeAlias = Annotated[str, PathPart(max_length=200)]
Document: TypeAlias = Annotated[str, Query(max_length=2_000, description="Id of a document.")]


def trust(desk: Desk) -> APIRouter:
    """The page, the data of its drawing, the update, and the seeds."""
    app = APIRouter()

    @app.get("/corpora/{name}/trust")
    def show(name: Name, document: Document = "") -> HTMLResponse:
        known = desk.trust(desk.known(name))
        found = known.rank()
        values: dict[str, Any] = {"document": document_trust(known, found, document) if document else None}
        values |= {"rows": ranked(found, name), "total": len(found.documents), "most": RANKED}
        values |= {"connected": len(found.connected), "data": corpus_address(name, "trust.json")}
        return page("trust", here="documents", name=name, address=corpus_address(name), asked=document, **values)

    @app.post("/corpora/{name}/trust")
    def update(name: Name) -> Response:
        with desk.alone("nothing was worked out"):
            desk.trust(desk.known(name)).update()
        return RedirectResponse(corpus_address(name, "trust"), 303)

    @app.post("/corpora/{name}/trust/seeds")
    async def seeds(name: Name, request: Request) -> Response:
        async with request.form(max_files=0, max_fields=4) as form:
            doc_id, named = str(form.get("document") or ""), form.get("trusted") == "yes"
        await run_in_threadpool(_name, desk, name, doc_id, named)
        return RedirectResponse(corpus_address(name, "trust", document=doc_id), 303)

    @app.get("/corpora/{name}/trust.json")
    def data(name: Name) -> dict[str, Any]:
        known = desk.trust(desk.known(name))
        return {"elements": trust_elements(known.graph, known.rank(), name)}

    return app


def _name(desk: Desk, corpus: str, doc_id: str, named: bool) -> None:
    if not doc_id:
        raise InputError("no document was named")
    known = desk.trust(desk.known(corpus))
    if named:
        known.add_seeds("document", [doc_id])
    else:
        known.remove_seeds("document", [doc_id])
