"""What other rooms may know of evidence: documents, spans, queries and the ports."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Literal, Protocol

from factdesk.kernel import Fingerprint, Record

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SpanKind = Literal["text", "ocr", "exif", "caption", "chart", "code", "metadata", "credentials", "record"]
"""``text``: from a document. ``record``: from the record of an earlier use of the picture, which somebody
else made. The others were read from a submitted image; ``caption`` is a language model's view of it."""
FileField = Literal["taken", "changed", "place", "device", "software"]
"""What a line of an image file's data tells of: when it was taken or last changed, where, with what."""
READINGS: frozenset[SpanKind] = frozenset({"ocr", "exif", "chart", "code", "metadata", "credentials"})
"""What was read from the submitted image itself. No witness for anything but what the image shows or says."""


def of_document(kind: SpanKind) -> bool:
    """Whether it stands in a document of its own (a model's description too), not in an image."""
    return kind in ("text", "record", "caption")


class Locator(Record):
    """Where a part of a document stands in the file it was read from."""

    start: int
    """Offset in the text; the part ends where the next one starts."""
    place: str
    """Such as ``"page 3"``, ``"row 12"``, ``"Sheet1, row 5"`` or ``"0:01:05"``."""


class Document(Record):
    """One document as stored. ``text`` is final: every span is an exact substring of it."""

    doc_id: str
    title: str
    text: str
    sha256: str
    """Hex SHA-256 of ``text``."""
    url: str | None = None
    publisher: str | None = None
    published: date | None = None
    retrieved: date | None = None
    """Day on which it was fetched or added (informative)."""
    source: str | None = None
    """Path relative to the folder that was added, or the page's address."""
    media_type: str = "text/plain"
    locators: tuple[Locator, ...] = ()
    """Places in the file, by offset; empty where the format has none."""

    def place_at(self, offset: int) -> str:
        """The place in the file of what stands at ``offset``; ``""`` where none is known."""
        found = bisect_right(self.locators, offset, key=lambda locator: locator.start)
        return self.locators[found - 1].place if found else ""


class Box(Record):
    """A region of an image in pixels, origin top left: ``x0 < x1``, ``y0 < y1``."""

    x0: int
    y0: int
    x1: int
    y1: int


class Place(Record):
    """A town by name, with every place on earth that the table of towns knows under it."""

    name: str
    points: tuple[tuple[float, float], ...]
    """(latitude, longitude) in decimal degrees."""


Frame = Literal["", "claimed", "rated_false", "fiction", "supposed", "made_up", "cut"]
"""How a page holds a sentence: as its own (``""``), as somebody's claim, as false, as fiction or satire, as a
supposition or an exercise (``evidence.segmentation.framing``); or a record calls its picture made up.
``cut``: the rest of a long sentence, which may have been denied at its beginning."""


class Span(Record):
    """A sentence (or a line read from an image) with its exact place. ``document.text[start:end] == text`` holds for
    every span.
    """

    span_id: str
    """``"<doc_id>#<chunk>.<number>"``; unique in a corpus."""
    chunk_id: str
    doc_id: str
    doc_sha256: str
    start: int
    end: int
    text: str
    section: str = ""
    """Heading the sentence stands under, or ``""``."""
    locator: str = ""
    """Page, row or time of the file it stands at (``Document.place_at``), or ``""``."""
    context: str = ""
    """Title, and the sentence before it where it opens with a pronoun: what tells its subject. Also exact text of the
    document; never itself evidence."""
    lead: str = ""
    """First sentence of the document, cut at ``MAX_LEAD`` characters; ``""`` where the span is that sentence
    or the context has it. Read as context where it names what the claim is about; never itself evidence."""
    frame: Frame = ""
    """Not empty: its page does not assert it, so it supports nothing."""
    kind: SpanKind = "text"
    file_field: FileField | None = None
    """Of a line from the file's data: what it tells of. It is no evidence on any other matter."""
    region: Box | None = None
    title: str = ""
    url: str | None = None
    publisher: str | None = None
    published: date | None = None
    retrieved: date | None = None
    place: Place | None = None
    """Of a ``record``: where its picture was taken, by the record."""


