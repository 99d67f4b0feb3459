"""From raw model scores to assessments: which premise the model reads, calibration, guard, counterfactual.

Shared by all backends; a backend only turns pairs of texts into raw probabilities.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from language.names import plain
from verifier.calibration.probabilities import Calibration
from verifier.guard import check
from verifier.guard.check import unopposed, unrefuted, unsupported
from verifier.guard.structure.denial import may_deny
from verifier.guard.structure.difference import OTHER_KIND
from verifier.guard.value_repair import DENIED, MAX_REPAIRS, has_literally, repairs
from verifier.pair_decision import LEANS
from verifier.premise.builder import (
    MAX_CIRCUMSTANCES,
    as_sentences,
    bare_premise,
    circumstances,
    heading_of,
    model_claim,
    model_premise,
    stated,
)
from verifier.types import QUANTITIES, Assessment, Counterfactual, GuardFinding, GuardReport, NLIScores, PairText

RawScorer = Callable[[Sequence[tuple[str, str]]], Sequence[NLIScores]]
"""Takes (premise, hypothesis) pairs, gives raw probabilities in order."""

MEND_FROM = 0.3
"""Calibrated contradiction from which on the mended claim is scored, where refutations are calibrated."""
MOST_PASSES = 5 + MAX_REPAIRS + 4 * MAX_CIRCUMSTANCES
"""Forward passes that one pair may take: as it stands, its heading alone, without that, its mended claims,
whether two words count one thing, and the circumstances of the claim and of the likeliest mended one."""
SAME = NLIScores(entailment=0.999, neutral=0.001, contradiction=0.0)
"""Raw scores of a premise that is the claim itself."""
PARSE_FROM = 0.3
"""Calibrated probability of a side from which on the parses of claim and premise are compared for it."""
STATES = 0.5
"""Share of the claim's telling words from which on a premise whose slots agree is parsed too."""
DENIES = 0.35
"""The same for a premise with a word of denying: what is denied may say less than the claim."""
CLEAR = 0.5
"""Raw probability from which on a score leans to one side."""


def assess(
    pairs: Sequence[PairText],
    score: RawScorer,
    calibration: Calibration,
    *,
    mend_from: float,
    contested_from: float = 0.0,
) -> tuple[Assessment, ...]:
    """Score all pairs, then the counterfactuals of those that contradict at ``mend_from`` or more.

    With calibrated refutations ``MEND_FROM`` is enough, and no contradiction where the claim's own value is
    rejected; but none is scored that contradicts at less than ``contested_from``.
    """
    if calibration.refutation is not None:
        mend_from = min(mend_from, MEND_FROM)
    reading = _Reading(pairs, score, calibration)
    raw = reading.raw()
    guards = [check(p.claim, p.premise, p.context, p.published) for p in pairs]
    calibrated = [calibration.apply(scores, guard) for scores, guard in zip(raw, guards, strict=True)]
    likely = reading.within_circumstances({i: (p, calibrated[i].entailment) for i, p in enumerate(pairs)})
    calibrated = [_capped(scores, likely[i]) for i, scores in enumerate(calibrated)]
    guards = reading.same_kinds([_read(p, g, c) for p, g, c in zip(pairs, guards, calibrated, strict=True)])
    contested = [
        i
        for i, (g, c) in enumerate(zip(guards, calibrated, strict=True))
        if not g.apart
        and g.findings
        and c.contradiction >= contested_from
        and (c.contradiction >= mend_from or g.value_rejected)
    ]
    best = reading.counterfactuals(contested, raw, guards)
    return tuple(
        Assessment(
            raw=raw[i],
            calibrated=calibrated[i],
            guard=guards[i],
            counterfactual=best.get(i),
            passes=reading.passes[i],
        )
        for i in range(len(pairs))
    )


