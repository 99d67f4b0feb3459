"""What stands as an answer: the rule for a source's own word, fits, and sources that differ."""

from __future__ import annotations

from typing import Any

import pytest

from agent.types import Fit
from report.certificate.consistency import body_problems
from report.policy.answers import answer_of
from report.policy.rules import decide
from report.render.check_json import AnswerResult, answer_json
from report.render.html.page import render_html
from report.render.markdown import render_markdown
from report.render.text import render_text
from report.render.view import report_view, shown_claims
from report.types import Asked, Certificate, ClaimRecord, SpanRecord, Witness
from tests.report.builders import (
    REPORT,
    make_certificate,
    make_claim,
    make_claims,
    make_decision,
    make_record,
    make_span,
)
from verifier.types import Assessment, GuardFinding, GuardReport, NLIScores, Thresholds

QUESTION = "When did the Tollgate library reopen?"
LIMITS = Thresholds()
SENTENCE = "The Tollgate library reopened on 4 May 2024."


def span(name: str, entailment: float = 0.97, *, matched: int = 1, overlap: float = 0.9) -> SpanRecord:
    record = make_record(make_span(name, REPORT, SENTENCE, 0), entailment, 0.01)
    guard = GuardReport(matched=matched, overlap=overlap)
    return record.model_copy(update={"assessment": record.assessment.model_copy(update={"guard": guard})})


def drafted(*spans: SpanRecord, sources: tuple[str, ...] | None = ()) -> ClaimRecord:
    witness = None if sources is None else Witness(sources=sources, least=2)
    return ClaimRecord(claim=make_claim("c1", SENTENCE, 0), spans=spans, witness=witness)


def test_one_sources_own_word_is_not_enough_for_a_drafted_statement() -> None:
    alone = drafted(span("post-1"))
    found = decide(alone, LIMITS)
    assert (found.state, found.rule, found.span_ids) == ("UNVERIFIED", "own_word", ("post-1#0.0",))
    assert decide(alone.model_copy(update={"witness": None}), LIMITS).state == "VERIFIED"


@pytest.mark.parametrize("site", ["news.example", "example"])
def test_a_named_source_may_speak_for_itself(site: str) -> None:
    assert decide(drafted(span("post-1"), sources=(site,)), LIMITS).state == "VERIFIED"


@pytest.mark.parametrize("site", ["ews.example", "news.example.org", "Tollgate Post", ""])
def test_a_source_is_named_by_its_site_alone(site: str) -> None:
    assert decide(drafted(span("post-1"), sources=(site,)), LIMITS).rule == "own_word"


def test_two_independent_sources_are_enough_and_copies_are_one() -> None:
    assert decide(drafted(span("post-1"), span("post-2")), LIMITS).state == "VERIFIED"
    copy = span("post-2").model_copy(update={"cluster": "post-1"})
    assert decide(drafted(span("post-1"), copy), LIMITS).rule == "own_word"


@pytest.mark.parametrize(
    ("second", "state"),
    [
        (span("post-2", 0.6), "VERIFIED"),
        (span("post-2", 0.3), "VERIFIED"),
        (span("post-2", 0.3, matched=0), "UNVERIFIED"),
        (span("post-2", 0.3, overlap=0.4), "UNVERIFIED"),
        (span("post-2", 0.6).model_copy(update={"trust": 0.2}), "UNVERIFIED"),
    ],
)
def test_a_second_witness_states_it_too(second: SpanRecord, state: str) -> None:
    assert decide(drafted(span("post-1"), second), LIMITS).state == state


OTHERWISE = GuardFinding(slot="number", kind="conflict", claim_value="34", evidence_value="30", message="34, not 30")
DAY_TOO = OTHERWISE.model_copy(update={"slot": "date"})
LACKING = OTHERWISE.model_copy(update={"kind": "missing"})


@pytest.mark.parametrize(
    ("guard", "neutral", "trust", "state"),
    [
        (GuardReport(findings=(OTHERWISE,), premise_overlap=0.2), 0.7, 0.5, "UNVERIFIED"),
        (GuardReport(findings=(OTHERWISE,), premise_overlap=0.1), 0.7, 0.5, "VERIFIED"),
        (GuardReport(findings=(OTHERWISE,), premise_overlap=0.2), 0.8, 0.5, "VERIFIED"),
        (GuardReport(findings=(OTHERWISE,), premise_overlap=0.2), 0.7, 0.2, "VERIFIED"),
        (GuardReport(findings=(OTHERWISE,), premise_overlap=0.2, same_subject=False), 0.7, 0.5, "VERIFIED"),
        (GuardReport(findings=(OTHERWISE,), premise_overlap=0.2, premise_future=True), 0.7, 0.5, "VERIFIED"),
        (GuardReport(findings=(OTHERWISE, DAY_TOO), premise_overlap=0.2), 0.7, 0.5, "VERIFIED"),
        (GuardReport(findings=(LACKING,), premise_overlap=0.2), 0.7, 0.5, "VERIFIED"),
    ],
)
def test_a_drafted_statement_is_open_where_a_trusted_source_gives_another_amount(
    guard: GuardReport, neutral: float, trust: float, state: str
) -> None:
    scores = NLIScores(entailment=round(0.9 - neutral, 4), neutral=neutral, contradiction=0.1)
    found = Assessment(raw=scores, calibrated=scores, guard=guard)
    other = span("post-2").model_copy(update={"assessment": found, "trust": trust})
    record = drafted(span("post-1"), other, sources=("news.example",))
    decision = decide(record, LIMITS)
    assert decision.state == state
    assert decision.rule == ("verified" if state == "VERIFIED" else "other_amount")
    assert decide(record.model_copy(update={"witness": None}), LIMITS).state == "VERIFIED"


