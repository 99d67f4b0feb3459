"""What all branches of a round found is verified together, in the order sent.

Runs stay deterministic so, and a sentence that several branches found is scored once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from langgraph.runtime import Runtime

from agent.assessment.nli_pairs import pair_of
from agent.graphs.nodes import RECOVERABLE, failure_of, say
from agent.graphs.qa_pairs import ANSWERS_SHARE, complete, failed_pair, passes_of, select_new, spent_on, unread_answer
from agent.graphs.state import Deps, InvestigationState, Update
from agent.types import CHECK, AtomicClaim, BranchResult, QAPair, ScoredSpan, TrustMemory
from evidence.types import Hit
from factdesk.kernel import Caps, Failure
from trust.types import TrustReport

CHECK_ROOM = 4
"""Spans per claim that an investigation leaves to the verification questions of ``cove``."""


@dataclass
class Tally:
    """What a round gives and costs, from claim to claim; ``known`` and ``before``: from earlier rounds."""

    runtime: Runtime[Deps]
    caps: Caps
    known: list[ScoredSpan]
    before: int
    """Forward passes used by earlier rounds, of them ``on_answers`` to read answers."""
    on_answers: int
    trust: TrustReport | None
    memory: TrustMemory | None = None
    passes: int = 0
    scored: list[ScoredSpan] = field(default_factory=list)
    pairs: list[QAPair] = field(default_factory=list)
    trimmed: list[str] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)

    @property
    def left(self) -> int:
        """Forward passes that are left."""
        return self.caps.max_pairs - self.before - self.passes

    def add(self, claim: AtomicClaim, results: Sequence[BranchResult]) -> None:
        """Score what the branches of a claim found, relate the documents, and complete the pairs."""
        for result in results:
            found = result.answer
            told = f"answered from {len(found.span_ids)} sentence(s)" if found.found else "no answer found"
            say(self.runtime, "answer", told, claim, result.question.depth)
            self.failures += result.failures
        known = [s for s in self.known if s.claim_id == claim.claim_id]
        fresh = self._scored(claim, results, known)
        say(self.runtime, "verify", f"{len(fresh)} new sentence(s) scored", claim, results[0].question.depth)
        self.scored += fresh
        known += fresh
        if fresh:
            self._weigh_trust(claim, known)
        for result in results:
            self._complete(claim, result, known)

    def _scored(
        self, claim: AtomicClaim, results: Sequence[BranchResult], known: Sequence[ScoredSpan]
    ) -> list[ScoredSpan]:
        """New spans of all branches in turn, so that a cap is shared evenly; scored once."""
        found: dict[str, tuple[Hit, str]] = {}
        for row in zip_longest(*([(hit, r.question.question_id) for hit in r.hits] for r in results)):
            for hit, asked_by in filter(None, row):
                found.setdefault(hit.span.span_id, (hit, asked_by))
        new, trimmed, failure = select_new(claim, [hit for hit, _ in found.values()], known, self.caps, self.left)
        try:
            assessed = self.runtime.context.verifier.assess([pair_of(claim, h.span) for h in new]) if new else ()
        except RECOVERABLE as error:
            self.failures.append(failure_of("verifier.assess", error, claim))
            return []
        self.trimmed += trimmed
        self.failures += [failure] if failure is not None else []
        self.passes += sum(a.passes for a in assessed)
        return [
            ScoredSpan(claim_id=claim.claim_id, question_id=found[h.span.span_id][1], hit=h, assessment=a)
            for h, a in zip(new, assessed, strict=True)
        ]

    def _weigh_trust(self, claim: AtomicClaim, known: Sequence[ScoredSpan]) -> None:
        """Trust of the documents behind the claim's spans; after a failure the former report stays."""
        tool = self.runtime.context.trust
        if tool is None:
            return
        try:
            outcome = tool.update(claim, known, budget=self.left)
        except RECOVERABLE as error:
            self.failures.append(failure_of("trust.update", error, claim))
            return
        self.trust, self.memory = outcome.report, tool.memory()
        self.passes += outcome.passes
        self.failures += [outcome.failure] if outcome.failure is not None else []

    def _complete(self, claim: AtomicClaim, result: BranchResult, known: Sequence[ScoredSpan]) -> None:
        """The pair of one branch, with its results."""
        deps = self.runtime.context
        room = deps.caps.max_pairs // ANSWERS_SHARE - self.on_answers - spent_on(self.pairs)
        try:
            pair = complete(deps, claim, result, known, self.trust, left=self.left, for_answers=room)
        except RECOVERABLE as error:
            self.failures.append(failure_of("verifier.assess", error, claim))
            self.pairs.append(failed_pair(result))
            return
        self.passes += passes_of(pair)
        self.trimmed += unread_answer(deps, pair)
        self.pairs.append(pair)


def weigh(state: InvestigationState, runtime: Runtime[Deps]) -> Update:
    """Verify the sentences and answers of all branches, and relate their documents; pairs become ``drafts``."""
    deps, results = runtime.context, state.get("branches", ())
    caps, cove = deps.caps, deps.veracity == "cove"
    if cove and not any(r.question.purpose.startswith(CHECK) for r in results):
        caps = caps.model_copy(update={"max_spans_per_claim": max(1, caps.max_spans_per_claim - CHECK_ROOM)})
    tally = Tally(
        runtime,
        caps,
        list(state.get("scored", ())),
        state.get("passes", 0),
        spent_on(state.get("qa_pairs", ())),
        state.get("trust"),
    )
    for claim in state["claim_ir"].claims:
        if mine := [r for r in results if r.question.claim_id == claim.claim_id]:
            tally.add(claim, mine)
    update: Update = {
        "branches": (),
        "drafts": tuple(tally.pairs),
        "scored": tuple(tally.scored),
        "passes": tally.passes,
        "trust": tally.trust,
        "trimmed": tuple(tally.trimmed),
        "failures": tuple(tally.failures),
    }
    if tally.memory is not None:
        update["trust_memory"] = tally.memory
    return update


def verify(state: InvestigationState, runtime: Runtime[Deps]) -> Update:
    """As ``weigh``; every pair is kept."""
    update = weigh(state, runtime)
    update.update({"qa_pairs": update["drafts"], "drafts": (), "round": ()})
    return update
