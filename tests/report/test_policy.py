"""Which rule decides, on records made for it."""

from __future__ import annotations

from datetime import date

import pytest

from agent.types import LEFT_OUT
from factdesk.kernel import Failure
from report.policy.rules import decide
from report.policy.subjects import OTHER_SUBJECT
from report.types import ClaimRecord, JointRecord, SpanRecord
from tests.report.records import (
    CONFLICT,
    DENIED,
    LIMITS,
    MISSING,
    SILENT,
    case,
    contradicting,
    make_assessment,
    make_claim,
    make_record,
    refuting,
    supporting,
    with_guard,
)
from trust.types import Dispute
from verifier.types import REPORTED, WITHDRAWN, Assessment, GuardFinding, Thresholds


def test_a_detail_stated_otherwise_contests_on_whichever_side_the_model_leans() -> None:
    for pro, con in ((0.42, 0.45), (0.6, 0.3), (0.3, 0.6)):
        other = make_record("other", make_assessment(pro, con, CONFLICT))
        assert decide(case(supporting(), other), Thresholds()).state == "UNVERIFIED"
    unrelated = make_record("other", make_assessment(0.2, 0.25, CONFLICT))
    assert decide(case(supporting(), unrelated), Thresholds()).state == "VERIFIED"


def test_a_condition_or_a_hedge_is_no_detail_stated_otherwise() -> None:
    """ "If the tests succeed, trains will stop" is no support, and does not stand against another page's either."""
    hedge = GuardFinding(slot="modality", kind="conflict", claim_value="", evidence_value="if", message="hedged")
    for pro, con in ((0.8, 0.03), (0.42, 0.45)):
        other = make_record("other", make_assessment(pro, con, hedge))
        assert decide(case(other), Thresholds()).state == "UNVERIFIED"
        assert decide(case(supporting(), other), Thresholds()).state == "VERIFIED"
    both = make_record("other", make_assessment(0.8, 0.03, hedge, CONFLICT))
    assert decide(case(supporting(), both), Thresholds()).state == "UNVERIFIED"


def test_what_was_withdrawn_leans_to_nothing() -> None:
    """ "An earlier version said that 340 jobs were cut" stands against no refutation; a source that says so does."""
    reported = GuardFinding(slot="speaker", kind="missing", claim_value="340", message="reported", rule=REPORTED)
    withdrawn = reported.model_copy(update={"rule": WITHDRAWN})
    for rules, state in (((reported,), "UNVERIFIED"), ((reported, withdrawn), "BLOCKED")):
        told = with_guard(make_record("other", make_assessment(0.61, 0.06)), structure=rules)
        assert decide(case(refuting(), told), Thresholds()).state == state


def test_what_states_another_fact_contests_nothing() -> None:
    """Not even the mended claim is likelier than not by it, so it gives no detail of the claim otherwise."""
    for mended, state in ((0.3, "VERIFIED"), (0.6, "UNVERIFIED"), (None, "UNVERIFIED")):
        other = make_record("other", make_assessment(0.3, 0.6, CONFLICT, mended=mended))
        assert decide(case(supporting(), other), Thresholds()).state == state
    leaning = make_record("other", make_assessment(0.6, 0.3, CONFLICT, mended=0.3))
    assert decide(case(supporting(), leaning), Thresholds()).state == "UNVERIFIED"


def test_another_amount_at_another_time_is_another_fact() -> None:
    date_conflict = CONFLICT.model_copy(update={"slot": "date"})
    row = make_record("row", make_assessment(0.01, 0.97, CONFLICT, date_conflict))
    same_time = make_record("row", make_assessment(0.01, 0.97, CONFLICT))
    assert decide(case(supporting(), row), Thresholds()).state == "VERIFIED"
    assert decide(case(supporting(), same_time), Thresholds()).state == "UNVERIFIED"


