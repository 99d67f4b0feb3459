"""An export of one line a statement: its state, and its words where the strict report shows them."""

from __future__ import annotations

from factdesk.certificates.export_formats import ExportGiven
from report.render.view import report_view
from report.types import Certificate


def lines(certificate: Certificate, given: ExportGiven) -> str:
    """The text of the file; what is not verified stands there without its words."""
    view = report_view(certificate, "strict")
    shown = {s.decision.claim_id: s.claim.text for s in view.shown}
    told = [f"{d.state}\t{shown.get(d.claim_id, d.claim_id)}" for d in certificate.body.decisions]
    return "\n".join([f"# {certificate.envelope.certificate_id}, by {given.author}", *told, ""])
