"""Claims about a file's data are held against the field they speak of, and no other."""

from __future__ import annotations

from datetime import datetime

import pytest

from agent.intake.image_claims import asked_of_file
from agent.tools.image import rank_image_spans
from evidence.images.file_data import Block
from evidence.types import FileField, Span


@pytest.mark.parametrize(
    ("claim", "fields"),
    [
        ("The EXIF data says the photo was taken on 3 May 2021.", {"taken"}),
        ("According to its metadata, the picture dates from May 2021.", {"taken"}),
        ("The EXIF data says the file was last changed on 3 May 2021.", {"changed"}),
        ("The EXIF data says the photo was taken with a Norvik D5.", {"device"}),
        ("The metadata names the camera as a Norvik D5.", {"device"}),
        ("The EXIF data says the photo was taken in Graz.", {"place"}),
        ("The GPS coordinates in the metadata lie near Graz.", {"place"}),
        ("The metadata says that the photo was edited with PixelBrush.", {"software"}),
        ("The EXIF data says the photo was taken in Graz with a Norvik D5.", {"place", "device"}),
        ("The EXIF data says the photo was taken in May 2021.", {"taken"}),
        ("The EXIF data names Edda Brisk.", set()),
    ],
)
def test_the_fields_a_claim_speaks_of(claim: str, fields: set[FileField]) -> None:
    assert asked_of_file(claim) == fields


def file_spans() -> list[Span]:
    exif = Block(
        "EXIF",
        {"device": "Norvik D5", "software": "PixelBrush 2"},
        taken=datetime(2019, 8, 17),
        changed=datetime(2021, 5, 3),
        place=(47.07, 15.44),
    )
    one = Span(
        span_id="image:a#0.0",
        chunk_id="image:a#0",
        doc_id="image:a",
        doc_sha256="",
        start=0,
        end=1,
        text="",
        kind="exif",
    )
    return [
        one.model_copy(update={"span_id": f"image:a#0.{n}", "text": text, "file_field": field})
        for n, (field, text) in enumerate(exif.sentences())
    ]


@pytest.mark.parametrize(
    ("claim", "left"),
    [
        ("The EXIF data says the photo was taken on 3 May 2021.", ["taken"]),
        ("The EXIF data says the file was last changed on 3 May 2021.", ["changed"]),
        ("The EXIF data says the photo was taken in Graz.", ["place"]),
        ("The EXIF data says the photo was taken with a Norvik D5.", ["device"]),
    ],
)
def test_only_the_field_that_is_asked_for_is_held_against_the_claim(claim: str, left: list[FileField]) -> None:
    assert [hit.span.file_field for hit in rank_image_spans(claim, file_spans(), limit=10)] == left


def test_a_claim_on_no_field_is_held_against_all() -> None:
    assert len(rank_image_spans("The EXIF data names Edda Brisk.", file_spans(), limit=10)) == 5


def test_a_models_question_ranks_what_was_read_from_the_picture() -> None:
    spans = file_spans()
    claim = "The EXIF data names Edda Brisk."
    asked = next(s for s in spans if s.file_field == "device")
    first, *_ = rank_image_spans(claim, spans, limit=10, question=f"Is it so that {asked.text}")
    assert first.span == asked
    assert {h.span.span_id for h in rank_image_spans(claim, spans, limit=10)} == {s.span_id for s in spans}
