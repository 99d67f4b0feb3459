"""Which known pictures may be a submitted one: an index of local features on disk, and hashes in memory.

The index of features is a file below the cache, made where there is none or where too many pictures came
since; the few that came since are indexed in memory. A picture's features never change, so a file stays
true; what was removed is not found in the database again.
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
from typing import TYPE_CHECKING

from store.location import Place

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from evidence.images.feature_index import FeatureIndex
    from evidence.images.features import Features
    from evidence.images.hash_index import HashIndex

MOST = 12
"""Pictures that are proposed at most by their features."""
_LOOSE, _LOOSE_SHARE = 500, 0.2
"""Pictures, and share of those in the file, up to which new ones are indexed in memory."""
_FORMAT = "features-1"


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


@dataclass(frozen=True)
class Hashes:
    """All hashes of the index in memory: one index a kind."""

    ids: tuple[str, ...]
    kinds: tuple[HashIndex, ...]

    def nearest(self, wanted: NDArray[np.uint64]) -> tuple[tuple[str, bool], ...]:
        """(id, mirrored) of pictures with a hash near, nearest first. ``wanted`` *Shape:* (2, 2)."""
        best: dict[str, tuple[int, bool]] = {}
        for mirrored, row in enumerate(wanted):
            for index, value in zip(self.kinds, row, strict=False):
                for hit in index.near(int(value)):
                    found = (hit.distance, bool(mirrored))
                    known = self.ids[hit.entry]
                    best[known] = min(best.get(known, found), found)
        order = sorted(best.items(), key=lambda item: (item[1], item[0]))
        return tuple((known, mirrored) for known, (_, mirrored) in order)


@lru_cache(maxsize=2)
def hash_index(database: Place, revision: int) -> Hashes:
    """Built anew when pictures were added or removed: see docs/images.md for the time it takes."""
    del revision
    import numpy as np

    from evidence.images.hash_index import HashIndex
    from evidence.images.hashes import KINDS
    from store.engine import open_engine
    from store.known_images import KnownImageStore

    rows = [r for r in KnownImageStore(open_engine(database)).hashes() if len(r[1]) == 8 * len(KINDS)]
    if not rows:
        return Hashes((), ())
    joined = np.frombuffer(b"".join(h for _, h in rows), dtype=">u8").astype(np.uint64).reshape(len(rows), -1)
    kinds = tuple(HashIndex(np.ascontiguousarray(joined[:, kind])) for kind in range(len(KINDS)))
    return Hashes(tuple(i for i, _ in rows), kinds)


@lru_cache(maxsize=2)
def feature_indexes(database: Place, cache: Path, revision: int) -> FeatureIndexes:
    """The index for a state of the known pictures; ``cache`` is the folder of the file."""
    del revision
    from store.engine import open_engine
    from store.known_images import KnownImageStore

    store = KnownImageStore(open_engine(database))
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
    import numpy as np

    from evidence.images.feature_index import build
    from evidence.images.features import from_bytes

    codes = [from_bytes(raw)[1] for _, raw in rows]
    owners = np.repeat(np.arange(len(codes), dtype=np.uint32), [len(c) for c in codes])
    joined = np.concatenate([*codes, np.empty((0, 2), dtype=np.uint64)])
    return build(joined, owners, len(codes))


def _read(folder: Path) -> tuple[tuple[str, ...], FeatureIndex] | None:
    """The ids and the index of the folder; ``None`` where they are not there, or not whole."""
    from evidence.images.feature_index import load

    try:
        head = json.loads((folder / "pictures.json").read_text("utf-8"))
        index = load(folder / str(head["file"]))
        ids = tuple(str(known) for known in head["ids"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return (ids, index) if head.get("format") == _FORMAT and len(ids) == len(index.sizes) else None


def _write(folder: Path, made: tuple[Sequence[str], FeatureIndex]) -> None:
    """Write the index; a folder that cannot be written only costs time, at the next look-up."""
    from evidence.images.feature_index import save

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
