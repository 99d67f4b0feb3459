"""Opening an image file safely: kind, size and pixels are checked before anything is decoded."""

from __future__ import annotations

import stat
import struct
import warnings
import zlib
from dataclasses import dataclass, field
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import cast

from PIL import Image, ImageOps, UnidentifiedImageError

from factdesk.kernel import InputError

MAX_BYTES = 30_000_000
MAX_PIXELS = 50_000_000
FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "TIFF", "BMP", "AVIF", "HEIF")
DECODER_ERRORS = (
    *(OSError, SyntaxError, ValueError, EOFError, LookupError, TypeError, AttributeError, ArithmeticError),
    *(RuntimeError, MemoryError, AssertionError, struct.error, zlib.error),
)
"""What Pillow's decoders raise on damaged files."""
MAX_METADATA = 1_000_000
"""Bytes of IPTC or XMP data that are looked at."""
MAX_TEXTS = 40
_HEIF_BRANDS = (b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis", b"mif1", b"msf1")


@dataclass(frozen=True)
class OpenedImage:
    """A decoded picture: ``pixels`` is RGB and upright; ``frames`` is 1, or 2 for "more than one"."""

    pixels: Image.Image
    exif: bytes
    """Raw EXIF data, empty where there is none."""
    format: str
    frames: int
    xmp: bytes = b""
    """Raw XMP packet, empty where there is none."""
    iptc: bytes = b""
    """Raw IPTC data (datasets of record 2), empty where there are none."""
    texts: dict[str, str] = field(default_factory=dict)
    """Text chunks of a PNG file and comments of others, by their names."""


def read_bytes(path: Path, max_bytes: int = MAX_BYTES) -> bytes:
    """The bytes of a regular file (or of the one a link leads to). Raises ``InputError``."""
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise InputError(f"{str(path)!r} is a folder; give an image file")
        if not stat.S_ISREG(status.st_mode):
            raise InputError(f"{str(path)!r} is not a regular file; give an image file")
        if status.st_size == 0:
            raise InputError(f"{str(path)!r} is empty (0 bytes); give an image file")
        if status.st_size > max_bytes:
            raise InputError(f"{str(path)!r} has {status.st_size} bytes; at most {max_bytes} are read")
        with path.open("rb") as file:
            data = file.read(max_bytes + 1)
    except InputError:
        raise
    except FileNotFoundError as error:
        raise InputError(f"the image {str(path)!r} does not exist; check the path") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "the path is not valid"
        raise InputError(f"the image {str(path)!r} cannot be read ({reason}); check the path and its rights") from error
    if not 0 < len(data) <= max_bytes:
        raise InputError(f"{str(path)!r} changed its size while it was read; try again")
    return data


def decode(data: bytes, name: str, max_pixels: int = MAX_PIXELS) -> OpenedImage:
    """Decode the first frame. Raises ``InputError`` for what is no image, too large or damaged."""
    _refuse_by_head(data, name)
    formats = [kind for kind in FORMATS if kind != "HEIF" or kind in Image.OPEN]  # Pillow knows it where it was needed
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        try:
            with Image.open(BytesIO(data), formats=formats) as image:
                return _decode_opened(image, name, max_pixels)
        except UnidentifiedImageError as error:
            known = "PNG, JPEG, WebP, AVIF, HEIC, GIF, TIFF or BMP"
            raise InputError(f"{name!r} is not an image that can be read; give a {known} file") from error
        except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
            raise InputError(f"{name!r} has too many pixels; at most {max_pixels} are decoded") from error
        except InputError:
            raise
        except DECODER_ERRORS as error:
            raise InputError(f"{name!r} is damaged or cut short and cannot be decoded; give a whole file") from error


def _refuse_by_head(data: bytes, name: str) -> None:
    head = data[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if head.startswith((b"<svg", b"<?xml", b"<!doctype svg")) and b"<svg" in data[:65536].lower():
        raise InputError(f"{name!r} is an SVG drawing, which is not read; save it as PNG")
    if data[4:8] != b"ftyp" or data[8:12] not in _HEIF_BRANDS:
        return
    if find_spec("pi_heif") is None:
        raise InputError(f"{name!r} is a HEIC picture; install the extra 'images' to read it, or save it as JPEG")
    from evidence.adapters.heic import open_heic_with_pillow

    open_heic_with_pillow()


def _decode_opened(image: Image.Image, name: str, max_pixels: int) -> OpenedImage:
    width, height = image.size
    if width < 1 or height < 1:
        raise InputError(f"{name!r} has no pixels ({width} x {height}); give an image with content")
    if width * height > max_pixels:
        raise InputError(f"{name!r} has {width} x {height} = {width * height} pixels; at most {max_pixels} are decoded")
    kind = "JPEG" if image.format == "MPO" else str(image.format)
    frames = 2 if kind in {"GIF", "TIFF", "WEBP", "PNG"} and getattr(image, "is_animated", False) else 1
    image.load()
    texts, xmp, iptc = _texts_of(image), _xmp_of(image), _iptc_of(image)
    exif = _exif_of(image)
    if exif:
        image.info = {key: value for key, value in image.info.items() if "xmp" not in str(key)}
        ImageOps.exif_transpose(image, in_place=True)
    return OpenedImage(_as_rgb(image), exif, kind, frames, xmp, iptc, texts)


def _xmp_of(image: Image.Image) -> bytes:
    """The XMP packet where the format has one; text chunks of PNG files are encoded again."""
    raw = image.info.get("xmp") or image.info.get("XML:com.adobe.xmp") or b""
    if isinstance(raw, str):
        raw = raw.encode("utf-8", "replace")
    return bytes(raw[:MAX_METADATA]) if isinstance(raw, bytes) else b""


def _texts_of(image: Image.Image) -> dict[str, str]:
    """Text chunks of a PNG file, and the comment of a JPEG or GIF file."""
    chunks = {key: str(value) for key, value in getattr(image, "text", {}).items() if "xmp" not in key.lower()}
    comment = image.info.get("comment")
    if isinstance(comment, bytes):
        chunks["comment"] = comment.decode("utf-8", "replace")
    return {key[:60]: text[:MAX_METADATA] for key, text in list(chunks.items())[:MAX_TEXTS]}


def _iptc_of(image: Image.Image) -> bytes:
    """IPTC datasets of a JPEG file (inside its Photoshop segment)."""
    parts = image.info.get("photoshop")
    raw = parts.get(0x0404) if isinstance(parts, dict) else None
    return bytes(raw[:MAX_METADATA]) if isinstance(raw, bytes) else b""


def _exif_of(image: Image.Image) -> bytes:
    """Raw EXIF data; where it is damaged, it counts as none."""
    try:
        exif = image.getexif()
        return exif.tobytes() if len(exif) else b""
    except DECODER_ERRORS:
        return b""


def _as_rgb(image: Image.Image) -> Image.Image:
    """RGB on white; 16-bit and float pictures are scaled to 8 bits."""
    if image.mode.startswith(("I", "F")):
        low, high = cast(tuple[float, float], image.convert("F").getextrema())
        scale = 255.0 / (high - low) if high > low else 0.0
        return image.convert("F").point(lambda v: v * scale - low * scale).convert("L").convert("RGB")
    if image.mode in {"RGBA", "LA", "PA", "La", "RGBa"} or "transparency" in image.info:
        layered = image.convert("RGBA")
        return Image.alpha_composite(Image.new("RGBA", layered.size, "white"), layered).convert("RGB")
    return image.convert("RGB")
