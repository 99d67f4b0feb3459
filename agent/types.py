"""What other rooms may know of the agent: Claim IR, questions, pairs, proposals and progress."""

from __future__ import annotations

from datetime import date as Date
from typing import Literal

from evidence.types import Hit, Place, Span, SpanKind
from factdesk.kernel import Failure, Record
from trust.types import TrustReport
from verifier.types import Assessment, Label

ClaimType = Literal["quantity", "date", "quote", "event", "relation", "property", "image", "other"]
Route = Literal["text", "image", "graph"]
VeracityMethod = Literal["standard", "cot", "cove"]


ImageAspect = Literal["scene", "text", "file", "code"]
"""What of a picture a claim speaks of: what it depicts, when and where (``scene``); what stands written in it
(``text``); the data in its file (``file``); a QR or bar code (``code``)."""


SETTLED_BY: dict[ImageAspect, frozenset[SpanKind]] = {
    "scene": frozenset({"record"}),
    "text": frozenset({"ocr", "chart"}),
    "file": frozenset({"exif", "metadata", "credentials"}),
    "code": frozenset({"code"}),
}
"""Which spans may settle a claim about a picture."""


class Field(Record):
    """One normalised slot of a claim, with its place in the claim's own text."""

    role: Literal[
        "subject", "predicate", "object", "number", "date", "place", "person", "organisation", "unit", "other"
    ]
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
    """Place of its source in the input: ``input[start:end] == source``."""
    source: str
    type: ClaimType = "other"
    fields: tuple[Field, ...] = ()
    hedged: bool = False
    """"may", "reportedly", … stands in it."""
    attribution: str | None = None
    """Who is said to have said it ("X said that …"); the claim is then about the saying."""
    about_image: bool = False
    """The claim speaks of what the submitted image shows or says."""
    statement: str | None = None
    """What a claim about the image says the image states, without the frame ("the sign says that ...");
    compared with the image's readings in the place of ``text``. ``None``: ``text`` itself is."""
    evidence_candidates: tuple[str, ...] = ()
    """Queries that could find evidence."""
    image_aspect: ImageAspect | None = None
    """Set where ``about_image``; decides which spans may settle the claim
    (``report.policy.evidence_sides.admissible``)."""
    pictured_from: Date | None = None
    """First day of the time that the claim plainly gives the picture ("was taken in June 2024": the first of
    June). A picture published before that day cannot be it."""
    pictured_place: Place | None = None
    """The town that the claim plainly gives the picture, where the table of towns knows it."""
    unsupported_by_design: str | None = None
    """Why no document could ever support it (opinion, question, order, prediction), or ``None``."""


class ClaimIR(Record):
    """All atomic claims of one input; at most 12. ``trimmed`` says how many were cut."""

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


class Fit(Record):
    """How one statement answers a question."""

    claim_id: str
    question_coverage: float
    """Share of the question's telling words that it holds, 0 to 1."""
    answer_text: str | None
    """What it puts in the place of the question word; ``None``: nothing."""
    values: tuple[str, ...] = ()
    """The same, normalised, for amounts and dates: ``kind|value|unit``."""
    plan: bool = False
    """It speaks of what is planned or expected."""
    answers: bool
    """The slot is filled, the words are covered, and no name, amount or day of the question is missing."""


class ImageContext(Record):
    """What the submitted images show, by tools that read (RAGAR 4.1)."""

    text: str = ""
    """All text read from the images, lines joined by ``" / "``."""
    numbers: tuple[str, ...] = ()
    date: Date | None = None
    place: str | None = None
    device: str | None = None
    speaker: str | None = None
    """Who is quoted in the picture or posted it, by the words in it."""
    matters: bool = False
    """Whether the claim speaks of the image or shares names or numbers with it."""


CHECK = "check:"
"""What the purpose of a verification question (``cove``) begins with."""
RESOLVE = "resolve"
"""Kind of purpose of a question that takes a name for what its claim describes."""


def resolved_name(purpose: str) -> str | None:
    """The name that a question takes for what its claim describes; ``None`` for every other question."""
    kind, _, name = purpose.removeprefix(CHECK).partition(":")
    return name if kind == RESOLVE else None


class Question(Record):
    """One question of an investigation, for one atomic claim."""

    question_id: str = ""
    """Given by the graph that asks, with depth and branch (``agent.graphs.numbering``)."""
    claim_id: str
    text: str
    route: Route
    depth: int = 0
    """Step of the chain, round of the tree: from 0. Verification questions stand one below all others."""
    branch: int = 0
    """Number among the questions that were asked side by side, from 0."""
    purpose: str = ""
    """Why it is asked: the slot, bridge entity or gap."""


class Answer(Record):
    """An answer made of evidence sentences; ``found`` is ``False`` when there was none."""

    text: str
    span_ids: tuple[str, ...] = ()
    found: bool = True


class GroundedPart(Record):
    """A sentence of an answer, and what the verifier says of it by all sentences that the answer cites."""

    text: str
    assessment: Assessment


