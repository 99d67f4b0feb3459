"""The inverted index of local features finds a picture by its own, in memory and from its file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from evidence.images.features import build, known_features, load, save, submitted_features, to_bytes
from tests.evidence.test_images_known import scene


def test_a_picture_is_found_among_others_as_it_is_and_mirrored(tmp_path: Path) -> None:
    index = build((f"scene {n}", to_bytes(known_features(scene(n)))) for n in range(5))
    with (tmp_path / "index").open("wb") as file:
        save(index, file)
    kept = load(tmp_path / "index")
    upright = submitted_features(scene(3))[0]
    mirrored = submitted_features(scene(3).transpose(0))[1]
    for wanted in (upright, mirrored):
        found = index.nearest(wanted, 2)
        assert found[0][0] == "scene 3"
        assert found == kept.nearest(wanted, 2)
    assert index.nearest(submitted_features(scene(9))[0], 1)[0][1] < 0.5 * index.nearest(upright, 1)[0][1]


def test_a_file_that_is_cut_short_is_refused(tmp_path: Path) -> None:
    (tmp_path / "index").write_bytes(np.array([5, 5, 9], dtype=np.uint64).tobytes() + b"short")
    with pytest.raises(ValueError, match="no whole index"):
        load(tmp_path / "index")
