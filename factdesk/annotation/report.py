"""What ``FactChecker.annotate`` hands back: an annotation that shows itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from agent.attribution.types import Annotation
from report.types import Certificate


@dataclass(frozen=True)
class AnnotationReport:
    """An annotated text with its certificate, as records, text or page."""

    annotation: Annotation
    certificate: Certificate

    def json(self) -> dict[str, Any]:
        """The annotation as JSON values, with the id of its certificate."""
        return {**self.annotation.model_dump(mode="json"), "certificate_id": self.certificate.envelope.certificate_id}

    def text(self) -> str:
        """One block a claim, then the score of the text and the id of its certificate."""
        from factdesk.annotation.render import annotation_text

        return f"{annotation_text(self.annotation)}\ncertificate {self.certificate.envelope.certificate_id}"

    def html(self) -> str:
        """The text in colours as one page."""
        from factdesk.annotation.render import annotation_html

        return annotation_html(self.annotation)

    def content_policy(self) -> str:
        """The content security policy of the page, for servers that send one."""
        from factdesk.annotation.render import page_style
        from report.render.html.page import content_policy

        return content_policy(page_style())

    def _repr_html_(self) -> str:
        """What a notebook shows: the page in a frame of its own."""
        from report.render.html.page import notebook_html

        return notebook_html(self.html())
