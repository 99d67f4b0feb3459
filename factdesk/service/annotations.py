"""``POST /annotations``: the claims of a text marked by the graph of a stored corpus."""

from __future__ import annotations

import threading
from typing import Annotated, Any, Literal

from fastapi import FastAPI, Query
from fastapi.responses import HTMLResponse, Response
from pydantic import StringConstraints
from starlette.exceptions import HTTPException

from factdesk.kernel import InputError, Record
from factdesk.service.check_queue import CheckQueue
from factdesk.service.errors import BUSY_SECONDS
from factdesk.service.types import MAX_CHARACTERS, CorpusName


class AnnotationRequest(Record):
    """A text to annotate; ``corpus``: a stored corpus, or that of the settings."""

    text: Annotated[str, StringConstraints(min_length=1, max_length=MAX_CHARACTERS, pattern=r"\S")]
    corpus: CorpusName | None = None


def add_annotations(app: FastAPI, queue: CheckQueue, problems: dict[int | str, dict[str, Any]]) -> None:
    """The route. One annotation is made at a time; further ones get 429."""
    free = threading.Lock()

    @app.post("/annotations", responses=problems, tags=["annotations"], response_model=None)
    def annotate(
        asked: AnnotationRequest,
        form: Annotated[Literal["json", "html"], Query(description="Records, or one page.")] = "json",
    ) -> dict[str, Any] | Response:
        """Spans with labels, triplets, scores and rationales; the certificate stands in the history."""
        if asked.corpus is not None and not queue.checker.corpora.has(asked.corpus):
            raise InputError(f"there is no stored corpus {asked.corpus!r}; factdesk corpus list shows them")
        if not free.acquire(blocking=False):
            raise HTTPException(429, "another text is being annotated", {"Retry-After": str(BUSY_SECONDS)})
        try:
            found = queue.checker.annotate(asked.text, corpus=asked.corpus or "")
        finally:
            free.release()
        return HTMLResponse(found.html()) if form == "html" else found.json()
