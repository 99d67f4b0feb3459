"""Pairs of a claim and a sentence for the verifier, and what sentences say of an answer and of a resolved name.

A re-run uses it too, so it imports no graph.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agent.types import AtomicClaim, GroundedPart, Grounding
from evidence.types import Span
from language.capitals import in_small_letters
from verifier import pair_decision
from verifier.guard import check
from verifier.guard.value_repair import repairs
from verifier.joint_evidence import joint_pair
from verifier.premise.builder import as_sentences, image_context, with_lead
from verifier.types import Assessment, Label, PairText, Thresholds, Verifier

SUPPORT = 0.6
"""Least calibrated entailment of a supporting relation."""
REFUTE = 0.6
REFUTED = 0.85
"""Least calibrated probability of a refuting relation; it can cost a document its trust."""


def pair_of(claim: AtomicClaim, span: Span) -> PairText:
    """The NLI pair of a span, the same in a check and in a re-run."""
    published = span.published.isoformat() if span.published else ""
    reading = claim.about_image and span.kind != "text"
    text = (claim.statement or claim.text) if reading else claim.text
    context = image_context(span.context) if reading else with_lead(text, span.text, span.context, span.lead)
    premise = in_small_letters(span.text, text) if span.kind == "ocr" else span.text
    if span.kind == "chart":
        premise = as_sentences(premise)
    return PairText(claim=text, premise=premise, context=context, published=published)


def may_bear(pair: PairText) -> bool:
    """Whether the slot guard leaves room for a relation between two sentences.

    No support where an amount, date or name is missing; no refutation about another subject or without a
    detail to mend.
    """
    guard = check(pair.claim, pair.premise, pair.context, pair.published)
    if guard.agrees:
        return not guard.uncovered
    return guard.same_subject and bool(repairs(pair.claim, pair.premise, pair.context, pair.published))


def assess_relations(verifier: Verifier, pairs: Sequence[PairText]) -> tuple[Assessment, ...]:
    """Assessments of pairs for ``relation_weight``; weak contradictions get no counterfactual."""
    return verifier.assess(pairs, contested_from=REFUTE)


def relation_weight(assessment: Assessment) -> float:
    """Weight of the edge between two sentences, -1 to 1; 0 for none."""
    scores, guard = assessment.calibrated, assessment.guard
    mended = assessment.counterfactual
    if guard.apart or (guard.unsettled and scores.contradiction >= REFUTE):
        return 0.0
    if scores.contradiction >= REFUTE and guard.same_subject and mended and mended.entailment >= SUPPORT:
        sure = mended.refutation is None or mended.refutation >= REFUTED
        return -scores.contradiction if sure else 0.0
    if scores.entailment >= SUPPORT and not guard.conflicts and not guard.structure:
        return scores.entailment
    return 0.0


MOST = 4
"""Sentences that each of the two statements is scored with."""
SURE = 0.5
"""Least calibrated entailment of the anchor."""

Scored = tuple[str, Assessment]
"""Id of a sentence with its assessment."""


def strongest(scored: Sequence[Scored]) -> tuple[Label, float, str | None]:
    """Label of sentences together, its score (0 to 1), and the deciding sentence.

    A contradiction goes before any entailment.
    """
    if not scored:
        return "not_enough_info", 0.0, None
    pro_id, in_favour = max(scored, key=lambda s: (s[1].calibrated.entailment, s[0]))
    con, pro = max(a.calibrated.contradiction for _, a in scored), in_favour.calibrated.entailment
    against = [(a.calibrated.contradiction, i) for i, a in scored if contradicts(a)]
    if against:
        return "contradicted", *max(against)
    if pro >= SURE and in_favour.guard.agrees:
        return "entailed", pro, pro_id
    return "not_enough_info", round(max(0.0, 1 - max(con, pro)), 6), pro_id


def contradicts(found: Assessment) -> bool:
    """Whether it contradicts more than it entails, about the claim's subject."""
    scores = found.calibrated
    return scores.contradiction >= max(SURE, scores.entailment) and found.guard.same_subject


