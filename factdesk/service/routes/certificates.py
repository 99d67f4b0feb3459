"""The pages of certificates: handed out as files, checked again, compared, verified."""

from __future__ import annotations

from operator import attrgetter
from typing import Annotated, Any, Literal, TypeAlias

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.datastructures import FormData

from factdesk.certificates.export_formats import ExportGiven, export_text
from factdesk.certificates.handout import bundle_of
from factdesk.certificates.history import question_or_claim
from factdesk.certificates.load import signed
from factdesk.images.submitted import picture_files
from factdesk.kernel import InputError
from factdesk.service.desk import AtDesk, desk_of
from factdesk.service.errors import Id, refused_on
from factdesk.service.rendering import page, to
from factdesk.service.routes.front import corpora_of
from factdesk.service.types import CheckOrder, HistoryQuery, Upload
from factdesk.service.uploads import any_form, files_of, safe_name
from report.render.diff import compare
from report.render.view import verdict_view
from report.types import Mode
from report.verification.findings import Verification
from report.verification.words import answers_in_words

Export: TypeAlias = Literal["bundle.zip", "claimreview.json", "claims.csv", "report.md", "report.html"]
MEDIA: dict[str, str] = {
    "zip": "application/zip",
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
    "html": "text/html; charset=utf-8",
}
LISTED = HistoryQuery(limit=100)
"""Earlier certificates that a comparison offers."""
certificates = APIRouter()


@certificates.get("/records/{certificate_id}")
def record(request: Request, certificate_id: Id) -> HTMLResponse:
    """The page of one certificate."""
    return _record(request, "", certificate_id)


def _record(request: Request, why: str, certificate_id: str = "") -> HTMLResponse:
    desk = desk_of(request)
    found = desk.report(certificate_id or request.path_params["certificate_id"])
    certificate = found.certificate
    names = [str(image.get("name")) for image in certificate.body.images]
    kept = picture_files(certificate, desk.settings.paths.pictures)
    return page(
        "record",
        certificate=certificate,
        text=question_or_claim(certificate),
        verdict=verdict_view(certificate.body),
        doubt=found.doubt,
        lost=names if len(kept) < len(names) else [],
        corpora=corpora_of(desk),
        refused=why,
    )


@certificates.post("/records/{certificate_id}/again")
@refused_on(_record)
def again(certificate_id: Id, desk: AtDesk, form: Annotated[FormData, any_form(fields=32)]) -> RedirectResponse:
    """Put the claim of a certificate into the queue once more, with its pictures."""
    old = desk.certificate(certificate_id)
    if old.body.annotation is not None:
        raise InputError("this is an annotation; annotate its text again on the page Annotate")
    kept = picture_files(old, desk.settings.paths.pictures)
    images = []
    for number, image in enumerate(old.body.images, 1):
        data = kept.get(str(image.get("sha256")))
        if data is None:
            raise InputError(f"the picture {image.get('name')!r} is no longer kept here; check the claim anew with it")
        images.append(Upload(name=safe_name(str(image.get("name")), number), data=data))
    name, corpora = old.envelope.certificate_id, tuple(map(str, form.getlist("corpus")))
    order = CheckOrder(text=question_or_claim(old), corpus=corpora, mode=old.body.mode, supersedes=name)
    return to(f"/watch/{desk.queue.accept(order, images).id}")


@certificates.get("/certificates/{certificate_id}/{export}")
def download(
    certificate_id: Id,
    export: Export,
    desk: AtDesk,
    mode: Mode = "strict",
    author: Annotated[str, Query(max_length=200)] = "factdesk",
    url: Annotated[str, Query(max_length=2_000)] = "",
) -> Response:
    """A certificate as a file."""
    report = desk.report(certificate_id, mode)
    certificate = signed(report)
    data: bytes | str
    match export:
        case "bundle.zip":
            data = bundle_of(desk.settings, certificate, mode)
        case "claimreview.json":
            data = export_text("claimreview", certificate, ExportGiven(author, url or None))
        case "claims.csv":
            data = export_text("csv", certificate, ExportGiven())
        case "report.md":
            data = report.markdown()
        case "report.html":
            data, _ = desk.report_page(certificate_id, mode, bare=True)
    name = f"factdesk-{certificate.envelope.certificate_id}-{export}"
    named = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type=MEDIA[export.rpartition(".")[2]], headers=named)


@certificates.get("/compare")
def comparison(
    desk: AtDesk,
    first: Annotated[str, Query(alias="a", max_length=64)] = "",
    second: Annotated[str, Query(alias="b", max_length=64)] = "",
    chosen: Annotated[tuple[str, ...], Query(alias="id", max_length=3)] = (),
) -> HTMLResponse:
    """What changed from one certificate to another; of those that were ticked, the older one first."""
    given = [name for name in chosen or (first, second) if name]
    if chosen:
        age = attrgetter("envelope.created", "envelope.sequence")
        given.sort(key=lambda name: age(desk.certificate(name)))
    pair = (*given, "", "")[:2]
    values: dict[str, Any] = {"sides": (), "found": None, "parts": {}}
    if all(pair):
        reports = [desk.report(name) for name in pair]
        found = compare(*(r.certificate for r in reports))
        parts: dict[str, list[str]] = {}
        for item in found.differences:
            parts.setdefault(item.part, []).append(item.text)
        sides = [(r, question_or_claim(r.certificate)) for r in reports]
        values = {"sides": sides, "found": found, "parts": parts}
    offered = desk.history(LISTED).entries
    return page("compare", a=pair[0], b=pair[1], extra=len(given) > 2, offered=offered, **values)


@certificates.get("/verify")
def verify_form() -> HTMLResponse:
    """The form that takes what somebody sent."""
    return page("verify", rows=())


@certificates.post("/verify")
@refused_on(lambda _, why: page("verify", rows=(), refused=why))
def verify_file(desk: AtDesk, form: Annotated[FormData, any_form(fields=4, files=2)]) -> HTMLResponse:
    """The three answers on what somebody sent."""
    given, keys = files_of(form, "file"), files_of(form, "key")
    if not given or not given[0][1]:
        raise InputError("choose the file of a certificate, an export or a bundle")
    name, key = safe_name(given[0][0], 1), keys[0][1] if keys else b""
    return _verified(desk.verify_data(given[0][1], name, rerun=bool(form.get("rerun")), key=key or None), name)


@certificates.get("/verified/{certificate_id}")
def verified(certificate_id: Id, desk: AtDesk, rerun: bool = False) -> HTMLResponse:
    """The three answers on a certificate of the history."""
    return _verified(desk.verify(certificate_id, rerun=rerun), certificate_id, record=certificate_id)


def _verified(found: Verification, name: str, record: str = "") -> HTMLResponse:
    return page("verify", rows=answers_in_words(found), holds=found.holds, file=name, record=record)
