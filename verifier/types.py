"""What other rooms may know of the verifier: scores, guard findings, thresholds and the port."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

from factdesk.kernel import Fingerprint, Record
from language.types import SlotKind

Label = Literal["entailed", "contradicted", "not_enough_info"]
FindingKind = Literal["conflict", "missing"]


DENIALS = frozenset({"denial.statement", "denial.plain", "denial.reported"})
"""Ids of the rules on a premise that has the claim's own statement only to deny it."""
REPORTED = "assertion.reported"
"""Id of the rule on a premise that has the claim as what a source reports."""
WITHDRAWN = "assertion.withdrawn"
"""Id of the rule on a premise that tells what was said before and has been withdrawn."""
QUANTITIES = frozenset({"number", "unit", "money", "percentage", "date"})
"""Slots that hold an amount or a date."""


class NLIScores(Record):
    """Probabilities of the three NLI classes; they sum to 1."""

    entailment: float
    neutral: float
    contradiction: float

    @property
    def shares(self) -> tuple[float, float, float]:
        """Entailment, neutral and contradiction."""
        return self.entailment, self.neutral, self.contradiction


class GuardFinding(Record):
    """One slot of the claim that the evidence misses or states otherwise."""

    slot: SlotKind
    kind: FindingKind
    claim_value: str
    evidence_value: str = ""
    message: str
    """In words, for the reader."""
    rule: str = ""
    """Id of the rule that found it (docs/rules.md)."""


class GuardReport(Record):
    """The slot guard's opinion on one claim and one premise. It can prevent Verified; it never refutes."""

    findings: tuple[GuardFinding, ...] = ()
    same_subject: bool = True
    """Whether the premise speaks about the claim's subject; a refutation needs it."""
    matched: int = 0
    """How many numbers, amounts and dates of the claim the premise states too, not in a name ("type 2")."""
    named: int = 0
    """How many names of the claim premise or context have too."""
    overlap: float = 1.0
    """Share of the claim's telling words that premise and context hold, 0 to 1; 1 where nobody looked."""
    uncovered: tuple[str, ...] = ()
    """Rare words of the claim ("urease", "preeclampsia") that neither premise nor context has."""
    value_rejected: bool = False
    """The premise names a value or a name of the claim only to reject it ("312 jobs, not 340")."""
    premise_overlap: float = 1.0
    """Share of the claim's telling words (names, amounts and dates aside) in the premise alone, 0 to 1."""
    premise_future: bool = False
    """The premise says what is to come, the claim what is or was."""
    predates_claim: bool = False
    """The premise was published before the earliest time that the claim names."""
    count_differs: bool = False
    """The premise gives another number of the very thing that the claim counts."""
    worked_out: tuple[str, ...] = ()
    """How the premise's amounts give those of the claim that it does not state: "15 / 60 = 25 %"."""

    structure: tuple[GuardFinding, ...] = ()
    """What keeps the premise from asserting the claim, by the parses of both
    (``verifier.guard.structure``); looked
    for where the premise may support."""
    apart: tuple[GuardFinding, ...] = ()
    """What keeps the premise from speaking against the claim: it tells of something else, and both may be so;
    looked for where the premise may contradict."""
    unsettled: tuple[GuardFinding, ...] = ()
    """What keeps the premise from refuting the claim, though it may speak against it: it denies less, or asserts
    nothing; looked for where the premise may contradict."""

    @property
    def agrees(self) -> bool:
        """Nothing conflicts, nothing is missing, and the premise asserts it."""
        return not self.findings and not self.structure

    @property
    def rejected(self) -> bool:
        """The premise has the claim's own statement only to deny it."""
        return any(f.rule in DENIALS for f in (*self.findings, *self.structure))

    @property
    def reported(self) -> bool:
        """The premise has the claim as the word of a source that reports it, and has not taken it back: no support,
        and no refutation stands against it.
        """
        rules = {f.rule for f in self.structure}
        return REPORTED in rules and WITHDRAWN not in rules

    @property
    def conflicts(self) -> bool:
        """At least one slot is stated otherwise (not merely missing)."""
        return any(f.kind == "conflict" for f in self.findings)

    @property
    def denied(self) -> bool:
        """A negation is all that is stated otherwise."""
        return {f.slot for f in self.findings if f.kind == "conflict"} == {"negation"}


class Counterfactual(Record):
    """The claim with its conflicting slot set to what the evidence says, and whether that is entailed.

    When the mended claim is entailed and the original contradicted, the evidence speaks of the
    same fact and states it otherwise: the strictest ground for a refutation.
    """

    claim: str
    entailment: float
    """Calibrated probability that the premise entails the mended claim."""
    refutation: float | None = None
    """Calibrated probability that the premise refutes the claim (``verifier.calibration.regressions``); ``None``:
    not calibrated."""
    literal: bool = False
    """The premise has the mended claim word for word."""


class Assessment(Record):
    """One premise against one claim: raw and calibrated probabilities, the guard, the counterfactual."""

    raw: NLIScores
    calibrated: NLIScores
    guard: GuardReport
    counterfactual: Counterfactual | None = None
    """Best of the mended claims; ``None`` where nothing conflicts or the model sees no contradiction."""
    passes: int = 1
    """Forward passes of the model that were needed; they count against the cap on pairs."""


class PairText(Record):
    """What is read: ``premise`` is evidence; ``context`` (title, sentence before) names its subject."""

    claim: str
    premise: str
    context: str = ""
    published: str = ""
    """ISO day of publication, or ``""``: dates a premise that states no date of its own."""


class Thresholds(Record):
    """The policy's thresholds on calibrated probabilities, each in 0 to 1."""

    tau_entail: float = 0.85
    """Certifies support."""
    tau_contradict: float = 0.70
    """Prevents Verified."""
    tau_refute: float = 0.90
    """Certifies a refutation."""
    tau_mended: float | None = None
    """Least entailment of what the source says instead, for a refutation in the claim's own words; ``None``,
    and in other words: ``tau_entail``."""
    tau_trust: float = 0.40
    """Least trust of a document that may decide; an unconnected document stands at 0.50."""
    min_independent: int = 1
    """Least number of independent supporting sources."""
    min_unrated: int = 1
    """The same where none of them is a source that the desk has rated."""
    calibration_sha256: str | None = None
    """Hash of the calibration the thresholds were derived from; ``None``: not calibrated."""

    @property
    def least_mended(self) -> float:
        """The limit on the mended claim that holds."""
        return self.tau_entail if self.tau_mended is None else self.tau_mended


class Verifier(Protocol):
    """Scores premises against claims. Deterministic; scores do not depend on batch mates."""

    @property
    def fingerprint(self) -> Fingerprint: ...

    @property
    def can_contradict(self) -> bool:
        """Whether the model has a contradiction class."""
        ...

    @property
    def thresholds(self) -> Thresholds:
        """The thresholds that belong to this model's calibration."""
        ...

    def assess(self, pairs: Sequence[PairText], *, contested_from: float = 0.0) -> tuple[Assessment, ...]:
        """One assessment a pair, in order. Raises ``BackendUnavailable`` when the model cannot run.

        ``contested_from``: calibrated contradiction, 0 to 1, below which nobody asks for a mended claim, so
        that none is scored; where the verifier itself asks for more, that holds.
        """
        ...
