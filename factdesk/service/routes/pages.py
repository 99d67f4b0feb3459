"""The pages of the service. A form is taken from one of them alone; they are not in the description."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from factdesk.service.desk import Desk
from factdesk.service.routes.annotating import annotating
from factdesk.service.routes.documents import documents
from factdesk.service.routes.front import front
from factdesk.service.routes.graph import graph
from factdesk.service.routes.records import records
from factdesk.service.routes.trust import trust
from factdesk.service.routes.verifying import verifying
from factdesk.service.views.page import asset

STATIC = {
    "desk.css": "text/css",
    "desk.js": "text/javascript",
    "drawing.js": "text/javascript",
    "watch.js": "text/javascript",
    "pictures.js": "text/javascript",
    "cytoscape.min.js": "text/javascript",
    "cytoscape.LICENSE.txt": "text/plain",
}


async def from_own_page(request: Request) -> None:
    """Refuse a form that does not say where it comes from; those of other sites are refused before."""
    said = ("sec-fetch-site", "origin", "referer")
    if request.method == "POST" and not any(request.headers.get(name) for name in said):
        raise HTTPException(403, "a form is taken from a page of this service alone; programs use /checks")


def pages(desk: Desk) -> APIRouter:
    """All pages and their assets."""
    app = APIRouter(include_in_schema=False, dependencies=[Depends(from_own_page)])
    for made in (front, documents, annotating, graph, trust, records, verifying):
        app.include_router(made(desk))

    @app.get("/static/{name}")
    def static(name: str) -> Response:
        if name not in STATIC:
            raise HTTPException(404, f"there is no file {name!r}")
        return Response(asset("static", name), media_type=STATIC[name], headers={"Cache-Control": "max-age=300"})

    return app
