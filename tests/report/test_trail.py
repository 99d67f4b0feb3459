"""What strict mode shows: verified statements, exact quotations of stored spans, and fixed words of ours."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable

import pytest

from agent.types import GroundedPart, Grounding, Proposal, Question
from evidence.types import ImageFinding, ImageReport
from report.exports.claimreview import claimreview
from report.exports.claims_csv import claims_csv
from report.render.check_json import check_json
from report.render.html.page import notebook_html, render_html
from report.render.markdown import render_markdown
from report.render.text import render_text
from report.render.trail import asked_words, pair_views
from report.render.view import claim_views
from report.types import Certificate, Mode
from tests.report.builders import (
    SIGN,
    make_answer,
    make_body,
    make_certificate,
    make_claims,
    make_record,
    make_scores,
    make_span,
)
from verifier.types import Assessment, GuardReport

QUOTED = "The Tollgate library reopened on 4 May 2024."
INVENTED = "Aliens paid for the library."
ASKED = "Did aliens pay for the library?"
WHY = "Because aliens are known to pay."
VIEW = "A spaceship hovers above a library."
OPINION = "All in all the aliens paid."
WORDS = (INVENTED, ASKED, WHY, VIEW, OPINION)


def invented() -> Certificate:
    """A language model asked, answered, gave reasons, saw the picture and proposed: all in its words."""
    scores = make_scores(0.01, 0.1)
    part = GroundedPart(text=INVENTED, assessment=Assessment(raw=scores, calibrated=scores, guard=GuardReport()))
    own = Grounding(label="not_enough_info", score=0.99, parts=(part,))
    claims = make_claims()
    view = make_span("caption:ab", f"{SIGN}\n{VIEW}", VIEW, 0, kind="caption", url=None, publisher=None)
    seen = claims[2].model_copy(update={"spans": (*claims[2].spans, make_record(view, 0.9, 0.0, trust=None))})
    questions = (
        Question(question_id="q1", claim_id="c1", text=ASKED, route="text", purpose=f"asked: {WHY}"),
        Question(question_id="q2", claim_id="c1", text=ASKED, route="text", depth=1, purpose="claim"),
        Question(question_id="q3", claim_id="c3", text=ASKED, route="image", purpose="image"),
    )
    answers = (
        make_answer("q1", INVENTED, ("post-1#0.0",), grounding=own, reason=WHY),
        make_answer("q2", QUOTED, ("post-1#0.0",), reason=WHY),
        make_answer("q3", VIEW, ("caption:ab#0.0",), reason=WHY, trust=None),
    )
    finding = ImageFinding(kind="caption", text=f"The language model m says: {VIEW}", image="ab" * 32)
    return make_certificate(
        claims=(*claims[:2], seen),
        questions=questions,
        answers=answers,
        proposal=Proposal(label="supported", explanation=OPINION),
        image_report=ImageReport(findings=(finding,)),
    )


RENDERERS: dict[str, Callable[[Certificate, Mode], str]] = {
    "text": render_text,
    "markdown": render_markdown,
    "html": render_html,
    "notebook": lambda certificate, mode: html.unescape(notebook_html(render_html(certificate, mode))),
    "json": lambda certificate, mode: json.dumps(check_json(certificate, mode), ensure_ascii=False),
}


def squeezed(text: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", text)).split())


@pytest.mark.parametrize("name", RENDERERS)
def test_strict_shows_no_word_of_a_language_model(name: str) -> None:
    shown = squeezed(RENDERERS[name](invented(), "strict"))
    assert not [words for words in WORDS if words.casefold() in shown.casefold()]
    assert QUOTED in shown, "an exact quotation of a stored span is shown"


@pytest.mark.parametrize("name", ["html", "notebook", "json"])
def test_the_other_modes_show_them(name: str) -> None:
    """The twin: what strict mode leaves out is there."""
    shown = squeezed(RENDERERS[name](invented(), "debug"))
    assert not [words for words in WORDS if words not in shown]


@pytest.mark.parametrize("mode", ["mixed", "debug"])
def test_a_language_models_words_are_never_a_quotation(mode: Mode) -> None:
    page = render_html(invented(), mode)
    quoted = re.findall(r"<(?:q|blockquote|mark)\b[^>]*>(.*?)</(?:q|blockquote|mark)>", page, re.DOTALL)
    assert any(QUOTED in squeezed(q) for q in quoted)
    for text in (render_text(invented(), mode), render_markdown(invented(), mode)):
        quoted += re.findall(r"[\"“]([^\"”]*)[\"”]", " ".join(text.split()))
    assert not [q for q in quoted for words in WORDS if words in squeezed(q)]


def test_exports_show_none_of_it_in_any_case() -> None:
    review = json.dumps(claimreview(invented(), author="Desk"), ensure_ascii=False)
    assert not [words for words in WORDS if words in review + claims_csv(invented())]


def test_strict_json_quotes_stored_spans_and_nothing_else() -> None:
    certificate = invented()
    stored = {s.span.text for c in certificate.body.claims for s in c.spans if s.span.kind != "caption"}
    pairs = check_json(certificate, "strict")["qa_pairs"]
    assert [p["answer"] for p in pairs] == [None, QUOTED, None]
    assert [p["supported"] for p in pairs] == [False, True, True]
    assert {q["text"] for p in pairs for q in p["quotes"]} <= stored
    assert [len(p["quotes"]) for p in pairs] == [1, 1, 0]
    assert {p["question"] for p in pairs} == {asked_words(q) for q in certificate.body.questions}


def test_the_trail_has_the_three_results_of_each_pair() -> None:
    views = pair_views(invented().body, "debug")
    said = [v.results for v in views]
    assert said[0].startswith("not supported by what it cites (not_enough_info 0.990)")
    assert said[1] == "word for word what it cites; for the statement entailed 0.970; least trust 0.62"
    page = squeezed(render_html(invented(), "strict"))
    assert "Answer not supported by what it cites (not_enough_info 0.990); for the statement" in page
    assert (views[0].own_words, views[1].own_words) == (INVENTED, None)


def test_what_a_model_saw_stands_under_no_claim_as_evidence() -> None:
    for view in claim_views(invented().body):
        assert not [s for s in (*view.deciding, *view.others(20)) if s.span.kind == "caption"]


def test_a_drafted_statement_that_is_not_shown_has_no_text_in_strict_json() -> None:
    from agent.types import Fit
    from report.types import Asked

    fits = tuple(Fit(claim_id=f"c{n}", question_coverage=1.0, answer_text="x", answers=n == 1) for n in (1, 2, 3))
    certificate = make_certificate(asked=Asked(question="When?", fits=fits))
    by_mode = {mode: check_json(certificate, mode)["claims"] for mode in ("strict", "debug")}
    assert [c["text"] for c in by_mode["strict"]] == ["The library reopened in May 2024.", "", ""]
    assert all(c["text"] for c in by_mode["debug"])
    assert all(c["text"] for c in check_json(make_certificate(), "strict")["claims"]), "a check has the input"


def test_a_statement_of_ours_stands_in_no_quotation_marks() -> None:
    statement = make_body().claims[0].claim.text
    for text in (render_text(make_certificate(), "strict"), render_markdown(make_certificate(), "strict")):
        assert statement in text
        assert f'"{statement}"' not in text
        assert f"“{statement}”" not in text
