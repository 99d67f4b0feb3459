"""Joint evidence: the smallest set of spans that entails a claim where no single span does."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from factdesk.kernel import Record
from language.names import content_stems, find_names, name_in
from language.quantities.mentions import find_slots
from verifier.types import Assessment, PairText, Verifier

MAX_CANDIDATES = 5
MAX_JOINTS = 4


class Candidate(Record):
    """A span that may be part of a joint premise, with its own assessment."""

    span_id: str
    premise: str
    context: str
    assessment: Assessment


class Joint(Record):
    """Two spans read together, and what the verifier says of them."""

    span_ids: tuple[str, ...]
    assessment: Assessment


def _gain(claim: str, first: Candidate, second: Candidate) -> int:
    """How many of the claim's telling words and numbers one span has that the other lacks, both ways."""
    mine = content_stems(claim) | {s.value for s in find_slots(claim)}
    held = [mine & (content_stems(c.premise) | {s.value for s in find_slots(c.premise)}) for c in (first, second)]
    return min(len(held[0] - held[1]), len(held[1] - held[0]))


def _linked(first: Candidate, second: Candidate) -> bool:
    """The two spans share a name or three telling words: they speak of one matter."""
    names = find_names(first.premise)
    if any(name_in(n, second.premise) for n in names):
        return True
    return len(content_stems(first.premise) & content_stems(second.premise)) >= 3


def joint_pair(claim: str, *, premises: Sequence[str], contexts: Sequence[str]) -> PairText:
    """What the verifier is given for sentences read together; their context counts where they share it."""
    return PairText(claim=claim, premise=" ".join(premises), context=contexts[0] if len(set(contexts)) == 1 else "")


def joint_premises(
    claim: str, candidates: Sequence[Candidate], verifier: Verifier, *, tau_entail: float
) -> tuple[Joint, ...]:
    """Assess pairs of spans that complete each other; empty where a span entails the claim alone.

    Contradiction is looked for by the caller over the single spans, before this. At most
    ``MAX_JOINTS`` pairs are scored.
    """
    if any(c.assessment.calibrated.entailment >= tau_entail and c.assessment.guard.agrees for c in candidates):
        return ()
    best = sorted(
        (c for c in candidates if c.assessment.guard.same_subject or c.assessment.calibrated.entailment > 0.2),
        key=lambda c: (-c.assessment.calibrated.entailment, c.span_id),
    )[:MAX_CANDIDATES]
    pairs = [(a, b) for a, b in combinations(best, 2) if _gain(claim, a, b) >= 1 and _linked(a, b)]
    pairs = sorted(pairs, key=lambda p: (-_gain(claim, *p), p[0].span_id, p[1].span_id))[:MAX_JOINTS]
    texts = [joint_pair(claim, premises=(a.premise, b.premise), contexts=(a.context, b.context)) for a, b in pairs]
    assessed = verifier.assess(texts) if texts else ()
    return tuple(
        Joint(span_ids=(a.span_id, b.span_id), assessment=found) for (a, b), found in zip(pairs, assessed, strict=True)
    )
