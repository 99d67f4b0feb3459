"""What is found about the submitted pictures, and about each of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from evidence.types import EarlierUse, ImageFinding, ImageReport, Span
from factdesk.kernel import Failure, Record


class Found(Record):
    """Earlier uses, spans of their records or of captions, findings, and what did not work."""

    uses: tuple[EarlierUse, ...] = ()
    spans: tuple[Span, ...] = ()
    findings: tuple[ImageFinding, ...] = ()
    failures: tuple[Failure, ...] = ()


def joined(parts: Iterable[Found]) -> Found:
    """All of several pictures in their order, each span once."""
    found = tuple(parts)
    return Found(
        uses=tuple(use for part in found for use in part.uses),
        spans=tuple({span.span_id: span for part in found for span in part.spans}.values()),
        findings=tuple(finding for part in found for finding in part.findings),
        failures=tuple(failure for part in found for failure in part.failures),
    )


@dataclass(frozen=True)
class Looked:
    """The report for the certificate, and the spans that may be evidence."""

    report: ImageReport | None = None
    spans: tuple[Span, ...] = ()
    failures: tuple[Failure, ...] = ()

    @property
    def likeness(self) -> dict[str, float]:
        """CLIP's, of the first picture with captions of its earlier uses."""
        return dict(self.report.clip.captions) if self.report is not None else {}