@pytest.mark.parametrize(
    ("told", "findings", "mended", "state"),
    [
        (0.1, (CONFLICT,), None, "VERIFIED"),
        (0.2, (CONFLICT,), None, "UNVERIFIED"),
        (0.4, (SILENT,), None, "VERIFIED"),
        (0.5, (SILENT,), None, "UNVERIFIED"),
        (0.1, (), None, "UNVERIFIED"),
        (0.1, (MISSING,), None, "UNVERIFIED"),
        (0.1, (CONFLICT, DENIED), None, "UNVERIFIED"),
        (0.1, (CONFLICT,), 0.6, "UNVERIFIED"),
        (0.1, (CONFLICT,), 0.3, "VERIFIED"),
        (0.1, (CONFLICT,), (0.3, 0.95), "UNVERIFIED"),
        (0.1, (CONFLICT,), (0.3, 0.8), "VERIFIED"),
    ],
)
def test_what_speaks_of_another_matter_contradicts_nothing(
    told: float, findings: tuple[GuardFinding, ...], mended: float | tuple[float, float] | None, state: str
) -> None:
    entailed, likely = mended if isinstance(mended, tuple) else (mended, None)
    scores = make_assessment(0.01, 0.8, *findings, mended=entailed, refutation=likely)
    other = with_guard(make_record("other", scores), premise_overlap=told)
    assert decide(case(supporting(), other), LIMITS).state == state


def test_another_number_of_the_same_thing_prevents_verified_whatever_the_model_says() -> None:
    other = with_guard(make_record("other", make_assessment(0.0, 0.1, CONFLICT)), count_differs=True)
    assert decide(case(supporting(), other), LIMITS).rule == "both_ways"


@pytest.mark.parametrize(
    ("plan", "outcome", "state"),
    [
        (date(2022, 1, 1), date(2025, 1, 1), "VERIFIED"),
        (date(2025, 1, 1), date(2022, 1, 1), "UNVERIFIED"),
        (date(2025, 1, 1), date(2025, 1, 1), "UNVERIFIED"),
        (None, date(2025, 1, 1), "UNVERIFIED"),
        (date(2022, 1, 1), None, "UNVERIFIED"),
    ],
)
def test_a_plan_is_overtaken_by_a_later_word_of_its_outcome(
    plan: date | None, outcome: date | None, state: str
) -> None:
    word = supporting(published=outcome)
    for other in (contradicting(published=plan), refuting(published=plan)):
        found = decide(case(word, with_guard(other, premise_future=True)), LIMITS)
        assert found.state == state
        assert decide(case(word, other), LIMITS).state == "UNVERIFIED"


@pytest.mark.parametrize(("support", "state"), [({"published": date(2025, 5, 12)}, "VERIFIED"), ({}, "UNVERIFIED")])
def test_what_was_so_before_the_time_of_the_claim_does_not_contradict_it(support: dict[str, date], state: str) -> None:
    before = with_guard(contradicting(published=date(2019, 8, 19)), predates_claim=True)
    assert decide(case(supporting(**support), before), LIMITS).state == state
    assert decide(case(with_guard(supporting(**support), predates_claim=True), before), LIMITS).state == "UNVERIFIED"
    amount = with_guard(before, findings=(CONFLICT,))
    assert decide(case(supporting(**support), amount), LIMITS).state == "UNVERIFIED"


# Random records, drawn from a pool whose scores stand at the thresholds, where the decisions are.


def test_one_trusted_supporting_sentence_verifies() -> None:
    decision = decide(case(supporting()), LIMITS)
    assert (decision.state, decision.rule, decision.span_ids) == ("VERIFIED", "verified", ("good#0.0",))


@pytest.mark.parametrize("pro", [0.85, 0.97])
def test_the_limits_themselves_are_enough(pro: float) -> None:
    assert decide(case(supporting(pro=pro, trust=LIMITS.tau_trust)), LIMITS).state == "VERIFIED"


@pytest.mark.parametrize(
    "span",
    [
        supporting(pro=0.849),
        supporting(trust=0.399),
        make_record("good", make_assessment(0.97, 0.01, CONFLICT)),
        make_record("good", make_assessment(0.97, 0.01, MISSING)),
        supporting(kind="ocr"),
    ],
    ids=["score", "trust", "conflict", "missing", "image"],
)
def test_what_falls_short_in_one_thing_stays_open(span: SpanRecord) -> None:
    decision = decide(case(span), LIMITS)
    assert (decision.state, decision.label) == ("UNVERIFIED", "not_enough_info")
    assert decision.reason


