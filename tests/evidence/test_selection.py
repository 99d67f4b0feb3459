"""Copies take a few places of a ranking, whatever their number; what differs in a number is no copy."""

from __future__ import annotations

from evidence.retrieval.selection import KEPT_COPIES, without_copies
from evidence.types import Span

FALSE = "The new tram depot at Ferry Lane cost the town £48 million."


def span(number: int, text: str, publisher: str | None = None) -> tuple[int, Span]:
    made = Span(
        span_id=f"d{number}#1.1",
        chunk_id=f"d{number}#1",
        doc_id=f"d{number}",
        doc_sha256="0" * 64,
        start=0,
        end=len(text),
        text=text,
        publisher=publisher,
    )
    return number, made


def kept(*spans: tuple[int, Span], limit: int = 10) -> list[int]:
    return [number for number, _ in without_copies(spans, limit)]


def test_a_flood_of_copies_leaves_room_for_what_stands_behind_it() -> None:
    flood = [span(n, FALSE, f"Blog {n}") for n in range(500)]
    other = span(500, FALSE.replace("48", "31"), "Council")
    assert kept(*flood, other) == [*range(KEPT_COPIES), 500]
    assert kept(*[span(n, FALSE, "Blog") for n in range(20)], other) == [0, 500]


def test_near_copies_count_as_copies() -> None:
    near = [span(n, f"{FALSE[:-1]}, page {word}.", f"Blog {n}") for n, word in enumerate(("one", "two", "six", "ten"))]
    assert kept(*near) == [0, 1]


def test_other_sentences_and_other_numbers_are_no_copies() -> None:
    texts = [
        FALSE,
        FALSE.replace("48", "31"),
        "The depot holds forty trams.",
        "It was opened by the mayor in March.",
    ]
    assert kept(*[span(n, text) for n, text in enumerate(texts)]) == [0, 1, 2, 3]
    assert kept(*[span(n, text) for n, text in enumerate(texts)], limit=2) == [0, 1]


def test_what_may_refute_a_sentence_is_no_copy_of_it() -> None:
    flood = [span(n, f"{FALSE[:-1]} in all, as a clerk of its treasurer said.", f"Blog {n}") for n in range(20)]
    denial = span(20, f"{FALSE[:-1]} in all, as no clerk of its treasurer said.", "Council")
    other = span(21, flood[0][1].text.replace("tram", "bus"), "Herald")
    assert [n for n, _ in without_copies([*flood, denial, other], 10, FALSE)] == [0, 1, 20, 21]


def test_a_number_that_was_not_asked_for_makes_no_other_sentence() -> None:
    flood = [span(n, f"{FALSE[:-1]}, which is {n + 11} percent more.", f"Blog {n}") for n in range(20)]
    other = span(20, FALSE.replace("48", "31"), "Council")
    assert [n for n, _ in without_copies([*flood, other], 10, FALSE)] == [0, 1, 20]
    assert [n for n, _ in without_copies([*flood, other], 30)] == list(range(21))