def _read(pair: PairText, guard: GuardReport, scores: NLIScores) -> GuardReport:
    """The guard's report with what the parses of both say, on the sides to which the pair may lean."""
    stated = guard.agrees and guard.overlap >= STATES
    stated = stated or (guard.overlap >= DENIES and may_deny(pair.premise))
    structure = unsupported(pair.claim, pair.premise, pair.context) if scores.entailment >= PARSE_FROM or stated else ()
    against = guard.value_rejected or guard.count_differs or guard.conflicts
    texts = pair.claim, pair.premise, pair.context
    against = against or scores.contradiction >= PARSE_FROM
    apart, unsettled = (unopposed(*texts), unrefuted(*texts)) if against else ((), ())
    found = {"structure": structure, "apart": apart, "unsettled": unsettled}
    return guard.model_copy(update=found) if any(found.values()) else guard


class _Reading:
    """Some pairs, what scores and calibrates them, and the forward passes that each has taken."""

    def __init__(self, pairs: Sequence[PairText], score: RawScorer, calibration: Calibration) -> None:
        self._pairs, self._score, self._calibration = pairs, score, calibration
        self.passes = [0] * len(pairs)

    def _asked(self, texts: Sequence[tuple[int, str, str]]) -> Sequence[NLIScores]:
        """Raw scores of premises and claims, each with the number of the pair that it is asked for."""
        for index, _, _ in texts:
            self.passes[index] += 1
        return self._score([(premise, model_claim(claim)) for _, premise, claim in texts])

    def raw(self) -> list[NLIScores]:
        """Raw scores of the pairs. Context is never itself evidence: where it decides alone, the premise is
        scored without it.
        """
        pairs = self._pairs
        found = self._asked([(i, model_premise(p), p.claim) for i, p in enumerate(pairs)])
        raw = [SAME if same_words(p.claim, p.premise) else scores for p, scores in zip(pairs, found, strict=True)]
        headings = [heading_of(p) for p in pairs]
        clear = [i for i, heading in enumerate(headings) if heading and _side(raw[i])]
        alone = self._asked([(i, as_sentences(headings[i]), pairs[i].claim) for i in clear])
        bare = [i for i, scores in zip(clear, alone, strict=True) if _side(scores) == _side(raw[i])]
        without = self._asked([(i, bare_premise(pairs[i]), pairs[i].claim) for i in bare])
        for i, scores in zip(bare, without, strict=True):
            raw[i] = scores
        return raw

    def same_kinds(self, guards: Sequence[GuardReport]) -> list[GuardReport]:
        """The reports, without the difference in what is counted where the model takes both words for one thing:
        with the evidence's word in the place of its own, the claim says the same, both ways.
        """
        asked = [
            (index, self._pairs[index].claim, self._pairs[index].claim.replace(f.claim_value, f.evidence_value, 1))
            for index, guard in enumerate(guards)
            for f in guard.apart
            if f.rule == OTHER_KIND and len(guard.apart) == 1
        ]
        there = self._asked([(index, model_claim(claim), text) for index, claim, text in asked])
        back = self._asked([(index, model_claim(text), claim) for index, claim, text in asked])
        kept = list(guards)
        for (index, _, _), one, other in zip(asked, there, back, strict=True):
            if min(one.entailment, other.entailment) >= CLEAR:
                kept[index] = kept[index].model_copy(update={"apart": ()})
        return kept

    def counterfactuals(
        self, contested: Sequence[int], raw: Sequence[NLIScores], guards: Sequence[GuardReport]
    ) -> dict[int, Counterfactual]:
        """The likeliest mended claim of each contested pair that has one, by its number.

        A mended claim that still conflicts, or lacks a name or number, is none; and what a sentence says of
        another event refutes nothing.
        """
        mended = [(i, pair) for i in contested for pair in _mended(self._pairs[i])]
        scored = self._asked([(i, model_premise(self._pairs[i]), pair.claim) for i, pair in mended])
        best: dict[int, Counterfactual] = {}
        for (i, pair), scores in zip(mended, scored, strict=True):
            guard = check(pair.claim, pair.premise, pair.context, pair.published)
            if any(_stands(f, pair.claim) for f in guard.findings):
                continue
            if scores.entailment >= PARSE_FROM and _not_borne_out(pair):
                continue
            entailment = self._calibration.apply(scores, guard).entailment
            if i not in best or entailment > best[i].entailment:
                refutation = self._calibration.refutation
                best[i] = Counterfactual(
                    claim=pair.claim,
                    entailment=entailment,
                    refutation=refutation.apply(raw[i].contradiction, scores.entailment, guards[i])
                    if refutation
                    else None,
                    literal=has_literally(pair.premise, pair.claim),
                )
        stands = {
            i: (self._pairs[i].model_copy(update={"claim": found.claim}), found.entailment)
            for i, found in sorted(best.items())
        }
        likely = self.within_circumstances(stands)
        return {i: found.model_copy(update={"entailment": likely[i]}) for i, found in best.items()}

    def within_circumstances(self, told: Mapping[int, tuple[PairText, float]]) -> dict[int, float]:
        """Entailments, each lowered to that of the claim's least likely circumstance where that is left open.

        A claim is not likelier than a part of it.
        """
        asked: list[tuple[int, int, PairText]] = []
        for index, (pair, likely) in told.items():
            if likely < LEANS:
                continue
            read = f"{pair.context} {pair.premise}"
            for number, part in enumerate(circumstances(pair.claim)):
                if not stated(part, read):
                    asked += [(index, number, pair.model_copy(update={"claim": text})) for text in part.sentences]
        raw = self._asked([(index, model_premise(pair), pair.claim) for index, _, pair in asked])
        best: dict[tuple[int, int], float] = {}
        for (index, number, pair), scores in zip(asked, raw, strict=True):
            guard = check(pair.claim, pair.premise, pair.context, pair.published)
            found = self._calibration.apply(scores, guard).entailment
            best[index, number] = max(found, best.get((index, number), 0.0))
        lowered = {index: likely for index, (_, likely) in told.items()}
        for (index, _), found in best.items():
            if found < LEANS:
                lowered[index] = min(lowered[index], found)
        return lowered


