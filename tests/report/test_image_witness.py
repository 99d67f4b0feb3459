"""The submitted image is no witness for itself, whatever was read from it or found about it."""

from __future__ import annotations

from datetime import date, timedelta
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.types import ImageAspect
from evidence.types import READINGS, Box, FindingKind, ImageFinding, Place, SpanKind
from report.policy.rules import decide
from report.types import ClaimRecord, Decision, SpanRecord
from tests.report.builders import make_claim, make_scores, make_span
from verifier.types import Assessment, Counterfactual, GuardReport, Thresholds

KINDS: tuple[SpanKind, ...] = get_args(SpanKind)
ASPECTS: tuple[ImageAspect, ...] = get_args(ImageAspect)
OWN = tuple(sorted(READINGS | {"caption"}))
GRAZ, LINZ = Place(name="Graz", points=((47.07, 15.44),)), Place(name="Linz", points=((48.31, 14.29),))
WELS = Place(name="Wels", points=((48.17, 14.03),))
TEXT = "The river rose in Graz."
SETTLED_BY: dict[str, set[str]] = {
    "scene": {"record"},
    "text": {"ocr", "chart"},
    "code": {"code"},
    "file": {"exif", "metadata", "credentials"},
}


def span(
    kind: SpanKind, number: int, *, supports: bool, day: date | None = None, place: Place | None = None
) -> SpanRecord:
    sure = make_scores(0.99, 0.005) if supports else make_scores(0.005, 0.99)
    mended = None if supports else Counterfactual(claim="The river fell.", entailment=0.99, refutation=0.99)
    return SpanRecord(
        span=make_span(f"d{number}", TEXT, TEXT, number, published=day, kind=kind, place=place),
        retrieval={},
        question_id="q1",
        trust=None,
        cluster=f"d{number}",
        assessment=Assessment(raw=sure, calibrated=sure, guard=GuardReport(), counterfactual=mended),
    )


def decided(spans: list[SpanRecord], **claim: object) -> Decision:
    record = make_claim("c1", TEXT, 0).model_copy(update=claim)
    return decide(ClaimRecord(claim=record, spans=tuple(spans)), Thresholds())


sides = st.lists(st.tuples(st.sampled_from(OWN), st.booleans()), min_size=1, max_size=6)
days = st.dates(date(2000, 1, 1), date(2030, 1, 1))


@given(sides)
def test_nothing_of_the_image_settles_a_claim_about_the_world(sides: list[tuple[SpanKind, bool]]) -> None:
    spans = [span(kind, n, supports=side) for n, (kind, side) in enumerate(sides)]
    assert decided(spans).state == "UNVERIFIED"


@given(sides, st.none() | days)
def test_nothing_of_the_image_settles_what_it_depicts(sides: list[tuple[SpanKind, bool]], first: date | None) -> None:
    spans = [span(kind, n, supports=side, day=date(1999, 1, 1), place=LINZ) for n, (kind, side) in enumerate(sides)]
    claim = {"about_image": True, "image_aspect": "scene", "pictured_from": first, "pictured_place": GRAZ}
    assert decided(spans, **claim).state == "UNVERIFIED"


