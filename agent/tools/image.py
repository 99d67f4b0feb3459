"""The submitted images: their spans, their context, and spans that fit a claim."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from agent.intake.image_claims import asked_of_file, image_aspect, is_about_image
from agent.types import SETTLED_BY, ImageContext
from evidence.types import FileFacts, Hit, ImageRecord, RetrievalScores, Span
from factdesk.kernel import InputError
from language.names import content_stems, find_names, name_in
from language.quantities.mentions import find_slots

DESCRIBED = "caption:"
"""Beginning of the id of what a language model says of a picture."""
_NUMBER = re.compile(
    r"(?<![\w.,])[$€£]?\d{1,3}(?:[.,\s]\d{3})*(?:[.,]\d+)?%?(?!\w)|(?<![\w.,])[$€£]?\d+(?:[.,]\d+)?%?(?!\w)"
)
_NAME = r"(?:[A-Z][\w'’-]*\.?)(?:\s(?:[A-Z][\w'’-]*\.?|of|the|de|van|von|al|bin)){0,5}"
_SAID = re.compile(
    rf"(?P<before>{_NAME}),?\s(?:said|says|told|announced|wrote|tweeted|stated|declared|warned)\b"
    rf"|\b(?:said|says|according to)\s(?P<after>{_NAME})"
)
_SIGNED = re.compile(rf"^[—–―-]\s?(?P<name>{_NAME})$")
_HANDLE = re.compile(r"(?<![\w.])@\w{2,30}\b(?!\.\w)")
_OPENERS = frozenset({"The", "A", "An", "He", "She", "They", "It", "We", "I", "This", "That", "There"})


def rank_image_spans(
    claim: str,
    spans: Sequence[Span],
    *,
    limit: int,
    question: str = "",
    likeness: Mapping[str, float] = MappingProxyType({}),
) -> tuple[Hit, ...]:
    """Spans by the share of the question's words, names and numbers they hold, admissible ones first.

    ``question``: one of a model; ``""``: the claim itself is asked. ``likeness``: of the picture with captions, 0
    to 1, which counts beside the words. File data on other matters is left out.
    """
    wanted = content_stems(question or claim) | {s.value for s in find_slots(question or claim)}

    def score(span: Span) -> float:
        told = f"{span.context} {span.text}"
        held = content_stems(told) | {s.value for s in find_slots(told)}
        like = next((value for caption, value in likeness.items() if caption and caption in span.text), 0.0)
        return (len(wanted & held) / len(wanted) if wanted else 0.0) + like

    about = image_aspect(claim) if is_about_image(claim) else None
    fitting = SETTLED_BY[about] if about is not None else frozenset({"record"})
    asked = asked_of_file(claim) if about == "file" else frozenset()
    on_the_matter = [s for s in spans if not asked or s.file_field is None or s.file_field in asked]
    ranked = sorted(on_the_matter, key=lambda s: (s.kind not in fitting, -score(s), s.span_id))[:limit]
    return tuple(
        Hit(span=span, scores=RetrievalScores(rerank=round(score(span), 6)), rank=rank)
        for rank, span in enumerate(ranked, 1)
    )


class ImageReader:
    """The submitted images of one check."""

    def __init__(
        self,
        records: Sequence[ImageRecord],
        known: Sequence[Span] = (),
        likeness: Mapping[str, float] = MappingProxyType({}),
    ) -> None:
        """``known``: spans of records of earlier uses (kind ``record``), and captions. ``likeness``: CLIP's, of
        the first picture with captions.
        """
        self.records = tuple(records)
        self._known = tuple(known)
        self.likeness = likeness

    def spans(self) -> tuple[Span, ...]:
        """All spans read from the images, and of records of their earlier uses."""
        return (*(span for record in self.records for span in record.spans), *self._known)

    def context(self, claim: str) -> ImageContext | None:
        """RAGAR's image context for a claim, from the readers; ``None`` without an image.

        Day, place and device are from the files' data alone; each from the first image that has it.
        """
        if not self.records:
            return None
        read = [[span.text for span in r.spans if span.kind in ("ocr", "chart")] for r in self.records]
        texts = [text for part in read for text in part]
        return ImageContext(
            text=" / ".join(texts),
            numbers=tuple(dict.fromkeys(m.group().strip() for text in texts for m in _NUMBER.finditer(text))),
            date=next((r.file.taken for r in self.records if r.file.taken), None),
            place=next((place for r in self.records if (place := _place(r.file))), None),
            device=next((r.file.device for r in self.records if r.file.device), None),
            speaker=next((speaker for part in read if (speaker := speaker_of(part))), None),
            matters=_matters(claim, " / ".join(texts)),
            description=" ".join(s.text for s in self._known if s.doc_id.startswith(DESCRIBED)),
        )


def _matters(claim: str, text: str) -> bool:
    """Whether the claim is about the picture, or shares a name or number with it."""
    if is_about_image(claim) or any(name_in(name, text) for name in find_names(claim)):
        return True
    return bool({s.value for s in find_slots(claim)} & {s.value for s in find_slots(text)})


def _place(facts: FileFacts) -> str | None:
    if facts.latitude is None or facts.longitude is None:
        return facts.place
    degrees = f"{facts.latitude:.5f}, {facts.longitude:.5f}"
    return f"{facts.place} ({degrees})" if facts.place else degrees


def speaker_of(texts: list[str]) -> str | None:
    """Who speaks in a picture: named beside "said", signed under a quotation, or the account of a post."""
    for text in texts:
        if match := _SIGNED.match(text):
            return match["name"]
    for text in texts:
        for match in _SAID.finditer(text):
            name = match["before"] or match["after"]
            words = name.split()
            while words and words[0] in _OPENERS:
                words = words[1:]
            if words:
                return " ".join(words).rstrip(".,")
    for number, text in enumerate(texts):
        if match := _HANDLE.search(text):
            own = text[: match.start()].strip(" ·|-")
            above = texts[number - 1].strip() if number else ""
            name = own or (above if 0 < len(above.split()) <= 5 and not above.endswith((".", "!", "?")) else "")
            return f"{name} ({match.group()})" if name else match.group()
    return None


LONGEST_SIDE = 1024
"""Pixels of the longest side; larger pictures are scaled down."""


def image_data_url(data: bytes) -> str:
    """The picture as a JPEG data URL without EXIF.

    Raises ``InputError`` for bytes that are no readable picture.
    """
    from PIL import Image, ImageOps

    try:
        with Image.open(io.BytesIO(data)) as opened:
            picture = ImageOps.exif_transpose(opened).convert("RGB")
    except (OSError, ValueError, Image.DecompressionBombError) as error:
        raise InputError("a submitted picture cannot be read as one for the model; leave llm.images off") from error
    picture.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    buffer = io.BytesIO()
    picture.save(buffer, "JPEG", quality=85)
    return f"data:image/jpeg;base64,{base64.b64encode(buffer.getvalue()).decode('ascii')}"
