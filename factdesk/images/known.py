"""The index of known images: adding, listing, removing, and finding earlier uses of a picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from evidence.types import Box, Document, EarlierUse, ImageFinding, ImageRecord, KnownImage, Span
from factdesk.images.caption_file import Description, description_of
from factdesk.images.known_vectors import alike, model_of, vector_of
from factdesk.kernel import InputError, Record, sha256_bytes
from factdesk.settings import Settings
from store.location import Place, exists

if TYPE_CHECKING:
    from PIL.Image import Image

    from evidence.images.hash_index import HashIndex
    from store.known_images import KnownImageStore

SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".webp", ".gif", ".tif", ".tiff", ".bmp"})
MAX_COMPARED = 12
"""Pictures whose hashes are near that are laid over the submitted one, nearest first."""
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


@dataclass(frozen=True)
class Match:
    """A known image that was laid over the submitted one. ``why``: how their texts differ, in words."""

    use: EarlierUse
    known: KnownImage
    why: str | None
    box: Box | None


@dataclass(frozen=True)
class _Hashes:
    """All hashes of the index in memory: one index a kind, and whose entry each is."""

    ids: tuple[str, ...]
    variants: int
    kinds: tuple[HashIndex, ...]


class KnownImages:
    """The known images below the home folder."""

    def __init__(self, settings: Settings) -> None:
        self._database = settings.store
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
        text: bool = True,
        progress: AddProgress | None = None,
    ) -> ImagesAdded:
        """Add files and folders of pictures; one that is there is replaced where its description differs.

        ``text``: read the text in them (seconds a picture), without which pictures with text never are
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
        return self.find(decode(data, path.name, MAX_PIXELS).pixels, sha256_bytes(data), None)

    def find(self, image: Image, digest: str, text: str | None) -> Found:
        """Earlier uses of a picture, ``same`` first, then by distance.

        ``text``: what was read in it; ``None``: nobody looked, and texts are not compared.
        """
        if not self.exists:
            return Found()
        store = self.store
        found: list[Match] = []
        for known_id, distance, variant, mirrored in self._near(image)[:MAX_COMPARED]:
            known = store.get(known_id)
            if known is not None:
                match = matched(image, digest, known, distance, variant, mirrored, text)
                found += [match] if match else []
        found += self._alike(image, digest, text, {match.known.image_id for match in found})
        order = {"same": 0, "altered": 1, "similar": 2}
        found.sort(
            key=lambda f: (order[f.use.match], f.use.distance, str(f.use.published or "9"), f.use.known)
        )
        return _as_found(found[:MAX_USES], digest)

    def _near(self, image: Image) -> list[tuple[str, int, int, bool]]:
        """(id, distance, variant, mirrored) of known images with a hash near, nearest first."""
        from evidence.images.hashes import submitted_hashes

        index = self._index()
        best: dict[str, tuple[int, int, bool]] = {}
        for mirrored, row in enumerate(submitted_hashes(image)):
            for kind, wanted in enumerate(row):
                for hit in index.kinds[kind].near(int(wanted)) if index.kinds else ():
                    known = index.ids[hit.entry // index.variants]
                    value = (hit.distance, hit.entry % index.variants, bool(mirrored))
                    best[known] = min(best.get(known, value), value)
        return sorted(((known, *value) for known, value in best.items()), key=lambda item: (item[1], item[0]))

    def _alike(self, image: Image, digest: str, text: str | None, known: set[str]) -> list[Match]:
        """Pictures that CLIP alone finds alike: the same where the pixels say so, else only similar."""
        store, found = self.store, []
        for known_id, cosine in alike(self._database, store.revision(), self._clip, image):
            there = store.get(known_id) if known_id not in known else None
            if there is not None:
                distance, variant, mirrored = hash_distance(image, there)
                match = matched(image, digest, there, distance, variant, mirrored, text)
                found.append(match or resembling(digest, there, distance, cosine))
        return found

    def _index(self) -> _Hashes:
        return _hash_index(self._database, self.store.revision())


@lru_cache(maxsize=2)
def _hash_index(database: Place, revision: int) -> _Hashes:
    """Built anew when pictures were added or removed: see docs/images.md for the time it takes."""
    del revision
    import numpy as np

    from evidence.images.hash_index import HashIndex
    from evidence.images.hashes import CROPS, KINDS
    from store.engine import open_engine
    from store.known_images import KnownImageStore

    size = len(CROPS) * len(KINDS) * 8
    rows = [r for r in KnownImageStore(open_engine(database)).hashes() if len(r[1]) == size]
    if not rows:
        return _Hashes((), len(CROPS), ())
    joined = (
        np.frombuffer(b"".join(h for _, h in rows), dtype=">u8").astype(np.uint64).reshape(-1, len(KINDS))
    )
    kinds = tuple(HashIndex(np.ascontiguousarray(joined[:, kind])) for kind in range(len(KINDS)))
    return _Hashes(tuple(i for i, _ in rows), len(CROPS), kinds)


def make_known(
    image: Image, digest: str, name: str, description: Description, *, text: bool = True
) -> KnownImage:
    """The entry of a decoded picture. ``text``: read the text in it."""
    from evidence.images.compare import thumbnail
    from evidence.images.hashes import hashes_of, to_bytes

    read = ""
    if text:
        from evidence.images.ocr import read_text

        read = " / ".join(line.text for line in read_text(image).lines) or " "
    return KnownImage(
        image_id=digest, name=name, width=image.width, height=image.height, text=read,
        hashes=to_bytes(hashes_of(image)), thumbnail=thumbnail(image), **description.model_dump(),
    )  # fmt: skip


def matched(
    image: Image,
    digest: str,
    known: KnownImage,
    distance: int,
    variant: int,
    mirrored: bool,
    text: str | None,
) -> Match | None:
    """The known picture laid over the submitted one; ``None`` where they are not alike.

    ``distance``, ``variant`` and ``mirrored`` say which of its hashes was near, ``text`` what was read in the
    submitted picture (``None``: nobody looked).
    """
    from PIL.Image import Transpose

    from evidence.images.compare import ALIKE, SAME, compare
    from evidence.images.records import text_differs

    turned = image.transpose(Transpose.FLIP_LEFT_RIGHT) if mirrored else image
    found = compare(turned, known.thumbnail, variant)
    if digest == known.image_id:
        why, match = None, "same"
    elif found.similarity < ALIKE:
        return None
    else:
        why = text_differs(text, known.text) if text and not mirrored else None
        unread = bool(text) and not known.text and any(c.isdigit() for c in text or "")
        altered = found.altered is not None or why is not None
        match = "similar" if found.similarity < SAME or unread else "altered" if altered else "same"
    box = _mirrored_back(found.altered, image.width) if mirrored else found.altered
    use = EarlierUse.model_validate(
        {
            "image": digest, "known": known.image_id, "published": known.published, "source": known.source,
            "caption": known.caption, "distance": distance, "match": match, "mirrored": mirrored,
            "similarity": round(found.similarity, 3), "doc_id": "", "url": known.url,
        }
    )  # fmt: skip
    return Match(use, known, why, box if match == "altered" else None)


def hash_distance(image: Image, known: KnownImage) -> tuple[int, int, bool]:
    """(bits, variant, mirrored) of the nearest of a known picture's hashes."""
    import numpy as np

    from evidence.images.hashes import from_bytes, submitted_hashes

    there = from_bytes(known.hashes)
    bits = np.bitwise_count(there[None, :, :] ^ submitted_hashes(image)[:, None, :]).min(axis=2)
    mirrored, variant = (int(n) for n in np.unravel_index(int(bits.argmin()), bits.shape))
    return int(bits.min()), variant, bool(mirrored)


def resembling(digest: str, known: KnownImage, distance: int, cosine: float) -> Match:
    """A picture that CLIP alone finds alike: a hint, never evidence."""
    use = EarlierUse(
        image=digest, known=known.image_id, published=known.published, source=known.source,
        caption=known.caption, distance=distance, match="similar", url=known.url,
    )  # fmt: skip
    return Match(
        use, known, f"CLIP finds the two alike ({cosine:.2f}); their pixels do not go together.", None
    )


def _mirrored_back(box: Box | None, width: int) -> Box | None:
    return box and Box(x0=width - box.x1, y0=box.y0, x1=width - box.x0, y1=box.y1)


def _as_found(matches: Sequence[Match], digest: str) -> Found:
    from evidence.images.records import record_document, record_spans

    uses: list[EarlierUse] = []
    documents: list[Document] = []
    spans: list[Span] = []
    findings: list[ImageFinding] = []
    for item in matches:
        use, told = item.use, use_sentence(item.use)
        if use.match == "same":
            document = record_document(item.known)
            mine = record_spans(document)
            documents.append(document)
            spans += mine
            uses.append(use.model_copy(update={"doc_id": document.doc_id}))
            findings += [
                ImageFinding(
                    kind="earlier_use", text=told if n == 0 else s.text, span_id=s.span_id, image=digest
                )
                for n, s in enumerate(mine)
            ]
        else:
            uses.append(use)
            kind = "altered" if use.match == "altered" else "earlier_use"
            words = f"{told} {item.why}" if item.why else told
            findings.append(
                ImageFinding.model_validate(
                    {"kind": kind, "text": words, "region": item.box, "image": digest}
                )
            )
    return Found(uses=tuple(uses), documents=tuple(documents), spans=tuple(spans), findings=tuple(findings))


def use_sentence(use: EarlierUse) -> str:
    """ "This picture was published on … by … as …"; says so where parts differ or it is only alike."""
    head = {
        "same": "This picture", "altered": "A picture from which this one differs in part",
        "similar": "A picture that resembles this one",
    }[use.match]  # fmt: skip
    mirrored = ", mirrored," if use.mirrored else ""
    when = f" was published on {use.published.isoformat()}" if use.published else " is known, undated,"
    by = f" by {use.source}" if use.source else ""
    caption = " ".join(use.caption.split()).rstrip(".")
    return f"{head}{mirrored}{when}{by}" + (f' as: "{caption}".' if caption else ".")


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
    read = " / ".join(s.text for s in record.spans if s.kind in ("ocr", "chart"))
    return known.find(decode(data, record.name, MAX_PIXELS).pixels, record.sha256, read)
