"""``factdesk annotate`` weighs both sides and trust as a check does, on real models and a small corpus."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from agent.attribution.types import Annotation, ClaimSpan
from factdesk import FactChecker
from factdesk.annotation.report import annotation_html, annotation_text
from factdesk.cli import cli
from factdesk.settings import load_settings

COURIER = (
    "Corrie Bridge was opened in 1932. It was designed by Oren Falk. Corrie Bridge is 210 metres long. "
    "Corrie Bridge has six arches. Before it, Ada Holt ran a ferry with 9 seats."
)
ALMANAC = (
    "The opening of Corrie Bridge took place in 1932. Oren Falk designed Corrie Bridge. The length of Corrie "
    "Bridge is 210 metres. Six arches carry Corrie Bridge. The mason Ivo Marsh cut 4,100 stones for it."
)
REMARK = "Corrie Bridge was designed by Ralph Idle."
COMMENT = (
    f"{REMARK} Corrie Bridge was opened in 1950. Corrie Bridge is 90 metres long. Corrie Bridge has two "
    "arches. The painter Samir Oakes owns Corrie Bridge."
)
"""Wrong in all that others speak of, so that it loses their trust."""
OWNED = "The painter Samir Oakes owns Corrie Bridge."
TRUE = "Corrie Bridge was opened in 1932. It was designed by Oren Falk."


def corpus(folder: Path, **texts: str) -> str:
    folder.mkdir()
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    return str(folder)


def annotated(text: str, where: str, *, trust: bool = True) -> Annotation:
    return FactChecker(load_settings(corpus=(where,), trust=trust)).annotate(text).annotation


def last(text: str, where: str, *, trust: bool = True) -> ClaimSpan:
    return annotated(text, where, trust=trust).spans[-1]


def test_a_true_sentence_is_not_contradictory_because_a_comment_says_otherwise(tmp_path: Path) -> None:
    where = corpus(tmp_path / "c", courier=COURIER, remark=REMARK)
    found = last(TRUE, where)
    assert found.claim == "Corrie Bridge was designed by Oren Falk."
    assert (found.label, found.conflicting) == ("extrapolatory", True)
    assert "It was designed by Oren Falk." in found.rationale
    assert REMARK in found.rationale


def test_nor_is_what_the_comment_says_borne_out(tmp_path: Path) -> None:
    where = corpus(tmp_path / "c", courier=COURIER, remark=REMARK)
    found = last(REMARK, where)
    assert (found.label, found.conflicting) == ("extrapolatory", True)
    alone = corpus(tmp_path / "alone", remark=REMARK)
    assert (last(REMARK, alone).label, last(REMARK, alone).conflicting) == ("attributable", False)


def test_without_the_comment_both_are_decided(tmp_path: Path) -> None:
    where = corpus(tmp_path / "c", courier=COURIER)
    assert [s.label for s in annotated(TRUE, where).spans] == ["attributable", "attributable"]
    assert last(REMARK, where).label == "contradictory"


def test_a_distrusted_document_neither_bears_out_nor_contradicts(tmp_path: Path) -> None:
    where = corpus(tmp_path / "c", courier=COURIER, almanac=ALMANAC, comment=COMMENT)
    assert last("Corrie Bridge was designed by Oren Falk.", where).label == "extrapolatory", "nobody is rated"
    (tmp_path / "c" / "courier.txt").unlink()
    page = f"---\ntitle: Courier\nurl: https://courier.example/bridge\n---\n{COURIER}\n"
    (tmp_path / "c" / "courier.md").write_text(page, encoding="utf-8")
    rating = FactChecker(load_settings(corpus=(where,), sources=("courier.example",)))
    assert rating.annotate("Corrie Bridge was designed by Oren Falk.").annotation.spans[-1].label == "attributable"
    for said in (OWNED, REMARK, OWNED.replace("Samir Oakes", "Ralph Idle")):
        found = last(said, where)
        assert (found.label, found.conflicting) == ("extrapolatory", False)
    assert "below 0.40" in last(OWNED, where).rationale
    assert last("Corrie Bridge was designed by Anna Berg.", where).label == "contradictory"


def test_with_trust_switched_off_the_gate_stands_open(tmp_path: Path) -> None:
    where = corpus(tmp_path / "c", courier=COURIER, almanac=ALMANAC, comment=COMMENT)
    assert last(REMARK, where, trust=False).conflicting
    alone = corpus(tmp_path / "alone", owned=OWNED)
    assert last(OWNED, alone).label == last(OWNED, alone, trust=False).label == "attributable"


def test_what_a_page_rates_as_false_is_not_borne_out_by_it(tmp_path: Path) -> None:
    where = corpus(tmp_path / "c", check=f"Claim: {REMARK}\n\nOur rating: False.")
    assert last(REMARK, where).label != "attributable"


CLAIMS = (
    "Corrie Bridge was opened in 1932.",
    "Corrie Bridge was opened in 1950.",
    "Corrie Bridge was designed by Oren Falk.",
    "Corrie Bridge was designed by Anna Berg.",
    OWNED,
    REMARK,
)
MEANS = {
    "supported": {"attributable"},
    "refuted": {"contradictory"},
    "conflicting": {"conflicting"},
    "not_enough_evidence": {"extrapolatory", "contradictory"},
}
"""One altered detail is seen without a model, where a check leaves the claim open."""


@pytest.mark.parametrize("names", [("courier", "comment"), ("courier", "almanac", "comment"), ("almanac",)])
def test_a_label_is_what_a_check_would_say(tmp_path: Path, names: tuple[str, ...]) -> None:
    texts = {"courier": COURIER, "almanac": ALMANAC, "comment": COMMENT}
    where = corpus(tmp_path / "c", **{n: texts[n] for n in names})
    checker = FactChecker(load_settings(corpus=(where,)))
    spans = annotated("\n\n".join(CLAIMS), where).spans
    assert [s.claim for s in spans] == list(CLAIMS)
    for found in spans:
        verdict = checker.check(found.claim, record=False).verdict
        shown = "conflicting" if found.conflicting else found.label
        assert shown in MEANS[verdict], found.claim


def test_a_blocked_site_is_no_evidence(tmp_path: Path) -> None:
    page = f"---\ntitle: Blog\nurl: https://blog.example/a\n---\n{REMARK}\n"
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "a.md").write_text(page, encoding="utf-8")
    where = str(tmp_path / "c")
    assert last(REMARK, where).label == "attributable"
    blocked = FactChecker(load_settings(corpus=(where,), block=("blog.example",))).annotate(REMARK).annotation
    assert (blocked.spans[0].label, blocked.spans[0].triplets) == ("extrapolatory", ())


def test_conflicting_is_shown_as_such(tmp_path: Path) -> None:
    where = corpus(tmp_path / "c", courier=COURIER, remark=REMARK)
    found = annotated(TRUE, where)
    assert "[!] conflicting: It was designed by Oren Falk." in annotation_text(found)
    assert 'class="c conflicting"' in annotation_html(found)
    told = CliRunner().invoke(cli, ["annotate", TRUE, "--corpus", where, "--json"], catch_exceptions=False)
    assert [s["conflicting"] for s in json.loads(told.output)["spans"]] == [False, True]