class Grounding(Record):
    """Whether the sentences that an answer cites entail it (``agent.assessment.grounding``)."""

    label: Label
    """``entailed``: each sentence of the answer is one that it cites, or is entailed by them."""
    score: float
    """Calibrated probability of ``label``; 1 where nothing had to be read."""
    parts: tuple[GroundedPart, ...] = ()
    """The sentences that are none of those it cites, word for word."""
    unread: int = 0
    """Sentences that were not put to the verifier; then the answer is taken for not supported."""

    @property
    def holds(self) -> bool:
        """Whether the answer is supported by what it cites."""
        return self.label == "entailed" and not self.unread

    @property
    def exact(self) -> bool:
        """Whether the answer is nothing but sentences that it cites."""
        return self.holds and not self.parts


class ReadSpan(Record):
    """A sentence, and what the verifier says of a statement by it."""

    span_id: str
    assessment: Assessment
    span: Span | None = None
    """Set where the sentence was not scored for the claim itself (its cap was reached)."""


class Reading(Record):
    """A statement as it was put to the verifier, with the sentences it was put to."""

    text: str
    spans: tuple[ReadSpan, ...]


class Bridge(Record):
    """The two statements a claim becomes when a question takes a name for what the claim describes."""

    question_id: str
    name: str
    first_hop: Reading
    """That the name is what the claim speaks of."""
    second_hop: Reading | None
    """What is left to find out; ``None``: not asked, since the first does not hold."""


class QAPair(Record):
    """A question-answer pair with its evidence and what verifier and trust said of it as it was gathered."""

    question: Question
    answer: Answer
    hits: tuple[Hit, ...] = ()
    """Spans that were scored for this question first."""
    cited: tuple[Span, ...] = ()
    """The spans that the answer cites, in its order."""
    grounding: Grounding | None = None
    """The answer against the spans it cites; ``None``: there is no answer."""
    label: Label = "not_enough_info"
    """Best label against the atomic claim of the spans it cites, new or not."""
    score: float = 0.0
    """Calibrated probability of that label."""
    trust: float | None = None
    """Least trust of the documents of these spans; ``None`` when trust is off, or nothing was cited."""
    kept: bool = True
    reason: str = ""
    bridge: Bridge | None = None
    """Set where label and score may come from a reading with a name in it (``agent.assessment.multihop``)."""

    @property
    def supported(self) -> bool:
        """Whether there is an answer, and what it cites supports it."""
        return self.answer.found and self.grounding is not None and self.grounding.holds


class ScoredSpan(Record):
    """A retrieved span with the verifier's assessment, for one atomic claim."""

    claim_id: str
    question_id: str
    hit: Hit
    assessment: Assessment


class BranchResult(Record):
    """What one branch of a tree brought: its question, what was found, and what did not work."""

    question: Question
    hits: tuple[Hit, ...]
    answer: Answer
    failures: tuple[Failure, ...] = ()


class SpanRelation(Record):
    """How one span bears on another, as the trust tool found it: above 0 supports, below 0 refutes."""

    source: str
    target: str
    weight: float


class TrustMemory(Record):
    """What the trust tool knows of a check so far, so that a stopped run goes on from there."""

    spans: tuple[Span, ...] = ()
    relations: tuple[SpanRelation, ...] = ()
    probed: tuple[str, ...] = ()
    established: tuple[str, ...] = ()
    strangers: tuple[str, ...] = ()


class JointSpans(Record):
    """Spans of one claim that were read together as one premise."""

    claim_id: str
    span_ids: tuple[str, ...]
    assessment: Assessment


class Proposal(Record):
    """What the reasoner believes (RAGAR): a proposal with an explanation. The policy decides."""

    label: Literal["supported", "refuted", "failed"]
    explanation: str
    method: VeracityMethod = "standard"


class Usage(Record):
    """What a language model took in one check. Seconds are left out: they differ from run to run."""

    calls: int = 0
    """Repairs included."""
    repairs: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    estimated: bool = False
    """Some counts were not reported by the model and are estimated from the length of the text."""


class Progress(Record):
    """One progress event, streamed while a check runs."""

    stage: Literal["intake", "image", "question", "answer", "verify", "trust", "decide", "done"]
    message: str
    claim_id: str | None = None
    depth: int | None = None


class Investigation(Record):
    """All that a finished graph hands to the report: revalidated there, since nodes are not."""

    claim_ir: ClaimIR
    image_context: ImageContext | None
    qa_pairs: tuple[QAPair, ...]
    scored: tuple[ScoredSpan, ...]
    joints: tuple[JointSpans, ...]
    trust: TrustReport | None
    """Trust of all documents retrieved; ``None`` when it is off or could not be worked out (see failures)."""
    passes: int
    """Forward passes of the verifier."""
    proposal: Proposal | None
    failures: tuple[Failure, ...]
    trimmed: tuple[str, ...]
    """In words: each cap that was reached."""
    usage: Usage | None = None
    """What the language model took; ``None`` where none was asked for."""
