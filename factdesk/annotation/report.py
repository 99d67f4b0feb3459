"""What ``FactChecker.annotate`` hands back: an annotation that shows itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from agent.attribution.types import Annotation


@dataclass(frozen=True)
class AnnotationReport:
    """An annotated text, as records, text or page."""

    annotation: Annotation

    def json(self) -> dict[str, Any]:
        """The annotation as JSON values."""
        return self.annotation.model_dump(mode="json")

    def text(self) -> str:
        """One block a claim, then the score of the text."""
        from factdesk.annotation.render import annotation_text

        return annotation_text(self.annotation)

    def html(self) -> str:
        """The text in colours as one page."""
        from factdesk.annotation.render import annotation_html

        return annotation_html(self.annotation)

    def _repr_html_(self) -> str:
        """What a notebook shows: the page in a frame of its own."""
        from report.render.html.page import notebook_html

        return notebook_html(self.html())
