"""What other rooms may know of the agent: Claim IR, questions, pairs, proposals and progress."""

from __future__ import annotations

from datetime import date as Date
from typing import Literal

from pydantic import Field as PydanticField

from evidence.types import Hit, Place, Span, SpanKind
from factdesk.kernel import Failure, Record
from trust.types import TrustReport
from verifier.types import Assessment, Label

ClaimType = Literal["quantity", "date", "quote", "event", "relation", "property", "image", "other"]
Route = Literal["text", "image", "graph"]
VeracityMethod = Literal["standard", "cot", "cove"]


ImageAspect = Literal["scene", "text", "file", "code"]
"""What of a picture a claim is about: ``scene`` (what, when, where), ``text``, ``file`` (its data),
``code`` (QR or bar).
"""


LEFT_OUT = "left_out"
"""Kind of a failure: a cap left out what may tell more than some of what was read, and nothing is certified."""
SETTLED_BY: dict[ImageAspect, frozenset[SpanKind]] = {
    "scene": frozenset({"record"}),
    "text": frozenset({"ocr", "chart"}),
    "file": frozenset({"exif", "metadata", "credentials"}),
    "code": frozenset({"code"}),
}
"""Kinds of spans that may settle a claim about a picture."""


FieldRole = Literal[
    "subject", "predicate", "object", "number", "date", "place", "person", "organisation", "unit", "other"
]


class Field(Record):
    """One normalised slot of a claim, with its place in the claim's own text."""

    role: FieldRole
    text: str
    value: str
    """Normalised: ``"3.5"``, ``"2019-09"``, ``"percent"``; for names the text itself."""
    start: int
    end: int


class AtomicClaim(Record):
    """One fact to be checked (Claim IR). Has a versioned JSON Schema, ``factdesk.claim-ir/1``."""

    claim_id: str
    """``"c1"``, ``"c2"``, … in the order of the input."""
    text: str
    """Self-contained sentence that is verified."""
    start: int
    end: int
    """``input[start:end] == source``."""
    source: str
    type: ClaimType = "other"
    fields: tuple[Field, ...] = ()
    hedged: bool = False
    """It holds "may", "reportedly", …"""
    attribution: str | None = None
    """The speaker in "X said that …"; the claim is then about the saying."""
    about_image: bool = False
    """The claim is about the submitted image."""
    statement: str | None = None
    """The statement in a claim about the image, without its frame ("the sign says that ...").

    Compared with the readings instead of ``text``; ``None``: ``text`` is.
    """
    evidence_candidates: tuple[str, ...] = ()
    """Queries for evidence."""
    image_aspect: ImageAspect | None = None
    """Set where ``about_image``; decides which spans are admissible.

    See ``report.policy.evidence_sides.admissible``.
    """
    pictured_from: Date | None = None
    """First day of the time that the claim gives the picture; earlier pictures cannot be it."""
    pictured_place: Place | None = None
    """The town that the claim gives the picture, if the table of towns has it."""
    unsupported_by_design: str | None = None
    """Why no document could support it (opinion, question, order, prediction), or ``None``."""


class ClaimIR(Record):
    """All atomic claims of one input, at most 12; ``trimmed`` counts those cut."""

    schema_version: str
    input_text: str
    claims: tuple[AtomicClaim, ...]
    trimmed: int = 0


WantedKind = Literal["amount", "money", "share", "date", "person", "place", "cause", "yes_no", "any"]


class Asks(Record):
    """What a question asks for (``agent.assessment.answer_type``)."""

    kind: WantedKind
    terms: tuple[str, ...]
    """Stems of its telling words."""
    names: tuple[str, ...] = ()
    counted: str = ""
    """Stem of what is counted ("how many turbines"), or ``""``."""
    units: tuple[str, ...] = ()
    """Of a measure ("how deep"): the units of ``language.quantities`` that it may have; empty: any."""
    cue: str = ""
    """Pattern of the words that say of an amount that it is this measure."""


class Fit(Record):
    """How one statement answers a question."""

    claim_id: str
    question_coverage: float
    """Share of the question's telling words that it holds, 0 to 1."""
    answer_text: str | None
    """Its value for the question word; ``None``: nothing."""
    values: tuple[str, ...] = ()
    """``answer_text`` normalised, for amounts and dates: ``kind|value|unit``."""
    plan: bool = False
    """It is about something planned or expected."""
    answers: bool
    """The slot is filled, the words are covered, and nothing named in the question is missing."""


class ImageContext(Record):
    """What the submitted images show, by tools that read (RAGAR 4.1)."""

    text: str = ""
    """All text read from the images, lines joined by ``" / "``."""
    numbers: tuple[str, ...] = ()
    date: Date | None = None
    place: str | None = None
    device: str | None = None
    speaker: str | None = None
    """Who is quoted in the picture or posted it."""
    matters: bool = False
    """The claim is about the image or shares names or numbers with it."""
    description: str = PydanticField(default="", exclude_if=lambda value: not value)
    """What a language model that was shown the images says of them; it goes to that model alone."""


CHECK = "check:"
"""Prefix of the purpose of a verification question (``cove``)."""
RESOLVE = "resolve"
"""Kind of purpose of a question that resolves a description to a name."""


def resolved_name(purpose: str) -> str | None:
    """The name that a question resolves a description to; ``None`` for other questions."""
    kind, _, name = purpose.removeprefix(CHECK).partition(":")
    return name if kind == RESOLVE else None


