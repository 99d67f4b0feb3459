"""What other rooms may know of the verifier: scores, guard findings, thresholds and the port."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

from factdesk.kernel import Fingerprint, Record
from language.quantities.types import SlotKind

Label = Literal["entailed", "contradicted", "not_enough_info"]
FindingKind = Literal["conflict", "missing"]


LEAST_OVERLAP = 0.15
"""Share of the claim's telling words that evidence and its context must hold to support it."""
LEAST_TOLD = 0.2
"""Share of the claim's own words (names, amounts and dates aside) from which on a sentence without another
amount or date may refute it, and one with another may speak against it."""
LEAST_TOLD_SILENT = 0.5
"""The same for a sentence that says nothing of the claim's amounts."""
LEAST_SHARED = 0.3
"""The same for one whose other account need not be entailed at ``tau_entail`` to refute (``tau_mended``)."""
SURELY = 0.95
"""Probability of a refutation from which on the other account need only be likelier than not (``LEANS``), in
the claim's own words: what the sentence lacks of it (``is buying`` for ``bought``) is then a small matter."""
LEAST_NEAR = 0.5
"""Share of the claim's own words from which on a sentence is near the claim; no other certifies it."""
LEAST_STATED = 2
"""An amount or a date of the claim, and so many of its amounts, dates and names in all, are enough too."""
LEANS = 0.5
"""Probability from which on a score leans to one side."""
_POLARITY = frozenset({"negation", "direction"})
QUANTITIES = frozenset({"number", "unit", "money", "percentage", "date"})
"""Slots that hold an amount or a date."""


