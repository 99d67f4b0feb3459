"""The history over HTTP: certificates found and verified."""

from __future__ import annotations

from datetime import date as Date
from typing import Annotated, Literal, TypeAlias

from fastapi import APIRouter, Query

from factdesk.kernel import __version__
from factdesk.service.desk import Desk
from factdesk.service.errors import Id
from factdesk.service.routes.described import problems
from factdesk.service.types import Health, HistoryPage
from report.types import Verdict
from report.verification.findings import Verification

ClaimState: TypeAlias = Literal["verified", "unverified", "blocked"]


def history_routes(desk: Desk) -> APIRouter:
    """The history, verification, and how the service is."""
    queue, archive = desk.queue, desk.archive
    app = APIRouter()

    @app.get("/history", response_model=HistoryPage, responses=problems(), tags=["history"])
    def history(
        q: Annotated[str, Query(max_length=400, description="Words in claims or deciding evidence.")] = "",
        verdict: Verdict | None = None,
        state: ClaimState | None = None,
        status: Literal["current", "superseded"] | None = None,
        since: Date | None = None,
        until: Date | None = None,
        limit: Annotated[int, Query(ge=1, le=200)] = 50,
        offset: Annotated[int, Query(ge=0, le=100_000)] = 0,
    ) -> HistoryPage:
        """Certificates, newest first; with ``q`` those with all the words, best first."""
        return archive.history(
            q,
            verdict=verdict,
            state=state,
            status=status,
            since=since,
            until=until,
            limit=limit,
            offset=offset,
        )

    @app.get("/verify/{certificate_id}", response_model=Verification, responses=problems(404), tags=["history"])
    def verify(
        certificate_id: Id,
        rerun: Annotated[bool, Query(description="Run the verifier again and decide anew.")] = False,
    ) -> Verification:
        """Verify a certificate of the history: integrity, completeness and, if asked, scores."""
        return archive.verify(certificate_id, rerun)

    @app.get("/health", response_model=Health, responses=problems(), tags=["service"])
    def health() -> Health:
        """Version, and how many checks wait and run."""
        return Health(version=__version__, waiting=queue.waiting, running=queue.running, stopping=queue.closing)

    return app
