"""The HTML pages of the service: history with search, a form, and the progress of a check.

Templates without a build step; they work without script, and every value is escaped as in the report.
"""

from __future__ import annotations

from datetime import date as Date
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args
from urllib.parse import urlencode

from fastapi import FastAPI, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from pydantic import BeforeValidator
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException

from factdesk.kernel import FactdeskError, InputError, __version__
from factdesk.service.check_queue import CheckQueue
from factdesk.service.errors import Id, of_error
from factdesk.service.history import Archive
from factdesk.service.types import CheckState, HistoryPage
from factdesk.service.uploads import read_check, safe_name
from report.render.safe import printed
from report.types import LedgerEntry, Verdict
from report.verification.findings import Verification
from report.verification.words import answers_in_words

if TYPE_CHECKING:
    from jinja2 import Environment

PAGE = 25
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; object-src 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
VERDICTS: dict[str, tuple[str, str, str]] = {
    "supported": ("good", "✓", "Supported"),
    "refuted": ("bad", "✗", "Refuted"),
    "conflicting": ("warn", "⇄", "Conflicting"),
    "not_enough_evidence": ("open", "?", "Not enough evidence"),
}
"""Style, symbol and words of a verdict."""
_STATIC = {"desk.css": "text/css", "watch.js": "text/javascript", "pictures.js": "text/javascript"}


def _none_if_empty(value: object) -> object:
    """``None`` for an empty form field."""
    return None if value == "" else value


Empty = BeforeValidator(_none_if_empty)


def add_pages(app: FastAPI, queue: CheckQueue, archive: Archive) -> None:
    """Add the pages and their assets; they are not in the OpenAPI description."""

    @app.get("/", include_in_schema=False)
    def front(
        q: Annotated[str, Query(max_length=400)] = "",
        verdict: Annotated[Verdict | None, Empty] = None,
        state: Annotated[Literal["verified", "unverified", "blocked"] | None, Empty] = None,
        status: Annotated[Literal["current", "superseded"] | None, Empty] = None,
        since: Annotated[Date | None, Empty] = None,
        until: Annotated[Date | None, Empty] = None,
        offset: Annotated[int, Query(ge=0, le=100_000)] = 0,
    ) -> HTMLResponse:
        given = {"q": q, "verdict": verdict, "state": state, "status": status, "since": since, "until": until}
        options: Any = {name: value for name, value in given.items() if name != "q"}
        trouble = ""
        try:
            found = archive.history(q, **options, limit=PAGE, offset=offset)
        except InputError as error:
            found, trouble = HistoryPage(entries=(), total=0), str(error)
        return _front(queue, found, given, offset, trouble=trouble)

    @app.post("/", include_in_schema=False)
    async def submit(request: Request) -> Response:
        try:
            asked, images = await read_check(request, queue.settings.serve.max_images)
            state = await run_in_threadpool(queue.accept, asked, images)
        except FactdeskError as error:
            answer = of_error(error)
            return await run_in_threadpool(
                _refused, queue, archive, str(error), answer.status_code, answer.headers.get("retry-after")
            )
        except HTTPException as error:
            return await run_in_threadpool(_refused, queue, archive, str(error.detail), error.status_code, None)
        return RedirectResponse(f"/watch/{state.id}", 303)

    @app.get("/watch/{check_id}", include_in_schema=False)
    def watch(check_id: Id) -> HTMLResponse:
        state = queue.state(check_id)
        if state is None:
            raise HTTPException(404, f"there is no check {check_id!r}")
        return _page("watch.html.j2", check=state, verdict=VERDICTS.get(state.verdict or ""))

    @app.get("/verify", include_in_schema=False)
    def verify_form() -> HTMLResponse:
        return _verify_page()

    @app.post("/verify", include_in_schema=False)
    async def verify_file(request: Request) -> HTMLResponse:
        async with request.form(max_files=2, max_fields=4) as form:
            file, key = form.get("file"), form.get("key")
            data = await file.read() if isinstance(file, UploadFile) else b""
            public = await key.read() if isinstance(key, UploadFile) else b""
            name = safe_name(file.filename or "", 1) if isinstance(file, UploadFile) else ""
            rerun = bool(form.get("rerun"))
        if not data:
            return _verify_page("choose the file of a certificate, an export or a bundle", code=422)
        try:
            found = await run_in_threadpool(archive.verify_data, data, name, rerun=rerun, key=public or None)
        except (FactdeskError, HTTPException) as error:
            told = str(error.detail) if isinstance(error, HTTPException) else str(error)
            return _verify_page(told, code=getattr(error, "status_code", 422))
        return _verify_page(found=found, name=name)

    @app.get("/verified/{certificate_id}", include_in_schema=False)
    def verified(certificate_id: Id, rerun: bool = False) -> HTMLResponse:
        return _verify_page(found=archive.verify(certificate_id, rerun), name=certificate_id)

    @app.get("/static/{name}", include_in_schema=False)
    def static(name: str) -> Response:
        if name not in _STATIC:
            raise HTTPException(404, f"there is no file {name!r}")
        return Response(_asset(name), media_type=_STATIC[name], headers={"Cache-Control": "max-age=300"})


