"""Joint evidence, with a verifier that counts words instead of a model."""

from __future__ import annotations

from collections.abc import Sequence

from factdesk.kernel import Fingerprint
from language.names import content_stems
from verifier.guard import check
from verifier.joint_evidence import MAX_JOINTS, Candidate, joint_premises
from verifier.types import Assessment, NLIScores, PairText, Thresholds


class WordVerifier:
    """Entailment is the share of the claim's telling words that the premise has."""

    can_contradict = False
    fingerprint = Fingerprint(name="words", version="1")
    thresholds = Thresholds(tau_entail=0.9)

    def __init__(self) -> None:
        self.seen: list[PairText] = []

    def assess(self, pairs: Sequence[PairText], *, contested_from: float = 0.0) -> tuple[Assessment, ...]:
        self.seen += pairs
        return tuple(self._one(p) for p in pairs)

    def _one(self, pair: PairText) -> Assessment:
        mine = content_stems(pair.claim)
        share = len(mine & content_stems(pair.premise)) / len(mine)
        scores = NLIScores(entailment=share, neutral=1 - share, contradiction=0.0)
        return Assessment(raw=scores, calibrated=scores, guard=check(pair.claim, pair.premise, pair.context))


CLAIM = "The author of The Winter Road was born in Bergen."
FIRST = "Anna Berg is the author of The Winter Road."
SECOND = "Anna Berg was born in Bergen."
OTHER = "Potatoes grow in sandy soil."


def candidates(verifier: WordVerifier, *premises: str, claim: str = CLAIM) -> list[Candidate]:
    found = verifier.assess([PairText(claim=claim, premise=p) for p in premises])
    verifier.seen.clear()
    return [
        Candidate(span_id=f"d{i}#0.0", premise=p, context="", assessment=a)
        for i, (p, a) in enumerate(zip(premises, found, strict=True))
    ]


def test_two_hops_are_joined() -> None:
    verifier = WordVerifier()
    joints = joint_premises(CLAIM, candidates(verifier, FIRST, OTHER, SECOND), verifier, tau_entail=0.9)
    assert {frozenset(j.span_ids) for j in joints} == {frozenset({"d0#0.0", "d2#0.0"})}
    assert joints[0].assessment.calibrated.entailment == 1.0
    assert joints[0].assessment.guard.agrees
    assert {FIRST, SECOND} == {p for p in (FIRST, SECOND) if p in verifier.seen[0].premise}


def test_the_order_of_the_candidates_does_not_matter() -> None:
    verifier = WordVerifier()
    spans = candidates(verifier, FIRST, OTHER, SECOND)
    found = joint_premises(CLAIM, spans, verifier, tau_entail=0.9)
    assert found == joint_premises(CLAIM, spans[::-1], verifier, tau_entail=0.9)


def test_where_one_span_is_enough_none_are_joined() -> None:
    verifier = WordVerifier()
    spans = candidates(verifier, CLAIM, FIRST, SECOND)
    assert joint_premises(CLAIM, spans, verifier, tau_entail=0.9) == ()
    assert verifier.seen == []


def test_spans_that_speak_of_different_matters_are_not_joined() -> None:
    verifier = WordVerifier()
    spans = candidates(verifier, FIRST, "Carl Dahl was born in Bergen.")
    assert joint_premises(CLAIM, spans, verifier, tau_entail=0.9) == ()


def test_a_span_that_adds_nothing_is_not_joined() -> None:
    verifier = WordVerifier()
    spans = candidates(verifier, FIRST, FIRST)
    assert joint_premises(CLAIM, spans, verifier, tau_entail=0.9) == ()
    assert joint_premises(CLAIM, [], verifier, tau_entail=0.9) == ()


def test_the_number_of_joints_is_capped() -> None:
    verifier = WordVerifier()
    claim = "Anna Berg wrote novels poems plays essays songs letters diaries in Bergen."
    words = ("novels", "poems", "plays", "essays", "songs", "letters", "diaries")
    spans = candidates(verifier, *(f"Anna Berg wrote {w}." for w in words), claim=claim)
    assert len(joint_premises(claim, spans, verifier, tau_entail=0.9)) == MAX_JOINTS
    assert len(verifier.seen) == MAX_JOINTS
