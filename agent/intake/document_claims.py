"""The claims of a document: verifiable, self-contained, each with its exact place in the text.

The same rules as for a claim that is submitted, with three differences: pronouns look back two sentences and
no further, relative dates are set to days of the calendar by the document's own date, and what is left out
(questions, opinions, orders, open pronouns) is counted and not kept.
"""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING

from agent.intake.decompose import find_claims, write_claim
from agent.intake.input_text import read_blocks
from agent.types import AtomicClaim
from factdesk.kernel import Record
from language.dates.resolve import written_out

if TYPE_CHECKING:
    from spacy.language import Language

EXTRACTION_VERSION = "3"
"""Raised when the same document would give other claims, so that they are drawn anew."""
REACH = 2
"""Sentences a pronoun may look back."""
_NAMED = frozenset({"person", "organisation", "place", "number", "date"})
_SPEAKER = re.compile(r"\b(?:I|we|you|us|my|our|your|me|I['’]m|we['’]re|you['’]re)\b")
"""Who these are depends on who is speaking."""
LEAST_WORDS, MOST_TOKENS = 5, 60
MAX_CLAIMS = 60
"""Claims kept of one document: its first ones."""


class DocumentClaim(Record):
    """One claim of a document; ``document.text[start:end] == source``."""

    text: str
    """Self-contained: pronoun and relative dates filled in."""
    source: str
    start: int
    end: int


class DocumentClaims(Record):
    """Claims of a document in its order; ``dropped`` counts statements that are no claims for checking."""

    claims: tuple[DocumentClaim, ...]
    dropped: int
    trimmed: int
    """Past ``MAX_CLAIMS``."""


def claims_of_document(
    text: str, *, nlp: Language, published: date | None = None, max_claims: int = MAX_CLAIMS
) -> DocumentClaims:
    """Claims of a document's text. Deterministic; an empty text has none."""
    blocks = read_blocks(text)
    claims: list[DocumentClaim] = []
    dropped = trimmed = 0
    for block, resolved in find_claims(blocks, nlp, reach=REACH):
        if len(claims) >= max_claims:
            trimmed += 1
            continue
        claim = write_claim("c", block, resolved, text, nlp, MOST_TOKENS, has_image=False)
        if not _checkable(claim):
            dropped += 1
            continue
        claims.append(
            DocumentClaim(
                text=written_out(claim.text, published),
                source=claim.source,
                start=claim.start,
                end=claim.end,
            )
        )
    return DocumentClaims(claims=tuple(claims), dropped=dropped, trimmed=trimmed)


def _checkable(claim: AtomicClaim) -> bool:
    """Something that documents can settle, about somebody or something that is named or counted."""
    if claim.unsupported_by_design is not None or _SPEAKER.search(claim.text):
        return False
    words = [w for w in claim.text.split() if any(c.isalnum() for c in w)]
    return len(words) >= LEAST_WORDS and any(field.role in _NAMED for field in claim.fields)
