"""What a seeing language model says of the pictures: spans of kind ``caption``, marked as its words.

They are shown beside the other readings and are scored like them, but settle nothing
(``report.policy.evidence_sides``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from agent.tools.image import DESCRIBED
from evidence.types import ImageFinding, ImageRecord, Span
from factdesk.kernel import sha256_text

if TYPE_CHECKING:
    from agent.ports import Reasoner


def captions_of(
    reasoner: Reasoner, pictures: Sequence[ImageRecord]
) -> tuple[tuple[Span, ...], tuple[ImageFinding, ...]]:
    """Spans and findings, one a sentence; none for a reasoner that is not shown pictures."""
    from agent.reasoners.llm import LLMReasoner

    if not isinstance(reasoner, LLMReasoner):
        return (), ()
    spans: list[Span] = []
    findings: list[ImageFinding] = []
    who = reasoner.fingerprint.name.removeprefix("reasoner:")
    for number, record in enumerate(pictures):
        sentences = reasoner.describe(number)
        text = "\n".join(sentences)
        doc_id, digest, start = f"{DESCRIBED}{record.sha256[:16]}", sha256_text(text), 0
        for place, sentence in enumerate(sentences):
            spans.append(
                Span(
                    span_id=f"{doc_id}#0.{place}",
                    chunk_id=f"{doc_id}#0",
                    doc_id=doc_id,
                    doc_sha256=digest,
                    start=start,
                    end=start + len(sentence),
                    text=sentence,
                    kind="caption",
                    title=f"{record.name} as {who} describes it",
                )
            )
            findings.append(
                ImageFinding(
                    kind="caption",
                    text=f"The language model {who} says: {sentence}",
                    span_id=spans[-1].span_id,
                    image=record.sha256,
                )
            )
            start += len(sentence) + 1
    return tuple(spans), tuple(findings)