@pytest.mark.parametrize("aspect", ASPECTS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("supports", [True, False])
def test_each_aspect_is_settled_by_its_own_kinds(aspect: ImageAspect, kind: SpanKind, supports: bool) -> None:
    found = decided([span(kind, 1, supports=supports)], about_image=True, image_aspect=aspect)
    may = "VERIFIED" if supports else "BLOCKED"
    assert found.state == (may if kind in SETTLED_BY[aspect] else "UNVERIFIED")


@pytest.mark.parametrize("supports", [True, False])
def test_a_models_view_of_the_picture_settles_nothing(supports: bool) -> None:
    for about in (True, False):
        assert decided([span("caption", 1, supports=supports)], about_image=about).state == "UNVERIFIED"


@given(days, days)
def test_a_record_refutes_only_a_time_clearly_after_it(published: date, first: date) -> None:
    record = span("record", 1, supports=False, day=published)
    unsure = make_scores(0.05, 0.05)
    neutral = record.model_copy(update={"assessment": Assessment(raw=unsure, calibrated=unsure, guard=GuardReport())})
    found = decided([neutral], about_image=True, image_aspect="scene", pictured_from=first)
    assert (found.state == "BLOCKED") == (published + timedelta(days=2) < first)
    assert found.rule == ("published_earlier" if found.state == "BLOCKED" else "not_enough")


def test_records_on_both_sides_leave_it_open() -> None:
    early = span("record", 1, supports=False, day=date(2013, 6, 3))
    late = span("record", 2, supports=True, day=date(2024, 6, 9))
    claim = {"about_image": True, "image_aspect": "scene", "pictured_from": date(2024, 6, 1)}
    found = decided([early, late], **claim)
    assert (found.state, found.conflicting) == ("UNVERIFIED", True)


@pytest.mark.parametrize(
    ("claimed", "places", "state"),
    [
        (GRAZ, [LINZ], "BLOCKED"),
        (LINZ, [WELS], "UNVERIFIED"),  # 30 km apart: the same surroundings
        (GRAZ, [LINZ, GRAZ], "UNVERIFIED"),
        (None, [LINZ], "UNVERIFIED"),
        (GRAZ, [None], "UNVERIFIED"),
        (Place(name="Linz", points=((50.57, 7.28), (48.31, 14.29))), [LINZ], "UNVERIFIED"),
    ],
)
def test_a_record_that_places_the_picture_far_away_refutes(
    claimed: Place | None, places: list[Place | None], state: str
) -> None:
    unsure = make_scores(0.05, 0.05)
    spans = [
        span("record", n, supports=False, place=place).model_copy(
            update={"assessment": Assessment(raw=unsure, calibrated=unsure, guard=GuardReport())}
        )
        for n, place in enumerate(places)
    ]
    assert decided(spans, about_image=True, image_aspect="scene", pictured_place=claimed).state == state


def reading(text: str, number: int, region: Box | None, *, supports: bool, doc: str = "sign") -> SpanRecord:
    found = span("ocr", number, supports=supports)
    place = make_span(doc, TEXT, TEXT, number, kind="ocr", region=region)
    return found.model_copy(update={"span": place.model_copy(update={"text": text, "span_id": f"{doc}#{number}"})})


WORDS, HERE = "The bridge is closed", Box(x0=100, y0=100, x1=500, y1=140)


@pytest.mark.parametrize(
    ("other", "region", "doc", "state"),
    [
        ("The bridge is open", Box(x0=100, y0=400, x1=500, y1=440), "sign", "VERIFIED"),
        ("The bridge is open", Box(x0=700, y0=100, x1=990, y1=140), "sign", "VERIFIED"),
        ("It is not true that", Box(x0=100, y0=50, x1=500, y1=90), "sign", "UNVERIFIED"),
        ("only for lorries", Box(x0=100, y0=150, x1=500, y1=190), "sign", "UNVERIFIED"),
        ("FALSE", Box(x0=540, y0=60, x1=900, y1=200), "sign", "UNVERIFIED"),
        ("The bridge is open", None, "sign", "UNVERIFIED"),
        ("The bridge is open", Box(x0=100, y0=400, x1=500, y1=440), "another picture", "UNVERIFIED"),
    ],
)
def test_words_beside_the_very_words_may_change_them_and_words_apart_do_not(
    other: str, region: Box | None, doc: str, state: str
) -> None:
    """One sign does not contradict another; the line above or below, in front or behind, may deny it."""
    spans = [reading(WORDS, 1, HERE, supports=True), reading(other, 2, region, supports=False, doc=doc)]
    assert decided(spans, about_image=True, image_aspect="text", statement=WORDS + ".").state == state


def test_the_words_of_a_claim_that_stand_nowhere_set_nothing_aside() -> None:
    spans = [
        reading("The bridge is closed today", 1, HERE, supports=True),
        reading("The bridge is open", 2, Box(x0=100, y0=400, x1=500, y1=440), supports=False),
    ]
    assert decided(spans, about_image=True, image_aspect="text", statement=WORDS).state == "UNVERIFIED"


def test_hints_have_no_span_so_they_cannot_be_scored() -> None:
    assert {"tampering", "contradiction", "altered"} <= set(get_args(FindingKind))
    assert ImageFinding(kind="tampering", text="x").span_id is None
