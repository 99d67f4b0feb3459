"""The atomic claims of a certificate as CSV for a spreadsheet: nothing in it is taken for a formula."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from io import StringIO

from report.render.view import StatementView, report_view
from report.sanitize import page_text
from report.types import Certificate

COLUMNS = tuple(
    "certificate_id created verdict claim_id state label score rule reason claim evidence title publisher "
    "published url trust span_id body_sha256".split()
)
CELL = 30_000
"""Characters of a cell; spreadsheets take 32,767."""

_FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def claims_csv(certificate: Certificate) -> str:
    """One line an atomic claim, whatever its state, under a line of names; RFC 4180, every cell quoted.

    ``evidence`` and what follows it name all spans the decision rests on, with `` | `` between them. Raises
    ``CertificateError`` when a claim has no decision.
    """
    out = StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for statement in report_view(certificate, "debug").statements:
        writer.writerow([cell(value) for value in _row(statement, certificate)])
    return out.getvalue()


def cell(value: str) -> str:
    """Text for a cell: one line of printable text, with an apostrophe before what would be a formula."""
    text = page_text(value)[:CELL]
    return "'" + text if text.lstrip("\"' ").startswith(_FORMULA) else text


def _row(statement: StatementView, certificate: Certificate) -> tuple[str, ...]:
    decision, envelope = statement.decision, certificate.envelope
    # What is nearest to an open claim decides nothing, so it does not stand beside it as evidence.
    records = [item.record for item in statement.deciding]
    spans = [r.span for r in records]
    return (
        envelope.certificate_id,
        envelope.created,
        certificate.body.verdict,
        decision.claim_id,
        decision.state,
        decision.label,
        f"{decision.score:.6f}",
        decision.rule,
        decision.reason,
        statement.claim.text,
        _joined(s.text for s in spans),
        _joined(s.title for s in spans),
        _joined(s.publisher for s in spans),
        _joined(s.published.isoformat() if s.published else None for s in spans),
        _joined(s.url for s in spans),
        _joined(f"{r.trust:.6f}" if r.trust is not None else None for r in records),
        _joined(s.span_id for s in spans),
        envelope.body_sha256,
    )


def _joined(values: Iterable[str | None]) -> str:
    return " | ".join(value or "-" for value in values)
