"""Key frames of a short video: different scenes, few, in their order; what is no video is none."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from evidence.images.key_frames import MAX_FRAMES, is_video, key_frames, pictures_of
from factdesk.kernel import InputError


def film(path: Path, scenes: int, seconds: int = 2) -> Path:
    """Flat scenes of their own brightness, with a little movement."""
    made = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 10.0, (160, 120))
    for scene in range(scenes):
        for step in range(10 * seconds):
            frame = np.full((120, 160, 3), 20 + 200 * scene // scenes, np.uint8)
            frame[40:60, 20 + step : 40 + step] = 250
            made.write(frame)
    made.release()
    return path


def test_each_scene_gives_a_frame_and_the_same_ones_again(tmp_path: Path) -> None:
    path = film(tmp_path / "clip.mp4", 3)
    assert is_video(path)
    found = key_frames(path)
    assert len(found) == 3
    assert [int(f.seconds) // 2 for f in found] == [0, 1, 2]
    assert found == key_frames(path)
    assert len(key_frames(film(tmp_path / "long.mp4", 12))) <= MAX_FRAMES


def test_frames_take_the_videos_place_among_the_pictures(tmp_path: Path) -> None:
    path = film(tmp_path / "clip.mp4", 2)
    other = tmp_path / "photo.jpg"
    other.write_bytes(b"\xff\xd8\xff")
    found = list(pictures_of([path, other], ["https://a.example/clip.mp4", "https://a.example/photo.jpg"]))
    assert [name[:10] for name, _, _ in found] == ["clip at 0m", "clip at 0m", "photo.jpg"]
    assert [address for *_, address in found] == ["", "", "https://a.example/photo.jpg"]
    assert found[0][1][:2] == b"\xff\xd8"


def test_what_is_too_large_or_no_video_is_refused(tmp_path: Path) -> None:
    path = film(tmp_path / "clip.mp4", 1)
    with pytest.raises(InputError, match="cut it shorter"):
        key_frames(path, max_bytes=10)
    broken = tmp_path / "broken.mp4"
    broken.write_bytes(path.read_bytes()[:60])
    with pytest.raises(InputError, match="without a frame"):
        key_frames(broken)
    for head in (b"\x00\x00\x00\x18ftypheic", b"\x00\x00\x00\x18ftypavif", b"\xff\xd8\xff", b"", b"#EXTM3U"):
        broken.write_bytes(head)
        assert not is_video(broken)
    assert not is_video(tmp_path / "none.mp4")
