"""Is the tree a tree, and what did the reasoner propose? Figures over the trails of many checks.

The verdict is the policy's and stands in ``evaluation.data.claims``; RAGAR's tables rate the proposal, so
that is rated here by the same measures.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from agent.types import CHECK, AtomicClaim, Question
from evidence.types import Embedder
from factdesk.kernel import Record
from language.names import find_names, name_in
from report.types import CertificateBody

LABELS = ("supported", "refuted", "failed")
_EXPECTED = {"supported": "supported", "refuted": "refuted", "not_enough_evidence": "failed"}
DRAWS = 1000


class ProposalFigures(Record):
    """The reasoner's proposals against the labels; ``failed`` is right where the label says not enough."""

    n: int
    accuracy: float
    ci95: tuple[float, float]
    """Bootstrap interval of the accuracy: 1,000 draws from a fixed seed."""
    f1: dict[str, float]
    """Per label, over all claims."""
    weighted_f1: float
    """RAGAR's: gold supported and refuted only; ``failed`` counts as wrong."""
    weighted_f1_ci95: tuple[float, float]
    failed: dict[str, int]
    """Supported and refuted claims for which the proposal failed."""
    agrees: float
    """Share of claims where proposal and verdict say the same."""


class TreeFigures(Record):
    """Whether branches differ, and whether elimination and follow-ups do anything. Shares are 0 to 1."""

    rounds: int
    similarity: float | None
    """Mean cosine of the questions that were asked side by side, over all pairs; ``None`` without any."""
    kept: int
    discarded: int
    kept_not_first: float | None
    """Share of kept pairs that came from another branch than the first."""
    follow_ups: int
    new_entity: float | None
    """Share of follow-up questions that name an entity which the claim does not."""


class TrailFigures(Record):
    """Both."""

    proposal: ProposalFigures
    tree: TreeFigures


class Trails:
    """Collects trails; ``figures`` sums them up."""

    def __init__(self) -> None:
        self._bodies: list[CertificateBody] = []
        self._labels: list[str] = []

    def add(self, label: str, body: CertificateBody) -> None:
        """One check, with the label of its claim."""
        self._labels.append(_EXPECTED[label])
        self._bodies.append(body)

    def figures(self, embedder: Embedder) -> TrailFigures:
        """Figures over all that was added; at least one check."""
        return TrailFigures(
            proposal=proposal_figures(self._labels, self._bodies), tree=tree_figures(self._bodies, embedder)
        )


def proposal_figures(labels: Sequence[str], bodies: Sequence[CertificateBody]) -> ProposalFigures:
    """``labels``: supported, refuted or failed, one a body."""
    found = [b.proposal.label if b.proposal else "failed" for b in bodies]
    gold, said = np.array(labels), np.array(found)
    draws = np.random.default_rng(0).integers(0, len(gold), size=(DRAWS, len(gold)))
    accuracies = [(gold[d] == said[d]).mean() for d in draws]
    weighted = [weighted_f1(gold[d], said[d]) for d in draws]
    verdicts = [_EXPECTED.get(b.verdict, "failed") for b in bodies]
    return ProposalFigures(
        n=len(gold),
        accuracy=round(float((gold == said).mean()), 4),
        ci95=_interval(accuracies),
        f1={label: round(_f1(gold, said, label), 4) for label in LABELS},
        weighted_f1=round(weighted_f1(gold, said), 4),
        weighted_f1_ci95=_interval(weighted),
        failed={label: int(((gold == label) & (said == "failed")).sum()) for label in LABELS[:2]},
        agrees=round(sum(a == b for a, b in zip(found, verdicts, strict=True)) / len(found), 4),
    )


def tree_figures(bodies: Sequence[CertificateBody], embedder: Embedder) -> TreeFigures:
    """Over the questions of investigations; verification questions are left out."""
    kept = discarded = not_first = follow_ups = named = 0
    rounds: dict[tuple[int, str, int], list[str]] = defaultdict(list)
    for number, body in enumerate(bodies):
        claims = {c.claim.claim_id: c.claim for c in body.claims}
        keeps = {a.question_id: a.kept for a in body.answers}
        for question in body.questions:
            if question.purpose.startswith(CHECK):
                continue
            rounds[number, question.claim_id, question.depth].append(question.text)
            is_kept = keeps.get(question.question_id, False)
            kept, discarded = kept + is_kept, discarded + (not is_kept)
            not_first += is_kept and question.branch > 0
            if question.depth > 0:
                follow_ups += 1
                named += names_anew(question, claims[question.claim_id])
    return TreeFigures(
        rounds=len(rounds),
        similarity=_similarity(list(rounds.values()), embedder),
        kept=kept,
        discarded=discarded,
        kept_not_first=_share(not_first, kept),
        follow_ups=follow_ups,
        new_entity=_share(named, follow_ups),
    )


def names_anew(question: Question, claim: AtomicClaim) -> bool:
    """Whether the question names an entity that the claim does not."""
    return any(not name_in(name, claim.text) for name in find_names(question.text))


def _similarity(rounds: Sequence[Sequence[str]], embedder: Embedder) -> float | None:
    cosines: list[float] = []
    for texts in rounds:
        if len(texts) > 1:
            vectors = embedder.embed(list(texts)).astype(np.float64)
            cosines += [float(vectors[i] @ vectors[j]) for i, j in combinations(range(len(texts)), 2)]
    return round(float(np.mean(cosines)), 4) if cosines else None


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _f1(gold: np.ndarray, said: np.ndarray, label: str) -> float:
    hits = int(((gold == label) & (said == label)).sum())
    total = int((gold == label).sum() + (said == label).sum())
    return 2 * hits / total if total else 0.0


def weighted_f1(gold: np.ndarray, said: np.ndarray) -> float:
    """RAGAR's weighted F1 over gold supported and refuted; ``failed`` counts as wrong."""
    decidable = gold != "failed"
    gold, said = gold[decidable], said[decidable]
    weights = {label: int((gold == label).sum()) for label in LABELS[:2]}
    total = sum(weights.values())
    return sum(_f1(gold, said, label) * w for label, w in weights.items()) / total if total else 0.0


def _interval(draws: Sequence[float]) -> tuple[float, float]:
    return round(float(np.quantile(draws, 0.025)), 4), round(float(np.quantile(draws, 0.975)), 4)