class NLIScores(Record):
    """Probabilities of the three NLI classes; they sum to 1."""

    entailment: float
    neutral: float
    contradiction: float


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

    structure: tuple[GuardFinding, ...] = ()
    """What keeps the premise from asserting the claim, by the parses of both
    (``verifier.guard.structure``); looked
    for where the premise may support."""
    apart: tuple[GuardFinding, ...] = ()
    """What keeps the premise from speaking against the claim: it tells of something else, and both may be so;
    looked for where the premise may contradict."""

    @property
    def agrees(self) -> bool:
        """Nothing conflicts, nothing is missing, and the premise asserts it."""
        return not self.findings and not self.structure

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
    """Calibrated probability that the premise refutes the claim (``verifier.counterfactual``); ``None``:
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

    def supports(self, thresholds: Thresholds) -> bool:
        """Calibrated entailment at ``tau_entail`` with the slot guard agreeing, on the claim's own matter.

        A sentence that is not ``near`` the claim is about something else, however sure the model is: it is
        often surest about texts unlike those it was trained on.
        """
        return self.calibrated.entailment >= thresholds.tau_entail and self.guard.agrees and self.near

    @property
    def near(self) -> bool:
        """It has enough of the claim's own words, and all its rare ones, to be about what the claim says: a
        shared name or number is no shared statement.
        """
        covered = not self.guard.uncovered and self.guard.overlap >= LEAST_OVERLAP
        stated = self.guard.matched > 0 and self.guard.matched + self.guard.named >= LEAST_STATED
        return covered and (stated or self.guard.premise_overlap >= LEAST_NEAR)

    def refutes(self, thresholds: Thresholds) -> bool:
        """It ``opposes`` the claim, and is about it.

        What asserts no more than what the claim denies certifies the opposite, and must be as ``near`` as
        support. Else it sets an amount or a date against the claim's, or has ``LEAST_TOLD`` of its own words.
        """
        findings = self.guard.findings
        if findings and all(f.slot == "negation" and f.claim_value for f in findings):
            about = self.near
        else:
            amount = any(f.kind == "conflict" and f.slot in QUANTITIES for f in findings)
            about = amount or self.guard.premise_overlap >= LEAST_TOLD
        return about and self.opposes(thresholds)

    def opposes(self, thresholds: Thresholds) -> bool:
        """Same subject, the mended claim entailed, and ``tau_refute`` reached or the claim stated otherwise.

        The limit is for the calibrated probability of a refutation; where that is not calibrated, for
        contradiction itself. With it the mended claim must be entailed at ``tau_entail``, or at
        ``tau_mended`` by a sentence with ``LEAST_SHARED`` of the claim's own words (``LEANS`` where the
        refutation is at ``SURELY``); a sentence that ``states_otherwise`` needs the mended claim alone, and
        so does one that ``says_the_opposite``, at ``tau_entail``. Where all that stands against the claim is
        a negation, both limits are ``tau_entail`` at least, and what was planned or feared denies nothing.
        """
        mended = self.counterfactual
        if mended is None or not self.guard.same_subject or (self.guard.denied and self.guard.premise_future):
            return False
        if self.guard.apart:
            return False
        known = mended.refutation
        limit, least = thresholds.tau_refute, thresholds.least_mended
        if self.guard.premise_overlap < LEAST_SHARED:
            least = thresholds.tau_entail
        elif thresholds.tau_mended is not None and known is not None and known >= max(SURELY, limit):
            least = min(least, LEANS)
        if self.guard.denied:
            limit, least = max(limit, thresholds.tau_entail), max(least, thresholds.tau_entail)
        strong = (self.calibrated.contradiction if known is None else known) >= limit
        if (strong or self.states_otherwise) and mended.entailment >= least:
            return True
        return self.says_the_opposite and mended.entailment >= max(least, thresholds.tau_entail)

    @property
    def states_otherwise(self) -> bool:
        """It names the claim's own value only to reject it, or it has the claim word for word but for the
        mended detail and does not lean towards it.
        """
        mended = self.counterfactual
        if mended is None or not self.guard.same_subject or self.guard.apart:
            return False
        return self.guard.value_rejected or (mended.literal and self.calibrated.entailment < LEANS)

    @property
    def says_the_opposite(self) -> bool:
        """It leans against the claim, and all that stands otherwise in it is an opposite word ("allowed" for
        "forbidden"), which it does not say of what is to come.

        How often such pairs of the development sets are contradictions: ``design/notebook/verifier.md``.
        """
        mended = self.counterfactual
        if (
            mended is None
            or mended.refutation is None
            or not self.guard.same_subject
            or self.guard.premise_future
        ):
            return False
        opposite = {(f.slot, f.kind) for f in self.guard.findings} == {("direction", "conflict")}
        return opposite and self.calibrated.contradiction >= LEANS

    def elsewhere(self, thresholds: Thresholds) -> bool:
        """It speaks of another matter than a claim with an amount or a date: its contradiction is none.

        That is so where it lacks an amount or a date of the claim, or gives another, and has hardly any of
        the claim's own words (``GuardReport.premise_overlap``). A denial, an opposite word, a rejected value,
        an amount with which the claim would be entailed, and a likely refutation are always on the matter.
        """
        guard, mended = self.guard, self.counterfactual
        if guard.apart:
            return True
        slots = {f.slot for f in guard.findings if f.slot in QUANTITIES}
        denied = any(f.slot in _POLARITY for f in guard.findings if f.kind == "conflict")
        if not slots or denied or guard.value_rejected or guard.count_differs:
            return False
        if mended is not None and guard.same_subject:
            likely = mended.refutation is not None and mended.refutation >= thresholds.tau_refute
            if likely or mended.entailment >= LEANS:
                return False
        silent = not guard.conflicts and bool(slots - {"date"})
        return guard.premise_overlap < (LEAST_TOLD_SILENT if silent else LEAST_TOLD)

    @property
    def against(self) -> float:
        """How surely it speaks against the claim: the refutation's probability where there is one; where it
        states the claim otherwise, how surely it says what it says instead.
        """
        mended = self.counterfactual
        known = (mended.refutation if mended is not None else None) or 0.0
        told = self.states_otherwise or self.says_the_opposite
        instead = mended.entailment if mended is not None and told else 0.0
        return max(known, instead, self.calibrated.contradiction)


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
