"""Claim spans of a text of any length: exact substrings, disjoint where the words allow it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from agent.attribution.decomposition import finer_parts
from agent.intake.claim_marks import write_claim
from agent.intake.decompose import find_claims
from agent.intake.input_text import check_text, read_blocks
from agent.types import AtomicClaim
from evidence.segmentation.spans import sentence_ranges
from factdesk.kernel import InputError

MAX_CHARACTERS = 18_000
"""Characters of one piece."""
REACH = 2
"""Sentences that "it" or "they" may refer back."""
MAX_TOKENS = 60
"""Tokens of one claim."""
_BREAK = re.compile(r"\n[ \t]*\n")
_LINK = re.compile(r"(?:[\s,;:–—-]|\b(?:and|but|or|while|whereas|which|who|that)\b)+\Z")
_LEAST_WORDS = 3


@dataclass(frozen=True)
class Located:
    """A claim with its place in the whole text."""

    start: int
    end: int
    claim: AtomicClaim
    """The claim, with pronouns resolved."""
    open_pronoun: str = ""
    """The pronoun that could not be resolved, or ``""``."""


def claim_spans(text: str) -> tuple[Located, ...]:
    """All claims of a text, in order, each at ``text[start:end]``.

    Longer texts are cut between paragraphs or sentences; pronouns do not cross a cut. Raises
    ``InputError`` for a text without words.
    """
    if not any(c.isalnum() for c in text):
        raise InputError("the text has no words; give a text with statements")
    found: list[Located] = []
    for start, end in _pieces(text):
        found += _apart(list(_claims(text[start:end], start)), text)
    return tuple(_numbered(one, number, text) for number, one in enumerate(found, 1))


def _numbered(one: Located, number: int, text: str) -> Located:
    """With a number and a place of its own in the whole text."""
    place = {"claim_id": f"c{number}", "start": one.start, "end": one.end, "source": text[one.start : one.end]}
    return replace(one, claim=one.claim.model_copy(update=place))


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """Parts of a text within the limit that have words: cut after a paragraph, else after a sentence."""
    start = 0
    while start < len(text):
        end = min(len(text), start + MAX_CHARACTERS)
        if end < len(text):
            paragraphs = [m.end() for m in _BREAK.finditer(text, start, end)]
            sentences = [last for _, last in sentence_ranges(text, start, end)][:-1]
            end = max((paragraphs or sentences)[-1:], default=end)
        if any(c.isalnum() for c in text[start:end]):
            yield start, end
        start = end


def _claims(piece: str, offset: int) -> Iterator[Located]:
    """The claims of a piece that stands at ``offset`` of the whole text."""
    check_text(piece)
    found = find_claims(read_blocks(piece), reach=REACH, running=True, finer=finer_parts)
    for number, (block, draft) in enumerate(found, start=1):
        claim = write_claim(f"c{number}", block, draft, piece, MAX_TOKENS, has_image=False)
        pronoun = (draft.open_pronoun or "").lower()
        yield Located(claim.start + offset, claim.end + offset, claim, pronoun)


def _apart(found: list[Located], text: str) -> list[Located]:
    """Overlapping spans cut: the first keeps the words before the next, if enough are left."""
    ordered = sorted(found, key=lambda c: (c.start, c.end))
    kept = []
    for number, one in enumerate(ordered):
        following = next((o for o in ordered[number + 1 :] if o.start > one.start), None)
        if following is not None and following.start < one.end:
            head = _LINK.sub("", text[one.start : following.start])
            if len(head.split()) >= _LEAST_WORDS:
                one = replace(one, end=one.start + len(head))
        kept.append(one)
    return kept
