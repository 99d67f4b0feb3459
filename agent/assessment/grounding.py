"""Whether an answer is supported by the sentences it cites, sentence by sentence.

A sentence that is cited word for word needs no model; any other must be entailed by the cited ones at
``tau_entail``. A re-run uses it too, so it imports no graph.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agent.assessment.multihop import contradicts, statement_of
from agent.assessment.nli_pairs import pair_of
from agent.types import AtomicClaim, GroundedPart, Grounding
from evidence.types import Span
from verifier import pair_decision
from verifier.joint_evidence import joint_pair
from verifier.types import Assessment, Label, PairText, Thresholds, Verifier

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