def fits(*values: tuple[str, bool, str, bool]) -> tuple[Fit, ...]:
    return tuple(
        Fit(
            claim_id=f"c{n}",
            question_coverage=0.8,
            answer_text=fill,
            values=(value,),
            answers=answers,
            plan=plan,
        )
        for n, (fill, answers, value, plan) in enumerate(values, 1)
    )


def asked(found: tuple[Fit, ...], *states: str, **fields: Any) -> Certificate:
    claims = tuple(
        c.model_copy(update={"witness": Witness(sources=("news.example",))}) for c in make_claims()[: len(found)]
    )
    decisions = tuple(
        make_decision(c.claim.claim_id, s, 0.97, c.spans[0].span.span_id) for c, s in zip(claims, states, strict=True)
    )
    values: dict[str, Any] = {
        "claims": claims,
        "decisions": decisions,
        "asked": Asked(question=QUESTION, fits=found),
        "settings": {"sources": ["news.example"]},
        "proposal": None,
    }
    return make_certificate("cert-9", **{**values, **fields})


DAY = ("4 May 2024", True, "date|2024-05-04|", False)
OTHER = ("2023", True, "date|2023|", False)
MONTH = ("May 2024", True, "date|2024-05|", False)
PLAN = ("2023", True, "date|2023|", True)
NO_FIT = ("2023", False, "date|2023|", False)


@pytest.mark.parametrize(
    ("found", "states", "answer", "why"),
    [
        ((DAY, NO_FIT), ("VERIFIED", "VERIFIED"), ("c1",), ""),
        ((DAY, MONTH), ("VERIFIED", "UNVERIFIED"), ("c1",), ""),
        (
            (DAY, OTHER),
            ("VERIFIED", "VERIFIED"),
            (),
            "The sources differ on what was asked.",
        ),
        (
            (DAY, OTHER),
            ("VERIFIED", "UNVERIFIED"),
            (),
            "The sources differ on what was asked.",
        ),
        ((DAY, OTHER), ("VERIFIED", "BLOCKED"), ("c1",), ""),
        ((DAY, PLAN), ("VERIFIED", "UNVERIFIED"), ("c1",), ""),
        ((DAY, OTHER), ("UNVERIFIED", "UNVERIFIED"), (), "None of the sentences"),
        ((NO_FIT, NO_FIT), ("VERIFIED", "VERIFIED"), (), "No sentence was found"),
        ((), (), (), "No sentence was found"),
    ],
)
def test_an_answer_is_verified_fits_and_is_undisputed(
    found: tuple[Any, ...], states: tuple[str, ...], answer: tuple[str, ...], why: str
) -> None:
    certificate = asked(fits(*found), *states)
    given = answer_of(certificate.body)
    assert given.claim_ids == answer
    assert given.why_not.startswith(why)
    assert bool(given.why_not) != bool(answer)
    assert tuple(v.decision.claim_id for v in shown_claims(certificate, "strict")) == answer
    result = AnswerResult.model_validate(answer_json(certificate, "strict"))
    assert isinstance(result, AnswerResult)
    assert (result.answered, tuple(a.claim_id for a in result.answer)) == (bool(answer), answer)


def test_what_is_refuted_and_borne_out_below_the_gate_alone_is_no_rival() -> None:
    certificate = asked(fits(DAY, OTHER), "VERIFIED", "UNVERIFIED")
    assert answer_of(certificate.body).claim_ids == ()
    first, other = certificate.body.decisions
    decisions = (first, other.model_copy(update={"rule": "disputed"}))
    assert answer_of(certificate.body.model_copy(update={"decisions": decisions})).claim_ids == ("c1",)


def test_nothing_of_the_rest_of_the_draft_is_quoted_in_strict_mode() -> None:
    certificate = asked(fits(DAY, NO_FIT, NO_FIT), "VERIFIED", "UNVERIFIED", "BLOCKED")
    rest = [s.claim.text for s in report_view(certificate, "strict").hidden]
    assert len(rest) == 2
    for render in (render_text, render_markdown, render_html):
        text = render(certificate, "strict")
        assert QUESTION in text
        assert SENTENCE in text
        assert not any(hidden in text for hidden in rest)
        assert certificate.body.claim_text not in text


def test_integrity_sees_when_the_rule_for_drafts_was_taken_off() -> None:
    body = asked(fits(DAY), "VERIFIED").body
    assert not [p for p in body_problems(body) if "draft" in p or "fits" in p]
    bare = tuple(c.model_copy(update={"witness": None}) for c in body.claims)
    wide = tuple(c.model_copy(update={"witness": Witness(sources=("blog.example",))}) for c in body.claims)
    for change in ({"claims": bare}, {"claims": wide}, {"asked": None}, {"settings": {"sources": []}}):
        assert [p for p in body_problems(body.model_copy(update=change)) if "drafted" in p], change
    moved = Asked(question=QUESTION, fits=())
    assert "the fits are not those of the claims" in list(body_problems(body.model_copy(update={"asked": moved})))


def test_a_check_has_neither_question_nor_rule() -> None:
    body = make_certificate("cert-1").body
    assert body.asked is None
    assert all(record.witness is None for record in body.claims)
