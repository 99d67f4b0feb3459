"""Figures over trails: is the tree a tree, and how good are the proposals?"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from agent.types import AtomicClaim, Proposal, Question
from evaluation.metrics.tree_figures import Trails, names_anew, proposal_figures, tree_figures
from factdesk.kernel import Fingerprint
from report.types import CertificateBody
from tests.factdesk.conftest import Run
from tests.report.builders import make_answer, make_body, make_claims

TEXT = "The Tollgate library reopened on 4 May 2024."
CLAIM = AtomicClaim(claim_id="c1", text=TEXT, start=0, end=len(TEXT), source=TEXT)


class Letters:
    """Unit vectors by the first letter: alike is 1, unlike is 0."""

    fingerprint = Fingerprint(name="letters", version="1")
    dimension = 26

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.eye(26, dtype=np.float32)[[ord(t[0].lower()) - 97 for t in texts]]


def question(text: str, depth: int, branch: int, purpose: str = "") -> Question:
    return Question(
        question_id=f"c1.q{depth}.{branch}.{purpose}",
        claim_id="c1",
        text=text,
        route="text",
        depth=depth,
        branch=branch,
        purpose=purpose,
    )


def trail(*asked: tuple[Question, bool], **changes: Any) -> CertificateBody:
    answers = tuple(make_answer(q.question_id, "Yes.", (), kept=kept) for q, kept in asked)
    return make_body(claims=make_claims(), questions=tuple(q for q, _ in asked), answers=answers, **changes)


def proposed(label: str) -> CertificateBody:
    return trail(proposal=Proposal(label=label, explanation=""))  # type: ignore[arg-type]


def test_a_tree_in_figures() -> None:
    body = trail(
        (question("Apples?", 0, 0), False),
        (question("Ants?", 0, 1), True),
        (question("Bees?", 0, 2), False),
        (question("What is known of Judith Marrow?", 1, 0), True),
        (question("Zebras?", 1, 1), False),
        (question("Who says otherwise of Ostrel?", 2, 0, "check:dispute"), True),
    )
    found = tree_figures([body], Letters())
    assert found.rounds == 2
    assert found.similarity == 0.25  # of four pairs asked side by side, one is alike
    assert (found.kept, found.discarded) == (2, 3)
    assert found.kept_not_first == 0.5
    assert (found.follow_ups, found.new_entity) == (2, 0.5)


def test_a_chain_has_no_similarity_and_nothing_counts_over_claims() -> None:
    body = trail((question("Apples?", 0, 0), True), (question("Ants?", 1, 0), True))
    found = tree_figures([body, body], Letters())
    assert found.similarity is None
    assert found.rounds == 4
    assert found.kept_not_first == 0.0


@pytest.mark.parametrize(
    ("text", "anew"),
    [
        ("What is known of Judith Marrow in connection with Tollgate?", True),
        ("What else is known of the Tollgate library?", False),
        ("When did it happen?", False),
    ],
)
def test_entities_that_the_claim_does_not_name(text: str, anew: bool) -> None:
    assert names_anew(question(text, 1, 0), CLAIM) is anew


def test_proposals_are_rated_as_in_the_paper() -> None:
    labels = ["supported", "supported", "refuted", "failed"]
    bodies = [proposed(p) for p in ("supported", "failed", "supported", "failed")]
    found = proposal_figures(labels, bodies)
    assert found.accuracy == 0.5
    assert found.f1 == {"supported": 0.5, "refuted": 0.0, "failed": 0.6667}
    assert found.weighted_f1 == 0.3333  # gold supported and refuted only: (2 * 0.5 + 1 * 0) / 3
    assert found.failed == {"supported": 1, "refuted": 0}
    assert found.ci95[0] <= found.accuracy <= found.ci95[1]
    assert found == proposal_figures(labels, bodies)


def test_a_check_without_a_proposal_failed() -> None:
    assert proposal_figures(["failed"], [trail(proposal=None)]).accuracy == 1.0


def test_labels_of_claims_are_put_into_the_words_of_proposals() -> None:
    trails = Trails()
    trails.add("not_enough_evidence", proposed("failed"))
    trails.add("refuted", proposed("refuted"))
    assert trails.figures(Letters()).proposal.accuracy == 1.0


def test_eval_claims_prints_them(run: Run, home: Path, repository: Path, tmp_path: Path) -> None:
    file = tmp_path / "claims.jsonl"
    shutil.copy(repository / "examples" / "claims.jsonl", file)
    flags = ("--limit", "1", "--method", "tree", "--json")
    report = run("eval", "claims", file, *flags, "--trail").json()
    assert report["trail"]["proposal"]["n"] == 1
    assert 0.0 < report["trail"]["tree"]["similarity"] < 1.0
    assert report["trail"]["tree"]["kept"] >= 1
    assert "trail" not in run("eval", "claims", file, *flags).json()