class Question(Record):
    """One question of an investigation, for one atomic claim."""

    question_id: str = ""
    """Given by the graph, with depth and branch (``agent.graphs.nodes``)."""
    claim_id: str
    text: str
    route: Route
    depth: int = 0
    """Step of the chain or round of the tree, from 0; verification questions are one deeper."""
    branch: int = 0
    """Number among parallel questions, from 0."""
    purpose: str = ""
    """The slot, bridge entity or gap it asks for."""


class Answer(Record):
    """An answer made of evidence sentences; ``found`` is ``False`` if there is none."""

    text: str
    span_ids: tuple[str, ...] = ()
    found: bool = True


class GroundedPart(Record):
    """A sentence of an answer, with its assessment by all cited sentences."""

    text: str
    assessment: Assessment


class Grounding(Record):
    """Whether an answer is entailed by the sentences it cites (``agent.assessment.nli_pairs``)."""

    label: Label
    """``entailed``: each sentence is cited word for word or entailed by those cited."""
    score: float
    """Calibrated probability of ``label``; 1 for verbatim answers."""
    parts: tuple[GroundedPart, ...] = ()
    """The sentences that are not cited word for word."""
    unread: int = 0
    """Sentences that were not scored; the answer then counts as not supported."""

    @property
    def holds(self) -> bool:
        """Whether the answer is supported by its citations."""
        return self.label == "entailed" and not self.unread

    @property
    def exact(self) -> bool:
        """Whether the answer consists of cited sentences only."""
        return self.holds and not self.parts


class ReadSpan(Record):
    """A sentence with its assessment for a statement."""

    span_id: str
    assessment: Assessment
    span: Span | None = None
    """Set where the sentence was not scored for the claim itself."""


class Reading(Record):
    """A statement with the sentences it was scored with."""

    text: str
    spans: tuple[ReadSpan, ...]


class Bridge(Record):
    """The two statements of a claim whose description a question resolves to a name."""

    question_id: str
    name: str
    first_hop: Reading
    """That the name is what the claim describes."""
    second_hop: Reading | None
    """The rest of the claim; ``None``: not scored, since the first does not hold."""


class QAPair(Record):
    """A question-answer pair with its evidence and results."""

    question: Question
    answer: Answer
    hits: tuple[Hit, ...] = ()
    """Spans first scored for this question."""
    cited: tuple[Span, ...] = ()
    """The spans that the answer cites, in its order."""
    grounding: Grounding | None = None
    """The answer against its citations; ``None``: no answer."""
    label: Label = "not_enough_info"
    """Best label of the cited spans for the atomic claim."""
    score: float = 0.0
    """Calibrated probability of that label."""
    trust: float | None = None
    """Least trust of the cited documents; ``None``: trust is off or nothing is cited."""
    kept: bool = True
    reason: str = ""
    bridge: Bridge | None = None
    """Set for a resolved description (``agent.assessment.nli_pairs``)."""

    @property
    def supported(self) -> bool:
        """Whether there is an answer that its citations support."""
        return self.answer.found and self.grounding is not None and self.grounding.holds


class ScoredSpan(Record):
    """A retrieved span with the verifier's assessment, for one atomic claim."""

    claim_id: str
    question_id: str
    hit: Hit
    assessment: Assessment


class BranchResult(Record):
    """What one branch gave: its question, what was found, and its failures."""

    question: Question
    hits: tuple[Hit, ...]
    answer: Answer
    failures: tuple[Failure, ...] = ()

    @property
    def trouble(self) -> str:
        """What failed first, or ``""``."""
        return self.failures[0].message if self.failures else ""


class SpanRelation(Record):
    """A relation between two spans; above 0 supports, below 0 refutes."""

    source: str
    target: str
    weight: float
    known: bool = False
    """The ranking of the whole corpus pointed to it."""


class TrustMemory(Record):
    """State of the trust tool, for a resumed run."""

    spans: tuple[Span, ...] = ()
    relations: tuple[SpanRelation, ...] = ()
    probed: tuple[str, ...] = ()
    established: tuple[str, ...] = ()
    strangers: tuple[str, ...] = ()
    sides: tuple[tuple[str, str], ...] = ()
    """Side of a claim, and a document on it."""


class JointSpans(Record):
    """Spans of one claim that were read together as one premise."""

    claim_id: str
    span_ids: tuple[str, ...]
    assessment: Assessment


class Proposal(Record):
    """The reasoner's view (RAGAR) with an explanation; the policy decides."""

    label: Literal["supported", "refuted", "failed"]
    explanation: str
    method: VeracityMethod = "standard"


class Usage(Record):
    """Usage of a language model in one check, without times."""

    calls: int = 0
    """Repairs included."""
    repairs: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    estimated: bool = False
    """Some counts are estimated from the length of the text."""


class Progress(Record):
    """One progress event, streamed while a check runs."""

    stage: Literal["intake", "image", "question", "answer", "verify", "trust", "decide", "done"]
    message: str
    claim_id: str | None = None
    depth: int | None = None


class Investigation(Record):
    """The result of a finished graph, revalidated for the report."""

    claim_ir: ClaimIR
    image_context: ImageContext | None = None
    qa_pairs: tuple[QAPair, ...] = ()
    scored: tuple[ScoredSpan, ...] = ()
    joints: tuple[JointSpans, ...] = ()
    trust: TrustReport | None = None
    """Trust of all documents retrieved; ``None``: off, or it failed."""
    passes: int = 0
    """Forward passes of the verifier."""
    proposal: Proposal | None = None
    failures: tuple[Failure, ...] = ()
    trimmed: tuple[str, ...] = ()
    """Each cap that was reached, in words."""
    usage: Usage | None = None
    """Usage of the language model, if there is one."""
