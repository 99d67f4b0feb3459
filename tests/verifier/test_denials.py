"""A page that says the claim and one that denies it: the claim stays open, whatever the model makes of the denial."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from evaluation.runs.given_evidence import check_given
from evaluation.runs.runner import compiler
from evidence.types import Document
from factdesk.kernel import sha256_text
from factdesk.settings import Settings
from report.policy.evidence_sides import contradicts
from tests.report.records import make_assessment
from verifier.backends.factory import make_verifier
from verifier.types import DENIALS, GuardFinding, Thresholds

CLAIM = "The ferry at Orr sank twice in March."


def document(name: str, text: str) -> Document:
    return Document(doc_id=name, title="News", text=text, sha256=sha256_text(text), publisher=f"The {name}")


@pytest.fixture(scope="module")
def verdict() -> Callable[[str], str]:
    settings, verifier = Settings(), make_verifier("duet:minilm-fact+mpnet-fact")

    def of(other: str) -> str:
        found = check_given(
            "c1",
            CLAIM,
            [document("Post", CLAIM), document("Gazette", other)],
            compile_claims=compiler(settings),
            verifier=verifier,
            thresholds=settings.thresholds.apply(verifier.thresholds),
            caps=settings.caps,
        )
        return found.verdict

    return of


@pytest.mark.parametrize(
    "denial",
    [
        "No ferry sank at Orr in March, the harbour master said.",
        "None of the ferries at Orr sank.",
        "The ferry at Orr didn't sink.",
        "It is not true that the ferry at Orr sank twice in March.",
        "Reports that the ferry at Orr sank twice in March are false.",
        "The harbour master denied that the ferry at Orr had sunk.",
        "The claim that the ferry at Orr sank twice in March is made up, the council said.",
        "An earlier report that the ferry at Orr sank twice was wrong.",
        "There is no truth in reports that the ferry at Orr sank.",
    ],
)
def test_a_denial_in_plain_words_keeps_a_claim_open(verdict: Callable[[str], str], denial: str) -> None:
    assert verdict(denial) == "conflicting"


@pytest.mark.parametrize(
    "other",
    [
        "Reports that a bridge at Orr fell in March are false.",
        "The ferry at Orr did not sail in April.",
        "Nobody at Orr saw a whale in March.",
        "It is true that the ferry at Orr sank twice in March.",
    ],
)
def test_a_denial_of_something_else_does_not(verdict: Callable[[str], str], other: str) -> None:
    assert verdict(other) == "supported"


@pytest.mark.parametrize("rule", sorted(DENIALS))
def test_a_denial_counts_against_a_claim_at_any_score(rule: str) -> None:
    found = make_assessment(0.4, 0.02)
    denied = GuardFinding(slot="negation", kind="missing", claim_value=CLAIM, message="It is denied.", rule=rule)
    guard = found.guard.model_copy(update={"structure": (denied,)})
    assert not contradicts(found, Thresholds())
    assert contradicts(found.model_copy(update={"guard": guard}), Thresholds())
