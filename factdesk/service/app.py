"""The HTTP interface: routes over the queue of checks, the history, the corpora and the renderers."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import Depends, FastAPI
from fastapi.security import HTTPBasic, HTTPBearer
from starlette.concurrency import run_in_threadpool

from factdesk.kernel import __version__
from factdesk.service.check_queue import CheckQueue
from factdesk.service.desk import Desk
from factdesk.service.errors import add_errors
from factdesk.service.guard import Guard
from factdesk.service.history import Archive
from factdesk.service.routes.annotations import annotation_routes
from factdesk.service.routes.checks import checks
from factdesk.service.routes.history import history_routes
from factdesk.service.routes.pages import pages
from factdesk.service.routes.reports import reports


def build_app(queue: CheckQueue, token: str | None, names: frozenset[str]) -> FastAPI:
    """The application. ``names``: host names it answers to; empty: any."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        del app
        await run_in_threadpool(queue.start)
        yield
        await run_in_threadpool(queue.close, queue.settings.serve.grace)

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
    desk = app.state.desk = Desk(queue, Archive(queue.settings))
    add_errors(app)
    for made in (checks, reports, history_routes, annotation_routes, pages):
        app.include_router(made(desk))
    app.add_middleware(Guard, limits=queue.settings.serve, token=token, names=names)
    return app
