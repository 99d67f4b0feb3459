"""From raw model scores to assessments: which premise the model reads, calibration, guard, counterfactual.

Shared by all backends; a backend only turns pairs of texts into raw probabilities.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from language.names import plain
from verifier.calibration.probabilities import Calibration
from verifier.guard import check
from verifier.guard.check import unopposed, unsupported
from verifier.guard.structure.difference import OTHER_KIND
from verifier.guard.value_repair import DENIED, MAX_REPAIRS, has_literally, repairs
from verifier.pair_decision import LEANS
from verifier.premise.adjuncts import MAX_CIRCUMSTANCES, circumstances, stated
from verifier.premise.builder import as_sentences, bare_premise, heading_of, model_claim, model_premise
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
    raw, passes = _raw(pairs, score)
    guards = [check(p.claim, p.premise, p.context, p.published) for p in pairs]
    calibrated = [calibration.apply(scores, guard) for scores, guard in zip(raw, guards, strict=True)]
    likely = _within_circumstances(pairs, [c.entailment for c in calibrated], passes, score, calibration)
    calibrated = [_capped(scores, most) for scores, most in zip(calibrated, likely, strict=True)]
    guards = [_read(p, g, c) for p, g, c in zip(pairs, guards, calibrated, strict=True)]
    guards = _same_kinds(pairs, guards, passes, score)
    contested = [
        not g.apart
        and bool(g.findings)
        and c.contradiction >= contested_from
        and (c.contradiction >= mend_from or g.value_rejected)
        for g, c in zip(guards, calibrated, strict=True)
    ]
    best = _counterfactuals(pairs, contested, raw, guards, passes, score, calibration)
    _mended_within_circumstances(pairs, best, passes, score, calibration)
    return tuple(
        Assessment(
            raw=raw[i],
            calibrated=calibrated[i],
            guard=guards[i],
            counterfactual=best.get(i),
            passes=passes[i],
        )
        for i in range(len(pairs))
    )


def _read(pair: PairText, guard: GuardReport, scores: NLIScores) -> GuardReport:
    """The guard's report with what the parses of both say, on the sides to which the pair may lean."""
    stated = guard.agrees and guard.overlap >= STATES
    structure = unsupported(pair.claim, pair.premise, pair.context) if scores.entailment >= PARSE_FROM or stated else ()
    against = guard.value_rejected or guard.count_differs or guard.conflicts
    apart = unopposed(pair.claim, pair.premise, pair.context) if scores.contradiction >= PARSE_FROM or against else ()
    return guard.model_copy(update={"structure": structure, "apart": apart}) if structure or apart else guard


def _same_kinds(
    pairs: Sequence[PairText], guards: Sequence[GuardReport], passes: list[int], score: RawScorer
) -> list[GuardReport]:
    """The reports, without the difference in what is counted where the model takes both words for one thing:
    with the evidence's word in the place of its own, the claim says the same, both ways. Adds to ``passes``.
    """
    asked = [
        (index, pairs[index].claim.replace(f.claim_value, f.evidence_value, 1))
        for index, guard in enumerate(guards)
        for f in guard.apart
        if f.rule == OTHER_KIND and len(guard.apart) == 1
    ]
    both = [(model_claim(pairs[index].claim), model_claim(text)) for index, text in asked]
    found = score([*both, *((theirs, mine) for mine, theirs in both)])
    kept = list(guards)
    for (index, _), there, back in zip(asked, found[: len(both)], found[len(both) :], strict=True):
        passes[index] += 2
        if min(there.entailment, back.entailment) >= CLEAR:
            kept[index] = kept[index].model_copy(update={"apart": ()})
    return kept


def _counterfactuals(
    pairs: Sequence[PairText],
    contested: Sequence[bool],
    raw: Sequence[NLIScores],
    guards: Sequence[GuardReport],
    passes: list[int],
    score: RawScorer,
    calibration: Calibration,
) -> dict[int, Counterfactual]:
    """The likeliest mended claim of each contested pair that has one, by its number. Adds to ``passes``."""
    wanted = [
        (index, text)
        for index, pair in enumerate(pairs)
        if contested[index]
        for text in repairs(pair.claim, pair.premise, pair.context, pair.published)
    ]
    found = _entailments([(pairs[index], text) for index, text in wanted], score, calibration)
    best: dict[int, Counterfactual] = {}
    for (index, text), likelihood in zip(wanted, found, strict=True):
        passes[index] += 1
        if likelihood is None:
            continue  # the mended claim still conflicts, or lacks a name or number
        raw_entailment, entailment = likelihood
        if index not in best or entailment > best[index].entailment:
            best[index] = Counterfactual(
                claim=text,
                entailment=entailment,
                refutation=calibration.refutation.apply(raw[index].contradiction, raw_entailment, guards[index])
                if calibration.refutation
                else None,
                literal=has_literally(pairs[index].premise, text),
            )
    return best


