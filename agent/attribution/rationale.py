"""Why a claim has its label, in plain words."""

from __future__ import annotations

from collections.abc import Sequence

from agent.attribution.spans import Located
from agent.attribution.triplet_reading import unsaid
from agent.attribution.types import Triplet, Weighed
from agent.attribution.weighed_label import Judged, Labelled


def left_open(located: Located) -> str:
    """Why a claim is not verified at all, or ``""``."""
    if located.open_pronoun:
        return f"The text does not tell whom or what {located.open_pronoun!r} means."
    if located.claim.unsupported_by_design:
        return f"No document could settle this: {located.claim.unsupported_by_design.rstrip('.')}."
    return ""


def rationale(found: Labelled, triplets: Sequence[Triplet], weighed: Weighed, read: bool, claim: str) -> str:
    """Words for the label, from the deciding triplet or sentence; ``read``: sentences were verified."""
    if found.conflicting:
        quotes = "; ".join(_place(j) for j in found.decisive[:2])
        return " ".join(filter(None, ("Sources disagree, so it is left open.", weighed.reason, quotes)))
    if found.edges:
        return _together(found, triplets)
    if found.label == "attributable":
        return _decided(found, triplets, otherwise=False)
    if found.label == "contradictory":
        first = found.decisive[0]
        told = first.altered or next((f.message for f in first.assessment.guard.findings), "")
        return " ".join(filter(None, (_decided(found, triplets, otherwise=True), told)))
    if found.lacking:
        return f"The sentence that comes nearest does not name {_listed(found.lacking)}."
    if weighed.reason:
        return weighed.reason
    if triplets:
        return _unsettled(triplets, claim)
    return f"No triplet of the graph {'settles' if read else 'speaks of'} this."


def _together(found: Labelled, triplets: Sequence[Triplet]) -> str:
    """The triplets that decide together, with what they say."""
    told = " and ".join(_said(t) for t in triplets if t.deciding)
    verb = "together say" if sum(t.deciding for t in triplets) > 1 else "says"
    if found.label == "contradictory":
        statement = found.reading.statement if found.reading else ""
        return f"{told} {verb}: “{statement}” One such case is enough to refute the claim."
    return f"{told} {verb} so: " + " ".join(f"“{t.sentence}”" for t in triplets if t.deciding)


def _unsettled(triplets: Sequence[Triplet], claim: str) -> str:
    """The nearest triplet, and the words of the claim that no triplet shown has."""
    lacking = unsaid(claim, [t.sentence for t in triplets])
    told = f" No triplet shown says {_listed(lacking)}." if lacking else ""
    return f"The nearest triplet, {_said(triplets[0])}, neither bears this out nor contradicts it.{told}"


def _listed(words: Sequence[str]) -> str:
    return ", ".join(repr(w) for w in words[:6])


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
