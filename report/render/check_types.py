"""The public JSON of ``check`` and ``ask``: ``factdesk.check/1``, ``factdesk.answer/1`` (``docs/schemas``)."""

from __future__ import annotations

from typing import Literal

from agent.types import ImageContext, Proposal, Route
from evidence.types import Box, ClipStatus, FindingKind, Match
from factdesk.kernel import Caps, Failure, Record
from report.types import Mode, State, Verdict
from verifier.types import Label, Thresholds


class EvidenceJson(Record):
    """One evidence sentence: the exact substring ``start:end`` (code points) of its document."""

    doc_id: str
    span_id: str
    start: int
    end: int
    text: str
    locator: str
    """Page, row or time in the file; ``""`` where none is known."""
    url: str | None
    published: str | None
    """ISO date, or ``None`` for an undated document."""
    trust: float | None
    """0 to 1; ``None`` when trust was off."""
    label: Label
    """The likeliest label of this sentence alone against the claim."""
    score: float
    """Calibrated probability of ``label``, 0 to 1."""
    sufficient: bool
    """Member of the minimal sufficient set."""


class ClaimJson(Record):
    """One atomic claim, whatever its state; ``evidence`` has the deciding sentences first."""

    claim_id: str
    text: str
    """Empty for a drafted statement that strict mode does not show."""
    state: State
    label: Label
    score: float
    rule: str
    reason: str
    evidence: tuple[EvidenceJson, ...]


class QuoteJson(Record):
    """A sentence that an answer cites: the exact text of a stored span."""

    span_id: str
    doc_id: str
    text: str
    label: Label | None
    """For the claim; ``None``: it was not scored."""
    score: float | None
    trust: float | None


class QAPairJson(Record):
    """One question of the trail with its answer and the three results of the pair."""

    question: str
    """In strict mode its kind, in fixed words."""
    answer: str | None
    """As the reasoner gave it; in strict mode only where it is, word for word, one stored sentence."""
    quotes: tuple[QuoteJson, ...]
    """The sentences that it cites."""
    route: Route
    depth: int
    branch: int
    """Number among the questions that were asked side by side, from 0."""
    span_ids: tuple[str, ...]
    grounding: Label | None
    """The answer by the sentences it cites; ``None``: there is no answer."""
    grounding_score: float | None
    supported: bool | None
    """``False``: the answer is not supported by what it cites, and fed nothing."""
    label: Label
    """Of the sentences it cites, for the claim."""
    score: float
    trust: float | None
    """Least trust of their documents."""
    kept: bool
    """``False``: discarded by the tree's elimination; what was scored for it counts all the same."""
    reason: str
    """Why it was kept, discarded or brought nothing."""


class ShownJson(Record):
    """A claim that the mode shows as part of the answer."""

    claim_id: str
    text: str
    state: State


class FindingJson(Record):
    """Something found in or about a submitted image. ``deciding``: a certified decision rests on it."""

    image: str
    """Name of the submitted image."""
    kind: FindingKind
    text: str
    region: Box | None
    """In pixels of the upright picture."""
    confidence: float | None
    deciding: bool


class EarlierUseJson(Record):
    """A known image that the submitted one equals or resembles."""

    image: str
    published: str | None
    source: str | None
    caption: str
    url: str | None
    distance: int
    """Bits of 64 in which the nearer perceptual hash differs."""
    similarity: float
    agreeing: int
    """Local features that agree on where the known picture lies."""
    match: Match
    place: Box | None
    """Where it lies in the submitted picture."""
    overlaid: tuple[Box, ...]
    """Bars, letters and watermarks laid over it."""
    mirrored: bool
    origin: Literal["index", "web"]


class CapsJson(Record):
    """The upper bounds of the check, and in words each one that was reached."""

    limits: Caps
    trimmed: tuple[str, ...]


class CheckResult(Record):
    """All of ``factdesk check --json``."""

    schema_version: Literal["factdesk.check/1"] = "factdesk.check/1"
    doubt: str = ""
    """Why the certificate does not count (unsigned, unknown key): no claim is verified then."""
    verdict: Verdict
    claims: tuple[ClaimJson, ...]
    qa_pairs: tuple[QAPairJson, ...]
    shown: tuple[ShownJson, ...]
    certificate_id: str
    body_sha256: str
    failures: tuple[Failure, ...]
    caps: CapsJson
    mode: Mode
    proposal: Proposal | None
    image_context: ImageContext | None
    thresholds: Thresholds
    image_findings: tuple[FindingJson, ...] = ()
    earlier_uses: tuple[EarlierUseJson, ...] = ()
    clip: ClipStatus = ClipStatus(available=False, reason="CLIP not available")


class SourceJson(Record):
    """A document that an answer rests on, with the sentence."""

    doc_id: str
    publisher: str | None
    url: str | None
    published: str | None
    """ISO date, or ``None`` for an undated document."""
    text: str


class AnswerJson(Record):
    """One verified statement of the answer."""

    claim_id: str
    text: str
    answer_text: str | None
    """What it puts in the place of the question word."""
    question_coverage: float
    """Share of the question's telling words that it holds, 0 to 1."""
    score: float
    """Calibrated probability that it is entailed, 0 to 1."""
    independent: int
    """Independent sources that support it."""
    according_to: str | None
    """The one source it rests on, as whose word it is to be told; ``None``: several."""
    sources: tuple[SourceJson, ...]
    """The minimal sufficient evidence."""


class AnswerResult(Record):
    """All of ``factdesk ask --json``."""

    schema_version: Literal["factdesk.answer/1"] = "factdesk.answer/1"
    question: str
    answered: bool
    answer: tuple[AnswerJson, ...]
    """Best first; empty where nothing that answers could be verified."""
    why_not: str
    """Why there is no answer, in words; empty where there is one."""
    certificate_id: str
    body_sha256: str
    check: CheckResult
    """The check of the whole draft: every statement with its state, reason and evidence."""
