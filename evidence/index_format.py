"""The files of an index: generations in folders of their own, and a pointer to the one in use.

::

    <corpus>/CURRENT            name of the generation in use; replaced in one step
    <corpus>/write.lock         held while a new generation is written
    <corpus>/<generation>/      manifest.json, spans.sqlite, vectors.npy, bm25/

A generation is never changed once the pointer names it.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from pathlib import Path

from evidence.segment import SEGMENT_VERSION
from evidence.tokens import TOKENS_VERSION
from factdesk.kernel import BackendUnavailable, Fingerprint, Record

INDEX_VERSION = "3"
POINTER = "CURRENT"
LOCK = "write.lock"
MANIFEST = "manifest.json"
SPANS = "spans.sqlite"
VECTORS = "vectors.npy"
BM25 = "bm25"


class IndexDamaged(BackendUnavailable):
    """The files of an index are missing, cut short or unreadable. ``sync`` makes them anew."""


class StoredFile(Record):
    """Size and hash of one file of a generation."""

    size: int
    sha256: str


class Manifest(Record):
    """What a generation holds and with which parts it was made."""

    index_version: str
    segment_version: str
    tokens_version: str
    embedder: Fingerprint
    dimension: int
    documents: int
    spans: int
    has_bm25: bool
    files: dict[str, StoredFile]
    """By POSIX path relative to the generation's folder."""

    def made_by(self, embedder: Fingerprint) -> bool:
        """Whether today's code and this embedder would make the same."""
        parts = (self.index_version, self.segment_version, self.tokens_version, self.embedder)
        return parts == (INDEX_VERSION, SEGMENT_VERSION, TOKENS_VERSION, embedder)


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
    if not name or Path(name).name != name:
        raise IndexDamaged(f"the index pointer in {str(folder)!r} names {name!r}; add the documents again")
    return folder / name


def read_manifest(generation: Path) -> Manifest:
    """The manifest, once all files have the sizes it names. Raises ``IndexDamaged``."""
    try:
        manifest = Manifest.model_validate_json((generation / MANIFEST).read_bytes())
        for name, stored in manifest.files.items():
            size = (generation / name).stat().st_size
            if size != stored.size:
                raise IndexDamaged(
                    f"{name!r} in the index has {size} bytes, not {stored.size}; sync the corpus"
                )
    except (OSError, ValueError) as error:
        raise IndexDamaged(f"the index in {str(generation)!r} is damaged; sync the corpus") from error
    return manifest


def verify_hashes(generation: Path, manifest: Manifest) -> None:
    """Compare all files with the hashes in the manifest. Raises ``IndexDamaged``."""
    for name, stored in manifest.files.items():
        if describe(generation / name).sha256 != stored.sha256:
            raise IndexDamaged(f"{name!r} in the index is not what was written; sync the corpus")


def describe(path: Path) -> StoredFile:
    """Size and hash of a file."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return StoredFile(size=path.stat().st_size, sha256=digest)


def describe_all(generation: Path) -> dict[str, StoredFile]:
    """All files of a generation, by relative POSIX path."""
    paths = sorted(path for path in generation.rglob("*") if path.is_file())
    return {path.relative_to(generation).as_posix(): describe(path) for path in paths}


def flush(generation: Path) -> None:
    """Make sure that all files of a generation are on the disk."""
    for path in [*generation.rglob("*"), generation]:
        _fsync(path)


def point_to(folder: Path, generation: Path) -> None:
    """Put a generation into use in one step: a reader sees the old one or the new one, never a mixture."""
    new = folder / f"{POINTER}.new"
    new.write_text(generation.name + "\n", encoding="utf-8")
    _fsync(new)
    os.replace(new, folder / POINTER)
    _fsync(folder)


def _fsync(path: Path) -> None:
    if path.is_dir() and os.name == "nt":
        return
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sweep(folder: Path, keep: Path) -> None:
    """Remove all generations but one. On POSIX systems a reader keeps the files that it has open."""
    for path in folder.iterdir():
        if path.is_dir() and path != keep:
            shutil.rmtree(path, ignore_errors=True)
