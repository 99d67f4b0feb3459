"""Spans: exact offsets for any text, sensible sentences, sections, chunks and context."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.segmentation.spans import MAX_CHUNK, MAX_SPAN, leans_back, spans_of
from tests.evidence.memory_store import document

PIECES = st.sampled_from(
    [
        "He said. ",
        "Dr. Smith ",
        "3.5 ",
        "\n",
        "\n\n",
        "- item",
        "# Head\n",
        "a | b",
        "😀",
        "é",
        "“Yes!” ",
        "\t",
        "x" * 90,
    ]
)
TEXTS = st.one_of(st.text(), st.lists(PIECES, max_size=60).map("".join))


def test_may_ends_a_sentence() -> None:
    text = "A decision is expected in May. Dellow has 390 stores. It came on 9 May. A team left."
    found = [span.text for span in spans_of(document("d", text))]
    assert found == ["A decision is expected in May.", "Dellow has 390 stores.", "It came on 9 May.", "A team left."]


@given(TEXTS, st.sampled_from(["text/plain", "text/markdown"]))
def test_offsets_are_exact_for_any_text(text: str, media_type: str) -> None:
    spans = spans_of(document("d", text, media_type=media_type))
    end = 0
    for span in spans:
        assert text[span.start : span.end] == span.text
        assert span.text == span.text.strip()
        assert 0 < len(span.text) <= MAX_SPAN
        assert span.start >= end
        end = span.end
    assert len({span.span_id for span in spans}) == len(spans)


@given(
    st.lists(st.sampled_from(["He said. ", "Dr. Smith ", "3.5 ", "\n", "\n\n", "“Yes!” ", "x" * 350, "; and ", "é"]))
)
def test_no_visible_character_of_running_text_is_lost(pieces: list[str]) -> None:
    text = "".join(pieces)
    spans = spans_of(document("d", text, media_type="text/markdown"))
    assert "".join("".join(span.text.split()) for span in spans) == "".join(text.split())


@pytest.mark.parametrize(
    "sentences",
    [
        ["Dr. Smith of the U.S. Air Force met Mr. J. R. Miller at 5 p.m. on Jan. 3.", "He left."],
        ["The crowd (approx. 2,000 people) cheered!", "Was it true?", "See Fig. 3 and No. 7."],
        ["The temp. was 20 °C.", "Approx. 30 came.", "Vol. 2 is out."],
        ["It had cost 4.2 percent vs. 3.1 percent.", "12 people came."],
        ['"It is over."', "On 12. March it rained.", "St. Louis won 3-2."],
        ["Smith et al. disagreed.", "It made 3.5m.", "Its rival made 4m."],
    ],
)
def test_sentences_end_where_they_should(sentences: list[str]) -> None:
    assert [span.text for span in spans_of(document("d", " ".join(sentences)))] == sentences


def test_hard_wrapped_lines_stay_one_sentence() -> None:
    text = (
        "The tram line four opened on 3 May after many years of\nbuilding work. "
        "It carries twelve thousand riders a\nday."
    )
    assert [span.text for span in spans_of(document("d", text))] == [text[:69], text[70:]]


def test_sections_items_rows_and_their_context() -> None:
    text = (
        "# Tram\n\nIt opened in May. The firm cut jobs in:\n\n- Berlin (20)\n- Paris (30)\n\n## Costs\n\n"
        "Year: 2023; Cost: 5 million\n\nIt was too much."
    )
    spans = spans_of(document("d", text, title="T", media_type="text/markdown"))
    assert [(span.section, span.text, span.context) for span in spans] == [
        ("Tram", "It opened in May.", "T"),
        ("Tram", "The firm cut jobs in:", "T | It opened in May."),
        ("Tram", "Berlin (20)", "T | The firm cut jobs in:"),
        ("Tram", "Paris (30)", "T | The firm cut jobs in:"),
        ("Costs", "Year: 2023; Cost: 5 million", "T"),
        ("Costs", "It was too much.", "T | Year: 2023; Cost: 5 million"),
    ]


def test_plain_text_headings_and_field_lines() -> None:
    text = "The new harbour\n\nShips came on Monday. They left again.\n\nPopulation: 5,000\nMayor: Anna Berg"
    spans = spans_of(document("d", text))
    assert [span.text for span in spans] == [
        "Ships came on Monday.",
        "They left again.",
        "Population: 5,000",
        "Mayor: Anna Berg",
    ]
    assert {span.section for span in spans} == {"The new harbour"}


def test_a_line_with_nothing_below_it_is_no_heading() -> None:
    assert [span.text for span in spans_of(document("d", "The tram opened in 2024"))] == ["The tram opened in 2024"]


def test_long_sentence_is_split_at_a_clause() -> None:
    clause = "the council debated the plan for the harbour until late in the evening"
    text = ("A note: " + "; ".join([clause] * 15) + ".").capitalize()
    spans = spans_of(document("d", text))
    assert len(spans) > 1
    assert all(span.text.endswith((";", ".")) for span in spans)


def test_chunks_hold_whole_short_paragraphs_of_one_section() -> None:
    body = "\n\n".join(f"Short one {i}. Short two {i}." for i in range(5)) + "\n\n## Next\n\n" + "Some more. " * 9
    spans = spans_of(document("d", body, media_type="text/markdown"))
    sizes: dict[str, int] = {}
    for span in spans:
        sizes[span.chunk_id] = sizes.get(span.chunk_id, 0) + 1
        assert span.span_id.startswith(span.chunk_id + ".")
    assert list(sizes.values()) == [6, 4, 4, 5]
    assert max(sizes.values()) <= MAX_CHUNK


@pytest.mark.parametrize(
    "text",
    [
        "She won.",
        "But it failed.",
        "The company said so.",
        "These were sold.",
        "There, it rained.",
        "“They lost.”",
        "The Vale Museum gave her a reward.",
        "Yesterday the court set him free.",
    ],
)
def test_leaning_sentences(text: str) -> None:
    assert leans_back(text)


@pytest.mark.parametrize(
    "text",
    [
        "Ada won.",
        "The company of Smith said so.",
        "Items fell.",
        "The Ostrel company left.",
        "Herman left.",
        "Ada Brook sold her house.",
    ],
)
def test_sentences_that_stand_alone(text: str) -> None:
    assert not leans_back(text)


def test_the_first_sentence_is_the_lead_of_the_others_unless_they_have_it_already() -> None:
    text = "Wexcombe has a new bridge. It opened on Monday. Tolls are not planned."
    first, second, third = spans_of(document("d", text, title="Bridge"))
    assert (first.lead, second.lead, third.lead) == ("", "", "Wexcombe has a new bridge.")
    assert second.context == "Bridge | Wexcombe has a new bridge."
    long = "word " * 60 + "end. Another sentence stands here."
    *_, last = spans_of(document("d", long, title=""))
    assert len(last.lead) <= 200
    assert long.startswith(last.lead)


@pytest.mark.parametrize("media_type", ["text/html", "application/xhtml+xml"])
def test_a_heading_of_a_page_names_a_section_and_is_no_sentence(media_type: str) -> None:
    [span] = spans_of(document("d", "## Costs\n\nIt cost 5 million.", media_type=media_type))
    assert (span.text, span.section) == ("It cost 5 million.", "Costs")
