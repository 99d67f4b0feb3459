"""An annotated text for its page: pieces that lead to the claims they are part of."""

from __future__ import annotations

from collections import Counter
from urllib.parse import urlencode

from agent.attribution.types import Annotation, ClaimSpan, Triplet
from factdesk.annotation.render import Shown, pieces_of, shown_label, written
from factdesk.service.views.documents import text_address

LABELS: dict[Shown, tuple[str, str, str]] = {
    "attributable": ("good", "✓", "borne out"),
    "extrapolatory": ("open", "?", "left open"),
    "conflicting": ("warn", "⇄", "sources disagree"),
    "contradictory": ("bad", "✗", "contradicted"),
}
"""Style, symbol and words of a label."""


def annotation_values(annotation: Annotation, corpus: str) -> dict[str, object]:
    """What the template shows. ``corpus``: the stored one whose documents can be opened; ``""``: none."""
    numbers = {id(span): number for number, span in enumerate(annotation.spans, 1)}
    pieces = []
    for piece in pieces_of(annotation):
        first = next((s for s in piece.spans if shown_label(s) == piece.label), None)
        pieces.append(
            {"words": piece.words, "label": piece.label, "number": numbers[id(first)] if first is not None else 0}
        )
    counts = Counter(shown_label(span) for span in annotation.spans)
    return {
        "pieces": pieces,
        "claims": [_claim(span, number, corpus) for number, span in enumerate(annotation.spans, 1)],
        "counts": [(*LABELS[label], counts[label], label) for label in LABELS if counts[label]],
        "score": f"{annotation.kas_mean:.2f}",
        "note": annotation.note,
    }


def _claim(span: ClaimSpan, number: int, corpus: str) -> dict[str, object]:
    label = shown_label(span)
    tone, symbol, words = LABELS[label]
    return {
        "number": number,
        "label": label,
        "tone": tone,
        "symbol": symbol,
        "words": words,
        "text": span.text,
        "claim": span.claim,
        "rationale": span.rationale,
        "triplets": [_triplet(t, corpus) for t in span.triplets],
        "scores": f"TMS {span.tms:.2f} = SS {span.ss:.2f}, EPR {span.epr:.2f}; claim score {span.cs}",
        "proposed": span.proposed,
        "check": f"/?{urlencode({'claim': span.claim})}",
    }


def _triplet(triplet: Triplet, corpus: str) -> dict[str, object]:
    place = text_address(corpus, triplet.doc_id, triplet.start, triplet.end) if corpus else ""
    return {
        "written": written(triplet),
        "sentence": triplet.sentence,
        "source": ", ".join(part for part in (triplet.title or triplet.doc_id, triplet.published) if part),
        "address": place,
        "said_by": triplet.said_by or "",
    }