def _verify_page(
    trouble: str = "", *, found: Verification | None = None, name: str = "", code: int = 200
) -> HTMLResponse:
    """The form to verify what somebody sent, and the answers in words."""
    rows = answers_in_words(found) if found is not None else ()
    holds = found is not None and found.holds
    return _page("verify.html.j2", code, rows=rows, holds=holds, file=name, trouble=trouble)


def _refused(queue: CheckQueue, archive: Archive, why: str, code: int, retry: str | None) -> HTMLResponse:
    headers = {"Retry-After": retry} if retry else None
    return _front(queue, archive.history("", limit=PAGE), {}, 0, refused=why, code=code, headers=headers)


def _front(
    queue: CheckQueue,
    found: HistoryPage,
    given: dict[str, Any],
    offset: int,
    *,
    trouble: str = "",
    refused: str = "",
    code: int = 200,
    headers: dict[str, str] | None = None,
) -> HTMLResponse:
    values = {name: str(value) for name, value in given.items() if value not in (None, "")}
    pages = {
        "newer": _address(values, max(0, offset - PAGE)) if offset else None,
        "older": _address(values, found.next_offset) if found.next_offset is not None else None,
    }
    return _page(
        "history.html.j2",
        code,
        headers,
        rows=tuple(_row(entry) for entry in found.entries),
        total=found.total,
        offset=offset,
        given=values,
        filtered=bool(values),
        pages=pages,
        trouble=trouble,
        refused=refused,
        open=_open(queue),
        corpora=_corpora(queue),
        verdicts=[(v, VERDICTS[v][2]) for v in get_args(Verdict)],
        max_images=queue.settings.serve.max_images,
    )


def _open(queue: CheckQueue) -> tuple[CheckState, ...]:
    return queue.open_checks()[:20]


def _corpora(queue: CheckQueue) -> tuple[str, ...]:
    return tuple(info.name for info in queue.checker.corpora.list())


def _row(entry: LedgerEntry) -> dict[str, Any]:
    tone, symbol, words = VERDICTS[entry.verdict]
    if entry.doubt:
        tone, symbol, words = "warn", "!", f"Not verified: {entry.doubt}"
    counts = (
        ("good", "✓", entry.verified, "verified"),
        ("bad", "✗", entry.blocked, "refuted"),
        ("open", "?", entry.unverified, "not verified"),
    )
    return {
        "id": entry.certificate_id,
        "claim": entry.claim_text,
        "tone": tone,
        "symbol": symbol,
        "words": words,
        "created": entry.created.replace("T", " ").replace("Z", " UTC"),
        "number": entry.sequence,
        "counts": [count for count in counts if count[2]],
        "superseded_by": entry.superseded_by,
        "supersedes": entry.supersedes,
    }


def _address(values: dict[str, str], offset: int) -> str:
    query = urlencode({**values, "offset": str(offset)} if offset else values)
    return f"/?{query}" if query else "/"


def _page(name: str, code: int = 200, headers: dict[str, str] | None = None, **values: Any) -> HTMLResponse:
    page = _environment().get_template(name).render(version=__version__, **values)
    return HTMLResponse(page, code, {"Content-Security-Policy": POLICY, **(headers or {})})


@cache
def _asset(name: str) -> str:
    return (resources.files("factdesk.service") / "templates" / name).read_text(encoding="utf-8")


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    return Environment(
        loader=FunctionLoader(_asset),
        autoescape=True,
        finalize=printed,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
