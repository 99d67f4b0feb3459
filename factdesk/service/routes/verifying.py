"""The page that verifies what somebody sent, or a certificate of the history, in words."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException

from factdesk.kernel import FactdeskError
from factdesk.service.desk import Desk
from factdesk.service.errors import Id, status_of
from factdesk.service.uploads import safe_name
from factdesk.service.views.page import page
from report.verification.findings import Verification
from report.verification.words import answers_in_words


def verifying(desk: Desk) -> APIRouter:
    """The form, and the three answers."""
    app, archive = APIRouter(), desk.archive

    @app.get("/verify")
    def form() -> HTMLResponse:
        return _page()

    @app.post("/verify")
    async def verify_file(request: Request) -> HTMLResponse:
        async with request.form(max_files=2, max_fields=4) as form:
            file, key = form.get("file"), form.get("key")
            data = await file.read() if isinstance(file, UploadFile) else b""
            public = await key.read() if isinstance(key, UploadFile) else b""
            name = safe_name(file.filename or "", 1) if isinstance(file, UploadFile) else ""
            rerun = bool(form.get("rerun"))
        if not data:
            return _page("choose the file of a certificate, an export or a bundle", code=422)
        try:
            found = await run_in_threadpool(archive.verify_data, data, name, rerun=rerun, key=public or None)
        except (FactdeskError, HTTPException) as error:
            code, why, headers = status_of(error)
            return _page(why, code=code, headers=headers)
        return _page(found=found, name=name)

    @app.get("/verified/{certificate_id}")
    def verified(certificate_id: Id, rerun: bool = False) -> HTMLResponse:
        return _page(found=archive.verify(certificate_id, rerun), name=certificate_id, record=certificate_id)

    return app


def _page(
    trouble: str = "",
    *,
    found: Verification | None = None,
    name: str = "",
    record: str = "",
    code: int = 200,
    headers: dict[str, str] | None = None,
) -> HTMLResponse:
    rows = answers_in_words(found) if found is not None else ()
    holds = found is not None and found.holds
    values = {"rows": rows, "holds": holds, "file": name, "record": record, "trouble": trouble, "here": "verify"}
    return page("verify", code, headers, **values)
