"""The policy's word on a drafted statement while it is being looked into."""

from __future__ import annotations

import pytest

from agent.types import ScoredSpan
from evidence.types import Hit
from factdesk.annotation.weighing import Scales
from factdesk.check.pipeline import make_stands
from factdesk.kernel import Failure
from report.types import Witness
from tests.report.builders import REPORT, make_claim, make_record, make_span
from verifier.types import Thresholds

SENTENCE = "The Tollgate library reopened on 4 May 2024."


def scored(name: str, entailment: float, contradiction: float) -> ScoredSpan:
    record = make_record(make_span(name, REPORT, SENTENCE, 0), entailment, contradiction)
    hit = Hit(span=record.span, scores=record.retrieval, rank=1)
    return ScoredSpan(claim_id="c1", question_id="c1.q1", hit=hit, assessment=record.assessment)


@pytest.mark.parametrize(
    ("spans", "sources", "stands"),
    [
        ((("post-1", 0.97, 0.01),), ("news.example",), True),
        ((("post-1", 0.97, 0.01),), (), False),
        ((("post-1", 0.97, 0.01), ("post-2", 0.97, 0.01)), (), False),  # the same text twice is one source
        ((("post-1", 0.97, 0.01), ("post-2", 0.01, 0.9)), ("news.example",), False),
        ((("post-1", 0.5, 0.01),), ("news.example",), False),
        ((), ("news.example",), False),
    ],
)
def test_a_statement_stands_where_the_policy_would_verify_it(
    spans: tuple[tuple[str, float, float], ...], sources: tuple[str, ...], stands: bool
) -> None:
    policy = make_stands(Thresholds(), trust_enabled=False, witness=Witness(sources=sources))
    claim = make_claim("c1", SENTENCE, 0)
    found = [scored(*span) for span in spans]
    assert policy(claim, found, None, ()) is stands
    failed = Failure(where="verifier.assess", kind="budget", message="it stopped", claim_id="c1")
    assert policy(claim, found, None, (failed,)) is False


def test_with_trust_on_and_none_worked_out_nothing_stands() -> None:
    policy = make_stands(Thresholds(), trust_enabled=True, witness=Witness(sources=("news.example",)))
    assert not policy(make_claim("c1", SENTENCE, 0), [scored("post-1", 0.97, 0.01)], None, ())


@pytest.mark.parametrize(("sources", "state"), [(("news.example",), "VERIFIED"), ((), "UNVERIFIED")])
def test_an_annotation_knows_the_rated_sources_too(sources: tuple[str, ...], state: str) -> None:
    """Where two sources are asked for unless one is rated."""
    scales = Scales(Thresholds(min_unrated=2), 100, None, sources)
    assert scales.weigh(make_claim("c1", SENTENCE, 0), [scored("post-1", 0.97, 0.01)]).decision.state == state
