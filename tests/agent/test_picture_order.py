"""Picture evidence: CLIP's likeness counts in its order, and what a model saw stands in its further questions."""

from __future__ import annotations

from agent.reasoners.llm_schemas import image_data
from agent.tools.image import DESCRIBED, ImageReader, rank_image_spans
from agent.types import ImageContext
from evidence.types import ImageRecord, Span
from factdesk.kernel import sha256_text
from tests.agent.shelf import make_picture


def told(doc_id: str, text: str, kind: str = "record") -> Span:
    return Span(
        span_id=f"{doc_id}#0.0",
        chunk_id=f"{doc_id}#0",
        doc_id=doc_id,
        doc_sha256=sha256_text(text),
        start=0,
        end=len(text),
        text=text,
        kind="caption" if kind == "caption" else "record",
        title=doc_id,
    )


def test_of_captions_with_equal_words_the_likelier_one_comes_first() -> None:
    claim = "The photo shows a flood."
    spans = (told("a", "A flood in Graz, 2019."), told("b", "A flood in Linz, 2013."))
    plain = rank_image_spans(claim, spans, limit=2)
    assert [h.span.doc_id for h in plain] == ["a", "b"]
    seen = rank_image_spans(claim, spans, limit=2, likeness={"A flood in Linz, 2013.": 0.31, "A flood in Graz": 0.12})
    assert [h.span.doc_id for h in seen] == ["b", "a"]


def test_a_model_is_given_its_own_description_again() -> None:
    picture: ImageRecord = make_picture("LIBRARY OPEN")
    seen = told(f"{DESCRIBED}0123", "A sign stands on a lawn.", "caption")
    context = ImageReader((picture,), (seen, told("a", "Another use."))).context("The library is open.")
    assert context is not None
    assert context.description == "A sign stands on a lawn."
    data = image_data(context)
    assert data is not None
    assert data["as_you_described_it"] == "A sign stands on a lawn."
    assert "as_you_described_it" not in (image_data(ImageContext()) or {})
    assert "description" not in ImageContext().model_dump(), "certificates without one stay as they were"
