"""Why a claim has its label, in plain words."""

from __future__ import annotations

from collections.abc import Sequence

from agent.attribution.types import Triplet, Weighed
from agent.attribution.weighed_label import Judged, Labelled


def rationale(found: Labelled, triplets: Sequence[Triplet], weighed: Weighed, read: bool) -> str:
    """Words for the label, from the deciding triplet or sentence; ``read``: sentences were verified."""
    if found.conflicting:
        quotes = "; ".join(_place(j) for j in found.decisive[:2])
        return " ".join(filter(None, ("Sources disagree, so it is left open.", weighed.reason, quotes)))
    if found.label == "attributable":
        return _decided(found, triplets, otherwise=False)
    if found.label == "contradictory":
        first = found.decisive[0]
        told = first.altered or next((f.message for f in first.assessment.guard.findings), "")
        return " ".join(filter(None, (_decided(found, triplets, otherwise=True), told)))
    if weighed.reason:
        return weighed.reason
    if triplets:
        return f"The nearest triplet, {_said(triplets[0])}, neither bears this out nor contradicts it."
    return f"No triplet of the graph {'settles' if read else 'speaks of'} this."


def _decided(found: Labelled, triplets: Sequence[Triplet], *, otherwise: bool) -> str:
    first = next((t for t in triplets if t.deciding), None)
    if first is None:
        said = "otherwise" if otherwise else "so"
        return f"The corpus says {said}, in a sentence that gave no triplet: {_place(found.decisive[0])}."
    place = f"“{first.sentence}” ({', '.join(filter(None, (first.title, first.published)))})"
    return f"The graph holds {_said(first)}{', which says otherwise' if otherwise else ''}: {place}."


def _said(triplet: Triplet) -> str:
    denied = "not " if triplet.negated else ""
    return f"({triplet.subject}, {denied}{triplet.relation}, {triplet.object})"


def _place(judged: Judged) -> str:
    span = judged.span
    day = span.published.isoformat() if span.published else ""
    return f"“{span.text}” ({', '.join(filter(None, (span.title, day)))})"
