"""The index of known images: adding, listing, removing, and finding earlier uses of a picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from evidence.types import Document, EarlierUse, ImageFinding, ImageRecord, KnownImage, Span
from factdesk.images.caption_file import Description, description_of
from factdesk.images.known_vectors import alike, model_of, vector_of
from factdesk.images.matching import Matched, Submitted, matched, resembling, use_sentence
from factdesk.images.proposals import feature_indexes, hash_index
from factdesk.kernel import InputError, Record, sha256_bytes
from factdesk.settings import Settings
from store.location import exists

if TYPE_CHECKING:
    from PIL.Image import Image

    from store.known_images import KnownImageStore

SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".webp", ".gif", ".tif", ".tiff", ".bmp"})
MAX_HASHED = 8
"""Pictures that are proposed at most by their hashes."""
ORDER = {"same": 0, "part": 1, "altered": 2, "similar": 3}
MAX_USES = 8
BATCH = 50
AddProgress = Callable[[int, int], None]


class ImagesAdded(Record):
    """Outcome of adding; ``skipped`` says why, file by file."""

    added: int
    replaced: int
    unchanged: int
    skipped: tuple[tuple[str, str], ...] = ()


class Found(Record):
    """Earlier uses of one submitted picture, with the records that are evidence."""

    uses: tuple[EarlierUse, ...] = ()
    documents: tuple[Document, ...] = ()
    spans: tuple[Span, ...] = ()
    findings: tuple[ImageFinding, ...] = ()


class KnownImages:
    """The known images below the home folder."""

    def __init__(self, settings: Settings) -> None:
        self._database = settings.store
        self._cache = settings.paths.cache
        self._clip = settings.clip

    @property
    def exists(self) -> bool:
        """Whether there is a database at all; asking for it makes none."""
        return exists(self._database)

    @property
    def store(self) -> KnownImageStore:
        """The table of known images."""
        from store.engine import open_engine
        from store.known_images import KnownImageStore

        return KnownImageStore(open_engine(self._database))

    def add(
        self,
        paths: Sequence[Path],
        given: Description,
        *,
        text: bool = False,
        progress: AddProgress | None = None,
    ) -> ImagesAdded:
        """Add files and folders of pictures; one that is there is replaced where its description differs.

        ``text``: read the text in them (seconds a picture), without which pages full of figures never are
        evidence.
        With the setting ``clip`` a vector of each picture is kept; without, or with another model, none.
        Raises ``InputError`` for a path that does not exist and a description that cannot be read,
        ``BackendUnavailable`` and ``ConfigError`` where the weights in ``clip`` cannot be used.
        """
        files = list(_files(paths))
        counts = {"added": 0, "replaced": 0, "unchanged": 0}
        skipped: list[tuple[str, str]] = []
        batch: list[KnownImage] = []
        for number, path in enumerate(files, 1):
            description = description_of(path, given)
            try:
                outcome, known = self._known(path, description, text)
            except InputError as error:
                skipped.append((path.name, str(error)))
                continue
            counts[outcome] += 1
            if known is not None:
                batch.append(known)
            if len(batch) >= BATCH:
                self.store.put(batch)
                batch = []
            if progress is not None:
                progress(number, len(files))
        self.store.put(batch)
        return ImagesAdded(**counts, skipped=tuple(skipped))

    def _known(self, path: Path, description: Description, text: bool) -> tuple[str, KnownImage | None]:
        from evidence.images.files import decode, read_bytes
        from evidence.images.reader import MAX_BYTES, MAX_PIXELS

        data = read_bytes(path, MAX_BYTES)
        digest = sha256_bytes(data)
        there = self.store.get(digest)
        told = description.model_dump()
        model = model_of(self._clip)
        seen = there is not None and (model is None or there.vector.startswith(model.mark))
        if there is not None and seen and (there.text or not text):
            if all(getattr(there, name) == value for name, value in told.items()):
                return "unchanged", None
            return "replaced", there.model_copy(update=told)
        image = decode(data, path.name, MAX_PIXELS).pixels
        known = make_known(image, digest, path.name, description, text=text)
        if model is not None:
            known = known.model_copy(update={"vector": vector_of(model, image)})
        return ("replaced" if there else "added"), known

    def page(self, limit: int = 50, offset: int = 0) -> tuple[KnownImage, ...]:
        """Known images, newest publication first."""
        return self.store.page(limit, offset) if self.exists else ()

    def count(self) -> int:
        """How many are known."""
        return self.store.count() if self.exists else 0

    def remove(self, beginnings: Sequence[str]) -> int:
        """Remove images by the beginnings of their ids. Raises ``InputError`` unless each fits one."""
        ids = []
        for beginning in beginnings:
            found = self.store.ids(beginning.lower())
            if len(found) != 1:
                raise InputError(f"{beginning!r} fits {len(found)} known images; give more of the id")
            ids.append(found[0])
        return self.store.remove(ids)

    def search(self, path: Path) -> Found:
        """Earlier uses of a picture that is no part of a check; its text is not read."""
        from evidence.images.files import decode, read_bytes
        from evidence.images.reader import MAX_BYTES, MAX_PIXELS

        data = read_bytes(path, MAX_BYTES)
        return self.find(Submitted(decode(data, path.name, MAX_PIXELS).pixels, sha256_bytes(data)))

    def find(self, submitted: Submitted) -> Found:
        """Earlier uses of a picture, the surest first."""
        if not self.exists or not self.count():
            return Found()
        store = self.store
        found: list[Matched] = []
        for known_id, mirrored in self._near(submitted):
            known = store.get(known_id)
            match = matched(submitted, known, mirrored=mirrored) if known is not None else None
            found += [match] if match else []
        found += self._alike(submitted, {match.known.image_id for match in found})
        found.sort(
            key=lambda f: (
                ORDER[f.use.match],
                -f.use.agreeing,
                f.use.distance,
                str(f.use.published or "9"),
                f.use.known,
            )
        )
        return _as_found(found[:MAX_USES], submitted.sha256)

    def _near(self, submitted: Submitted) -> tuple[tuple[str, bool], ...]:
        """(id, mirrored) of known images that features or hashes propose, each once."""
        revision = self.store.revision()
        features = feature_indexes(self._database, self._cache, revision).nearest(submitted.features)
        hashes = hash_index(self._database, revision).nearest(submitted.hashes)[:MAX_HASHED]
        found: dict[str, bool] = {}
        for known, mirrored in ((submitted.sha256, False), *features, *hashes):
            found.setdefault(known, mirrored)
        return tuple(found.items())

    def _alike(self, submitted: Submitted, known: set[str]) -> list[Matched]:
        """Pictures that CLIP alone finds alike: the same where the pixels say so, else only similar."""
        store, found = self.store, []
        for known_id, cosine in alike(self._database, store.revision(), self._clip, submitted.image):
            there = store.get(known_id) if known_id not in known else None
            if there is not None:
                match = matched(submitted, there, mirrored=False)
                found.append(match or resembling(submitted, there, cosine))
        return found


def make_known(image: Image, digest: str, name: str, description: Description, *, text: bool = False) -> KnownImage:
    """The entry of a decoded picture. ``text``: read the text in it."""
    from evidence.images import features, hashes
    from evidence.images.compare import thumbnail

    read = ""
    if text:
        from evidence.images.ocr import read_text

        read = " / ".join(line.text for line in read_text(image).lines) or " "
    return KnownImage(
        image_id=digest,
        name=name,
        width=image.width,
        height=image.height,
        text=read,
        hashes=hashes.to_bytes(hashes.hashes_of(image)),
        thumbnail=thumbnail(image),
        features=features.to_bytes(features.known_features(image)),
        **description.model_dump(),
    )


def _as_found(matches: Sequence[Matched], digest: str) -> Found:
    from evidence.images.records import record_document, record_spans

    uses: list[EarlierUse] = []
    documents: list[Document] = []
    spans: list[Span] = []
    findings: list[ImageFinding] = []
    for item in matches:
        use, told = item.use, use_sentence(item.use)
        if use.is_evidence:
            document = record_document(item.known)
            mine = record_spans(document)
            documents.append(document)
            spans += mine
            uses.append(use.model_copy(update={"doc_id": document.doc_id}))
            findings += [
                ImageFinding(
                    kind="earlier_use",
                    text=told if n == 0 else s.text,
                    span_id=s.span_id,
                    image=digest,
                    region=use.place if n == 0 and use.match == "part" else None,
                )
                for n, s in enumerate(mine)
            ]
        else:
            uses.append(use)
            kind = "altered" if use.match == "altered" else "earlier_use"
            words = f"{told} {item.why}" if item.why else told
            findings.append(
                ImageFinding.model_validate(
                    {"kind": kind, "text": words, "region": item.box or use.place, "image": digest}
                )
            )
    return Found(uses=tuple(uses), documents=tuple(documents), spans=tuple(spans), findings=tuple(findings))


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            yield from sorted(p for p in path.rglob("*") if p.suffix.lower() in SUFFIXES and p.is_file())
        elif path.exists():
            yield path
        else:
            raise InputError(f"{str(path)!r} does not exist; give pictures or folders of pictures")


def earlier_uses(settings: Settings, record: ImageRecord, data: bytes) -> Found:
    """Earlier uses of a submitted picture."""
    from evidence.images.files import decode
    from evidence.images.reader import MAX_PIXELS

    known = KnownImages(settings)
    if not known.exists or not known.count():
        return Found()
    read = tuple((s.text, s.region) for s in record.spans if s.kind in ("ocr", "chart"))
    return known.find(Submitted(decode(data, record.name, MAX_PIXELS).pixels, record.sha256, read))
