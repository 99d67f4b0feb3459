"""The HTTP interface: routes over the queue of checks, the history and the renderers."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import date as Date
from typing import Annotated, Any, Literal, TypeAlias

from fastapi import Depends, FastAPI, Header, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from fastapi.security import HTTPBasic, HTTPBearer
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from factdesk.kernel import FactdeskError, __version__
from factdesk.service.check_queue import CheckQueue
from factdesk.service.errors import BUSY_SECONDS, Id, of_error, problem
from factdesk.service.guard import Guard
from factdesk.service.history import Archive
from factdesk.service.types import CheckRequest, CheckState, Event, Health, HistoryPage, Problem
from factdesk.service.uploads import explained, read_check
from report.types import Mode, Verdict
from report.verification.findings import Verification

Shown: TypeAlias = Annotated[Mode, Query(description="strict shows only what is verified.")]
ClaimState: TypeAlias = Literal["verified", "unverified", "blocked"]


def _problems(*codes: int) -> dict[int | str, dict[str, Any]]:
    """Error responses of every route."""
    common = (400, 401, 422, 429, 500, 503)
    return {code: {"model": Problem} for code in sorted({*common, *codes})}


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
    app.state.queue, app.state.archive = queue, Archive(queue.settings)
    _add_errors(app)
    _add_checks(app, queue)
    _add_reports(app, app.state.archive)
    _add_history(app, queue, app.state.archive)
    from factdesk.service.annotations import add_annotations
    from factdesk.service.pages import add_pages

    add_annotations(app, queue, _problems())

    add_pages(app, queue, app.state.archive)
    app.add_middleware(Guard, limits=queue.settings.serve, token=token, names=names)
    return app


def _add_errors(app: FastAPI) -> None:
    async def ours(request: Request, error: Exception) -> Response:
        del request
        return of_error(error) if isinstance(error, FactdeskError) else problem(500, "an error inside factdesk")

    async def http(request: Request, error: Exception) -> Response:
        del request
        if not isinstance(error, HTTPException):
            return problem(500, "an error inside factdesk")
        return problem(error.status_code, str(error.detail), **dict(error.headers or {}))

    async def invalid(request: Request, error: Exception) -> Response:
        del request
        found = error.errors() if isinstance(error, RequestValidationError) else []
        return problem(422, explained(found))

    app.add_exception_handler(FactdeskError, ours)
    app.add_exception_handler(HTTPException, http)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(Exception, http)


def _body_schema(max_images: int) -> dict[str, Any]:
    plain = CheckRequest.model_json_schema()
    properties: dict[str, Any] = dict(plain["properties"])
    for name in ("date", "as_of"):  # a form leaves out what JSON gives as null
        properties[name] = {"type": "string", "format": "date"}
    properties["image"] = {
        "type": "array",
        "maxItems": max_images,
        "items": {"type": "string", "format": "binary"},
        "description": "PNG, JPEG, WebP, GIF, TIFF or BMP.",
    }
    form = {**plain, "title": "CheckForm", "properties": properties}
    content = {"application/json": {"schema": plain}, "multipart/form-data": {"schema": form}}
    return {"requestBody": {"required": True, "content": content}}


def _add_checks(app: FastAPI, queue: CheckQueue) -> None:
    limits = queue.settings.serve

    @app.post(
        "/checks",
        status_code=202,
        response_model=CheckState,
        responses=_problems(403, 413, 415),
        openapi_extra=_body_schema(limits.max_images),
        tags=["checks"],
    )
    async def post_check(request: Request, response: Response) -> CheckState:
        """Take a claim into the queue. 429 with Retry-After when the queue is full."""
        asked, images = await read_check(request, limits.max_images)
        state = await run_in_threadpool(queue.accept, asked, images)
        response.headers["Location"] = f"/checks/{state.id}"
        return state

    @app.get("/checks/{check_id}", response_model=CheckState, responses=_problems(404), tags=["checks"])
    def get_check(check_id: Id) -> CheckState:
        """State of a check."""
        return _known(queue, check_id)

    @app.get(
        "/checks/{check_id}/events",
        tags=["checks"],
        response_model=None,
        responses={**_problems(404), 200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}},
    )
    async def get_events(
        check_id: Id, last_event_id: Annotated[int, Header(ge=0, le=1_000_000)] = 0
    ) -> StreamingResponse:
        """Events of a check as server-sent events, until done, failed or stopped."""
        await run_in_threadpool(_known, queue, check_id)
        streams = app.state.__dict__.setdefault("streams", {"open": 0})
        if streams["open"] >= limits.max_streams:
            raise HTTPException(429, "too many follow checks already", {"Retry-After": str(BUSY_SECONDS)})

        async def lines() -> AsyncIterator[str]:
            streams["open"] += 1
            try:
                yield "retry: 2000\n\n"
                async for event in queue.follow(check_id, last_event_id):
                    yield ": still there\n\n" if event is None else _sse(event)
            finally:
                streams["open"] -= 1

        return StreamingResponse(lines(), media_type="text/event-stream")


def _known(queue: CheckQueue, check_id: str) -> CheckState:
    state = queue.state(check_id)
    if state is None:
        raise HTTPException(404, f"there is no check {check_id!r}")
    return state


def _sse(event: Event) -> str:
    data = json.dumps(event.model_dump(exclude={"id"}), ensure_ascii=True)
    return f"id: {event.id}\nevent: {event.event}\ndata: {data}\n\n"


def _add_reports(app: FastAPI, archive: Archive) -> None:
    @app.get(
        "/reports/{certificate_id}.html",
        tags=["reports"],
        response_model=None,
        responses={**_problems(404), 200: {"content": {"text/html": {"schema": {"type": "string"}}}}},
    )
    def report_page(certificate_id: Id, mode: Shown = "strict") -> HTMLResponse:
        """The report as an HTML page, made from the certificate alone."""
        page, policy = archive.page(certificate_id, mode)
        return HTMLResponse(page, headers={"Content-Security-Policy": policy})

    @app.get("/reports/{certificate_id}.json", responses=_problems(404), tags=["reports"])
    def report_json(certificate_id: Id, mode: Shown = "strict") -> dict[str, Any]:
        """The report as ``factdesk check --json`` prints it."""
        return archive.json(certificate_id, mode)

    @app.get(
        "/reports/{certificate_id}",
        tags=["reports"],
        response_model=None,
        responses={
            **_problems(404),
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

    @app.get("/certificates/{certificate_id}", responses=_problems(404), tags=["reports"])
    def certificate(certificate_id: Id) -> dict[str, Any]:
        """The certificate as canonical JSON, for ``factdesk verify`` elsewhere."""
        return Response(archive.text(certificate_id), media_type="application/json")  # type: ignore[return-value]


def _add_history(app: FastAPI, queue: CheckQueue, archive: Archive) -> None:
    @app.get("/history", response_model=HistoryPage, responses=_problems(), tags=["history"])
    def history(
        q: Annotated[str, Query(max_length=400, description="Words in claims or deciding evidence.")] = "",
        verdict: Verdict | None = None,
        state: ClaimState | None = None,
        status: Literal["current", "superseded"] | None = None,
        since: Date | None = None,
        until: Date | None = None,
        limit: Annotated[int, Query(ge=1, le=200)] = 50,
        offset: Annotated[int, Query(ge=0, le=100_000)] = 0,
    ) -> HistoryPage:
        """Certificates, newest first; with ``q`` those with all the words, best first."""
        return archive.history(
            q,
            verdict=verdict,
            state=state,
            status=status,
            since=since,
            until=until,
            limit=limit,
            offset=offset,
        )

    @app.get("/verify/{certificate_id}", response_model=Verification, responses=_problems(404), tags=["history"])
    def verify(
        certificate_id: Id,
        rerun: Annotated[bool, Query(description="Run the verifier again and decide anew.")] = False,
    ) -> Verification:
        """Verify a certificate of the history: integrity, completeness and, if asked, scores."""
        return archive.verify(certificate_id, rerun)

    @app.get("/health", response_model=Health, responses=_problems(), tags=["service"])
    def health() -> Health:
        """Version, and how many checks wait and run."""
        return Health(version=__version__, waiting=queue.waiting, running=queue.running, stopping=queue.closing)
