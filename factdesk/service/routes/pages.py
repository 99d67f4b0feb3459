"""The pages of the service. A form is taken from one of them alone; they are not in the description."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from factdesk.service.rendering import asset
from factdesk.service.routes.certificates import certificates
from factdesk.service.routes.corpora import corpora
from factdesk.service.routes.front import front

STATIC = {
    **dict.fromkeys(("desk.js", "drawing.js", "watch.js", "pictures.js", "cytoscape.min.js"), "text/javascript"),
    **{"desk.css": "text/css", "cytoscape.LICENSE.txt": "text/plain"},
}


async def from_own_page(request: Request) -> None:
    """Refuse a form that does not say where it comes from; those of other sites are refused before."""
    said = ("sec-fetch-site", "origin", "referer")
    if request.method == "POST" and not any(request.headers.get(name) for name in said):
        raise HTTPException(403, "a form is taken from a page of this service alone; programs use /checks")


pages = APIRouter(include_in_schema=False, dependencies=[Depends(from_own_page)])
for part in (front, corpora, certificates):
    pages.include_router(part)


@pages.get("/static/{name}")
def static(name: str) -> Response:
    """A file of the pages."""
    if name not in STATIC:
        raise HTTPException(404, f"there is no file {name!r}")
    return Response(asset("static", name), media_type=STATIC[name], headers={"Cache-Control": "max-age=300"})
