"""PDF pages: columns, raised marks, running heads, and what is broken at the ends of lines."""

from __future__ import annotations

from io import BytesIO

import pytest
from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from evidence.ingest.pdf import read_pdf

Shown = tuple[float, float, str]
"""Place of a line (points, from the lower left) and its operators or text."""


def pdf(*pages: list[Shown]) -> bytes:
    """A PDF of these pages, 10-point Helvetica; text with an operator in it is taken as it is."""
    writer = PdfWriter()
    font = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Font"),
            NameObject("/Subtype"): NameObject("/Type1"),
            NameObject("/BaseFont"): NameObject("/Helvetica"),
        }
    )
    for lines in pages:
        page = writer.add_blank_page(600, 800)
        fonts = DictionaryObject({NameObject("/F1"): font})
        page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
        stream = DecodedStreamObject()
        shown = [
            f"BT /F1 10 Tf 1 0 0 1 {x} {y} Tm {text if ' Tj' in text else f'({text}) Tj'} ET" for x, y, text in lines
        ]
        stream.set_data("\n".join(shown).encode("latin-1"))
        page[NameObject("/Contents")] = writer._add_object(stream)
    out = BytesIO()
    writer.write(out)
    return out.getvalue()


def down(*lines: str, x: float = 60, y: float = 600) -> list[Shown]:
    return [(x, y - 13 * number, line) for number, line in enumerate(lines)]


def up(before: str, mark: str, after: str) -> str:
    """Operators for a line with a small raised mark in it."""
    return f"({before}) Tj /F1 7 Tf 4 Ts ({mark}) Tj /F1 10 Tf 0 Ts ({after}) Tj"


@pytest.mark.parametrize(
    ("before", "mark", "after", "expected"),
    [
        ("The crew has 14", "2", " members.", "The crew has 14 members."),
        ("The lake lost 10", "7", " litres.", "The lake lost 10⁷ litres."),
        ("The marsh covers 31 km", "2", " of land.", "The marsh covers 31 km² of land."),
        ("It opened on the 19", "th", " of May.", "It opened on the 19th of May."),
    ],
)
def test_a_raised_mark_does_not_join_the_number(before: str, mark: str, after: str, expected: str) -> None:
    assert read_pdf(pdf([(60, 600, up(before, mark, after))])).text == expected


def test_a_lowered_digit_stays_where_it_is() -> None:
    line = "(Much CO) Tj /F1 7 Tf -2 Ts (2) Tj /F1 10 Tf 0 Ts ( was in it.) Tj"
    assert read_pdf(pdf([(60, 600, line)])).text == "Much CO2 was in it."


def test_columns_are_read_one_after_the_other() -> None:
    left = down("The wall of the harbour was", "rebuilt in 1998 after a storm.", "It took two years in all.")
    right = down("Edda Brisk was elected as", "mayor in 2016 by the people.", "She had been a teacher.", x=330)
    mixed = [line for pair in zip(left, right, strict=True) for line in pair]
    assert read_pdf(pdf(mixed)).text.split("\n\n") == [
        "The wall of the harbour was rebuilt in 1998 after a storm. It took two years in all.",
        "Edda Brisk was elected as mayor in 2016 by the people. She had been a teacher.",
    ]


def test_running_heads_and_page_numbers_do_not_stand_in_sentences() -> None:
    def sheet(number: int, *lines: str) -> list[Shown]:
        head = (60.0, 770.0, f"Tarnby Review, no. {number}")
        return [head, *down(*lines, y=700), (290.0, 20.0, f"Page {number}")]

    text = read_pdf(pdf(sheet(1, "The council did"), sheet(2, "not sell the ferry."), sheet(3, "It stays."))).text
    assert text == "The council did not sell the ferry.\n\nIt stays."


def test_a_head_that_stands_once_is_kept() -> None:
    text = read_pdf(pdf([(60, 770, "The ferry stays."), *down("It is old.")])).text
    assert text == "The ferry stays.\n\nIt is old."


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (("It cost 4,500,", "000 kroner."), "It cost 4,500,000 kroner."),
        (("It cost 1.", "5 million kroner."), "It cost 1.5 million kroner."),
        (("It ran in 2019-", "2024 again."), "It ran in 2019-2024 again."),
        (("The 30-", "year-old lamp."), "The 30-year-old lamp."),
        (("It was a well-", "known lamp."), "It was a well-known lamp."),
        (("An exam-", "ination was held."), "An examination was held."),
        (("A sea-going ship. The sea-", "going ship."), "A sea-going ship. The sea-going ship."),
        (("It was in room 4,", "12 people said."), "It was in room 4, 12 people said."),
    ],
)
def test_words_and_numbers_broken_at_a_line_end_are_whole(lines: tuple[str, str], expected: str) -> None:
    assert read_pdf(pdf(down(*lines))).text == expected
