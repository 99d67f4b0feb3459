"""Read access to the history: reports, lists, verification."""

from __future__ import annotations

from datetime import date as Date
from threading import Lock
from typing import Any, Literal, get_args

from starlette.exceptions import HTTPException

from factdesk.certificates.load import known_doubt
from factdesk.certificates.verifying import verify_data
from factdesk.checker import Report, open_ledger
from factdesk.images.submitted import shown_pictures
from factdesk.kernel import InputError
from factdesk.service.types import HistoryPage
from factdesk.settings import Settings
from report.certificate.sealing import to_text
from report.types import Certificate, LedgerEntry, Mode, Verdict
from report.verification.findings import Verification

MAX_FOUND = 1000
"""Search hits that are filtered and paged."""


class Archive:
    """The history for readers."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._verifying = Lock()

    def certificate(self, certificate_id: str) -> Certificate:
        """A certificate by its id or a prefix. Raises ``HTTPException`` 404."""
        try:
            return open_ledger(self._settings).get(certificate_id)
        except InputError as error:
            raise HTTPException(404, str(error)) from error

    def report(self, certificate_id: str, mode: Mode) -> Report:
        """The report on a certificate. Raises ``HTTPException`` 404, ``CertificateError``: it was altered."""
        certificate = self.certificate(certificate_id)
        return Report(certificate, mode, known_doubt(certificate, self._settings))

    def text(self, certificate_id: str) -> str:
        """Canonical JSON of a certificate."""
        return to_text(self.certificate(certificate_id))

    def json(self, certificate_id: str, mode: Mode) -> dict[str, Any]:
        """The public JSON of a report."""
        return self.report(certificate_id, mode).json()

    def page(self, certificate_id: str, mode: Mode, *, bare: bool = False) -> tuple[str, str]:
        """The report as a page, with its content security policy; ``bare``: without ways to other pages."""
        from report.render.html.page import content_policy

        report = self.report(certificate_id, mode)
        pictures = shown_pictures(self._settings, report.certificate)
        shown = report.html(pictures, () if bare else _links(report.certificate, mode))
        return shown, f"{content_policy()}; frame-ancestors 'none'"

    def history(
        self,
        words: str,
        *,
        verdict: Verdict | None = None,
        state: str | None = None,
        status: Literal["current", "superseded"] | None = None,
        since: Date | None = None,
        until: Date | None = None,
        limit: int = 50,
        offset: int = 0,
    ) -> HistoryPage:
        """A page of the history. Raises ``InputError`` for an invalid search."""
        ledger = open_ledger(self._settings)
        total = ledger.count()
        if words.strip():
            hits = ledger.search(words, limit=MAX_FOUND)
            kept = [e for e in hits if _fits(e, verdict, state, status, since, until)]
            found: tuple[LedgerEntry, ...] = tuple(kept[offset : offset + limit + 1])
        else:
            wanted: Any = state.upper() if state else None
            found = ledger.list(
                limit=limit + 1,
                offset=offset,
                verdict=verdict,
                since=since,
                until=until,
                state=wanted,
                status=status,
            )
        more = offset + limit if len(found) > limit else None
        return HistoryPage(entries=found[:limit], total=total, next_offset=more)

    def verify(self, certificate_id: str, rerun: bool) -> Verification:
        """The result of ``factdesk verify``, one at a time.

        Raises ``HTTPException``: 404 for an unknown certificate, 429 while another is verified.
        """
        certificate = self.certificate(certificate_id)
        name = f"{certificate.envelope.certificate_id}.json"
        return self.verify_data(to_text(certificate).encode("utf-8"), name, rerun=rerun)

    def verify_data(self, data: bytes, name: str, *, rerun: bool, key: bytes | None = None) -> Verification:
        """The result of ``factdesk verify`` on a file that was handed in, one at a time.

        Raises ``HTTPException`` 429 while another is verified, ``InputError`` for what cannot be read.
        """
        if not self._verifying.acquire(blocking=False):
            raise HTTPException(429, "another certificate is being verified", {"Retry-After": "5"})
        try:
            return verify_data(self._settings, data, name, rerun=rerun, key=key)
        finally:
            self._verifying.release()


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


def _fits(
    entry: LedgerEntry,
    verdict: str | None,
    state: str | None,
    status: str | None,
    since: Date | None,
    until: Date | None,
) -> bool:
    """Whether a search hit passes the filters of ``Ledger.list``."""
    return (
        (verdict is None or entry.verdict == verdict)
        and (state is None or int(getattr(entry, state)) > 0)
        and (status is None or (entry.superseded_by is not None) == (status == "superseded"))
        and (since is None or entry.created >= since.isoformat())
        and (until is None or entry.created < f"{until.isoformat()}~")
    )
