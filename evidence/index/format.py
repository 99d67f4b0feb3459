"""The files of an index: segments that never change, and a generation that says which of their rows count.

::

    <corpus>/CURRENT            name of the generation in use; replaced in one step
    <corpus>/PENDING            segments that an unfinished ``sync`` has made so far
    <corpus>/write.lock         held while the index is written
    <corpus>/seg-.../           manifest.json, spans.sqlite, vectors.npy, codes.npy, bm25/
    <corpus>/gen-.../           manifest.json; places.npy, order.npy, dead.npy where there is more than one
                                segment, or a document that was removed

An update writes a small segment and a generation; removing documents writes a generation alone. Neither a
segment nor a generation is changed once a pointer names it.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from pydantic import ConfigDict

from evidence.segmentation.spans import SEGMENT_VERSION
from factdesk.kernel import BackendUnavailable, Fingerprint, Record
from language.tokens import TOKENS_VERSION

INDEX_VERSION = "5"
"""Of the files. Raised when they change, so that indexes are made anew."""
RANKING_VERSION = "3"
"""Of the numbers that an index gives; in the retriever's fingerprint. Files may change without it."""
POINTER = "CURRENT"
PENDING = "PENDING"
LOCK = "write.lock"
MANIFEST = "manifest.json"
SPANS = "spans.sqlite"
VECTORS = "vectors.npy"
CODES = "codes.npy"
BM25 = "bm25"
PLACES = "places.npy"
ORDER = "order.npy"
DEAD = "dead.npy"


class IndexDamaged(BackendUnavailable):
    """The files of an index are missing, cut short or unreadable. ``sync`` makes them anew."""


class StoredFile(Record):
    """Size and hash of one file."""

    size: int
    sha256: str


class Made(Record):
    """With which parts something was made, and of which files it consists."""

    index_version: str
    segment_version: str
    tokens_version: str
    embedder: Fingerprint
    dimension: int
    documents: int
    spans: int
    tokens: int
    """Words of all spans, for the average length in BM25."""
    files: dict[str, StoredFile]
    """By POSIX path relative to the folder."""

    def made_by(self, embedder: Fingerprint) -> bool:
        """Whether today's code and this embedder would make the same."""
        parts = (self.index_version, self.segment_version, self.tokens_version, self.embedder)
        return parts == (INDEX_VERSION, SEGMENT_VERSION, TOKENS_VERSION, embedder)


class SegmentManifest(Made):
    """What a segment holds."""

    postings: int


class Manifest(Made):
    """What a generation holds; documents, spans and words are those that count."""

    segments: tuple[str, ...]
    """Names of folders beside this one."""


class OldManifest(Record):
    """Of a generation before version 4, which was one segment: enough to take over its vectors."""

    model_config = ConfigDict(extra="ignore")
    index_version: str
    embedder: Fingerprint
    dimension: int
    spans: int
    files: dict[str, StoredFile]


T = TypeVar("T", Manifest, SegmentManifest, OldManifest)


def current_generation(folder: Path) -> Path | None:
    """Folder of the generation in use, or ``None`` where there is no index. Raises ``IndexDamaged``."""
    try:
        name = (folder / POINTER).read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise IndexDamaged(
            f"the index pointer in {str(folder)!r} cannot be read; add the documents again"
        ) from error
    if not _plain(name):
        raise IndexDamaged(f"the index pointer in {str(folder)!r} names {name!r}; add the documents again")
    return folder / name


def pending_segments(folder: Path) -> list[Path]:
    """Segments that an unfinished ``sync`` left, where they can still be named."""
    try:
        names = (folder / PENDING).read_text(encoding="utf-8").split()
    except (OSError, UnicodeDecodeError):
        return []
    return [folder / name for name in names if _plain(name)]


def _plain(name: str) -> bool:
    return bool(name) and Path(name).name == name


