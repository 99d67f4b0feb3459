"""``POST /annotations``: the claims of a text marked by the graph of a stored corpus."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from fastapi.responses import HTMLResponse, Response
from pydantic import StringConstraints

from factdesk.annotation.report import AnnotationReport
from factdesk.kernel import InputError, Record
from factdesk.service.desk import Desk
from factdesk.service.routes.described import problems
from factdesk.service.types import MAX_CHARACTERS, CorpusName


class AnnotationRequest(Record):
    """A text to annotate; ``corpus``: a stored corpus, or that of the settings."""

    text: Annotated[str, StringConstraints(min_length=1, max_length=MAX_CHARACTERS, pattern=r"\S")]
    corpus: CorpusName | None = None


def annotated(desk: Desk, asked: AnnotationRequest) -> AnnotationReport:
    """The annotation, one at a time. Raises ``InputError``, ``HTTPException`` 429 while another is made."""
    if asked.corpus is not None and not desk.corpora.has(asked.corpus):
        raise InputError(f"there is no stored corpus {asked.corpus!r}; factdesk corpus list shows them")
    with desk.alone("the text was not annotated"):
        return desk.checker.annotate(asked.text, corpus=asked.corpus or "")


def annotation_routes(desk: Desk) -> APIRouter:
    """The route for programs."""
    app = APIRouter(tags=["annotations"])

    @app.post("/annotations", responses=problems(), response_model=None)
    def annotate(
        asked: AnnotationRequest,
        form: Annotated[Literal["json", "html"], Query(description="Records, or one page.")] = "json",
    ) -> dict[str, Any] | Response:
        """Spans with labels, triplets, scores and rationales; the certificate stands in the history."""
        found = annotated(desk, asked)
        return HTMLResponse(found.html()) if form == "html" else found.json()

    return app
