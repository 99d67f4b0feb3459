"""An annotation is a certificate: signed, in the history, and worked out again by ``verify --rerun``."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from agent.assessment.attribution_scores import kas_mean
from factdesk import FactChecker
from factdesk.annotation.report import AnnotationReport
from factdesk.checker import Report, open_ledger
from factdesk.corpora.graphs import Graphs
from factdesk.settings import load_settings
from report.certificate.integrity import integrity_problems
from report.certificate.sealing import seal, to_text
from report.policy.fingerprints import policy_record
from report.types import Certificate
from report.verification.files import make_tools
from report.verification.findings import Reverified
from report.verification.rerun import reverify

TEXT = (
    "Corrie Bridge was designed by Oren Falk. Corrie Bridge was designed by Anna Berg. Southwest Airlines has never "
    "operated any Boeing 737 models. It is admired."
)
TABLE = "Corrie Bridge\tdesigner\tOren Falk\nBoeing 737 MAX\toperator\tSouthwest Airlines\n"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[FactChecker, AnnotationReport]:
    folder = tmp_path_factory.mktemp("annotated")
    (folder / "table.tsv").write_text(TABLE, encoding="utf-8")
    checker = FactChecker(load_settings(home=folder / "home", corpus=("table",)))
    Graphs(checker.settings, checker.corpora).import_file("table", folder / "table.tsv")
    return checker, checker.annotate(TEXT)


@pytest.fixture(scope="module")
def again(made: tuple[FactChecker, AnnotationReport]) -> Callable[[Certificate], Reverified]:
    tools = make_tools(made[0].settings.verifier)
    return lambda certificate: reverify(certificate, tools, policy_record())


def altered(certificate: Certificate, change: Callable[[Any], None]) -> Certificate:
    """The certificate with a change in its annotation, sealed anew."""
    data = certificate.body.model_dump(mode="json")
    change(data["annotation"]["annotation"])
    body = type(certificate.body).model_validate(data)
    return seal(body, created="2026-01-31T12:00:00Z", certificate_id="3f2a91c0de124b77")


def test_it_stands_in_the_history_and_holds_when_run_again(
    made: tuple[FactChecker, AnnotationReport], again: Callable[[Certificate], Reverified]
) -> None:
    checker, report = made
    ledger = open_ledger(checker.settings)
    stored = ledger.get(report.certificate.envelope.certificate_id)
    assert stored == report.certificate
    assert stored.envelope.key_id is not None
    assert not integrity_problems(stored)
    labels = [s.label for s in report.annotation.spans]
    assert (labels[0], labels[2], labels[3]) == ("attributable", "contradictory", "extrapolatory")
    found = again(stored)
    assert (found.ok, found.problems, found.badge_mismatches) == (True, (), ())
    assert found.spans >= sum(len(c.spans) for c in stored.body.claims)
    assert ledger.search("Falk")[0].certificate_id == stored.envelope.certificate_id
    shown = Report(stored)
    assert report.certificate.envelope.certificate_id in shown.text()
    assert "[+] attributable: Corrie Bridge was designed by Oren Falk." in shown.text()
    assert shown.json()["kas_mean"] == report.annotation.kas_mean
    assert "[+]" not in Report(stored, doubt="unsigned").text()


def test_not_recorded_it_leaves_the_history_alone(made: tuple[FactChecker, AnnotationReport]) -> None:
    checker, report = made
    before = open_ledger(checker.settings).count()
    second = checker.annotate(TEXT, record=False)
    assert open_ledger(checker.settings).count() == before
    assert second.certificate.envelope.body_sha256 == report.certificate.envelope.body_sha256
    assert json.loads(to_text(second.certificate))["body"]["annotation"]["annotation"]["text"] == TEXT


def recoloured(data: Any) -> None:
    """The wrong claim as attributable, with all that follows."""
    span = data["spans"][1]
    span.update(label="attributable", basis="policy", reading=None, cs=2)
    scores = [(s["cs"], s["tms"]) for s in data["spans"]]
    data["kas_mean"] = round(kas_mean(scores), 4)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (recoloured, "which the decision does not give"),
        (lambda a: a.update(kas_mean=0.99), "attribution score of the text"),
        (lambda a: a["spans"][0].update(tms=1.0, ss=0.1), "match score"),
        (lambda a: a["spans"][0].update(start=1), "another place"),
        (lambda a: a["spans"][0]["triplets"][0].update(sentence="Nobody designed it."), "quotes a sentence"),
    ],
)
def test_a_label_or_score_that_does_not_follow_is_found(
    made: tuple[FactChecker, AnnotationReport], change: Callable[[Any], None], told: str
) -> None:
    found = integrity_problems(altered(made[1].certificate, change))
    assert any(told in problem for problem in found), found


def test_a_statement_that_was_read_for_a_label_is_read_again(
    made: tuple[FactChecker, AnnotationReport], again: Callable[[Certificate], Reverified]
) -> None:
    annotation = made[1].annotation
    number = next(i for i, s in enumerate(annotation.spans) if s.reading is not None)
    assert annotation.spans[number].label == "contradictory"

    def change(data: Any) -> None:
        data["spans"][number]["reading"]["statement"] = "Northwest Airlines has operated Airbus A320."

    found = again(altered(made[1].certificate, change))
    assert any("does not read" in problem for problem in found.problems)
