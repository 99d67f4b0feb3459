"""Checks over HTTP: accepted, followed, with their events."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Header, Request
from fastapi.responses import Response, StreamingResponse
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from factdesk.service.check_queue import CheckQueue
from factdesk.service.desk import Desk, busy
from factdesk.service.errors import Id
from factdesk.service.routes.described import problems
from factdesk.service.types import CheckRequest, CheckState, Event
from factdesk.service.uploads import read_form


def _body_schema(max_images: int) -> dict[str, Any]:
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
        "description": "PNG, JPEG, WebP, GIF, TIFF or BMP.",
    }
    form = {**plain, "title": "CheckForm", "properties": properties}
    content = {"application/json": {"schema": plain}, "multipart/form-data": {"schema": form}}
    return {"requestBody": {"required": True, "content": content}}


def checks(desk: Desk) -> APIRouter:
    """Taking checks, and following them."""
    queue, limits = desk.queue, desk.settings.serve
    app = APIRouter(tags=["checks"])
    streams = Counter[str]()

    @app.post(
        "/checks",
        status_code=202,
        response_model=CheckState,
        responses=problems(403, 413, 415),
        openapi_extra=_body_schema(limits.max_images),
    )
    async def post_check(request: Request, response: Response) -> CheckState:
        """Take a claim into the queue. 429 with Retry-After when the queue is full."""
        asked, images = await read_form(request, CheckRequest, limits.max_images)
        state = await run_in_threadpool(queue.accept, asked, images)
        response.headers["Location"] = f"/checks/{state.id}"
        return state

    @app.get("/checks", response_model=list[CheckState], responses=problems())
    def get_checks() -> list[CheckState]:
        """Checks that wait or run, the running one first, with the last step."""
        return list(queue.open_checks())

    @app.get("/checks/{check_id}", response_model=CheckState, responses=problems(404))
    def get_check(check_id: Id) -> CheckState:
        """State of a check."""
        return _known(queue, check_id)

    @app.get(
        "/checks/{check_id}/events",
        response_model=None,
        responses={**problems(404), 200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}},
    )
    async def get_events(
        check_id: Id, last_event_id: Annotated[int, Header(ge=0, le=1_000_000)] = 0
    ) -> StreamingResponse:
        """Events of a check as server-sent events, until done, failed or stopped."""
        await run_in_threadpool(_known, queue, check_id)
        if streams["open"] >= limits.max_streams:
            raise HTTPException(429, "too many follow checks already", busy())

        async def lines() -> AsyncIterator[str]:
            streams["open"] += 1
            try:
                yield "retry: 2000\n\n"
                async for event in queue.follow(check_id, last_event_id):
                    yield ": still there\n\n" if event is None else _sse(event)
            finally:
                streams["open"] -= 1

        return StreamingResponse(lines(), media_type="text/event-stream")

    return app


def _known(queue: CheckQueue, check_id: str) -> CheckState:
    state = queue.state(check_id)
    if state is None:
        raise HTTPException(404, f"there is no check {check_id!r}")
    return state


def _sse(event: Event) -> str:
    data = json.dumps(event.model_dump(exclude={"id"}), ensure_ascii=True)
    return f"id: {event.id}\nevent: {event.event}\ndata: {data}\n\n"
