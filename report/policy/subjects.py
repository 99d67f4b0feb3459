"""Whether a page speaks of the claim's subject, by the names in what was found of it."""

from __future__ import annotations

from collections.abc import Iterable

from evidence.types import Span
from language.names import Name, name_in, share_a_name, telling_names
from report.types import ClaimRecord, SpanRecord

OTHER_SUBJECT = "difference.subject"
"""The guard's rule by which a sentence tells of something else than the claim."""


def on_other_pages(record: ClaimRecord) -> frozenset[str]:
    """Ids of spans on pages that are about something else: they have names, and none of the claim's in all that was
    found there, nor one that stands beside a name of the claim elsewhere. Nothing there says it of the claim's
    subject, as nothing there could support it.
    """
    texts = [s for s in record.spans if s.span.kind == "text"]
    if record.claim.about_image or not telling_names(record.claim.text):
        return frozenset()
    pages: dict[str, list[str]] = {}
    for s in texts:
        pages.setdefault(s.span.doc_id, []).append(_around(s.span))
    beside = names_beside(record.claim.text, record)
    others = {
        doc_id
        for doc_id, parts in pages.items()
        if not share_a_name(record.claim.text, " | ".join(parts)) and not _any_in(beside, " | ".join(parts))
    }
    return frozenset(s.span.span_id for s in texts if s.span.doc_id in others)


def heard(found: SpanRecord, record: ClaimRecord) -> SpanRecord:
    """The span, without the guard's finding that it tells of another subject where that one's name stands beside the
    name of the claim's subject on some page: the two may be one ("Oster Roastery, which runs the Pellico cafes").
    """
    guard = found.assessment.guard
    told = [f for f in guard.apart if f.rule == OTHER_SUBJECT]
    if not any(_any_in(names_beside(f.claim_value, record), f.evidence_value) for f in told):
        return found
    kept = guard.model_copy(update={"apart": tuple(f for f in guard.apart if f.rule != OTHER_SUBJECT)})
    return found.model_copy(update={"assessment": found.assessment.model_copy(update={"guard": kept})})


def names_beside(subject: str, record: ClaimRecord) -> tuple[Name, ...]:
    """Names other than the claim's that stand in one sentence with a name of ``subject``, or the sentence before."""
    own = telling_names(subject)
    found: dict[str, Name] = {}
    for s in record.spans:
        near = f"{s.span.context} | {s.span.text}"
        if s.span.kind == "text" and any(name_in(name, near) for name in own):
            found |= {n.text: n for n in telling_names(near) if not name_in(n, record.claim.text)}
    return tuple(found.values())


def _around(span: Span) -> str:
    return " | ".join(part for part in (span.title, span.lead, span.context, span.text) if part)


def _any_in(names: Iterable[Name], text: str) -> bool:
    return any(name_in(name, text) for name in names)
