"""The front page: a claim, a question or a text goes in, what is in progress, and the history; following a check."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, TypeAlias, get_args
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, RedirectResponse, StreamingResponse
from pydantic import ValidationError

from evidence.types import CorpusInfo
from factdesk.annotation.report import pieces_of
from factdesk.certificates.history import export_lines
from factdesk.checker import open_ledger
from factdesk.kernel import InputError
from factdesk.service.desk import AtDesk, Desk, desk_of
from factdesk.service.errors import Id, refused_on
from factdesk.service.rendering import page, to
from factdesk.service.routes.programs import CheckForm, annotated
from factdesk.service.types import AnnotationRequest, CheckOrder, HistoryPage, HistoryQuery, Question, Upload
from factdesk.service.uploads import form_of
from report.types import Verdict

PAGE = 25
MOST_OPEN = 20
"""Unfinished checks that are listed."""
MOST_CORPORA = 16
"""Of one check."""
DEFAULT = "default"
front = APIRouter()


def corpora_of(desk: Desk) -> dict[str, bool | tuple[CorpusInfo, ...] | tuple[str, ...]]:
    """The stored corpora to choose from, and whether those of the settings can be used; else all are ticked."""
    stored = desk.corpora.list()
    try:
        desk.corpora.refuse_unknown([name for name in desk.settings.corpus if name != DEFAULT])
        there = DEFAULT not in desk.settings.corpus or desk.corpora.has(DEFAULT)
    except InputError:
        there = False
    return {
        "given": there,
        "stored": stored,
        "ticked": () if there else tuple(info.name for info in stored[:MOST_CORPORA]),
    }


def asked_of_history(request: Request) -> HistoryQuery:
    """The search and the filters of the address; an empty field asks for nothing."""
    given = {name: value for name, value in request.query_params.items() if value and name != "limit"}
    try:
        return HistoryQuery.model_validate({**given, "limit": PAGE})
    except ValidationError as error:
        told = [{**item, "loc": ("query", *item["loc"])} for item in error.errors()]
        raise RequestValidationError(told) from error


@front.get("/")
def history(
    desk: AtDesk,
    query: Annotated[HistoryQuery, Depends(asked_of_history)],
    claim: Annotated[str, Query(max_length=4_000, description="To begin with.")] = "",
) -> HTMLResponse:
    """The page; ``claim`` is put into its form."""
    try:
        return _front(desk, query, desk.history(query), claim=claim)
    except InputError as error:
        return _front(desk, query, HistoryPage(entries=(), total=0), trouble=str(error), claim=claim)


def _not_taken(request: Request, why: str) -> HTMLResponse:
    desk, query = desk_of(request), HistoryQuery(limit=PAGE)
    return _front(desk, query, desk.history(query), refused=why)


def _front(desk: Desk, query: HistoryQuery, found: HistoryPage, **told: str) -> HTMLResponse:
    given = query.model_dump(mode="json", exclude={"limit", "offset"}, exclude_defaults=True)

    def address(offset: int) -> str:
        values = {**given, "offset": offset} if offset else given
        return f"/?{urlencode(values)}" if values else "/"

    values: dict[str, Any] = {"trouble": "", "claim": "", **told, "given": given, "history": found}
    return page(
        "history",
        **values,
        newer=address(max(0, query.offset - PAGE)) if query.offset else None,
        older=address(found.next_offset) if found.next_offset is not None else None,
        open=desk.queue.open_checks()[:MOST_OPEN],
        corpora=corpora_of(desk),
        verdicts=get_args(Verdict),
        max_images=desk.settings.serve.max_images,
    )


@front.post("/")
@refused_on(_not_taken)
def submit(desk: AtDesk, given: CheckForm) -> RedirectResponse:
    """Take a claim into the queue."""
    return to(f"/watch/{desk.queue.accept(*given).id}")


@front.get("/ask")
def ask(desk: AtDesk) -> HTMLResponse:
    """The page for questions."""
    return page("ask", corpora=corpora_of(desk))


@front.post("/ask")
@refused_on(lambda request, why: page("ask", corpora=corpora_of(desk_of(request)), refused=why))
def take_question(
    desk: AtDesk, given: Annotated[tuple[Question, tuple[Upload, ...]], form_of(Question)]
) -> RedirectResponse:
    """Take a question into the queue."""
    order = CheckOrder(asked=True, **given[0].model_dump())
    return to(f"/watch/{desk.queue.accept(order, ()).id}")


@front.get("/watch/{check_id}")
def watch(check_id: Id, desk: AtDesk) -> HTMLResponse:
    """A check while it is carried out."""
    return page("watch", check=desk.check(check_id))


@front.get("/history.jsonl")
def export(desk: AtDesk) -> StreamingResponse:
    """The whole history as a file."""

    def lines() -> Iterator[str]:
        for line in export_lines(desk.settings, open_ledger(desk.settings)):
            yield f"{line}\n"

    named = {"Content-Disposition": 'attachment; filename="factdesk-history.jsonl"'}
    return StreamingResponse(lines(), media_type="application/jsonl", headers=named)


AnnotationForm: TypeAlias = Annotated[tuple[AnnotationRequest, tuple[Upload, ...]], form_of(AnnotationRequest)]


@front.get("/annotate")
def annotation(desk: AtDesk) -> HTMLResponse:
    """The page that annotates a text."""
    return _annotation(desk, {})


@front.post("/annotate")
@refused_on(lambda request, why: _annotation(desk_of(request), request.state.given, refused=why))
def annotate(desk: AtDesk, form: AnnotationForm) -> HTMLResponse:
    """The text in colours, each claim with its triplets."""
    asked, _ = form
    found = annotated(desk, asked).annotation
    corpus = asked.corpus or desk.settings.corpus[0]
    stored = corpus if desk.corpora.has(corpus) else ""
    return _annotation(desk, asked.model_dump(), found=found, pieces=list(pieces_of(found)), stored=stored)


def _annotation(desk: Desk, given: dict[str, Any], **values: Any) -> HTMLResponse:
    chosen = given.get("corpus") or desk.settings.corpus[0]
    shown = {"found": None, "text": given.get("text", ""), "chosen": chosen, **values}
    return page("annotate", corpora=corpora_of(desk), **shown)
