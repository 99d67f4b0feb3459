"""The index of known images: adding, listing, removing, and finding earlier uses of a picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from PIL.Image import Image

from evidence.adapters.clip import load_clip
from evidence.images import features, hashes
from evidence.images.compare import thumbnail
from evidence.images.files import decode, read_bytes
from evidence.images.ocr import read_text
from evidence.images.records import record_spans
from evidence.types import EarlierUse, ImageFinding, KnownImage, Span
from factdesk.images.caption_file import Description, description_of
from factdesk.images.found import Found
from factdesk.images.matching import Matched, Submitted, matched, resembling, use_sentence
from factdesk.images.proposals import proposals_of, store_of, vector_of
from factdesk.kernel import InputError, Record, sha256_bytes
from factdesk.settings import Settings
from store.known_images import KnownImageStore
from store.location import exists

SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".webp", ".gif", ".tif", ".tiff", ".bmp"})
ORDER = {"same": 0, "part": 1, "altered": 2, "similar": 3}
MAX_USES = 8
BATCH = 50


class ImagesAdded(Record):
    """Outcome of adding; ``skipped`` says why, file by file."""

    added: int
    replaced: int
    unchanged: int
    skipped: tuple[tuple[str, str], ...] = ()


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
        return store_of(self._database)

    def add(
        self,
        paths: Sequence[Path],
        given: Description,
        *,
        text: bool = False,
        progress: Callable[[int, int], None] | None = None,
    ) -> ImagesAdded:
        """Add files and folders of pictures; one that is there is replaced where its description differs. ``text``:
        read the text in them (seconds a picture), without which pages full of figures never are evidence. With the
        setting ``clip`` a vector of each picture is kept; without, or with another model, none. Raises ``InputError``
        for a path that does not exist and a description that cannot be read, ``BackendUnavailable`` and ``ConfigError``
        where the weights in ``clip`` cannot be used.
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
        data = read_bytes(path)
        digest = sha256_bytes(data)
        there = self.store.get(digest)
        told = description.model_dump()
        model = load_clip(self._clip) if self._clip else None
        seen = there is not None and (model is None or there.vector.startswith(model.mark))
        if there is not None and seen and (there.text or not text):
            if all(getattr(there, name) == value for name, value in told.items()):
                return "unchanged", None
            return "replaced", there.model_copy(update=told)
        image = decode(data, path.name).pixels
        known = make_known(image, digest, path.name, description, text=text)
        if model is not None:
            known = known.model_copy(update={"vector": vector_of(model, image)})
        return ("replaced" if there else "added"), known

    def page(self, limit: int = 50, offset: int = 0) -> tuple[KnownImage, ...]:
        """Known images, newest publication first."""
        return self.store.page(limit, offset) if self.exists else ()

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
        data = read_bytes(path)
        return self.find(Submitted(decode(data, path.name).pixels, sha256_bytes(data)))

    def find(self, submitted: Submitted) -> Found:
        """Earlier uses of a picture, the surest first."""
        store = self.store if self.exists else None
        if store is None or not store.count():
            return Found()
        proposed = proposals_of(self._database, self._cache, store.revision())
        by_pixels = (*proposed.by_features(submitted.features), *proposed.by_hash(submitted.hashes))
        near: dict[str, bool] = {}
        for known_id, mirrored in ((submitted.sha256, False), *by_pixels):
            near.setdefault(known_id, mirrored)
        found: dict[str, Matched] = {}
        there = store.many(tuple(near))
        for known_id in (known_id for known_id in near if known_id in there):
            match = matched(submitted, there[known_id], mirrored=near[known_id])
            if match is not None:
                found[known_id] = match
        for known_id, cosine in proposed.by_vector(self._clip, submitted.image):
            known = store.get(known_id) if known_id not in found else None
            if known is not None:  # the same where the pixels say so, else only similar
                match = matched(submitted, known, mirrored=False)
                found[known_id] = match or resembling(submitted, known, cosine)
        return _as_found(sorted(found.values(), key=_rank)[:MAX_USES], submitted.sha256)


def _rank(match: Matched) -> tuple[int, int, int, str, str]:
    """The surest first, then the oldest."""
    use = match.use
    return ORDER[use.match], -use.agreeing, use.distance, str(use.published or "9"), use.known


def make_known(image: Image, digest: str, name: str, description: Description, *, text: bool = False) -> KnownImage:
    """The entry of a decoded picture. ``text``: read the text in it."""
    return KnownImage(
        image_id=digest,
        name=name,
        width=image.width,
        height=image.height,
        text=" / ".join(line.text for line in read_text(image).lines) or " " if text else "",
        hashes=hashes.to_bytes(hashes.hashes_of(image)),
        thumbnail=thumbnail(image),
        features=features.to_bytes(features.known_features(image)),
        **description.model_dump(),
    )


def _as_found(matches: Sequence[Matched], digest: str) -> Found:
    uses: list[EarlierUse] = []
    spans: list[Span] = []
    findings: list[ImageFinding] = []
    for item in matches:
        use = item.use
        mine = record_spans(item.known) if use.is_evidence else ()
        uses.append(use.model_copy(update={"doc_id": mine[0].doc_id}) if mine else use)
        spans += mine
        told = f"{use_sentence(use)} {item.why}" if item.why else use_sentence(use)
        findings.append(
            ImageFinding(
                kind="altered" if use.match == "altered" else "earlier_use",
                text=told,
                span_id=mine[0].span_id if mine else None,
                image=digest,
                region=item.box or (None if use.match == "same" else use.place),
            )
        )
        findings += [
            ImageFinding(kind="earlier_use", text=span.text, span_id=span.span_id, image=digest) for span in mine[1:]
        ]
    return Found(uses=tuple(uses), spans=tuple(spans), findings=tuple(findings))


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            yield from sorted(p for p in path.rglob("*") if p.suffix.lower() in SUFFIXES and p.is_file())
        elif path.exists():
            yield path
        else:
            raise InputError(f"{str(path)!r} does not exist; give pictures or folders of pictures")
