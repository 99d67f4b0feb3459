"""Short videos among the submitted pictures: their key frames take their place."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path


@contextmanager
def with_key_frames(images: Sequence[Path], addresses: Sequence[str]) -> Iterator[tuple[list[Path], list[str]]]:
    """The pictures' paths and public addresses, a video's frames in its place; the frames lie there for the
    block's time. A frame has no address of its own.

    Raises ``InputError`` as ``evidence.images.key_frames.key_frames`` does.
    """
    from evidence.images.key_frames import is_video, key_frames

    paths: list[Path] = []
    places: list[str] = []
    with ExitStack() as stack:
        for number, path in enumerate(images):
            if not is_video(path):
                paths.append(path)
                places.append(addresses[number] if number < len(addresses) else "")
                continue
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="factdesk-frames-")))
            for frame in key_frames(path):
                minutes, seconds = divmod(frame.seconds, 60)
                file = folder / f"{path.stem} at {int(minutes)}m{seconds:04.1f}s.jpg"
                file.write_bytes(frame.jpeg)
                paths.append(file)
                places.append("")
        while places and not places[-1]:
            places.pop()
        yield paths, places