def read_manifest(generation: Path) -> Manifest:
    """The manifest, once all files have the sizes it names. Raises ``IndexDamaged``."""
    manifest = _read(generation, Manifest)
    if not all(_plain(name) for name in manifest.segments):
        raise IndexDamaged(f"the index in {str(generation)!r} names {manifest.segments!r}; sync the corpus")
    return manifest


def read_segment_manifest(segment: Path) -> SegmentManifest:
    """The manifest of a segment, once all files have the sizes it names. Raises ``IndexDamaged``."""
    return _read(segment, SegmentManifest)


def read_old_manifest(generation: Path) -> OldManifest:
    """Of a generation before version 4, all files as it says. Raises ``IndexDamaged``."""
    manifest = _read(generation, OldManifest)
    verify_hashes(generation, manifest)
    return manifest


def _read(folder: Path, kind: type[T]) -> T:
    try:
        manifest = kind.model_validate_json((folder / MANIFEST).read_bytes())
        for name, stored in manifest.files.items():
            size = (folder / name).stat().st_size
            if size != stored.size:
                raise IndexDamaged(
                    f"{name!r} in the index has {size} bytes, not {stored.size}; sync the corpus"
                )
    except (OSError, ValueError) as error:
        raise IndexDamaged(f"the index in {str(folder)!r} is damaged; sync the corpus") from error
    return manifest


def verify_hashes(folder: Path, manifest: Made | OldManifest) -> None:
    """Compare all files with the hashes in the manifest. Raises ``IndexDamaged``, ``OSError``."""
    for name, stored in manifest.files.items():
        if describe(folder / name).sha256 != stored.sha256:
            raise IndexDamaged(f"{name!r} in the index is not what was written; sync the corpus")


def verify_all(generation: Path) -> Manifest:
    """Compare all files of a generation and its segments with their hashes. Raises as ``verify_hashes``."""
    manifest = read_manifest(generation)
    verify_hashes(generation, manifest)
    for name in manifest.segments:
        segment = generation.parent / name
        verify_hashes(segment, read_segment_manifest(segment))
    return manifest


def describe(path: Path) -> StoredFile:
    """Size and hash of a file."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return StoredFile(size=path.stat().st_size, sha256=digest)


def describe_all(folder: Path) -> dict[str, StoredFile]:
    """All files below a folder, by relative POSIX path."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): describe(path) for path in paths}


def flush(folder: Path) -> None:
    """Make sure that all files below a folder are on the disk."""
    for path in [*folder.rglob("*"), folder]:
        _fsync(path)


@contextmanager
def new_folder(folder: Path, prefix: str) -> Iterator[Path]:
    """A folder of its own below ``folder``: whole and on the disk afterwards, or gone after an error."""
    made = folder / f"{prefix}-{uuid.uuid4().hex}"
    made.mkdir(parents=True)
    try:
        yield made
        flush(made)
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)
        raise


def point_to(folder: Path, generation: Path) -> None:
    """Put a generation into use in one step: a reader sees the old one or the new one, never a mixture."""
    _put(folder, POINTER, generation.name + "\n")


def note_pending(folder: Path, segments: Iterable[Path]) -> None:
    """Write down which segments an unfinished ``sync`` has made."""
    _put(folder, PENDING, "".join(f"{path.name}\n" for path in segments))


def _put(folder: Path, name: str, text: str) -> None:
    new = folder / f"{name}.new"
    new.write_text(text, encoding="utf-8")
    _fsync(new)
    os.replace(new, folder / name)
    _fsync(folder)


def _fsync(path: Path) -> None:
    if path.is_dir() and os.name == "nt":
        return
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sweep(folder: Path, keep: Iterable[str]) -> None:
    """Remove all generations and segments but these. POSIX readers keep the files that they have open."""
    kept = set(keep)
    (folder / PENDING).unlink(missing_ok=True)
    for path in folder.iterdir():
        if path.is_dir() and path.name not in kept:
            shutil.rmtree(path, ignore_errors=True)
