"""A certificate as Markdown: badges as code, evidence as footnotes, everything foreign made plain text."""

from __future__ import annotations

import re

from markupsafe import Markup

from report.render.templates import environment
from report.render.trail import EvidenceView
from report.render.view import report_view
from report.sanitize import page_text
from report.types import Certificate, Mode

_SPECIAL = re.compile(r"([\\`*_\[\]<>|~#$^&])")
_AUTOLINK = re.compile(r"(?i)\b(https?|ftp|mailto|xmpp)(:)|\b(www)(\.)")


def render_markdown(certificate: Certificate, mode: Mode, doubt: str = "") -> str:
    """The report as CommonMark with footnotes. Raises ``CertificateError`` when a claim has no decision."""
    view = report_view(certificate, mode, doubt)
    notes: dict[str, EvidenceView] = {}
    numbers = {s.decision.claim_id: [_number(notes, item) for item in s.quoted] for s in view.statements}
    template = environment(_printed).get_template("report.md.j2")
    return template.render(view=view, notes=tuple(notes.values()), numbers=numbers)


def plain(text: str) -> str:
    """Foreign text as it shall be read: no mark-up of Markdown or HTML, no address that links itself."""
    escaped = _SPECIAL.sub(r"\\\1", page_text(text))
    return _AUTOLINK.sub(lambda m: f"{m[1] or m[3]}\\{m[2] or m[4]}", escaped)


def _printed(value: object) -> object:
    return value if isinstance(value, Markup) else plain(str(value))


def _number(notes: dict[str, EvidenceView], item: EvidenceView) -> int:
    # A span has other scores for another claim, so it is another footnote.
    record = item.record
    key = f"{record.span.span_id} {record.question_id} {record.assessment.calibrated}"
    notes.setdefault(key, item)
    return list(notes).index(key) + 1
