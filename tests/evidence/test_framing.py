"""Which sentences a page asserts, and which it rates, shows, supposes or invents: both ways."""

from __future__ import annotations

import pytest

from evidence.segmentation.framing import Framed, frames_of
from evidence.segmentation.spans import spans_of
from evidence.types import Document
from factdesk.kernel import sha256_text

X = "The mayor of Vell has sold the town hall."


def framed(*sentences: str, section: str = "", title: str = "", publisher: str = "") -> tuple[str, ...]:
    """Frames of the sentences of one paragraph."""
    return frames_of(title, publisher, [Framed(s, section, 1) for s in sentences])


@pytest.mark.parametrize(
    ("sentences", "frames"),
    [
        ((f"Claim: {X}", "Rating: False."), ("rated_false", "")),
        ((f"Claim: {X}", "Rating: True."), ("claimed", "")),
        ((f"FALSE: {X}",), ("rated_false",)),
        ((f"Viral message: {X}",), ("claimed",)),
        ((X, "This is not true."), ("rated_false", "")),
        ((X, "That message is a hoax."), ("rated_false", "")),
        ((X, "The price is wrong on the bill."), ("", "")),
        (("Suppose the following.", X), ("supposed", "supposed")),
        ((X, "Is this true or false?"), ("supposed", "")),
        (("SATIRE.", X), ("fiction", "fiction")),
        ((X, "Everything on this page is made up."), ("fiction", "fiction")),
        ((X, "This was our April Fool's joke."), ("fiction", "fiction")),
        ((X, "The actor made up his face."), ("", "")),
        ((f"Mayor's office: {X}",), ("",)),
        (("The council debated a satire of the mayor.", X), ("", "")),
        (("SATIRE - by our staff", X), ("fiction", "fiction")),
    ],
)
def test_what_a_paragraph_asserts(sentences: tuple[str, ...], frames: tuple[str, ...]) -> None:
    assert framed(*sentences) == frames


def test_a_heading_frames_its_section_unless_it_gives_the_verdict() -> None:
    assert framed(X, section="The claim") == ("claimed",)
    assert framed(X, section="What we found about the claim") == ("",)
    assert framed(X, section="False claims about Vell") == ("rated_false",)
    assert framed(X, section="Vell") == ("",)


def test_a_verdict_on_several_speaks_of_all_of_its_section() -> None:
    assert framed(X, "The bridge is shut.", "None of these is true.") == ("rated_false", "rated_false", "")


@pytest.mark.parametrize(
    ("heading", "frame"),
    [
        ("Ten things you will not find in Vell", "supposed"),
        ("What our readers believe", "supposed"),
        ("Plans rejected by the council", "supposed"),
        ("Sales of the year in Vell", ""),
        ("Town hall and market", ""),
    ],
)
def test_a_list_whose_heading_says_something_of_it_asserts_nothing(heading: str, frame: str) -> None:
    listed = f"# {heading}\n\n- {X}\n- The fair is in May.\n"
    prose = f"# {heading}\n\n{X} The fair is in May.\n"
    assert [s.frame for s in spans_of(markdown(listed))] == [frame, frame]
    assert [s.frame for s in spans_of(markdown(prose))] == ["", ""]


def markdown(text: str) -> Document:
    return Document(doc_id="a", title="Vell", text=text, sha256=sha256_text(text), media_type="text/markdown")


def test_a_satirical_title_asserts_nothing() -> None:
    assert framed(X, title="The Vell Gander - satire") == ("fiction",)
    assert framed(X, title="A history of satire in Vell") == ("",)


def test_a_satirical_publisher_asserts_nothing() -> None:
    assert framed(X, publisher="The Vell Jester - satire") == ("fiction",)
    assert framed(X, publisher="The Vell Courier") == ("",)


def test_spans_carry_their_frame() -> None:
    text = f"Myths about Vell\n\n{X}\n\nHistory\n\nVell lies on the river Ode."
    document = Document(doc_id="vell", title="", text=text, sha256=sha256_text(text), media_type="text/plain")
    assert [(s.text, s.frame) for s in spans_of(document)] == [
        (X, "rated_false"),
        ("Vell lies on the river Ode.", ""),
    ]
