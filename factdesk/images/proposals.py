"""Which known pictures may be a submitted one, by local features, hashes and CLIP vectors. Pixels decide then.

The index of features is a file below the cache, made where there is none or where too many pictures came since;
the few that came since are indexed in memory. A picture's features never change, so a file stays true; what was
removed is not found in the database again. Hashes and vectors are in memory and looked through whole; a vector is
compared with those of its own model alone. docs/images.md has the times.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL.Image import Image

from evidence.adapters.clip import ClipModel, load_clip
from evidence.images import hashes
from evidence.images.feature_index import FeatureIndex, build, load, save
from evidence.images.features import Features, from_bytes
from factdesk.kernel import BackendUnavailable, ConfigError
from store.engine import open_engine
from store.known_images import KnownImageStore
from store.location import Place

MOST = 12
"""Pictures that are proposed at most by their features."""
MOST_ALIKE, ALIKE = 6, 0.92
"""Pictures that are proposed at most by their vectors, and the cosine from which on two are alike."""
_LOOSE, _LOOSE_SHARE = 500, 0.2
"""Pictures, and share of those in the file, up to which new ones are indexed in memory."""
_FORMAT = "features-1"


def store_of(database: Place) -> KnownImageStore:
    """The table of known images."""
    return KnownImageStore(open_engine(database))


@dataclass(frozen=True)
class FeatureIndexes:
    """The index in the file and the one of the pictures that came since, each with its pictures' ids."""

    parts: tuple[tuple[tuple[str, ...], FeatureIndex], ...]

    def nearest(self, both: tuple[Features, Features]) -> tuple[tuple[str, bool], ...]:
        """(id, mirrored), best first. ``both``: features of the picture as it is, and mirrored."""
        best: dict[str, tuple[float, bool]] = {}
        for mirrored, wanted in enumerate(both):
            for ids, index in self.parts:
                for number, score in index.nearest(wanted, MOST):
                    known = ids[number]
                    if score > best.get(known, (0.0, False))[0]:
                        best[known] = (score, bool(mirrored))
        order = sorted(best.items(), key=lambda item: (-item[1][0], item[0]))
        return tuple((known, mirrored) for known, (_, mirrored) in order[:MOST])


@lru_cache(maxsize=2)
def feature_indexes(database: Place, cache: Path, revision: int) -> FeatureIndexes:
    """The index for a state of the known pictures; ``cache`` is the folder of the file."""
    del revision
    store = store_of(database)
    ids = store.ids()
    folder = cache / "known-images" / hashlib.sha256(str(database).encode()).hexdigest()[:16]
    kept = _read(folder)
    there = set(kept[0]) if kept else set()
    loose = [known for known in ids if known not in there]
    if kept and len(loose) <= max(_LOOSE, int(_LOOSE_SHARE * len(there))):
        return FeatureIndexes((kept, (tuple(loose), _indexed(store.features(loose)))) if loose else (kept,))
    made = (ids, _indexed(store.features()))
    if len(ids) > _LOOSE:
        _write(folder, made)
    return FeatureIndexes((made,))


def _indexed(rows: Iterable[tuple[str, bytes]]) -> FeatureIndex:
    codes = [from_bytes(raw)[1] for _, raw in rows]
    owners = np.repeat(np.arange(len(codes), dtype=np.uint32), [len(c) for c in codes])
    joined = np.concatenate([*codes, np.empty((0, 2), dtype=np.uint64)])
    return build(joined, owners, len(codes))


def _read(folder: Path) -> tuple[tuple[str, ...], FeatureIndex] | None:
    """The ids and the index of the folder; ``None`` where they are not there, or not whole."""
    try:
        head = json.loads((folder / "pictures.json").read_text("utf-8"))
        index = load(folder / str(head["file"]))
        ids = tuple(str(known) for known in head["ids"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return (ids, index) if head.get("format") == _FORMAT and len(ids) == len(index.sizes) else None


def _write(folder: Path, made: tuple[Sequence[str], FeatureIndex]) -> None:
    """Write the index; a folder that cannot be written only costs time, at the next look-up."""
    ids, index = made
    name = f"{hashlib.sha256(''.join(ids).encode()).hexdigest()[:16]}.features"
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        part = folder / f".{name}.{os.getpid()}"
        with part.open("wb") as file:
            save(index, file)
        part.replace(folder / name)
        head = folder / f".pictures.{os.getpid()}"
        head.write_text(json.dumps({"format": _FORMAT, "file": name, "ids": list(ids)}), "utf-8")
        head.replace(folder / "pictures.json")
        for old in folder.glob("*.features"):
            if old.name != name:
                old.unlink()


def near_by_hash(database: Place, revision: int, submitted: NDArray[np.uint64]) -> tuple[tuple[str, bool], ...]:
    """(id, mirrored) of pictures with a hash near, nearest first. *Shape:* (2, 2)."""
    ids, rows = _hashes(database, revision)
    return tuple((ids[number], mirrored) for number, mirrored in hashes.nearest(rows, submitted))


@lru_cache(maxsize=2)
def _hashes(database: Place, revision: int) -> tuple[tuple[str, ...], NDArray[np.uint64]]:
    del revision
    rows = [row for row in store_of(database).hashes() if len(row[1]) == hashes.SIZE]
    return tuple(known for known, _ in rows), hashes.from_bytes(b"".join(raw for _, raw in rows))


@dataclass(frozen=True)
class Vectors:
    """All CLIP vectors of one model. ``rows`` *Shape:* (n_images, width), of length 1 each."""

    ids: tuple[str, ...]
    rows: NDArray[np.float32]

    def near(self, wanted: NDArray[np.float32]) -> tuple[tuple[str, float], ...]:
        """(id, cosine) of the images that are alike, nearest first."""
        cosines = self.rows @ wanted
        alike = np.flatnonzero(cosines >= ALIKE)
        best = alike[np.argsort(-cosines[alike], kind="stable")][:MOST_ALIKE]
        return tuple((self.ids[n], round(float(cosines[n]), 6)) for n in best)


def vector_of(model: ClipModel, image: Image) -> bytes:
    """The mark of the model and the picture's unit vector (float32, little-endian)."""
    return model.mark + np.array(model.image_vector(image), dtype="<f4").tobytes()


def alike_by_vector(database: Place, revision: int, spec: str | None, image: Image) -> tuple[tuple[str, float], ...]:
    """(id, cosine) of known images that CLIP finds alike; none without weights, which the report tells."""
    try:
        model = load_clip(spec) if spec else None
    except (BackendUnavailable, ConfigError):
        return ()
    kept = _vectors(database, revision, model.mark) if model is not None else None
    if model is None or kept is None or not kept.ids:
        return ()
    return kept.near(np.array(model.image_vector(image), dtype=np.float32))


@lru_cache(maxsize=2)
def _vectors(database: Place, revision: int, mark: bytes) -> Vectors:
    del revision
    found = [(known, raw[len(mark) :]) for known, raw in store_of(database).vectors() if raw.startswith(mark)]
    width = max((len(vector) for _, vector in found), default=0)
    whole = [(known, vector) for known, vector in found if len(vector) == width]
    rows = np.frombuffer(b"".join(vector for _, vector in whole), dtype="<f4").astype(np.float32)
    return Vectors(tuple(known for known, _ in whole), rows.reshape(len(whole), width // 4))
