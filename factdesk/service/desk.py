"""What all routes work on: the queue, the history, the corpora, and one place for work that no queue holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from threading import Lock
from typing import Annotated, Any, TypeAlias, get_args

from fastapi import Depends, Request
from starlette.exceptions import HTTPException

from evidence.types import AddResult
from factdesk.certificates.load import known_doubt
from factdesk.certificates.verifying import verify_data
from factdesk.checker import FactChecker, Report, open_ledger
from factdesk.corpora.graphs import Graphs
from factdesk.corpora.stored import Corpora
from factdesk.corpus_trust.open import open_desk
from factdesk.corpus_trust.ranking import TrustDesk
from factdesk.images.submitted import shown_pictures
from factdesk.kernel import InputError
from factdesk.parallel.stages import Models
from factdesk.service.check_queue import CheckQueue, Closing
from factdesk.service.types import CheckState, HistoryPage, HistoryQuery
from factdesk.settings import Settings
from report.certificate.sealing import to_text
from report.render.html.page import content_policy
from report.types import Certificate, LedgerEntry, Mode
from report.verification.findings import Verification

BUSY_SECONDS = 10
"""Retry-After while something else is worked on, in seconds."""
MAX_FOUND = 1000
"""Search hits that are filtered and paged."""


@dataclass(frozen=True)
class Desk:
    """One desk behind the routes; it goes through what the command line goes through."""

    queue: CheckQueue
    streams: Counter[str] = field(default_factory=Counter)
    """``"open"``: how many follow a check."""
    added: dict[str, AddResult] = field(default_factory=dict)
    """What was added last, corpus by corpus."""
    _one: Lock = field(default_factory=Lock)
    _verifying: Lock = field(default_factory=Lock)

    @property
    def settings(self) -> Settings:
        """The settings of the service."""
        return self.queue.settings

    @property
    def checker(self) -> FactChecker:
        """The checker, whose models are loaded once."""
        return self.queue.checker

    @property
    def corpora(self) -> Corpora:
        """The stored corpora."""
        return self.checker.corpora

    @cached_property
    def graphs(self) -> Graphs:
        """Their knowledge graphs."""
        return Graphs(self.settings, self.corpora)

    def trust(self, corpus: str) -> TrustDesk:
        """The claim graph of a corpus, with the models of the checker. Raises ``HTTPException`` 404."""
        models = Models(lambda: self.corpora.embedder, lambda: self.checker.verifier)
        return open_desk(self.settings, self.known(corpus), models=models)

    def known(self, corpus: str) -> str:
        """The name of a stored corpus. Raises ``HTTPException`` 404 for another."""
        if not self.corpora.has(corpus):
            raise HTTPException(404, f"there is no stored corpus {corpus!r}")
        return corpus

    def check(self, check_id: str) -> CheckState:
        """The state of a check. Raises ``HTTPException`` 404."""
        state = self.queue.state(check_id)
        if state is None:
            raise HTTPException(404, f"there is no check {check_id!r}")
        return state

    @contextmanager
    def alone(self, doing: str) -> Iterator[None]:
        """Long work outside of the queue, one piece at a time. Raises ``HTTPException`` 429, ``Closing``."""
        if self.queue.closing:
            raise Closing("the service is stopping; try again when it is back")
        with _held(self._one, f"{doing}: another such work is going on; try again", BUSY_SECONDS):
            yield

    def certificate(self, certificate_id: str) -> Certificate:
        """A certificate by its id or a prefix. Raises ``HTTPException`` 404."""
        try:
            return open_ledger(self.settings).get(certificate_id)
        except InputError as error:
            raise HTTPException(404, str(error)) from error

    def report(self, certificate_id: str, mode: Mode = "strict") -> Report:
        """The report on a certificate. Raises ``HTTPException`` 404, ``CertificateError``: it was altered."""
        certificate = self.certificate(certificate_id)
        return Report(certificate, mode, known_doubt(certificate, self.settings))

    def report_page(self, certificate_id: str, mode: Mode, *, bare: bool = False) -> tuple[str, str]:
        """The report as a page, with its content security policy; ``bare``: without ways to other pages."""
        report = self.report(certificate_id, mode)
        pictures = shown_pictures(self.settings, report.certificate)
        shown = report.html(pictures, () if bare else _links(report.certificate, mode))
        annotated = report.annotated
        return (
            shown,
            f"{annotated.content_policy() if annotated is not None else content_policy()}; frame-ancestors 'none'",
        )

    def history(self, query: HistoryQuery) -> HistoryPage:
        """A page of the history. Raises ``InputError`` for an invalid search."""
        ledger = open_ledger(self.settings)
        wanted: dict[str, Any] = query.model_dump(exclude={"q", "limit", "offset", "state"})
        end = query.offset + query.limit
        if query.q.strip():
            kept = [e for e in ledger.search(query.q, limit=MAX_FOUND) if _fits(e, query)]
            found: tuple[LedgerEntry, ...] = tuple(kept[query.offset : end + 1])
        else:
            wanted["state"] = query.state.upper() if query.state else None
            found = ledger.list(limit=query.limit + 1, offset=query.offset, **wanted)
        more = end if len(found) > query.limit else None
        return HistoryPage(entries=found[: query.limit], total=ledger.count(), next_offset=more)

    def verify(self, certificate_id: str, *, rerun: bool) -> Verification:
        """The result of ``factdesk verify``. Raises as :meth:`verify_data`, and ``HTTPException`` 404."""
        certificate = self.certificate(certificate_id)
        name = f"{certificate.envelope.certificate_id}.json"
        return self.verify_data(to_text(certificate).encode("utf-8"), name, rerun=rerun)

    def verify_data(self, data: bytes, name: str, *, rerun: bool, key: bytes | None = None) -> Verification:
        """The result of ``factdesk verify`` on a file that was handed in, one at a time. Raises ``HTTPException`` 429
        while another is verified, ``InputError`` for what cannot be read.
        """
        with _held(self._verifying, "another certificate is being verified", 5):
            return verify_data(self.settings, data, name, rerun=rerun, key=key)


def desk_of(request: Request) -> Desk:
    """The desk of the application."""
    desk: Desk = request.app.state.desk
    return desk


AtDesk: TypeAlias = Annotated[Desk, Depends(desk_of)]
"""A route's parameter for the desk."""


