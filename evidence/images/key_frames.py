"""Short videos among the submitted pictures: the few frames that differ most from each other take their place."""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from evidence.images.files import read_bytes
from factdesk.kernel import InputError

Pixels = NDArray[np.uint8]
MAX_BYTES = 200_000_000
MAX_FRAMES = 6
MAX_SECONDS = 300.0
"""Of the video that are looked at."""
PATIENCE = 60.0
"""Seconds of our own time after which the video is given up."""
STEP = 0.5
"""Seconds between two frames that are compared."""
APART = 12.0
"""Mean difference of grey values (of 255) from which on two frames are different scenes."""
_DARK = 8.0
_SMALL = (32, 32)
_MP4 = re.compile(rb"....ftyp(?:isom|iso[2-9]|mp4[12]|M4V.|qt  |avc1|3gp.|dash|MSNV|f4v )", re.DOTALL)


@dataclass(frozen=True)
class KeyFrame:
    """A frame as a JPEG file, with its time in the video in seconds."""

    seconds: float
    jpeg: bytes


def pictures_of(images: Sequence[Path], addresses: Sequence[str]) -> Iterator[tuple[str, bytes, str]]:
    """Name, bytes and public address (or ``""``) of each picture, a video's frames in its place, which have no address.
    Raises ``InputError`` as :func:`key_frames` does, and for a file that cannot be read.
    """
    for number, path in enumerate(images):
        if not is_video(path):
            yield path.name, read_bytes(path), addresses[number] if number < len(addresses) else ""
            continue
        for frame in key_frames(path):
            minutes, seconds = divmod(frame.seconds, 60)
            yield f"{path.stem} at {int(minutes)}m{seconds:04.1f}s.jpg", frame.jpeg, ""


def is_video(path: Path) -> bool:
    """Whether a file begins as an MP4, MOV, WebM, Matroska or AVI file does; ``False`` where it cannot be read."""
    try:
        with path.open("rb") as file:
            head = file.read(16)
    except OSError:
        return False
    return begins_as_video(head)


def begins_as_video(head: bytes) -> bool:
    """Whether the first 16 bytes of a file are those of a video."""
    return bool(_MP4.match(head)) or head[:4] == b"\x1a\x45\xdf\xa3" or (head[:4] == b"RIFF" and head[8:11] == b"AVI")


def refuse_undecodable(data: bytes, name: str) -> None:
    """Raise ``InputError`` where a video's bytes are too many, or none of its frames can be decoded."""
    with tempfile.TemporaryDirectory(prefix="factdesk-frames-") as folder:
        path = Path(folder, name)
        path.write_bytes(data)
        _first_frame(path)


def key_frames(path: Path, max_bytes: int = MAX_BYTES) -> tuple[KeyFrame, ...]:
    """At most ``MAX_FRAMES`` frames of the first ``MAX_SECONDS``, in their order. Same file, same frames. Raises
    ``InputError`` for a video that is too large, cannot be decoded, or takes longer than ``PATIENCE``.
    """
    _first_frame(path, max_bytes)
    deadline = time.monotonic() + PATIENCE
    seen = [(number, _small(pixels)) for number, _, pixels in _frames(path, deadline)]
    small = np.stack([grey for _, grey in seen])
    chosen = {seen[n][0] for n in _different(small)}
    return tuple(
        KeyFrame(round(seconds, 1), _jpeg(pixels))
        for number, seconds, pixels in _frames(path, deadline, chosen)
        if number in chosen
    )


def _first_frame(path: Path, max_bytes: int = MAX_BYTES) -> None:
    """Raise ``InputError`` where the video is too large or has no frame that can be decoded."""
    if (size := path.stat().st_size) > max_bytes:
        raise InputError(f"{path.name!r} has {size} bytes; of a video at most {max_bytes} are read: cut it shorter")
    if next(_frames(path, time.monotonic() + PATIENCE), None) is None:
        raise InputError(f"{path.name!r} is a video without a frame that can be decoded; save it as MP4 (H.264)")


def _different(small: NDArray[np.float32]) -> list[int]:
    """The first frame that is not dark, then always the one that differs most from those taken."""
    bright = np.flatnonzero(small.mean(axis=(1, 2)) > _DARK)
    taken = [int(bright[0]) if len(bright) else 0]
    nearest = np.abs(small - small[taken[0]]).mean(axis=(1, 2))
    while len(taken) < MAX_FRAMES and float(nearest.max()) >= APART:
        taken.append(int(nearest.argmax()))
        nearest = np.minimum(nearest, np.abs(small - small[taken[-1]]).mean(axis=(1, 2)))
    return taken


def _frames(path: Path, deadline: float, only: set[int] | None = None) -> Iterator[tuple[int, float, Pixels]]:
    """Number, time and pixels (BGR) of a frame every ``STEP`` seconds, or of those named alone."""
    video = cv2.VideoCapture(str(path.resolve()), cv2.CAP_FFMPEG)
    try:
        rate = _rate(video)
        every = max(1, round(rate * STEP))
        for number in range(round(MAX_SECONDS * rate)):
            if time.monotonic() > deadline:
                raise InputError(f"{path.name!r} takes too long to decode; cut the video shorter or make it smaller")
            if not video.grab():
                return
            if number in only if only is not None else number % every == 0:
                good, pixels = video.retrieve()
                if good and pixels is not None and pixels.ndim == 3:
                    yield number, number / rate, np.asarray(pixels, dtype=np.uint8)
    finally:
        video.release()


def _rate(video: cv2.VideoCapture) -> float:
    found = float(video.get(cv2.CAP_PROP_FPS))
    return found if 1.0 <= found <= 240.0 else 25.0


def _small(pixels: Pixels) -> NDArray[np.float32]:
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.resize(grey, _SMALL, interpolation=cv2.INTER_AREA), dtype=np.float32)


def _jpeg(pixels: Pixels) -> bytes:
    out = BytesIO()
    Image.fromarray(pixels[:, :, ::-1]).save(out, "JPEG", quality=95)
    return out.getvalue()
