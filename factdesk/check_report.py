"""What a check hands back: its certificate, shown in a mode."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TextIO

from report.types import Certificate, Mode, Verdict

if TYPE_CHECKING:
    from PIL.Image import Image

    from factdesk.annotation.report import AnnotationReport


@dataclass(frozen=True)
class Report:
    """A certificate and the mode it is shown in."""

    certificate: Certificate
    mode: Mode = "strict"
    doubt: str = ""
    """Why the certificate does not count, where it was not made here just now; see
    ``report.verification.rerun``."""

    @property
    def verdict(self) -> Verdict:
        """supported, refuted, conflicting or not_enough_evidence, as recorded."""
        return self.certificate.body.verdict

    @property
    def annotated(self) -> AnnotationReport | None:
        """The annotation, where that is what the certificate is of and nothing is in doubt; in strict mode
        without a language model's words.
        """
        record = self.certificate.body.annotation
        if record is None or self.doubt:
            return None
        from factdesk.annotation.report import AnnotationReport

        found = record.annotation
        if self.mode == "strict":
            own = tuple(span.model_copy(update={"proposed": None}) for span in found.spans)
            found = found.model_copy(update={"spans": own, "proposed_kas": None})
        return AnnotationReport(found, self.certificate)

    def json(self) -> dict[str, Any]:
        """The public JSON of a check or of an answer (``docs/schemas/check-1.json``, ``answer-1.json``)."""
        if self.annotated is not None:
            return self.annotated.json()
        from report.render.check_json import answer_json, check_json

        if self.certificate.body.asked is not None:
            return answer_json(self.certificate, self.mode, self.doubt)
        return check_json(self.certificate, self.mode, self.doubt)

    def notes(self) -> tuple[str, ...]:
        """A line for each file that was not read, each reason why the web gave nothing, another language."""
        from report.sanitize import foreign

        told = ("web.search", "evidence.ingest")
        return tuple(
            foreign(f.message) for f in self.certificate.body.failures if f.where in told or f.kind == "language"
        )

    def text(self) -> str:
        """The report as plain text."""
        from report.render.text import render_text

        if self.annotated is not None:
            return self.annotated.text()
        return render_text(self.certificate, self.mode, self.doubt)

    def markdown(self) -> str:
        """The report as Markdown with footnotes."""
        from report.render.markdown import render_markdown

        return render_markdown(self.certificate, self.mode, self.doubt)

    def html(self, pictures: Mapping[str, Image] | None = None, links: Sequence[tuple[str, str]] = ()) -> str:
        """The report as one HTML page; ``pictures`` as ``factdesk.images.submitted.shown_pictures`` gives
        them, ``links`` as ``report.render.html.page.render_html`` takes them.
        """
        from report.render.html.page import render_html

        if self.annotated is not None:
            return self.annotated.html()
        return render_html(self.certificate, self.mode, pictures, self.doubt, links)

    def _repr_html_(self) -> str:
        """What a notebook shows: the page in a frame of its own."""
        from report.render.html.page import notebook_html

        return notebook_html(self.html())

    def print(self, stream: TextIO) -> None:
        """Write the report to a stream, in colour on a terminal."""
        if not stream.isatty() or self.annotated is not None:
            stream.write(self.text() + "\n")
            return
        from rich.console import Console

        from report.render.text import report_lines, to_rich

        Console(file=stream).print(to_rich(report_lines(self.certificate, self.mode, self.doubt)), soft_wrap=True)