@pytest.mark.parametrize(
    ("guard", "state", "reason"),
    [
        ({"premise_overlap": 0.49}, "UNVERIFIED", "only 49% of the claim's words"),
        ({"premise_overlap": 0.5}, "VERIFIED", "Entailed"),
        ({"premise_overlap": 0.49, "matched": 1}, "UNVERIFIED", "only 49% of the claim's words"),
        ({"premise_overlap": 0.2, "matched": 1, "named": 1}, "VERIFIED", "Entailed"),
        ({"uncovered": ("urease",)}, "UNVERIFIED", "says nothing of 'urease'"),
    ],
)
def test_a_sentence_about_something_else_verifies_nothing_however_sure(
    guard: dict[str, object], state: str, reason: str
) -> None:
    decision = decide(case(with_guard(supporting(pro=0.99), **guard)), LIMITS)
    assert decision.state == state
    assert reason in decision.reason


@pytest.mark.parametrize(("told", "state"), [(0.2, "BLOCKED"), (0.19, "UNVERIFIED")])
def test_a_sentence_about_something_else_refutes_nothing_but_stands_against(told: float, state: str) -> None:
    far = with_guard(refuting(), premise_overlap=told, findings=(CONFLICT.model_copy(update={"slot": "entity"}),))
    decision = decide(case(far), LIMITS)
    assert decision.state == state
    assert ("it has only 19%" in decision.reason) is (state == "UNVERIFIED")
    assert decide(case(supporting(), far), LIMITS).rule == "both_ways"


def test_trust_switched_off_opens_the_gate() -> None:
    assert decide(case(supporting(trust=None)), LIMITS).state == "VERIFIED"


def test_an_image_certifies_what_is_said_about_it() -> None:
    assert decide(case(supporting(kind="ocr", trust=None), about_image=True), LIMITS).state == "VERIFIED"
    beside = contradicting("elsewhere")
    assert decide(case(supporting(kind="ocr"), beside, about_image=True), LIMITS).state == "VERIFIED"
    assert decide(case(supporting(), about_image=True), LIMITS).state == "UNVERIFIED"


def test_opinions_are_open_by_design_whatever_the_evidence() -> None:
    record = ClaimRecord(claim=make_claim(by_design="an opinion"), spans=(supporting(),))
    assert decide(record, LIMITS).rule == "unsupported_by_design"


def test_nothing_found_is_said() -> None:
    decision = decide(case(), LIMITS)
    assert (decision.state, decision.rule, decision.score) == ("UNVERIFIED", "no_evidence", 0.0)


def test_trusted_evidence_both_ways_is_conflicting() -> None:
    decision = decide(case(supporting(), contradicting()), LIMITS)
    assert (decision.state, decision.rule, decision.conflicting) == ("UNVERIFIED", "both_ways", True)
    assert set(decision.span_ids) == {"good#0.0", "against#0.0"}


@pytest.mark.parametrize(
    ("page", "state"),
    [
        ("Reopening of the lock at Pennow", "VERIFIED"),
        ("Reopening of a lock", "UNVERIFIED"),
        ("Reopening of the lock at Attering, near Pennow", "UNVERIFIED"),
    ],
)
def test_a_page_that_names_others_only_says_nothing_of_the_claim(page: str, state: str) -> None:
    """ "The lock reopened on 28 March" is said of the lock of its own page."""
    claim = make_claim("The lock at Attering reopened on 14 March 2025.")
    spans = (supporting(words="Reopening of the lock at Attering"), contradicting(words=page))
    decision = decide(ClaimRecord(claim=claim, spans=spans), LIMITS)
    assert decision.state == state
    about_image = claim.model_copy(update={"about_image": True})
    seen = tuple(s.model_copy(update={"span": s.span.model_copy(update={"kind": "ocr"})}) for s in spans)
    assert decide(ClaimRecord(claim=about_image, spans=seen), LIMITS).state == "UNVERIFIED"


def test_another_sentence_of_the_page_may_name_the_claims_subject() -> None:
    """What is found on a page is read together: one sentence names the lock, the next one tells of it."""
    claim = make_claim("The lock at Attering reopened on 14 March 2025.")
    told = contradicting(words="Notice of the trustees of Pennow")
    named = make_record("against", make_assessment(0.1, 0.1), words="The lock at Attering was shut.")
    named = named.model_copy(update={"span": named.span.model_copy(update={"span_id": "against#0.1"})})
    good = supporting(words="Reopening of the lock at Attering")
    assert decide(ClaimRecord(claim=claim, spans=(good, told)), LIMITS).state == "VERIFIED"
    assert decide(ClaimRecord(claim=claim, spans=(good, told, named)), LIMITS).rule == "both_ways"


