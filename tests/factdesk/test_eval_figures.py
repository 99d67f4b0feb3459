"""Figures of runs worked out by hand, statistics against known values, and why verdicts were missed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.ablations.compare import compare
from evaluation.data.formats.types import Answered
from evaluation.metrics.figures import figures_of
from evaluation.metrics.measures import interval, mcnemar, paired, reliability, risk_coverage, share
from evaluation.metrics.meteor import assigned, averitec_scores, meteor
from evaluation.runs.errors import CLASSES, classify, classify_run
from evaluation.runs.extras import catch_rates
from evaluation.runs.obstacles import OBSTACLES, behind
from evaluation.runs.runfile import EvalRun, RunKey
from factdesk.kernel import Failure, Fingerprint, InputError
from tests.factdesk.eval_made import assessment, item, span, trace

ITEMS = [
    item("a", "supported", "supported", gold_found=True, cited=("x", "y"), cited_right=1, gold_cited=True),
    item("b", "refuted", "supported", gold_found=False, cited=("z",), cited_right=0, gold_cited=False),
    item("c", "not_enough_evidence", "refuted"),
    item("d", "refuted", "refuted", gold_found=True, cited=("w",), cited_right=1, gold_cited=True),
    item("e", "supported", "not_enough_evidence", gold_found=True, group="g"),
    item("f", "not_enough_evidence", "conflicting", group="g"),
    item("g", "supported", "refuted"),
    item("h", "not_enough_evidence", "supported"),
]


def test_figures_by_hand() -> None:
    found = figures_of(ITEMS, draws=50)
    assert (found.n, found.accuracy.value) == (8, 0.375)  # a, d and f
    assert (found.verified, found.refuted, found.wrong_verified, found.wrong_refuted) == (3, 3, 2, 2)
    assert (found.verified_precision.value, found.verified_recall) == (0.3333, 0.3333)
    assert (found.refuted_precision.value, found.coverage.value) == (0.3333, 0.75)
    assert (found.uer.value, found.cer.value) == (0.6667, 0.3333)  # b, c, g, h of six; b and g opposite
    assert (found.uer_mixed, found.cer_mixed) == (0.6, 0.2)  # b, f, h of five; b
    assert found.per_class["supported"].f1 == 0.3333
    assert found.weighted_f1.value == 0.44  # supported 2 * 1 / 5 weighs 3 / 5, refuted 2 * 1 / 4 weighs 2 / 5
    assert found.balanced_accuracy == pytest.approx((1 / 3 + 1 / 2 + 1 / 3) / 3, abs=1e-4)
    assert (found.evidence_recall, found.citation_precision, found.citation_recall) == (0.75, 0.5, 0.6667)
    assert found.strict_score == 0.375
    assert found.groups["g"] == {"n": 2.0, "accuracy": 0.5, "verified_precision": None, "verified_recall": 0.0}
    assert (found.costs.p50, found.costs.pairs, found.costs.certificate_bytes) == (1.0, 10.0, None)
    assert figures_of(ITEMS, draws=50) == found


def test_two_labels_and_four() -> None:
    two = figures_of(ITEMS, binary=True, draws=20)
    assert two.labels == {"supported": 3, "not_enough_evidence": 5}
    assert two.accuracy.value == 0.5  # a, c, d and f: refuted counts as not supported
    four = figures_of([*ITEMS, item("i", "conflicting", "conflicting")], draws=20)
    assert four.per_class["conflicting"].n == 1
    assert four.accuracy.value == 0.3333  # f is conflicting now, and wrong
    with pytest.raises(InputError, match="no claims"):
        figures_of([])


def test_risk_against_coverage() -> None:
    found = risk_coverage([0.9, 0.8, 0.8, 0.1], [True, False, True, False])
    assert [(p.limit, p.coverage, p.risk) for p in found.points] == [
        (0.9, 0.25, 0.0),
        (0.8, 0.75, 0.3333),
        (0.1, 1.0, 0.5),
    ]
    assert found.aurc == round(0.25 * 0 + 0.5 / 3 + 0.25 / 2, 4)
    assert risk_coverage([], []).aurc is None
    with pytest.raises(InputError, match="one each"):
        risk_coverage([0.1], [])


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=40))
def test_what_always_holds_of_curves(rows: list[tuple[float, bool]]) -> None:
    scores, right = [s for s, _ in rows], [r for _, r in rows]
    curve = risk_coverage(scores, right)
    assert curve.points[-1].coverage == 1.0
    assert curve.points[-1].risk == pytest.approx(1 - np.mean(right), abs=1e-4)
    assert sum(b.n for b in reliability(scores, right)) == len(rows)


def test_intervals_and_mcnemar() -> None:
    flags = np.array([True] * 30 + [False] * 70)
    found = interval(lambda chosen: share(flags[chosen]), 100, draws=500)
    assert found.value == 0.3
    assert 0.18 < (found.low or 0) < 0.25 < 0.35 < (found.high or 0) < 0.42
    assert interval(lambda chosen: None, 5, draws=10).low is None
    assert mcnemar(0, 6) == pytest.approx(2 / 64)
    assert mcnemar(3, 3) == 1.0
    test = paired("right", [False] * 10 + [True] * 10, [True] * 20)
    assert (test.only_a, test.only_b, test.difference, test.significant) == (0, 10, 0.5, True)
    assert paired("right", [True, False], [False, True]).significant is False
    with pytest.raises(InputError, match="same claims"):
        paired("right", [True], [])


def a_run(items: list, name: str = "x", tau: float = 0.9) -> EvalRun:
    key = RunKey(
        format="claims",
        name="f.jsonl",
        data_sha256=name,
        evidence="corpus",
        limit=None,
        binary=False,
        settings={"method": "chain"},
        thresholds={"tau_entail": tau},
        score_cache=False,
        corpus=("c",),
        corpus_sha256="0",
        verifier=Fingerprint(name="v", version="1"),
        factdesk_version="0",
    )
    return EvalRun(
        key=key,
        fingerprint={"v": "1"},
        created="2024-01-01T00:00:00Z",
        skipped={},
        figures=figures_of(items, draws=10),
        extra={},
        items=tuple(items),
    )


def test_comparing_runs() -> None:
    before = [item(str(i), "supported", "not_enough_evidence") for i in range(12)] + [ITEMS[1]]
    after = [item(str(i), "supported", "supported") for i in range(12)]
    found = compare(a_run(before), a_run(after, tau=0.5))
    by_name = {t.measure: t for t in found.tests}
    assert (found.n, found.only_a, found.differing) == (12, 1, ("tau_entail: 0.9 -> 0.5",))
    assert (by_name["right"].a, by_name["right"].b, by_name["right"].p) == (0.0, 1.0, round(2 / 2**12, 6))
    assert by_name["verified rightly"].significant is True
    assert by_name["pairs"].difference == 0.0
    assert by_name["pairs"].significant is False
    assert by_name["verified precision"].difference is None  # the first verified nothing
    with pytest.raises(InputError, match="share no claims"):
        compare(a_run(ITEMS), a_run(after))
    with pytest.raises(InputError, match="other words or labels"):
        compare(a_run([ITEMS[0]]), a_run([item("a", "refuted", "refuted")]))


def test_catch_rate() -> None:
    items = [
        item("1", "refuted", "supported", group="Evident Conflict"),
        item("2", "refuted", "not_enough_evidence", group="Evident Conflict"),
        item("3", "not_enough_evidence", "refuted", group="Subtle Baseless Info"),
        item("4", "supported", "supported"),
        item("5", "supported", "not_enough_evidence"),
    ]
    found = catch_rates(items)
    assert found["catch_rate"]["value"] == 0.6667
    assert found["catch_rate_by_kind"] == {"Evident Conflict": 0.5, "Subtle Baseless Info": 1.0}
    assert (found["good_verified"], found["precision"], found["hallucinated"]) == (0.5, 0.6667, 3)


def test_meteor_and_averitec() -> None:
    # six of six words in one chunk: 1 - 0.5 / 6 ** 3
    assert meteor("the cat sat on the mat", "the cat sat on the mat") == pytest.approx(1 - 0.5 / 216)
    # all six words in six chunks: (1 - 0.5) of 1
    assert meteor("on the mat sat the cat", "the cat sat on the mat") == pytest.approx(0.5)
    assert meteor("cats", "cat") == pytest.approx(0.5)  # by the stem; one match, one chunk
    assert meteor("dog", "cat") == meteor("", "cat") == 0.0
    assert assigned(["b b", "a a"], ["a a", "b b"]) == pytest.approx(meteor("a a", "a a"))
    assert assigned([], ["a"]) == 0.0
    asked = [(Answered(question="who built it", answer="Anna built it"),), ()]
    found = averitec_scores([["who built it"], []], [[("who built it", "Anna built it")], []], asked, [True, True])
    assert found["q_only"] == pytest.approx(1 - 0.5 / 27, abs=1e-4)
    assert found["averitec@0.5"] == 1.0
    assert averitec_scores([["x"]], [[]], [()], [True]) == {}


def kind(label: str, *spans: object, **more: object) -> str:
    made = trace("t", *spans, **more)  # type: ignore[arg-type]
    claim = str(more.get("text", "The hall was built in 1912."))
    return classify(item("t", label, made.verdict, claim=claim), made).kind


def test_classes_of_errors() -> None:
    assert kind("supported", span(1, assessment(0.95), trust=0.2)) == "trust gate"
    assert kind("supported", span(1, assessment(0.95, finding="lacks 3"), trust=0.5)) == "guard blocked"
    assert kind("supported", span(1, assessment(0.3, raw=(0.9, 0.0), finding="lacks 3"))) == "guard blocked"
    assert kind("supported", span(1, assessment(0.7))) == "threshold"
    assert kind("supported", span(1, assessment(0.2))) == "verifier wrong"
    opposed = [span(1, assessment(0.95)), span(2, assessment(0.0, 0.8), doc="e")]
    assert kind("supported", *opposed) == "verifier wrong"
    assert kind("supported") == "retrieval missed"
    assert kind("supported", span(1, assessment(0.1, overlap=0.2))) == "retrieval missed"
    refuting = assessment(0.0, 0.95, mended=0.9, refutation=0.95)
    assert kind("refuted", span(1, refuting, trust=0.1)) == "trust gate"
    assert kind("refuted", span(1, assessment(0.0, 0.95))) == "guard blocked"
    assert kind("refuted", span(1, assessment(0.0, 0.6))) == "threshold"
    assert kind("refuted", span(1, assessment(0.0, 0.1))) == "verifier wrong"
    assert kind("not_enough_evidence", span(1, assessment(0.95))) == "verifier wrong"
    assert kind("supported", span(1, assessment(0.2)), by_design="an opinion") == "split wrong"
    lost = trace("t", span(1, assessment(0.95)))
    wrong = item("t", "not_enough_evidence", "supported", claim="The hall was built in 1912 for 3 million.")
    assert classify(wrong, lost).kind == "split wrong"
    assert kind("supported", span(1, assessment(0.2)), about_image=True) == "image tool"
    for failure, expected in (("budget", "budget"), ("bad_output", "failure")):
        why = Failure(where="verifier.assess", kind=failure, message="m")
        assert kind("supported", span(1, assessment(0.2)), failures=(why,)) == expected
    assert kind("supported", span(1, assessment(0.2)), trimmed_claims=2) == "budget"


def test_gold_decides_whether_retrieval_missed() -> None:
    found = trace("t", span(1, assessment(0.7)), span(2, assessment(0.95, finding="lacks"), doc="e"))
    missed = item("t", "supported", "not_enough_evidence", claim="The hall was built in 1912.", gold_found=False)
    assert classify(missed, found).kind == "retrieval missed"
    there = missed.model_copy(update={"gold_found": True})
    marked = found.model_copy(update={"gold_ids": ("d#1.1",)})
    assert classify(there, marked).kind == "threshold"  # the gold sentence speaks, not the one beside it
    report = classify_run([there, item("u", "supported", "supported")], {"t": marked})
    assert (report.n, report.wrong, report.missed) == (2, 0, 1)
    assert list(report.counts) == list(CLASSES)
    assert report.errors[0].evidence == "Sentence 1."


def then(label: str, *spans: object, **more: object) -> str:
    made = trace("t", *spans, **more)  # type: ignore[arg-type]
    missed = item("t", label, made.verdict, claim="The hall was built in 1912.")
    assert made.verdict == "not_enough_evidence" or made.verdict == "conflicting"
    return behind(missed, made, classify(missed, made).span)


def test_what_would_stop_it_next() -> None:
    assert then("supported", span(1, assessment(0.6))) == "nothing"
    assert then("supported", span(1, assessment(0.6, finding="lacks 3"))) == "guard"
    assert then("supported", span(1, assessment(0.6), trust=0.1)) == "trust gate"
    against = span(2, assessment(0.0, 0.8), doc="e")
    assert then("supported", span(1, assessment(0.6)), against) == "opposed"
    assert then("refuted", span(1, assessment(0.0, 0.6))) == "no mended claim"
    assert then("refuted", span(1, assessment(0.0, 0.6, mended=0.3))) == "nothing"
    assert then("refuted", span(1, assessment(0.0, 0.6, mended=0.3, same_subject=False))) == "guard"
    leaning = span(2, assessment(0.6), doc="e")
    assert then("refuted", span(1, assessment(0.0, 0.55, mended=0.3)), leaning) == "opposed"
    assert then("supported") == "not reached"
    assert set(OBSTACLES) == {"nothing", "guard", "opposed", "trust gate", "no mended claim", "not reached"}


def test_the_report_counts_what_would_stop_missed_verdicts() -> None:
    made = {"t": trace("t", span(1, assessment(0.6))), "u": trace("u", span(1, assessment(0.95)))}
    items = [
        item("t", "supported", "not_enough_evidence"),
        item("u", "not_enough_evidence", "supported"),  # certified wrongly, not missed
    ]
    report = classify_run(items, made)
    assert report.then_counts == {name: int(name == "nothing") for name in OBSTACLES}
    assert [e.then for e in report.errors] == ["nothing", ""]
