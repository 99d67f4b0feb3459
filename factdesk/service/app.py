"""The HTTP interface: routes over the queue of checks, the history, the corpora and the renderers."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import APIRouter, Depends, FastAPI, Request
from fastapi.responses import Response
from fastapi.security import HTTPBasic, HTTPBearer
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from factdesk.kernel import __version__
from factdesk.service.check_queue import CheckQueue
from factdesk.service.desk import Desk
from factdesk.service.errors import add_errors, problems
from factdesk.service.guard import Guard
from factdesk.service.rendering import asset
from factdesk.service.routes.certificates import certificates
from factdesk.service.routes.corpora import corpora
from factdesk.service.routes.front import front
from factdesk.service.routes.programs import check_body, post_check, programs

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
    return Response(asset(name), media_type=STATIC[name], headers={"Cache-Control": "max-age=300"})


def build_app(queue: CheckQueue, token: str | None, names: frozenset[str]) -> FastAPI:
    """The application. ``names``: host names it answers to; empty: any."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        del app
        await run_in_threadpool(queue.start)
        yield
        await run_in_threadpool(queue.close, limits.grace)

    limits = queue.settings.serve
    schemes = [Depends(HTTPBearer(auto_error=False)), Depends(HTTPBasic(auto_error=False))]
    app = FastAPI(
        title="factdesk",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        summary="Checks claims against stored evidence; what is certified can be re-run by a stranger.",
        dependencies=schemes if token is not None else [],
    )
    app.state.desk = Desk(queue)
    add_errors(app)
    described = check_body(limits.max_images)
    app.post("/checks", status_code=202, responses=problems(403, 413, 415), openapi_extra=described, tags=["checks"])(
        post_check
    )
    app.include_router(programs)
    app.include_router(pages)
    app.add_middleware(Guard, limits=limits, token=token, names=names)
    return app