def test_a_name_beside_the_claims_may_be_its_other_name() -> None:
    """ "Oster Roastery, which runs the Pellico cafes" makes heard what another page says of Pellico."""
    claim = make_claim("Oster Roastery opened 14 cafes in 2022.")
    good = supporting(words="Oster Roastery opened 14 cafes in 2022.")
    linking = make_record("link", make_assessment(0.1, 0.1), words="Oster Roastery runs the Pellico cafes.")
    page = contradicting(words="Pellico opened 22 cafes in 2022.")
    subject = GuardFinding(
        slot="entity",
        kind="missing",
        claim_value="Oster Roastery",
        evidence_value="Pellico",
        message="another",
        rule=OTHER_SUBJECT,
    )
    for told in (page, with_guard(page, apart=(subject,))):
        assert decide(ClaimRecord(claim=claim, spans=(good, told)), LIMITS).state == "VERIFIED"
        assert decide(ClaimRecord(claim=claim, spans=(good, told, linking)), LIMITS).rule == "both_ways"


def test_a_certified_refutation_blocks_and_shows_no_mended_claim() -> None:
    decision = decide(case(refuting()), LIMITS)
    assert (decision.state, decision.rule, decision.span_ids) == ("BLOCKED", "refuted", ("against#0.0",))
    assert "with that source's detail in it the statement is entailed at 0.97" in decision.reason
    assert "mended" not in decision.reason, "no source contains the mended claim, so it is not shown"


def test_a_reason_gives_no_figure_beside_a_limit_that_it_does_not_miss() -> None:
    """A contested detail is no score, and figures that print alike say nothing."""
    contested = make_record("other", make_assessment(0.9, 0.04, CONFLICT))
    reason = decide(case(supporting(), contested), LIMITS).reason
    assert "'other' states a detail of it otherwise (4, not 3)" in reason
    assert "0.04" not in reason
    assert (
        "'against' contradicts it at 0.97 (limit 0.70)"
        in decide(case(supporting(), contradicting(con=0.97)), LIMITS).reason
    )
    near = decide(case(supporting(pro=0.8496)), LIMITS).reason
    assert "entails it at 0.850, below" not in near
    assert "at 0.8496, below the limit 0.8500" in near


@pytest.mark.parametrize(
    ("found", "why"),
    [
        (make_assessment(0.0, 0.99, CONFLICT, same_subject=False), "it speaks of another subject"),
        (make_assessment(0.0, 0.99, CONFLICT), "no single detail can be set right"),
        (
            make_assessment(0.0, 0.99, CONFLICT, mended=0.9, refutation=0.5),
            "at 0.50 only, below the limit 0.90",
        ),
        (make_assessment(0.0, 0.99, CONFLICT, mended=0.3), "is entailed at 0.30 only"),
    ],
)
def test_what_a_refutation_lacks_is_said(found: Assessment, why: str) -> None:
    reason = decide(case(make_record("near", found)), LIMITS).reason
    assert why in reason
    assert "not enough" not in reason


@pytest.mark.parametrize(
    "span",
    [
        refuting(con=0.899),
        refuting(trust=0.3),
        refuting(kind="ocr"),
        make_record("against", make_assessment(0.01, 0.97, CONFLICT, same_subject=False, mended=0.97)),
        make_record("against", make_assessment(0.01, 0.97, CONFLICT, mended=0.84)),
        make_record("against", make_assessment(0.01, 0.97, CONFLICT)),
        make_record("against", make_assessment(0.3, 0.2, CONFLICT, mended=0.97)),
    ],
    ids=["score", "trust", "image", "subject", "weak-mend", "no-mend", "guard-alone"],
)
def test_a_refutation_that_falls_short_in_one_thing_stays_open(span: SpanRecord) -> None:
    assert decide(case(span), LIMITS).state == "UNVERIFIED"


