"""The pages of the corpora: documents are added, listed, read, found and removed."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated, Any, TypeAlias

from fastapi import APIRouter, Query, Request
from fastapi import Path as PathPart
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from evidence.types import AddResult, Hit
from evidence.types import Query as Words
from factdesk.corpora.links import is_link
from factdesk.kernel import FactdeskError, InputError
from factdesk.service.carry_out import put_down
from factdesk.service.desk import Desk
from factdesk.service.errors import status_of
from factdesk.service.types import Upload
from factdesk.service.uploads import MAX_DOCUMENTS, read_documents
from factdesk.service.views.documents import corpus_address, document_row, text_address, text_pieces, told
from factdesk.service.views.page import page

PAGE = 50
HITS = 10
Name: TypeAlias = Annotated[str, PathPart(max_length=200)]


def documents(desk: Desk) -> APIRouter:
    """The list of corpora, one corpus, one document."""
    app = APIRouter()

    @app.get("/corpora")
    def corpora() -> HTMLResponse:
        return _corpora(desk)

    @app.post("/corpora")
    async def add(request: Request) -> HTMLResponse:
        fields, files = await read_documents(request)
        return await run_in_threadpool(_added, desk, fields, files)

    @app.get("/corpora/{name}")
    def corpus(
        name: Name,
        q: Annotated[str, Query(max_length=400)] = "",
        offset: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
    ) -> HTMLResponse:
        return _corpus(desk, desk.known(name), words=q, offset=offset)

    @app.post("/corpora/{name}/remove")
    async def remove(name: Name, request: Request) -> Response:
        async with request.form(max_files=0, max_fields=PAGE + 2) as form:
            doc_ids = [str(value) for value in form.getlist("doc_id")]
            whole = form.get("whole") == name
        return await run_in_threadpool(_removed, desk, name, doc_ids, whole)

    @app.get("/corpora/{name}/text")
    def text(
        name: Name,
        doc_id: Annotated[str, Query(alias="id", max_length=2_000)],
        start: Annotated[int, Query(ge=0)] = 0,
        end: Annotated[int, Query(ge=0)] = 0,
    ) -> HTMLResponse:
        _, store, _ = desk.corpora.resolve(desk.known(name))
        document = store.get_document(name, doc_id)
        if document is None:
            raise HTTPException(404, f"corpus {name!r} has no document {doc_id!r}")
        pieces = text_pieces(document.text, start, end)
        row = document_row(document, name)
        return page("document", here="documents", name=name, document=document, row=row, pieces=pieces)

    return app


def _added(desk: Desk, fields: dict[str, str], files: tuple[Upload, ...]) -> HTMLResponse:
    name, links = fields.get("name", "") or "default", fields.get("link", "").split()
    try:
        wrong = next((link for link in links if not is_link(link)), None)
        if wrong is not None:
            raise InputError(f"{wrong[:200]!r} is no web address; write it with https://")
        if not files and not links:
            raise InputError("no document was given; choose files, drop them here, or give a page's address")
        with desk.alone("nothing was added"), tempfile.TemporaryDirectory() as folder:
            outcome = _add(desk, name, put_down(Path(folder), files), links)
    except (FactdeskError, HTTPException) as error:
        code, why, headers = status_of(error)
        return _corpora(desk, code, headers, refused=why, name=name)
    return _corpus(desk, name, outcome=outcome)


def _add(desk: Desk, name: str, paths: list[Path], links: list[str]) -> AddResult:
    """Add them; an error names a file as it was handed in, not where it was put down."""
    try:
        return desk.corpora.add(name, [*paths, *links])
    except InputError as error:
        told = str(error)
        for path in paths:
            told = told.replace(str(path), path.name)
        raise InputError(told) from error


def _removed(desk: Desk, name: str, doc_ids: list[str], whole: bool) -> Response:
    if not doc_ids and not whole:
        raise InputError("no document was chosen; tick those to remove")
    with desk.alone("nothing was removed"):
        desk.corpora.remove(desk.known(name), () if whole else doc_ids)
    return RedirectResponse("/corpora" if whole else corpus_address(name), 303)


def _corpora(desk: Desk, code: int = 200, headers: dict[str, str] | None = None, **told: str) -> HTMLResponse:
    values: dict[str, Any] = {"refused": "", "name": "default", **told}
    rows = [(info, corpus_address(info.name)) for info in desk.corpora.list()]
    return page("corpora", code, headers, here="documents", rows=rows, most=MAX_DOCUMENTS, **values)


def _corpus(
    desk: Desk, name: str, *, words: str = "", offset: int = 0, outcome: AddResult | None = None
) -> HTMLResponse:
    _, store, _ = desk.corpora.resolve(name)
    ids = sorted(store.document_hashes(name))
    found = store.get_documents(name, ids[offset : offset + PAGE])
    trouble, hits = "", tuple[Hit, ...]()
    if words.strip():
        try:
            library = desk.corpora.open((name,), desk.settings.retriever)
            hits = library.retrieve(Words(text=words, limit=HITS))
        except FactdeskError as error:
            trouble = str(error)
    pages = {
        "newer": corpus_address(name, offset=str(max(0, offset - PAGE))) if offset else None,
        "older": corpus_address(name, offset=str(offset + PAGE)) if offset + PAGE < len(ids) else None,
    }
    return page(
        "corpus",
        here="documents",
        name=name,
        most=MAX_DOCUMENTS,
        total=len(ids),
        documents=[document_row(found[doc_id], name) for doc_id in ids[offset : offset + PAGE] if doc_id in found],
        words=words,
        hits=[(hit.span, text_address(name, hit.span.doc_id, hit.span.start, hit.span.end)) for hit in hits],
        trouble=trouble,
        outcome=outcome,
        told=list(told(outcome)) if outcome is not None else [],
        pages=pages,
        address=corpus_address(name),
    )
