"""Why a claim has its label, in plain words."""

from __future__ import annotations

from collections.abc import Sequence

from agent.attribution.spans import Located
from agent.attribution.types import NamedTriplet, Triplet
from evidence.types import Span
from factdesk.annotation.label_decision import Labelled
from factdesk.annotation.weighing import Weighing
from language.names import content_stems


def left_open(located: Located) -> str:
    """Why a claim is not verified at all, or ``""``."""
    if located.open_pronoun:
        return f"The text does not tell whom or what {located.open_pronoun!r} means."
    if located.claim.unsupported_by_design:
        return f"No document could settle this: {located.claim.unsupported_by_design.rstrip('.')}."
    return ""


def rationale(found: Labelled, triplets: Sequence[Triplet], weighed: Weighing, read: bool, claim: str) -> str:
    """Words for the label, from the deciding triplet or sentence; ``read``: sentences were verified."""
    if found.conflicting:
        quotes = "; ".join(_sentence(j.span) for j in found.decisive[:2])
        return _joined("Sources disagree, so it is left open.", weighed.reason, quotes)
    if found.edges:
        return _together(found, [t for t in triplets if t.deciding])
    if found.label == "attributable":
        return _decided(found, triplets, "so")
    if found.label == "contradictory":
        first = found.decisive[0]
        told = first.altered or next((f.message for f in first.assessment.guard.findings), "")
        return _joined(_decided(found, triplets, "otherwise"), told)
    if found.lacking:
        return f"The sentence that comes nearest does not name {_listed(found.lacking)}."
    if weighed.reason:
        return weighed.reason
    if not triplets:
        return f"No triplet of the graph {'settles' if read else 'speaks of'} this."
    lacking = _unsaid(claim, triplets)
    told = f"No triplet shown says {_listed(lacking)}." if lacking else ""
    return _joined(f"The nearest triplet, {written(triplets[0])}, neither bears this out nor contradicts it.", told)


def _together(found: Labelled, deciding: Sequence[Triplet]) -> str:
    """The triplets that decide together, with what they say."""
    told = " and ".join(written(t) for t in deciding)
    verb = "together say" if len(deciding) > 1 else "says"
    if found.label == "contradictory":
        statement = found.reading.statement if found.reading else ""
        return f"{told} {verb}: “{statement}” One such case is enough to refute the claim."
    return f"{told} {verb} so: " + " ".join(f"“{t.sentence}”" for t in deciding)


def _decided(found: Labelled, triplets: Sequence[Triplet], said: str) -> str:
    first = next((t for t in triplets if t.deciding), None)
    if first is None:
        return f"The corpus says {said}, in a sentence that gave no triplet: {_sentence(found.decisive[0].span)}."
    otherwise = ", which says otherwise" if said == "otherwise" else ""
    return f"The graph holds {written(first)}{otherwise}: {_quoted(first.sentence, first.title, first.published)}."


def _unsaid(claim: str, triplets: Sequence[Triplet]) -> tuple[str, ...]:
    """Telling words of a claim that the sentences of triplets lack, in order."""
    said = {s for t in triplets for s in content_stems(t.sentence)}
    words = [w.strip('.,;:!?()"“”') for w in claim.split()]
    return tuple(dict.fromkeys(w for w in words if content_stems(w) - said))


def written(triplet: NamedTriplet) -> str:
    """A triplet in brackets, with "not" where it is denied."""
    denied = "not " if isinstance(triplet, Triplet) and triplet.negated else ""
    return f"({triplet.subject}, {denied}{triplet.relation}, {triplet.object})"


def _listed(words: Sequence[str]) -> str:
    return ", ".join(repr(w) for w in words[:6])


def _joined(*parts: str) -> str:
    return " ".join(filter(None, parts))


def _sentence(span: Span) -> str:
    return _quoted(span.text, span.title, span.published.isoformat() if span.published else "")


def _quoted(sentence: str, *source: str) -> str:
    return f"“{sentence}” ({', '.join(filter(None, source))})"
