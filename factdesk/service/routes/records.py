"""The page of one certificate: hand it out, check it again, compare it; and the files it gives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal, TypeAlias

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.concurrency import run_in_threadpool

from factdesk.certificates.export_formats import ExportGiven, export_text
from factdesk.certificates.handout import bundle_of
from factdesk.certificates.history import question_or_claim
from factdesk.certificates.load import signed
from factdesk.images.submitted import picture_files
from factdesk.kernel import FactdeskError, InputError
from factdesk.service.desk import Desk
from factdesk.service.errors import Id, status_of
from factdesk.service.types import CheckOrder, CheckState, Upload
from factdesk.service.uploads import safe_name
from factdesk.service.views.choices import CHOICES, corpora_of
from factdesk.service.views.page import page
from factdesk.service.views.rows import VERDICTS, moment
from report.render.diff import compare
from report.render.view import verdict_view
from report.types import Certificate, Mode

Export: TypeAlias = Literal["bundle.zip", "claimreview.json", "claims.csv", "report.md", "report.html"]
MEDIA: dict[str, str] = {
    "zip": "application/zip",
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
    "html": "text/html; charset=utf-8",
}
LISTED = 100
"""Earlier certificates that a comparison offers."""


def records(desk: Desk) -> APIRouter:
    """The page of a certificate, its files, a re-check, and comparison."""
    app = APIRouter()

    @app.get("/records/{certificate_id}")
    def record(certificate_id: Id) -> HTMLResponse:
        return _record(desk, certificate_id)

    @app.post("/records/{certificate_id}/again")
    async def again(certificate_id: Id, request: Request) -> Response:
        async with request.form(max_files=0, max_fields=32) as form:
            corpora = [str(value) for value in form.getlist("corpus")]
        try:
            state = await run_in_threadpool(_again, desk, certificate_id, corpora)
        except FactdeskError as error:
            return await run_in_threadpool(_record, desk, certificate_id, error)
        return RedirectResponse(f"/watch/{state.id}", 303)

    @app.get("/certificates/{certificate_id}/{export}")
    def download(
        certificate_id: Id,
        export: Export,
        mode: Mode = "strict",
        author: Annotated[str, Query(max_length=200)] = "factdesk",
        url: Annotated[str, Query(max_length=2_000)] = "",
    ) -> Response:
        certificate = signed(desk.archive.report(certificate_id, mode))
        name = f"factdesk-{certificate.envelope.certificate_id}-{export}"
        data = _file(desk, certificate, export, mode, author=author, url=url or None)
        named = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(data, media_type=MEDIA[export.rpartition(".")[2]], headers=named)

    @app.get("/compare")
    def comparison(
        first: Annotated[str, Query(alias="a", max_length=64)] = "",
        second: Annotated[str, Query(alias="b", max_length=64)] = "",
        chosen: Annotated[tuple[str, ...], Query(alias="id", max_length=3)] = (),
    ) -> HTMLResponse:
        given = [name for name in chosen or (first, second) if name]
        if chosen:
            given.sort(key=lambda name: desk.archive.certificate(name).envelope.created)
        return _compared(desk, (*given, "", "")[:2], extra=len(given) > 2)

    return app


def _record(desk: Desk, certificate_id: str, error: FactdeskError | None = None) -> HTMLResponse:
    found = desk.archive.report(certificate_id, "strict")
    certificate = found.certificate
    code, why, headers = status_of(error) if error is not None else (200, "", {})
    names = [str(image.get("name")) for image in certificate.body.images]
    kept = picture_files(certificate, desk.settings.paths.pictures)
    return page(
        "record",
        code,
        headers,
        here="",
        id=certificate.envelope.certificate_id,
        text=question_or_claim(certificate),
        asked=certificate.body.asked is not None,
        verdict=verdict_view(certificate.body),
        doubt=found.doubt,
        created=moment(certificate.envelope.created),
        supersedes=certificate.envelope.supersedes,
        lost=names if len(kept) < len(names) else [],
        corpora=corpora_of(desk),
        modes=CHOICES[-1].values,
        refused=why,
    )


def _again(desk: Desk, certificate_id: str, corpora: list[str]) -> CheckState:
    """Put the claim of a certificate into the queue once more, with its pictures."""
    old = desk.archive.certificate(certificate_id)
    if old.body.annotation is not None:
        raise InputError("this is an annotation; annotate its text again on the page Annotate")
    kept = picture_files(old, desk.settings.paths.pictures)
    images = []
    for number, image in enumerate(old.body.images, 1):
        data = kept.get(str(image.get("sha256")))
        if data is None:
            raise InputError(f"the picture {image.get('name')!r} is no longer kept here; check the claim anew with it")
        images.append(Upload(name=safe_name(str(image.get("name")), number), data=data))
    name = old.envelope.certificate_id
    order = CheckOrder(text=question_or_claim(old), corpus=tuple(corpora), mode=old.body.mode, supersedes=name)
    return desk.queue.accept(order, images)


def _file(
    desk: Desk, certificate: Certificate, export: Export, mode: Mode, *, author: str, url: str | None
) -> bytes | str:
    match export:
        case "bundle.zip":
            return bundle_of(desk.settings, certificate, mode)
        case "claimreview.json":
            return export_text("claimreview", certificate, ExportGiven(author, url))
        case "claims.csv":
            return export_text("csv", certificate, ExportGiven())
        case "report.md":
            return desk.archive.report(certificate.envelope.certificate_id, mode).markdown()
        case "report.html":
            return desk.archive.page(certificate.envelope.certificate_id, mode, bare=True)[0]


def _compared(desk: Desk, pair: Sequence[str], *, extra: bool) -> HTMLResponse:
    first, second = pair
    entries = desk.archive.history("", limit=LISTED).entries
    names = [(e.certificate_id, f"{moment(e.created)}: {e.claim_text[:90]}") for e in entries]
    values: dict[str, Any] = {
        "names": names,
        "a": first,
        "b": second,
        "extra": extra,
        "here": "",
    }
    if not all(pair):
        return page("compare", **values, sides=(), found=None, parts={})
    reports = [desk.archive.report(name, "strict") for name in pair]
    sides = [
        {
            "id": r.certificate.envelope.certificate_id,
            "created": moment(r.certificate.envelope.created),
            "text": question_or_claim(r.certificate),
            "verdict": VERDICTS[r.verdict],
            "doubt": r.doubt,
        }
        for r in reports
    ]
    found = compare(*(r.certificate for r in reports))
    parts: dict[str, list[str]] = {}
    for item in found.differences:
        parts.setdefault(item.part, []).append(item.text)
    return page("compare", **values, sides=sides, found=found, parts=parts)
