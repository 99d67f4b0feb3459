"""The front page: a claim or a question goes in, what is in progress, and the history; following a check."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date as Date
from typing import Annotated, Any, Literal, get_args
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from pydantic import BeforeValidator
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from factdesk.certificates.history import export_lines
from factdesk.checker import open_ledger
from factdesk.kernel import FactdeskError, InputError
from factdesk.service.desk import Desk
from factdesk.service.errors import Id, status_of
from factdesk.service.types import CheckOrder, CheckRequest, HistoryPage, Question
from factdesk.service.uploads import read_form
from factdesk.service.views.choices import CHOICES, corpora_of
from factdesk.service.views.page import page
from factdesk.service.views.rows import VERDICTS, entry_row, moment, report_address
from report.types import Verdict

PAGE = 25
MOST_OPEN = 20
"""Unfinished checks that are listed."""


def _none_if_empty(value: object) -> object:
    """``None`` for an empty form field."""
    return None if value == "" else value


Empty = BeforeValidator(_none_if_empty)


def front(desk: Desk) -> APIRouter:
    """The front page, the page for questions, and that of one check."""
    app, queue = APIRouter(), desk.queue

    @app.get("/")
    def history(
        q: Annotated[str, Query(max_length=400)] = "",
        verdict: Annotated[Verdict | None, Empty] = None,
        state: Annotated[Literal["verified", "unverified", "blocked"] | None, Empty] = None,
        status: Annotated[Literal["current", "superseded"] | None, Empty] = None,
        since: Annotated[Date | None, Empty] = None,
        until: Annotated[Date | None, Empty] = None,
        offset: Annotated[int, Query(ge=0, le=100_000)] = 0,
        claim: Annotated[str, Query(max_length=4_000, description="To begin with.")] = "",
    ) -> HTMLResponse:
        given = {"q": q, "verdict": verdict, "state": state, "status": status, "since": since, "until": until}
        options: Any = {name: value for name, value in given.items() if name != "q"}
        trouble = ""
        try:
            found = desk.archive.history(q, **options, limit=PAGE, offset=offset)
        except InputError as error:
            found, trouble = HistoryPage(entries=(), total=0), str(error)
        return _front(desk, found, given, offset=offset, trouble=trouble, claim=claim)

    @app.post("/")
    async def submit(request: Request) -> Response:
        try:
            asked, images = await read_form(request, CheckRequest, queue.settings.serve.max_images)
            state = await run_in_threadpool(queue.accept, asked, images)
        except (FactdeskError, HTTPException) as error:
            return await run_in_threadpool(_refused, desk, error)
        return RedirectResponse(f"/watch/{state.id}", 303)

    @app.get("/ask")
    def ask() -> HTMLResponse:
        return page("ask", corpora=corpora_of(desk), refused="", here="ask")

    @app.post("/ask")
    async def asked(request: Request) -> Response:
        try:
            question, _ = await read_form(request, Question)
            order = CheckOrder(asked=True, **question.model_dump())
            state = await run_in_threadpool(queue.accept, order, ())
        except (FactdeskError, HTTPException) as error:
            code, why, headers = status_of(error)
            corpora = await run_in_threadpool(corpora_of, desk)
            return page("ask", code, headers, corpora=corpora, refused=why, here="ask")
        return RedirectResponse(f"/watch/{state.id}", 303)

    @app.get("/watch/{check_id}")
    def watch(check_id: Id) -> HTMLResponse:
        state = queue.state(check_id)
        if state is None:
            raise HTTPException(404, f"there is no check {check_id!r}")
        verdict = VERDICTS.get(state.verdict or "")
        return page("watch", check=state, verdict=verdict, report=report_address(state), here="")

    @app.get("/history.jsonl")
    def export() -> StreamingResponse:
        lines = export_lines(desk.settings, open_ledger(desk.settings))
        named = {"Content-Disposition": 'attachment; filename="factdesk-history.jsonl"'}
        return StreamingResponse((line + "\n" for line in lines), media_type="application/jsonl", headers=named)

    return app


def _refused(desk: Desk, error: FactdeskError | HTTPException) -> HTMLResponse:
    code, why, headers = status_of(error)
    return _front(desk, desk.archive.history("", limit=PAGE), {}, refused=why, code=code, headers=headers)


def _front(
    desk: Desk,
    found: HistoryPage,
    given: Mapping[str, Any],
    *,
    offset: int = 0,
    code: int = 200,
    headers: dict[str, str] | None = None,
    **told: str,
) -> HTMLResponse:
    values = {name: str(value) for name, value in given.items() if value not in (None, "")}
    pages = {
        "newer": _address(values, max(0, offset - PAGE)) if offset else None,
        "older": _address(values, found.next_offset) if found.next_offset is not None else None,
    }
    return page(
        "history",
        code,
        headers,
        here="check",
        rows=tuple(entry_row(entry) for entry in found.entries),
        total=found.total,
        given=values,
        filtered=bool(values),
        pages=pages,
        open=desk.queue.open_checks()[:MOST_OPEN],
        moment=moment,
        corpora=corpora_of(desk),
        choices=CHOICES,
        verdicts=[(v, VERDICTS[v][2]) for v in get_args(Verdict)],
        max_images=desk.settings.serve.max_images,
        **{"trouble": "", "refused": "", "claim": "", **told},
    )


def _address(values: dict[str, str], offset: int) -> str:
    query = urlencode({**values, "offset": str(offset)} if offset else values)
    return f"/?{query}" if query else "/"