def _mended(pair: PairText) -> list[PairText]:
    texts = repairs(pair.claim, pair.premise, pair.context, pair.published)
    return [pair.model_copy(update={"claim": text}) for text in texts]


def _not_borne_out(mended: PairText) -> bool:
    """Whether the premise does not assert a mended claim. What never happened is said in other words."""
    never = mended.claim.startswith(DENIED)
    return not never and bool(unsupported(mended.claim, mended.premise, mended.context))


def _capped(scores: NLIScores, most: float) -> NLIScores:
    """The scores with at most so much entailment; neutral takes the rest."""
    if scores.entailment <= most:
        return scores
    neutral = round(scores.neutral + scores.entailment - most, 6)
    return scores.model_copy(update={"entailment": most, "neutral": neutral})


def _stands(finding: GuardFinding, mended: str) -> bool:
    """Whether a finding speaks against a mended claim. What never happened has no number."""
    if mended.startswith(DENIED) and finding.kind == "missing" and finding.slot in QUANTITIES - {"date"}:
        return False
    return finding.slot not in {"quantifier", "negation"}


def same_words(claim: str, premise: str) -> bool:
    """Whether the premise is the claim itself, word for word; such a pair needs no model to be entailed."""
    return bool(claim) and _words_of(claim) == _words_of(premise)


def _words_of(text: str) -> list[str]:
    return plain(" ".join(text.split())).rstrip(" .!").split()


def _side(scores: NLIScores) -> str:
    """The side that the scores lean to clearly; empty for neither."""
    if scores.entailment >= CLEAR:
        return "entailment"
    return "contradiction" if scores.contradiction >= CLEAR else ""