class RetrievalScores(Record):
    """Scores of one span for one query; ``None`` where the stage did not rank it."""

    bm25: float | None = None
    """BM25 (Lucene variant), 0 upwards."""
    dense: float | None = None
    """Cosine of MiniLM vectors, -1 to 1."""
    fused: float | None = None
    """Reciprocal rank fusion: sum of ``1 / (60 + rank)``."""
    rerank: float | None = None
    """Score of the last stage, 0 to 1; the order of the hits."""

    @property
    def last(self) -> float | None:
        """The score of the last stage that ranked the span."""
        stages = (self.rerank, self.fused, self.dense, self.bm25)
        return next((score for score in stages if score is not None), None)


class Hit(Record):
    """A retrieved span, best first; ``rank`` counts from 1."""

    span: Span
    scores: RetrievalScores
    rank: int


class Query(Record):
    """What to look for, and within which bounds. Dates are inclusive."""

    text: str
    limit: int = 12
    published_from: date | None = None
    published_to: date | None = None
    """Documents published after this day are left out; undated ones stay."""
    only_domains: tuple[str, ...] = ()
    block_domains: tuple[str, ...] = ()
    connect: tuple[str, ...] = ()
    """Names whose connection is asked for; a knowledge graph answers with its paths, where there is one."""
    max_chunks: int = 8
    """Hits come from at most so many chunks."""
    max_spans_per_chunk: int = 3


FindingKind = Literal[
    "text",
    "chart",
    "code",
    "exif",
    "metadata",
    "credentials",
    "contradiction",
    "earlier_use",
    "altered",
    "tampering",
    "caption",
    "scene",
]


class ImageFinding(Record):
    """Something found in or about a submitted image, in one sentence. Never decides by itself."""

    kind: FindingKind
    text: str
    region: Box | None = None
    span_id: str | None = None
    """The span it was also made into; ``None``: a hint that is never scored."""
    image: str = ""
    """SHA-256 of the submitted image it belongs to."""
    confidence: float | None = None
    """Of a reading, 0 to 1."""


class FileFacts(Record):
    """What the data in an image file says of it: EXIF first, then XMP, then IPTC. Anybody can write these."""

    taken: date | None = None
    changed: date | None = None
    device: str | None = None
    software: str | None = None
    latitude: float | None = None
    longitude: float | None = None
    """Decimal degrees, south and west negative."""
    place: str | None = None
    """Town near the coordinates, or the city and country that IPTC or XMP name."""
    edited_by: str | None = None
    generated_by: str | None = None
    empty: bool = False
    """Neither EXIF nor IPTC nor XMP data nor credentials."""
    fields: tuple[tuple[str, str], ...] = ()
    """Every readable field, name and value."""


class KnownImage(Record):
    """A picture of the index of known images, with what its record says of it."""

    image_id: str
    """Hex SHA-256 of the file's bytes."""
    name: str
    caption: str = ""
    published: date | None = None
    source: str | None = None
    """Who published it."""
    url: str | None = None
    taken: date | None = None
    place: str | None = None
    width: int
    height: int
    text: str = ""
    """Text that was read in it, lines joined by ``" / "``."""
    hashes: bytes
    """See ``evidence.images.hashes``: two kinds, 8 bytes each, big-endian."""
    features: bytes = b""
    """See ``evidence.images.features``."""
    thumbnail: bytes
    """JPEG of at most 320 pixels a side, for comparing and showing."""
    vector: bytes = b""
    """CLIP vector (float32, little-endian) behind the 8 bytes that mark its model; empty without weights."""


Match = Literal["same", "part", "altered", "similar"]
"""``same``: the same picture, perhaps resized, cropped, turned, mirrored, recompressed, or with a mark laid
over it. ``part``: the submitted picture (a screenshot, a collage) has it inside. ``altered``: another part
differs. ``similar``: only alike."""


