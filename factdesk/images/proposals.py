"""Which known pictures may be a submitted one, by local features, hashes and CLIP vectors. Pixels decide then.

The index of features is a file below the cache, made where there is none or where too many pictures came since;
the few that came since are indexed in memory. A picture's features never change, so a file stays true; what was
removed is not found in the database again. Hashes and vectors are in memory and looked through whole; a vector is
compared with those of its own model alone. docs/images.md has the times.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL.Image import Image

from evidence.adapters.clip import ClipModel, load_clip
from evidence.images import hashes
from evidence.images.features import FeatureIndex, Features, build, load, save
from factdesk.kernel import BackendUnavailable, ConfigError, private_folder, written_whole
from store.engine import open_engine
from store.known_images import KnownImageStore
from store.location import Place

MOST = 12
"""Pictures that are proposed at most by their features."""
_LEAST_VOTE = 0.125
"""Share of the best picture's score that another one must have; what is by chance stays far below it."""
MOST_HASHED = 8
"""Pictures that are proposed at most by their hashes."""
MOST_ALIKE, ALIKE = 6, 0.92
"""Pictures that are proposed at most by their vectors, and the cosine from which on two are alike."""
_LOOSE, _LOOSE_SHARE = 500, 0.2
"""Pictures, and share of those in the file, up to which new ones are indexed in memory."""


def store_of(database: Place) -> KnownImageStore:
    """The table of known images."""
    return KnownImageStore(open_engine(database))


@lru_cache(maxsize=2)
def proposals_of(database: Place, cache: Path, revision: int) -> Proposals:
    """What proposes for a state of the known pictures; ``cache`` is the folder of the file."""
    del revision
    return Proposals(
        store_of(database), cache / "known-images" / hashlib.sha256(str(database).encode()).hexdigest()[:16]
    )


class Proposals:
    """Pictures of one state of the index that may be a submitted one, what is needed read when it is asked for."""

    def __init__(self, store: KnownImageStore, folder: Path) -> None:
        self._store, self._file = store, folder / "features-2"
        self._vectors: dict[bytes, Vectors] = {}

    @cached_property
    def _features(self) -> Sequence[FeatureIndex]:
        """The index in the file, and the one of the pictures that came since."""
        kept: FeatureIndex | None = None
        with suppress(OSError, ValueError):
            kept = load(self._file)
        ids = self._store.ids()
        there = set(kept.ids) if kept else set()
        loose = [known for known in ids if known not in there]
        if kept and len(loose) <= max(_LOOSE, int(_LOOSE_SHARE * len(there))):
            return (kept, build(self._store.features(loose))) if loose else (kept,)
        made = build(self._store.features())
        if len(ids) > _LOOSE:
            with suppress(OSError):  # without it the next look-up costs more
                private_folder(self._file.parent)
                with written_whole(self._file) as file:
                    save(made, file)
        return (made,)

    def by_features(self, both: tuple[Features, Features]) -> tuple[tuple[str, bool], ...]:
        """(id, mirrored), best first. ``both``: features of the picture as it is, and mirrored."""
        best: dict[str, tuple[float, bool]] = {}
        for mirrored, wanted in enumerate(both):
            for index in self._features:
                for known, score in index.nearest(wanted, MOST):
                    if score > best.get(known, (0.0, False))[0]:
                        best[known] = (score, bool(mirrored))
        order = sorted(best.items(), key=lambda item: (-item[1][0], item[0]))
        least = _LEAST_VOTE * max((score for score, _ in best.values()), default=0.0)
        return tuple((known, mirrored) for known, (score, mirrored) in order[:MOST] if score >= least)

    @cached_property
    def _hashes(self) -> tuple[tuple[str, ...], NDArray[np.uint64]]:
        rows = [row for row in self._store.hashes() if len(row[1]) == hashes.SIZE]
        return tuple(known for known, _ in rows), hashes.from_bytes(b"".join(raw for _, raw in rows))

    def by_hash(self, submitted: NDArray[np.uint64]) -> tuple[tuple[str, bool], ...]:
        """(id, mirrored) of pictures with a hash near, nearest first. *Shape:* (2, 2)."""
        ids, rows = self._hashes
        return tuple((ids[number], mirrored) for number, mirrored in hashes.nearest(rows, submitted))[:MOST_HASHED]

    def by_vector(self, spec: str | None, image: Image) -> tuple[tuple[str, float], ...]:
        """(id, cosine) of known images that CLIP finds alike; none without weights, which the report tells."""
        try:
            model = load_clip(spec) if spec else None
        except (BackendUnavailable, ConfigError):
            return ()
        if model is None:
            return ()
        if model.mark not in self._vectors:
            self._vectors[model.mark] = Vectors.of(self._store, model.mark)
        kept = self._vectors[model.mark]
        return kept.near(np.array(model.image_vector(image), dtype=np.float32)) if kept.ids else ()


@dataclass(frozen=True)
class Vectors:
    """All CLIP vectors of one model. ``rows`` *Shape:* (n_images, width), of length 1 each."""

    ids: tuple[str, ...]
    rows: NDArray[np.float32]

    @classmethod
    def of(cls, store: KnownImageStore, mark: bytes) -> Vectors:
        """Those of the table that the model of that mark made."""
        found = [(known, raw[len(mark) :]) for known, raw in store.vectors() if raw.startswith(mark)]
        width = max((len(vector) for _, vector in found), default=0)
        whole = [(known, vector) for known, vector in found if len(vector) == width]
        rows = np.frombuffer(b"".join(vector for _, vector in whole), dtype="<f4").astype(np.float32)
        return cls(tuple(known for known, _ in whole), rows.reshape(len(whole), width // 4))

    def near(self, wanted: NDArray[np.float32]) -> tuple[tuple[str, float], ...]:
        """(id, cosine) of the images that are alike, nearest first."""
        cosines = self.rows @ wanted
        alike = np.flatnonzero(cosines >= ALIKE)
        best = alike[np.argsort(-cosines[alike], kind="stable")][:MOST_ALIKE]
        return tuple((self.ids[n], round(float(cosines[n]), 6)) for n in best)


def vector_of(model: ClipModel, image: Image) -> bytes:
    """The mark of the model and the picture's unit vector (float32, little-endian)."""
    return model.mark + np.array(model.image_vector(image), dtype="<f4").tobytes()
