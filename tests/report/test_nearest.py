"""What a strict report shows of an open claim: the nearest sentence, both sides, what a picture says."""

from __future__ import annotations

import shutil
from collections.abc import Callable

import pytest

from agent.graphs.qa_pairs import NOT_SCORED, summed
from factdesk.cli.certificates import print_pdf
from report.policy.reasons import neither, no_refutation
from report.render.html.page import render_html
from report.render.markdown import render_markdown
from report.render.text import render_text
from report.types import Certificate, Mode
from tests.report.builders import make_body, make_certificate, make_claims, make_decision
from tests.report.records import make_assessment
from verifier.types import Thresholds

RENDERERS: dict[str, Callable[[Certificate, Mode], str]] = {
    "text": render_text,
    "md": render_markdown,
    "html": render_html,
}
LENDS = "It now lends 12,000 books a month."
NEAR = "ame nearest, and does not show it"


def conflicting() -> Certificate:
    """The first claim has a source on either side."""
    decisions = (
        make_decision("c1", "UNVERIFIED", 0.97, "post-1#0.0", "rumour-1#0.0", rule="both_ways"),
        *make_body().decisions[1:],
    )
    return make_certificate(decisions=decisions, verdict="conflicting")


@pytest.mark.parametrize("renderer", sorted(RENDERERS))
def test_strict_shows_what_came_nearest_to_an_open_claim_and_not_as_support(renderer: str) -> None:
    shown = RENDERERS[renderer](make_certificate(), "strict")
    if renderer == "md":
        assert NEAR in shown
        assert f"“{LENDS}”" in shown
        return
    before = shown[: shown.rindex(LENDS)]
    assert "rests on" not in before[before.rindex(NEAR) :]


@pytest.mark.parametrize("renderer", sorted(RENDERERS))
def test_what_is_verified_has_no_such_heading(renderer: str) -> None:
    claims, body = make_claims(), make_body()
    certificate = make_certificate(
        claims=(claims[0], claims[2]), decisions=(body.decisions[0], body.decisions[2]), failures=()
    )
    assert NEAR not in RENDERERS[renderer](certificate, "strict")


@pytest.mark.parametrize("mode", ["strict", "mixed"])
@pytest.mark.parametrize("renderer", sorted(RENDERERS))
def test_a_conflict_shows_both_sentences_side_by_side(renderer: str, mode: Mode) -> None:
    shown = RENDERERS[renderer](conflicting(), mode)
    for sentence in ("The Tollgate library reopened on 4 May 2024.", "The library never reopened"):
        assert sentence in shown
    if renderer == "html":
        sides = shown[shown.index('<div class="sides">') :]
        assert sides.index("reopened on 4 May") < sides.index("never reopened")
    elif renderer == "md":
        assert "Sources stand on both sides; neither decides:[^" in shown
    else:
        assert "n the one side" in shown
        assert "n the other side" in shown


@pytest.mark.parametrize("renderer", ["text", "html"])
def test_what_was_read_from_a_picture_is_always_shown(renderer: str) -> None:
    assert "MON TO FRI" in RENDERERS[renderer](make_certificate(), "strict")


def test_weak_evidence_is_not_said_to_contradict() -> None:
    weak, strong = make_assessment(pro=0.02, con=0.12), make_assessment(pro=0.02, con=0.75)
    assert "neither states nor denies it (entailed at 0.02" in neither(weak, Thresholds())
    assert "contradicts it at 0.75" in no_refutation(strong, Thresholds())


def test_one_line_for_a_cap() -> None:
    notes = [NOT_SCORED.format("c1", n, 20) for n in (1, 2, 3)] + [
        NOT_SCORED.format("c2", 4, 20),
        "other",
        "other",
    ]
    assert summed(notes) == (NOT_SCORED.format("c1", 6, 20), NOT_SCORED.format("c2", 4, 20), "other")


@pytest.mark.skipif(shutil.which("chromium") is None, reason="no browser that prints")
def test_a_report_is_printed_as_pdf() -> None:
    from evidence.ingest.pdf import read_pdf

    page = read_pdf(print_pdf(render_html(make_certificate(), "strict")))
    assert LENDS in " ".join(page.text.split())


def test_the_page_says_how_it_becomes_a_pdf() -> None:
    assert "Printing this page gives a PDF of it." in render_html(make_certificate(), "strict")