def _entailments(
    mended: Sequence[tuple[PairText, str]], score: RawScorer, calibration: Calibration
) -> list[tuple[float, float] | None]:
    """Raw and calibrated entailment of mended claims, by what the model reads for the claim as it was.

    ``None`` where the guard finds more than the mended detail.
    """
    found: list[tuple[float, float] | None] = []
    raw = score([(model_premise(pair), model_claim(text)) for pair, text in mended])
    for (pair, text), scores in zip(mended, raw, strict=True):
        guard = check(text, pair.premise, pair.context, pair.published)
        stands = any(_stands(f, text) for f in guard.findings)
        stands = stands or bool(scores.entailment >= PARSE_FROM and _not_borne_out(pair, text))
        found.append(None if stands else (scores.entailment, calibration.apply(scores, guard).entailment))
    return found


def _not_borne_out(pair: PairText, mended: str) -> bool:
    """Whether the premise does not assert a mended claim. What never happened is said in other words."""
    return not mended.startswith(DENIED) and bool(unsupported(mended, pair.premise, pair.context))


def _within_circumstances(
    pairs: Sequence[PairText],
    likely: Sequence[float],
    passes: list[int],
    score: RawScorer,
    calibration: Calibration,
) -> list[float]:
    """Entailments, each lowered to that of the claim's least likely circumstance where that is left open.

    A claim is not likelier than a part of it. Adds to ``passes``.
    """
    asked: list[tuple[int, int, PairText]] = []
    for index, pair in enumerate(pairs):
        if likely[index] < LEANS:
            continue
        read = f"{pair.context} {pair.premise}"
        for number, part in enumerate(circumstances(pair.claim)):
            if not stated(part, read):
                asked += [(index, number, pair.model_copy(update={"claim": text})) for text in part.sentences]
    raw = score([(model_premise(pair), model_claim(pair.claim)) for _, _, pair in asked])
    best: dict[tuple[int, int], float] = {}
    for (index, number, pair), scores in zip(asked, raw, strict=True):
        passes[index] += 1
        guard = check(pair.claim, pair.premise, pair.context, pair.published)
        found = calibration.apply(scores, guard).entailment
        best[index, number] = max(found, best.get((index, number), 0.0))
    lowered = list(likely)
    for (index, _), found in best.items():
        if found < LEANS:
            lowered[index] = min(lowered[index], found)
    return lowered


def _mended_within_circumstances(
    pairs: Sequence[PairText],
    best: dict[int, Counterfactual],
    passes: list[int],
    score: RawScorer,
    calibration: Calibration,
) -> None:
    """The same for the mended claims: what a sentence says of another event refutes nothing."""
    order = sorted(best)
    mended = [pairs[i].model_copy(update={"claim": best[i].claim}) for i in order]
    used = [0] * len(order)
    likely = _within_circumstances(mended, [best[i].entailment for i in order], used, score, calibration)
    for i, most, more in zip(order, likely, used, strict=True):
        passes[i] += more
        best[i] = best[i].model_copy(update={"entailment": most})


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


def _raw(pairs: Sequence[PairText], score: RawScorer) -> tuple[list[NLIScores], list[int]]:
    """Raw scores and the passes they took. Context is never itself evidence: where it decides alone,
    the premise is scored without it.
    """
    read = [model_premise(p) for p in pairs]
    raw, passes = (
        list(score([(text, model_claim(p.claim)) for text, p in zip(read, pairs, strict=True)])),
        [1] * len(pairs),
    )
    raw = [SAME if same_words(p.claim, p.premise) else scores for p, scores in zip(pairs, raw, strict=True)]
    headings = [heading_of(p) for p in pairs]
    clear = [i for i in range(len(pairs)) if headings[i] and _side(raw[i])]
    alone = score([(as_sentences(headings[i]), model_claim(pairs[i].claim)) for i in clear])
    bare = [i for i, scores in zip(clear, alone, strict=True) if _side(scores) == _side(raw[i])]
    without = score([(bare_premise(pairs[i]), model_claim(pairs[i].claim)) for i in bare])
    for i in clear:
        passes[i] += 1
    for i, scores in zip(bare, without, strict=True):
        raw[i] = scores
        passes[i] += 1
    return raw, passes


def _side(scores: NLIScores) -> str:
    """The side that the scores lean to clearly; empty for neither."""
    if scores.entailment >= CLEAR:
        return "entailment"
    return "contradiction" if scores.contradiction >= CLEAR else ""
