"""What ``FactChecker.annotate`` hands back: an annotation as records, as text and as one HTML page without scripts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

from markupsafe import Markup, escape

from agent.attribution.types import Annotation, ClaimSpan
from factdesk.annotation.rationale import written
from report.render.html.page import content_policy, notebook_html
from report.render.templates import environment, printed, template_text
from report.sanitize import escaped
from report.types import Certificate

_PACKAGE = "factdesk.annotation"
Shown = Literal["attributable", "extrapolatory", "conflicting", "contradictory"]
_MARKS: dict[Shown, str] = {"contradictory": "-", "conflicting": "!", "extrapolatory": "?", "attributable": "+"}
"""The worst first."""


@dataclass(frozen=True)
class Piece:
    """A stretch of the text with the claims it is part of; ``label`` is the worst of theirs."""

    words: Markup
    spans: tuple[ClaimSpan, ...]
    label: Shown | None
    number: int = 0
    """Of the first claim with that label, from 1; 0: none."""


@dataclass(frozen=True)
class AnnotationReport:
    """An annotated text with its certificate."""

    annotation: Annotation
    certificate: Certificate

    def json(self) -> dict[str, Any]:
        """The annotation as JSON values, with the id of its certificate."""
        return {**self.annotation.model_dump(mode="json"), "certificate_id": self.certificate.envelope.certificate_id}

    def text(self) -> str:
        """One block a claim, then the score of the text and the id of its certificate."""
        return f"{annotation_text(self.annotation)}\ncertificate {self.certificate.envelope.certificate_id}"

    def html(self) -> str:
        """The text in colours as one page."""
        return annotation_html(self.annotation)

    def content_policy(self) -> str:
        """The content security policy of the page, for servers that send one."""
        return content_policy(_style())

    def _repr_html_(self) -> str:
        """What a notebook shows: the page in a frame of its own."""
        return notebook_html(self.html())


def annotation_text(annotation: Annotation) -> str:
    """One block a claim: mark, words, rationale, triplets and scores; then the text's score."""
    template = environment(printed, package=_PACKAGE).get_template("annotation.txt.j2")
    return template.render(annotation=annotation, marks=_MARKS, label=shown_label, written=written, named=_named)


def annotation_html(annotation: Annotation) -> str:
    """The text in colours; hovering, focusing or tapping a claim shows why. All is escaped."""
    template = environment(printed, markup=True, package=_PACKAGE).get_template("annotation.html.j2")
    page = template.render(
        annotation=annotation,
        css=Markup(_style()),
        label=shown_label,
        pieces=tuple(pieces_of(annotation)),
        written=written,
        known=tuple({e.entity_id: e for s in annotation.spans for e in s.entities}.values()),
    )
    return page + "\n"


def _style() -> str:
    return template_text("annotation.css", _PACKAGE)


def shown_label(span: ClaimSpan) -> Shown:
    """The word for a claim: its label, or that its evidence disagrees."""
    return "conflicting" if span.conflicting else span.label


def _named(span: ClaimSpan) -> str:
    """The entities of a claim, each with its id and what the graph says it is."""
    return "; ".join(f"{e.name} [{e.entity_id}]{f', {e.description}' if e.description else ''}" for e in span.entities)


def pieces_of(annotation: Annotation) -> Iterator[Piece]:
    """The text cut where claims begin and end; where claims overlap, the worst label shows."""
    cuts = sorted({0, len(annotation.text), *(p for s in annotation.spans for p in (s.start, s.end))})
    for left, right in pairwise(cuts):
        here = {n: s for n, s in enumerate(annotation.spans, 1) if s.start <= left and right <= s.end}
        number = min(here, key=lambda n: (list(_MARKS).index(shown_label(here[n])), n), default=0)
        label = shown_label(here[number]) if number else None
        yield Piece(escape(_lines(annotation.text[left:right])), tuple(here.values()), label, number)


def _lines(text: str) -> str:
    """Text with its line breaks; what is invisible or turns the order round is written out."""
    return "\n".join(escaped(line) for line in text.replace("\r\n", "\n").split("\n"))