def busy(seconds: int = BUSY_SECONDS) -> dict[str, str]:
    """The header that says when to try again."""
    return {"Retry-After": str(seconds)}


@contextmanager
def _held(lock: Lock, why_not: str, seconds: int) -> Iterator[None]:
    if not lock.acquire(blocking=False):
        raise HTTPException(429, why_not, busy(seconds))
    try:
        yield
    finally:
        lock.release()


def _links(certificate: Certificate, mode: Mode) -> tuple[tuple[str, str], ...]:
    """The way back, the other modes of a report, and what can be done with it."""
    name = certificate.envelope.certificate_id
    modes = (other for other in get_args(Mode) if other != mode)
    return (
        ("Back to the history", "/"),
        *((f"Show {other} mode", f"/reports/{name}.html?mode={other}") for other in modes),
        ("Verify", f"/verified/{name}"),
        ("Hand out, check again", f"/records/{name}"),
    )


def _fits(entry: LedgerEntry, query: HistoryQuery) -> bool:
    """Whether a search hit passes the filters of ``Ledger.list``."""
    return (
        (query.verdict is None or entry.verdict == query.verdict)
        and (query.state is None or int(getattr(entry, query.state)) > 0)
        and (query.status is None or (entry.superseded_by is not None) == (query.status == "superseded"))
        and (query.since is None or entry.created >= query.since.isoformat())
        and (query.until is None or entry.created < f"{query.until.isoformat()}~")
    )
