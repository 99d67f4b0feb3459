"""A triple from a sentence."""

from __future__ import annotations

from evidence.graph.types import Node, Triple
from evidence.types import Span


def triple_at(
    span: Span,
    subject: Node,
    relation: str,
    target: Node,
    negated: bool = False,
    hedged: bool = False,
    said_by: str | None = None,
) -> Triple:
    """A triple that a sentence says."""
    return Triple(
        doc_id=span.doc_id,
        span_id=span.span_id,
        start=span.start,
        end=span.end,
        subject=subject,
        relation=relation,
        object=target,
        negated=negated,
        hedged=hedged,
        said_by=said_by,
    )
