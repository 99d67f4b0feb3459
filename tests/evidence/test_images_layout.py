"""Text that stands askew, rows read across under their title, capitals over lines."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from agent.assessment.nli_pairs import pair_of
from agent.types import AtomicClaim
from evidence.images.layout import Run, runs_of
from evidence.images.ocr import Line, read_text
from evidence.images.reader import read_image
from evidence.types import Box, Span
from verifier.premise.builder import IMAGE_SUBJECT, heading_of, model_premise

ROWS = [
    ["Beach", "Samples", "Grade"],
    ["Sandhaven", "18", "good"],
    ["Rockport", "24", "poor"],
    ["Lowmere Bay", "31", "excellent"],
]


def table() -> Image.Image:
    image = Image.new("RGB", (900, 520), "white")
    pen = ImageDraw.Draw(image)
    pen.text((60, 40), "Water quality, July 2024", fill="black", font=ImageFont.load_default(size=34))
    for n, row in enumerate(ROWS):
        for x, cell in zip((60, 400, 640), row, strict=True):
            pen.text((x, 130 + 84 * n), cell, fill="black", font=ImageFont.load_default(size=32))
    return image


def line(text: str, x0: int, y0: int, x1: int, y1: int) -> Line:
    return Line(text, Box(x0=x0, y0=y0, x1=x1, y1=y1), 0.99)


def about(text: str) -> AtomicClaim:
    return AtomicClaim(claim_id="c1", text=text, start=0, end=len(text), source=text, about_image=True)


@pytest.mark.parametrize("degrees", [-9, 7])
def test_a_table_that_was_scanned_askew_is_read_in_rows(tmp_path: Path, degrees: int) -> None:
    image = table().rotate(degrees, Image.Resampling.BICUBIC, expand=True, fillcolor="#cccccc")
    image.save(tmp_path / "scan.png")
    record = read_image(tmp_path / "scan.png")
    assert [s.text for s in record.spans] == ["Water quality, July 2024", *(" ".join(row) for row in ROWS)]
    for span in record.spans:
        assert span.region is not None
        assert 0 <= span.region.x0 < span.region.x1 <= record.width
        assert 0 <= span.region.y0 < span.region.y1 <= record.height
        part = image.crop((span.region.x0, span.region.y0, span.region.x1, span.region.y1))
        read = " ".join(found.text for found in read_text(part).lines)
        assert span.text.split()[0] in read, "the region holds what was read"
        assert span.text.split()[-1] in read


@pytest.mark.parametrize(
    ("label", "value", "text"),
    [
        ("Graz", "120", "Graz: 120"),
        ("Graz:", "120", "Graz: 120"),
        ("No", "46 %", "No: 46 %"),
        ("Total EUR", "46.30", "Total EUR 46.30"),
    ],
)
def test_a_colon_stands_behind_a_label_but_parts_no_amount_from_its_unit(label: str, value: str, text: str) -> None:
    cells = (line(label, 0, 0, 90, 20), line(value, 100, 0, 160, 20))
    assert Run(cells, 0, row=True, chart=True).text == text
    assert Run(cells, 0, row=True).text == f"{label} {value}"


def test_text_that_stands_straight_is_not_turned() -> None:
    assert (read_text(table()).tilt, read_text(table()).turned) == (0.0, 0)


def test_each_row_is_read_under_the_title_and_the_head(tmp_path: Path) -> None:
    table().save(tmp_path / "table.png")
    spans = read_image(tmp_path / "table.png").spans
    assert [s.context for s in spans] == [
        "",
        "Water quality, July 2024",
        *["Water quality, July 2024 | Beach Samples Grade"] * 3,
    ]
    pair = pair_of(about("The table lists 31 samples for Lowmere Bay."), spans[-1])
    assert pair.context.startswith(IMAGE_SUBJECT)
    assert heading_of(pair) == spans[-1].context
    assert model_premise(pair) == "Water quality, July 2024. Beach Samples Grade. Lowmere Bay 31 excellent"
    bare = pair_of(about("Lowmere Bay: excellent"), spans[-1])
    assert model_premise(bare) == "Lowmere Bay 31 excellent", "no title where it says nothing of the claim"


def test_a_sign_with_a_row_that_was_read_as_one_line_is_not_mixed_up() -> None:
    lines = (
        line("24 km", 613, 137, 828, 202),
        line("Averstad", 194, 150, 467, 214),
        line("Port Selwick 57 km", 185, 251, 840, 322),
        line("112 km", 584, 374, 852, 442),
        line("Corvane", 177, 375, 440, 438),
    )
    assert [run.text for run in runs_of(lines)] == ["Averstad: 24 km", "Port Selwick 57 km", "Corvane: 112 km"]
    assert [run.text for run in runs_of(lines[2:3] + lines[4:])] == ["Port Selwick 57 km", "Corvane"]


def test_capitals_go_on_below_and_never_stand_alone() -> None:
    lines = (line("MAYOR HOLT GETS", 200, 10, 600, 50), line("A RAISE OF 9,000 EUROS", 150, 70, 650, 110))
    assert [run.text for run in runs_of(lines)] == ["MAYOR HOLT GETS A RAISE OF 9,000 EUROS"]
    apart = (line("LAKE BRENNICK", 200, 10, 600, 50), line("NO BATHING", 220, 70, 580, 110))
    assert [run.text for run in runs_of(apart)] == ["LAKE BRENNICK", "NO BATHING"]


def test_a_sentence_that_leans_back_is_read_with_the_one_before_it(tmp_path: Path) -> None:
    image = Image.new("RGB", (760, 200), "white")
    for n, text in enumerate(("The new ward opened on Thursday. It", "has 36 beds and cost 7.4 million euros.")):
        ImageDraw.Draw(image).text((20, 30 + 40 * n), text, fill="black", font=ImageFont.load_default(size=28))
    image.save(tmp_path / "press.png")
    first, second = read_image(tmp_path / "press.png").spans
    assert (first.context, second.context) == ("", "The new ward opened on Thursday.")


def test_readings_without_a_title_are_read_as_before() -> None:
    span = Span.model_validate(
        {
            "span_id": "s",
            "doc_id": "d",
            "chunk_id": "c",
            "text": "Q3 341 GWh",
            "start": 0,
            "end": 10,
            "doc_sha256": "0" * 64,
            "kind": "chart",
        }
    )
    assert pair_of(about("The chart shows 341 GWh."), span).context == IMAGE_SUBJECT


def _bars(left: int, top: int, *, title: str) -> list[Line]:
    lines = [line(title, left, top, left + 220, top + 30)]
    for n, year in enumerate(("2021", "2022", "2023")):
        x = left + 90 * n
        lines += [line(str(40 + 7 * n), x + 10, top + 90, x + 40, top + 114)]
        lines += [line(year, x, top + 200, x + 50, top + 224)]
    return lines


def test_two_charts_side_by_side_lend_each_other_no_title() -> None:
    alone = [run for run in runs_of(tuple(_bars(20, 10, title="New buses per year"))) if run.row]
    assert {run.context for run in alone} == {"New buses per year"}
    both = (*_bars(20, 10, title="New buses per year"), *_bars(420, 10, title="New trams per year"))
    assert {run.context for run in runs_of(both) if run.row} == {""}


def test_the_title_of_a_chart_higher_up_is_not_that_of_the_one_below() -> None:
    stacked = (*_bars(20, 10, title="New buses per year"), *_bars(20, 400, title="New trams per year"))
    found = [run for run in runs_of(stacked) if run.row]
    assert found
    for run in found:
        assert run.context == ("New buses per year" if run.lines[0].box.y0 < 400 else "New trams per year")


def test_what_somebody_denies_never_stands_alone() -> None:
    lines = (line("MAYOR HOLT DENIES", 200, 10, 600, 50), line("BRIDGE IS CLOSED", 210, 70, 590, 110))
    assert [run.text for run in runs_of(lines)] == ["MAYOR HOLT DENIES BRIDGE IS CLOSED"]