def anchored(anchor: Sequence[Scored]) -> float:
    """Entailment of the anchor, 0 to 1."""
    return max((a.calibrated.entailment for _, a in anchor if a.guard.agrees), default=0.0)


def holds(anchor: Sequence[Scored]) -> bool:
    """Whether the anchor is entailed at ``SURE``."""
    return anchored(anchor) >= SURE


def read_both(anchor: Sequence[Scored], rest: Sequence[Scored]) -> tuple[Label, float, str | None] | None:
    """Label of both statements with the lower score; ``None`` where the anchor fails or nothing is said."""
    sure = anchored(anchor)
    label, score, best = strongest(rest)
    if not holds(anchor) or label == "not_enough_info":
        return None
    return label, min(sure, score), best


def statement_of(claim: AtomicClaim, text: str) -> AtomicClaim:
    """The claim with ``text`` in the place of its own."""
    return claim.model_copy(update={"text": text, "statement": None, "fields": ()})


MOST_PARTS = 4
"""Sentences of one answer that are verified; longer answers count as not supported."""
UNSUPPORTED = "not supported by what it cites"
"""Mark of an answer that its sentences do not entail."""
_ENDS = (".", "!", "?", '"', "”", "’", ")")


def parts_of(answer: str, cited: Sequence[Span]) -> list[str]:
    """The sentences of an answer that are not cited word for word."""
    if answer == " ".join(s.text for s in cited):  # also of sentences without an end, such as lines of a sign
        return []
    known = sorted({s.text for s in cited}, key=lambda text: -len(text))
    return list(_parts(answer.strip(), known))


def _parts(rest: str, known: Sequence[str]) -> Iterator[str]:
    from evidence.segmentation.spans import sentence_ranges

    while rest:
        whole = next((k for k in known if _opens(rest, k)), None)
        if whole is None:
            start, end = next(sentence_ranges(rest, 0, len(rest)), (0, len(rest)))
            yield rest[start:end]
            rest = rest[end:].lstrip()
        else:
            rest = rest[len(whole) :].lstrip()


def _opens(text: str, sentence: str) -> bool:
    """Whether a text is the sentence or starts with it."""
    return text == sentence or (text.startswith(f"{sentence} ") and sentence.endswith(_ENDS))


def ground(
    claim: AtomicClaim,
    answer: str,
    cited: Sequence[Span],
    verifier: Verifier,
    thresholds: Thresholds,
    *,
    readable: int = MOST_PARTS,
) -> Grounding:
    """The answer against the sentences it cites; ``readable`` bounds how many are verified.

    Raises ``BackendUnavailable`` when the verifier cannot run.
    """
    parts = parts_of(answer, cited)
    if not cited or len(parts) > min(MOST_PARTS, readable):
        return Grounding(label="not_enough_info", score=0.0, unread=max(1, len(parts)))
    assessed = verifier.assess([_pair(claim, part, cited) for part in parts]) if parts else ()
    label, score = _label(assessed, thresholds)
    found = (GroundedPart(text=p, assessment=a) for p, a in zip(parts, assessed, strict=True))
    return Grounding(label=label, score=score, parts=tuple(found))


def _pair(claim: AtomicClaim, part: str, cited: Sequence[Span]) -> PairText:
    if len(cited) == 1:
        return pair_of(statement_of(claim, part), cited[0])
    return joint_pair(part, premises=[s.text for s in cited], contexts=[s.context for s in cited])


def _label(assessed: Sequence[Assessment], thresholds: Thresholds) -> tuple[Label, float]:
    """Entailed where every sentence is, contradicted where one is; otherwise not enough."""
    against = [a.calibrated.contradiction for a in assessed if contradicts(a)]
    if against:
        return "contradicted", max(against)
    least = min((a.calibrated.entailment for a in assessed), default=1.0)
    if all(pair_decision.supports(a, thresholds) for a in assessed):
        return "entailed", least
    return "not_enough_info", round(1 - least, 6)
