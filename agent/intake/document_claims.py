"""The checkable claims of a document, self-contained, each with its exact place in the text.

As for a submitted claim, but pronouns refer back two sentences at most, relative dates become days, and
what is not checkable is counted and dropped.
"""

from __future__ import annotations

from datetime import date

from agent.intake.claim_marks import write_claim
from agent.intake.decompose import find_claims
from agent.intake.input_text import read_blocks
from agent.intake.lexicon import EXPRESSIONS
from agent.types import AtomicClaim
from factdesk.kernel import Record
from language.dates.resolve import written_out

EXTRACTION_VERSION = "3"
"""Raised when the same document gives other claims; stored ones are then drawn anew."""
REACH = 2
"""Sentences a pronoun may refer back."""
_NAMED = frozenset({"person", "organisation", "place", "number", "date"})
LEAST_WORDS, MOST_TOKENS = 5, 60
MAX_CLAIMS = 60
"""Claims kept of one document: its first ones."""


class DocumentClaim(Record):
    """One claim of a document; ``document.text[start:end] == source``."""

    text: str
    """Self-contained: pronouns and relative dates resolved."""
    source: str
    start: int
    end: int


class DocumentClaims(Record):
    """Claims of a document in order; ``dropped`` counts statements that are not checkable."""

    claims: tuple[DocumentClaim, ...]
    dropped: int
    trimmed: int
    """Claims beyond ``MAX_CLAIMS``."""


def claims_of_document(text: str, *, published: date | None = None, max_claims: int = MAX_CLAIMS) -> DocumentClaims:
    """Claims of a document's text. Deterministic; an empty text has none."""
    blocks = read_blocks(text)
    claims: list[DocumentClaim] = []
    dropped = trimmed = 0
    for block, draft in find_claims(blocks, reach=REACH):
        if len(claims) >= max_claims:
            trimmed += 1
            continue
        claim = write_claim("c", block, draft, text, MOST_TOKENS, has_image=False)
        if not _checkable(claim):
            dropped += 1
            continue
        claims.append(DocumentClaim.taken_from(claim, text=written_out(claim.text, published)))
    return DocumentClaims(claims=tuple(claims), dropped=dropped, trimmed=trimmed)


def _checkable(claim: AtomicClaim) -> bool:
    """Whether documents can settle it, and it names or counts something."""
    if claim.unsupported_by_design is not None or EXPRESSIONS["speaker"].search(claim.text):
        return False
    words = [w for w in claim.text.split() if any(c.isalnum() for c in w)]
    return len(words) >= LEAST_WORDS and any(field.role in _NAMED for field in claim.fields)
