"""The routes for programs: checks with their events, reports, certificates, history, annotations."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Annotated, Any, Literal, TypeAlias

from fastapi import APIRouter, Header, Query, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from factdesk.annotation.report import AnnotationReport
from factdesk.kernel import __version__
from factdesk.service.carry_out import refuse_unstored
from factdesk.service.desk import AtDesk, Desk, busy
from factdesk.service.errors import Id, problems
from factdesk.service.types import (
    AnnotationRequest,
    CheckRequest,
    CheckState,
    Event,
    Health,
    HistoryPage,
    HistoryQuery,
    Upload,
)
from factdesk.service.uploads import form_of
from report.certificate.sealing import to_text
from report.types import Mode
from report.verification.findings import Verification

Shown: TypeAlias = Annotated[Mode, Query(description="strict shows only what is verified.")]
CheckForm: TypeAlias = Annotated[tuple[CheckRequest, tuple[Upload, ...]], form_of(CheckRequest, pictures=True)]
HTML: dict[str, Any] = {"text/html": {"schema": {"type": "string"}}}
programs = APIRouter()


def post_check(desk: AtDesk, given: CheckForm, response: Response) -> CheckState:
    """Take a claim into the queue. 429 with Retry-After when the queue is full."""
    state = desk.queue.accept(*given)
    response.headers["Location"] = f"/checks/{state.id}"
    return state


def check_body(max_images: int) -> dict[str, Any]:
    """The description of what :func:`post_check` takes."""
    plain = CheckRequest.model_json_schema()
    properties: dict[str, Any] = dict(plain["properties"])
    for name in ("date", "as_of"):  # a form leaves out what JSON gives as null
        properties[name] = {"type": "string", "format": "date"}
    for name in ("method", "veracity", "mode"):
        properties[name] = properties[name]["anyOf"][0]
    properties["image"] = {
        "type": "array",
        "maxItems": max_images,
        "items": {"type": "string", "format": "binary"},
        "description": "PNG, JPEG, WebP, AVIF, GIF, TIFF, BMP; or a short video (MP4, MOV, WebM, AVI).",
    }
    form = {**plain, "title": "CheckForm", "properties": properties}
    content = {"application/json": {"schema": plain}, "multipart/form-data": {"schema": form}}
    return {"requestBody": {"required": True, "content": content}}


@programs.get("/checks", responses=problems(), tags=["checks"])
def get_checks(desk: AtDesk) -> list[CheckState]:
    """Checks that wait or run, the running one first, with the last step."""
    return list(desk.queue.open_checks())


@programs.get("/checks/{check_id}", responses=problems(404), tags=["checks"])
def get_check(check_id: Id, desk: AtDesk) -> CheckState:
    """State of a check."""
    return desk.check(check_id)


@programs.get(
    "/checks/{check_id}/events",
    response_model=None,
    responses={**problems(404), 200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}},
    tags=["checks"],
)
async def get_events(
    check_id: Id, desk: AtDesk, last_event_id: Annotated[int, Header(ge=0, le=1_000_000)] = 0
) -> StreamingResponse:
    """Events of a check as server-sent events, until done, failed or stopped."""
    await run_in_threadpool(desk.check, check_id)
    if desk.streams["open"] >= desk.settings.serve.max_streams:
        raise HTTPException(429, "too many follow checks already", busy())

    async def lines() -> AsyncIterator[str]:
        desk.streams["open"] += 1
        try:
            yield "retry: 2000\n\n"
            async for event in desk.queue.follow(check_id, last_event_id):
                yield ": still there\n\n" if event is None else _sse(event)
        finally:
            desk.streams["open"] -= 1

    return StreamingResponse(lines(), media_type="text/event-stream")


def _sse(event: Event) -> str:
    data = json.dumps(event.model_dump(exclude={"id"}), ensure_ascii=True)
    return f"id: {event.id}\nevent: {event.event}\ndata: {data}\n\n"


@programs.get(
    "/reports/{certificate_id}.html",
    response_model=None,
    responses={**problems(404), 200: {"content": HTML}},
    tags=["reports"],
)
def report_page(certificate_id: Id, desk: AtDesk, mode: Shown = "strict") -> HTMLResponse:
    """The report as an HTML page, made from the certificate alone."""
    page, policy = desk.report_page(certificate_id, mode)
    return HTMLResponse(page, headers={"Content-Security-Policy": policy})


@programs.get("/reports/{certificate_id}.json", responses=problems(404), tags=["reports"])
def report_json(certificate_id: Id, desk: AtDesk, mode: Shown = "strict") -> dict[str, Any]:
    """The report as ``factdesk check --json`` prints it."""
    return desk.report(certificate_id, mode).json()


@programs.get(
    "/reports/{certificate_id}",
    response_model=None,
    responses={**problems(404), 200: {"content": {"application/json": {"schema": {"type": "object"}}, **HTML}}},
    tags=["reports"],
)
def report(request: Request, certificate_id: Id, desk: AtDesk, mode: Shown = "strict") -> Response:
    """HTML for browsers, JSON for others (by the Accept header)."""
    if "text/html" in request.headers.get("accept", ""):
        return report_page(certificate_id, desk, mode)
    return JSONResponse(report_json(certificate_id, desk, mode))


@programs.get("/certificates/{certificate_id}", responses=problems(404), tags=["reports"])
def certificate(certificate_id: Id, desk: AtDesk) -> dict[str, Any]:
    """The certificate as canonical JSON, for ``factdesk verify`` elsewhere."""
    text = to_text(desk.certificate(certificate_id))
    return Response(text, media_type="application/json")  # type: ignore[return-value]


@programs.get("/history", responses=problems(), tags=["history"])
def history(desk: AtDesk, query: Annotated[HistoryQuery, Query()]) -> HistoryPage:
    """Certificates, newest first; with ``q`` those with all the words, best first."""
    return desk.history(query)


@programs.get("/verify/{certificate_id}", responses=problems(404), tags=["history"])
def verify(
    certificate_id: Id,
    desk: AtDesk,
    rerun: Annotated[bool, Query(description="Run the verifier again and decide anew.")] = False,
) -> Verification:
    """Verify a certificate of the history: integrity, completeness and, if asked, scores."""
    return desk.verify(certificate_id, rerun=rerun)


@programs.get("/health", responses=problems(), tags=["service"])
def health(desk: AtDesk) -> Health:
    """Version, and how many checks wait and run."""
    queue = desk.queue
    return Health(version=__version__, waiting=queue.waiting, running=queue.running, stopping=queue.closing)


@programs.post("/annotations", responses=problems(), response_model=None, tags=["annotations"])
def annotate(
    asked: AnnotationRequest,
    desk: AtDesk,
    form: Annotated[Literal["json", "html"], Query(description="Records, or one page.")] = "json",
) -> dict[str, Any] | Response:
    """Spans with labels, triplets, scores and rationales; the certificate stands in the history."""
    found = annotated(desk, asked)
    if form == "json":
        return found.json()
    policy = f"{found.content_policy()}; frame-ancestors 'none'"
    return HTMLResponse(found.html(), headers={"Content-Security-Policy": policy})


def annotated(desk: Desk, asked: AnnotationRequest) -> AnnotationReport:
    """The annotation, one at a time. Raises ``InputError``, ``HTTPException`` 429 while another is made."""
    if asked.corpus is not None:
        refuse_unstored(desk.checker, asked.corpus)
    with desk.alone("the text was not annotated"):
        return desk.checker.annotate(asked.text, corpus=asked.corpus or "")