def test_one_untrusted_contradiction_does_not_outweigh_a_rated_source_but_two_do() -> None:
    low, rated = [contradicting(f"low{i}", trust=0.1) for i in (1, 2)], supporting(rated=True)
    assert decide(case(rated, low[0]), LIMITS).state == "VERIFIED"
    decision = decide(case(rated, *low), LIMITS)
    assert (decision.state, decision.rule) == ("UNVERIFIED", "two_untrusted_against")


def test_unrated_sources_outvote_nobody_whatever_their_number() -> None:
    many, low = [supporting(f"new{i}") for i in range(5)], contradicting("low", trust=0.1)
    decision = decide(case(*many, low), LIMITS)
    assert (decision.state, decision.rule) == ("UNVERIFIED", "one_untrusted_against")
    assert "'low'" in decision.reason
    assert decide(case(*many), LIMITS).state == "VERIFIED"
    assert decide(case(*many, supporting("old", rated=True), low), LIMITS).state == "VERIFIED"


def test_a_page_of_low_trust_that_debunks_the_claim_counts_as_one_against_it() -> None:
    page = supporting("check", frame="rated_false", trust=0.1)
    assert decide(case(supporting("a"), supporting("b"), page), LIMITS).rule == "one_untrusted_against"
    assert decide(case(supporting(rated=True), page), LIMITS).state == "VERIFIED"


def test_nothing_is_certified_where_a_cap_left_out_what_may_tell_more() -> None:
    lost = Failure(where="verifier.assess", kind=LEFT_OUT, message="the cap left out 'x'", claim_id="c1")
    for span in (supporting(), refuting()):
        decision = decide(case(span), LIMITS, (lost,))
        assert (decision.state, decision.rule) == ("UNVERIFIED", "left_out")
        assert "'x'" in decision.reason
    both = decide(case(supporting(), refuting()), LIMITS, (lost,))
    assert (both.rule, both.conflicting) == ("both_ways", True)


def test_copies_of_one_untrusted_source_count_once() -> None:
    low = [contradicting(f"low{i}", trust=0.1, cluster="low1") for i in (1, 2, 3)]
    assert decide(case(supporting(rated=True), *low), LIMITS).state == "VERIFIED"


def test_a_later_contradiction_prevents_verified_even_below_the_gate() -> None:
    old = supporting(published=date(2020, 1, 1), rated=True)
    late = contradicting(trust=0.1, published=date(2024, 1, 1))
    early = contradicting(trust=0.1, published=date(2019, 1, 1))
    assert decide(case(old, late), LIMITS).rule == "outdated"
    assert decide(case(old, early), LIMITS).state == "VERIFIED"


def test_a_publishers_later_word_takes_the_place_of_its_earlier_one_and_of_copies() -> None:
    paper = {"publisher": "Courier", "url": "https://courier.example/a"}
    earlier = supporting("earlier", published=date(2025, 3, 15), cluster="earlier", **paper)
    copied = supporting("copied", published=date(2025, 3, 16), cluster="earlier", publisher="Monitor")
    later = refuting("later", published=date(2025, 3, 22), **paper)
    assert decide(case(earlier, copied, later), LIMITS).state == "BLOCKED"
    elsewhere = refuting("x", published=date(2025, 3, 22), publisher="Courier", url="https://fake.example/a")
    assert decide(case(earlier, elsewhere), LIMITS).rule == "both_ways"
    before = refuting("later", published=date(2025, 3, 1), **paper)
    assert decide(case(earlier, before), LIMITS).rule == "both_ways"
    untrusted = refuting("later", published=date(2025, 3, 22), trust=0.1, **paper)
    assert decide(case(earlier, untrusted), LIMITS).state == "UNVERIFIED"


def test_no_refutation_while_an_untrusted_source_leans_towards_the_claim() -> None:
    rumour = supporting("rumour", trust=0.1)
    assert decide(case(refuting(), rumour), LIMITS).rule == "disputed"
    assert decide(case(refuting(), supporting("rumour", pro=0.6, trust=0.1)), LIMITS).rule == "disputed"
    assert decide(case(refuting(), supporting("rumour", pro=0.4, trust=0.1)), LIMITS).state == "BLOCKED"


def test_a_sentence_without_the_claims_amount_does_not_lean_towards_it() -> None:
    lacking = MISSING.model_copy(update={"slot": "number"})
    beside = make_record("beside", make_assessment(0.8, 0.05, lacking), trust=0.1)
    assert decide(case(refuting(), beside), LIMITS).state == "BLOCKED"


