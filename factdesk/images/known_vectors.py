"""CLIP vectors of known images: they propose what no hash is near to. Pixels decide then, as for hashes.

A vector is kept behind the mark of the model it comes from, and compared with those of that model alone. The
look-up is exact: one product of a matrix and a vector (docs/images.md has its time at 100,000 images).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from factdesk.kernel import BackendUnavailable, ConfigError
from store.location import Place

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image

    from evidence.adapters.clip import ClipModel

NEAR = 0.92
"""Cosine from which on two pictures are alike."""
MOST = 6
"""Pictures that are proposed at most, nearest first."""


@dataclass(frozen=True)
class Vectors:
    """All vectors of one model. ``rows`` *Shape:* (n_images, width), of length 1 each."""

    ids: tuple[str, ...]
    rows: NDArray[np.float32]

    def near(self, wanted: NDArray[np.float32]) -> tuple[tuple[str, float], ...]:
        """(id, cosine) of the images that are alike, nearest first."""
        import numpy as np

        if not len(self.ids):
            return ()
        cosines = self.rows @ wanted
        alike = np.flatnonzero(cosines >= NEAR)
        best = alike[np.argsort(-cosines[alike], kind="stable")][:MOST]
        return tuple((self.ids[n], round(float(cosines[n]), 6)) for n in best)


def vector_of(model: ClipModel, image: Image) -> bytes:
    """The mark of the model and the picture's unit vector (float32, little-endian)."""
    import numpy as np

    return model.mark + np.array(model.image_vector(image), dtype="<f4").tobytes()


def model_of(spec: str | None) -> ClipModel | None:
    """The model of a spec; ``None`` without one. Raises like ``ClipModel``."""
    if not spec:
        return None
    from evidence.adapters.clip import load_clip

    return load_clip(spec)


def alike(database: Place, revision: int, spec: str | None, image: Image) -> tuple[tuple[str, float], ...]:
    """(id, cosine) of known images that CLIP finds alike; none without weights, which the report tells."""
    import numpy as np

    try:
        model = model_of(spec)
    except (BackendUnavailable, ConfigError):
        return ()
    if model is None:
        return ()
    kept = _vectors(database, revision, model.mark)
    if not kept.ids:
        return ()
    return kept.near(np.array(model.image_vector(image), dtype=np.float32))


@lru_cache(maxsize=2)
def _vectors(database: Place, revision: int, mark: bytes) -> Vectors:
    del revision
    import numpy as np

    from store.engine import open_engine
    from store.known_images import KnownImageStore

    found = [r for r in KnownImageStore(open_engine(database)).vectors() if r[1].startswith(mark)]
    width = max((len(v) for _, v in found), default=0)
    whole = [(known, vector) for known, vector in found if len(vector) == width]
    data = b"".join(vector[len(mark) :] for _, vector in whole)
    rows = np.frombuffer(data, dtype="<f4").astype(np.float32).reshape(len(whole), -1) if whole else None
    return Vectors(tuple(k for k, _ in whole), rows if rows is not None else np.empty((0, 0), np.float32))
