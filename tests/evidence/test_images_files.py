"""Files that are no images, broken, huge or refused: one clear sentence each, nothing else."""

from __future__ import annotations

import os
import struct
import time
import zlib
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from evidence.images.files import decode
from evidence.images.reader import read_image
from factdesk.kernel import ConfigError, InputError


def picture(kind: str, size: tuple[int, int] = (48, 32), mode: str = "RGB") -> bytes:
    image = Image.linear_gradient("L").resize(size).convert(mode)
    out = BytesIO()
    image.save(out, kind)
    return out.getvalue()


def png_header(width: int, height: int) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0")) + chunk(b"IEND", b"")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"just some text, not a picture", "not an image"),
        (b"<?xml version='1.0'?>\n<svg xmlns='http://www.w3.org/2000/svg'/>", "SVG"),
        (b"  <svg width='1'></svg>", "SVG"),
        (b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic", "not an image|damaged"),
        (b"\x00\x00\x00\x18ftypavif\x00\x00\x00\x00mif1avif", "not an image|damaged"),
        (b"%PDF-1.7\n", "not an image"),
        (png_header(60_000, 60_000), "pixels"),
        (png_header(8_000, 8_000), "at most 50000000"),
        (picture("PNG", (400, 400))[:200], "damaged or cut short"),
        (picture("JPEG", (400, 400))[:700], "damaged or cut short"),
    ],
)
def test_refused_with_one_sentence(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "file.png").write_bytes(content)
    with pytest.raises(InputError, match=message) as caught:
        read_image(tmp_path / "file.png")
    assert "file.png" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_folders_missing_files_and_pipes(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.png")
    (tmp_path / "loop.png").symlink_to(tmp_path / "loop.png")
    (tmp_path / "dir.png").symlink_to(tmp_path)
    with pytest.raises(InputError, match="is a folder"):
        read_image(tmp_path)
    with pytest.raises(InputError, match="is a folder"):
        read_image(tmp_path / "dir.png")
    with pytest.raises(InputError, match="does not exist"):
        read_image(tmp_path / "nothing.png")
    with pytest.raises(InputError, match="not a regular file"):
        read_image(tmp_path / "pipe.png")
    with pytest.raises(InputError, match="cannot be read"):
        read_image(tmp_path / "loop.png")
    with pytest.raises(InputError, match="cannot be read"):
        read_image("a\0b.png")


def test_limits_are_the_callers(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(picture("PNG"))
    with pytest.raises(InputError, match="at most 50 are read"):
        read_image(tmp_path / "a.png", max_bytes=50)
    with pytest.raises(InputError, match="1536 pixels; at most 100"):
        read_image(tmp_path / "a.png", max_pixels=100)
    with pytest.raises(ConfigError, match="give 1 or more"):
        read_image(tmp_path / "a.png", max_pixels=0)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF", "TIFF", "BMP"])
def test_formats(kind: str) -> None:
    opened = decode(picture(kind), "a", 10_000)
    assert opened.format == kind
    assert opened.frames == 1
    assert opened.pixels.mode == "RGB"
    assert opened.pixels.size == (48, 32)


@pytest.mark.parametrize(
    ("kind", "mode"),
    [
        ("PNG", "RGBA"),
        ("PNG", "LA"),
        ("PNG", "P"),
        ("PNG", "1"),
        ("PNG", "I;16"),
        ("TIFF", "F"),
        ("JPEG", "CMYK"),
    ],
)
def test_colour_modes(kind: str, mode: str) -> None:
    opened = decode(picture(kind, mode=mode), "a", 10_000)
    assert opened.pixels.mode == "RGB"
    assert len(opened.pixels.convert("L").histogram()) == 256
    assert len(opened.pixels.getcolors() or ()) > 1, "the gradient must survive"


def test_transparent_ground_is_white() -> None:
    out = BytesIO()
    Image.new("RGBA", (8, 8), (0, 0, 0, 0)).save(out, "PNG")
    assert decode(out.getvalue(), "a", 100).pixels.getpixel((3, 3)) == (255, 255, 255)


def test_animations_say_that_only_the_first_frame_was_read(tmp_path: Path) -> None:
    frames = [Image.new("RGB", (40, 30), c) for c in ("red", "green", "blue")]
    frames[0].save(tmp_path / "a.gif", save_all=True, append_images=frames[1:], duration=50)
    record = read_image(tmp_path / "a.gif")
    assert record.format == "GIF"
    assert record.document.text.startswith("Only the first frame of this GIF file was read.")
    assert all("first frame" not in s.text for s in record.spans)


FUZZ = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
HEADS = [
    b"",
    b"\x89PNG\r\n\x1a\n",
    b"\xff\xd8\xff\xe0",
    b"GIF89a",
    b"II*\x00",
    b"BM",
    b"RIFF\x24\x00\x00\x00WEBPVP8 ",
]


def opens_or_refuses(data: bytes) -> None:
    try:
        opened = decode(data, "a", 100_000)
    except InputError:
        return
    assert opened.pixels.mode == "RGB"
    assert opened.pixels.width * opened.pixels.height <= 100_000


@FUZZ
@given(st.sampled_from(HEADS), st.binary(max_size=300))
def test_random_bytes(head: bytes, rest: bytes) -> None:
    opens_or_refuses(head + rest)


@FUZZ
@given(
    st.sampled_from(["PNG", "JPEG", "GIF", "TIFF", "WEBP", "BMP"]),
    st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)), max_size=8),
    st.floats(0.2, 1),
)
def test_damaged_pictures(kind: str, damage: list[tuple[float, int]], keep: float) -> None:
    data = bytearray(picture(kind))
    for place, value in damage:
        data[int(place * len(data))] = value
    opens_or_refuses(bytes(data[: max(1, int(keep * len(data)))]))


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)), min_size=1, max_size=4))
def test_damaged_pictures_to_the_end(tmp_path: Path, damage: list[tuple[float, int]]) -> None:
    data = bytearray(picture("JPEG"))
    for place, value in damage:
        data[int(place * len(data))] = value
    (tmp_path / "a.jpg").write_bytes(bytes(data))
    try:
        record = read_image(tmp_path / "a.jpg")
    except InputError:
        return
    assert all(record.document.text[s.start : s.end] == s.text for s in record.spans)


@pytest.mark.parametrize("size", [(40_000, 1), (1, 40_000), (1, 1)])
def test_strips_are_read_at_once(tmp_path: Path, size: tuple[int, int]) -> None:
    Image.new("RGB", size, "white").save(tmp_path / "strip.png")
    start = time.process_time()
    assert read_image(tmp_path / "strip.png").spans == ()
    assert time.process_time() - start < 20