def test_a_sentence_that_shares_only_number_and_name_does_not_lean_towards_it() -> None:
    """ "Dellow must sell six of the 47 shops" is no support for "Dellow operates in six countries"."""

    def sharing(told: float) -> SpanRecord:
        found = make_assessment(0.3, 0.1)
        guard = found.guard.model_copy(update={"matched": 1, "overlap": 0.5, "premise_overlap": told})
        return make_record("six-shops", found.model_copy(update={"guard": guard}))

    assert decide(case(refuting(), sharing(0.0)), LIMITS).state == "BLOCKED"
    assert decide(case(refuting(), sharing(0.5)), LIMITS).rule == "both_ways"


def test_a_source_that_tells_both_sides_refutes_nothing() -> None:
    """ "The catalogue says 1887; an art historian now says 1889": one page, two voices."""
    against = refuting("when-was-it-painted")
    assert decide(case(against, supporting("when-was-it-painted", pro=0.69)), LIMITS).rule == "both_ways"


def test_a_superseded_report_still_contradicts() -> None:
    """Supersession may take support away; it never makes Verified easier."""
    paper = {"publisher": "Courier", "url": "https://courier.example/a"}
    earlier = refuting("earlier", published=date(2025, 3, 15), **paper)
    later = supporting("later", published=date(2025, 3, 22), **paper)
    assert decide(case(earlier, later), LIMITS).rule == "both_ways"


def test_independence_is_counted_by_cluster() -> None:
    two = Thresholds(min_independent=2)
    copies = [supporting("a", cluster="k"), supporting("b", cluster="k")]
    assert decide(case(*copies), two).state == "UNVERIFIED"
    assert decide(case(*copies, supporting("c")), two).state == "VERIFIED"


def test_a_joint_premise_verifies_with_all_members_trusted() -> None:
    halves = [make_record(name, make_assessment(0.4, 0.01, MISSING)) for name in ("a", "b")]
    joint = JointRecord(span_ids=("a#0.0", "b#0.0"), assessment=make_assessment(0.95, 0.01))
    decision = decide(case(*halves, joint=(joint,)), LIMITS)
    assert (decision.state, decision.span_ids) == ("VERIFIED", ("a#0.0", "b#0.0"))
    doubtful = halves[1].model_copy(update={"trust": 0.2})
    assert decide(case(halves[0], doubtful, joint=(joint,)), LIMITS).state == "UNVERIFIED"


def test_a_joint_premise_is_one_source() -> None:
    halves = [make_record(name, make_assessment(0.4, 0.01, MISSING)) for name in ("a", "b")]
    joint = JointRecord(span_ids=("a#0.0", "b#0.0"), assessment=make_assessment(0.95, 0.01))
    assert decide(case(*halves, joint=(joint,)), Thresholds(min_independent=2)).state == "UNVERIFIED"


def disputed_by(record: SpanRecord, name: str, trust: float) -> SpanRecord:
    dispute = Dispute(doc_id=name, span_id=f"{name}#0.0", trust=trust)
    return record.model_copy(update={"disputes": (dispute,)})


@pytest.mark.parametrize(("trust", "rule"), [(0.5, "contested"), (0.3, "refuted")])
def test_a_refutation_by_what_a_trusted_source_refutes_in_turn_stays_open(trust: float, rule: str) -> None:
    decision = decide(case(disputed_by(refuting(), "other", trust)), LIMITS)
    assert (decision.rule, decision.conflicting) == (rule, False)
    clear = decide(case(disputed_by(refuting(), "other", trust), refuting(name="second")), LIMITS)
    assert (clear.rule, clear.span_ids[-1]) == ("refuted", "second#0.0"), "another one is not contested"


@pytest.mark.parametrize(
    ("con", "trust", "rule"), [(0.6, 0.5, "contested"), (0.6, 0.3, "verified"), (0.1, 0.5, "verified")]
)
def test_support_that_a_source_leaning_against_the_claim_refutes_is_in_conflict(
    con: float, trust: float, rule: str
) -> None:
    against = make_record("other", make_assessment(0.0, con), trust=trust)
    decision = decide(case(disputed_by(supporting(), "other", trust), against), LIMITS)
    assert (decision.rule, decision.conflicting) == (rule, rule == "contested")