class EarlierUse(Record):
    """A known image that the submitted one equals, holds or resembles."""

    image: str
    """SHA-256 of the submitted image."""
    known: str
    """SHA-256 of the known image."""
    published: date | None
    source: str | None
    caption: str
    distance: int
    """Bits in which the nearer of the two perceptual hashes differs, 0 to 64."""
    agreeing: int = 0
    """Local features that agree on where the known picture lies."""
    match: Match
    place: Box | None = None
    """Where the known picture lies in the submitted one."""
    overlaid: tuple[Box, ...] = ()
    """Bars, letters and watermarks laid over it."""
    alone: bool = True
    """No other picture of such a size stands beside it in the submitted one."""
    mirrored: bool = False
    similarity: float = 0.0
    """Correlation of the pixels after laying one over the other, -1 to 1."""
    doc_id: str = ""
    """Of the record as a document."""
    url: str | None = None
    origin: Literal["index", "web"] = "index"

    @property
    def is_evidence(self) -> bool:
        """Whether its record tells of the submitted picture: the same, or the one picture inside it."""
        return self.match == "same" or (self.match == "part" and self.alone)


class ClipStatus(Record):
    """Whether CLIP took part, and what it found."""

    available: bool
    reason: str = ""
    """Why not."""
    similarity: float | None = None
    """Cosine of claim and image, -1 to 1."""
    scenes: tuple[tuple[str, float], ...] = ()
    """Likeliest scene labels with their probability, best first."""
    captions: tuple[tuple[str, float], ...] = ()
    """Cosines of the image and the captions of its earlier uses, in their order."""


class ImageReport(Record):
    """What was found about the submitted images besides what was read from them as spans."""

    findings: tuple[ImageFinding, ...] = ()
    earlier_uses: tuple[EarlierUse, ...] = ()
    clip: ClipStatus = ClipStatus(available=False, reason="CLIP not available")


class ImageRecord(Record):
    """A submitted image and what was read from it. ``document`` holds the readings as text, one line each, so that the
    spans about the image obey the same offsets as all others.
    """

    sha256: str
    """Of the file's bytes."""
    name: str
    """File name without folders."""
    format: str
    width: int
    height: int
    document: Document
    spans: tuple[Span, ...]
    findings: tuple[ImageFinding, ...] = ()
    """All that was found in the file and is worth telling, whether it is also a span or not."""
    file: FileFacts = FileFacts()


class CorpusInfo(Record):
    """A stored corpus in numbers."""

    name: str
    documents: int
    spans: int
    updated: str
    """ISO time of the last change."""


class AddResult(Record):
    """Outcome of adding paths to a corpus; ``skipped`` says why, file by file. ``notes`` are on documents that were
    kept but not wholly understood.
    """

    corpus: str
    added: int
    unchanged: int
    replaced: int
    skipped: tuple[tuple[str, str], ...] = ()
    notes: tuple[tuple[str, str], ...] = ()


class Embedder(Protocol):
    """Turns texts into unit vectors."""

    @property
    def fingerprint(self) -> Fingerprint: ...

    @property
    def dimension(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """*Shape:* (n_texts, dimension); rows have length 1. Independent of batch mates."""
        ...


class Retriever(Protocol):
    """Finds spans for a query."""

    @property
    def fingerprint(self) -> Fingerprint: ...

    def retrieve(self, query: Query) -> tuple[Hit, ...]:
        """Hits, best first; an empty tuple when nothing matches."""
        ...


class DocumentStore(Protocol):
    """Where documents live. Implemented by ``store``, wired by ``factdesk``."""

    def put_documents(self, corpus: str, documents: Sequence[Document]) -> AddResult:
        """Insert or replace, in one transaction; documents with known sha256 and metadata are unchanged."""
        ...

    def get_document(self, corpus: str, doc_id: str) -> Document | None: ...

    def get_documents(self, corpus: str, doc_ids: Iterable[str]) -> Mapping[str, Document]:
        """Those of some documents that there are, by id."""
        ...

    def iter_documents(self, corpus: str) -> Iterator[Document]:
        """All documents of a corpus in the order of their ids."""
        ...

    def state(self, corpus: str) -> str:
        """Another text after each change of a corpus's documents; empty for an unknown one."""
        ...

    def document_hashes(self, corpus: str) -> dict[str, str]:
        """``doc_id -> sha256`` over text *and* metadata, to tell what an index lacks."""
        ...
