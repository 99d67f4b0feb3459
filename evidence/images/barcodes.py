"""QR and bar codes in a picture (zxing-cpp): what they hold, and where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from evidence.types import Box
from factdesk.kernel import BackendUnavailable

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_CODES = 10
MAX_TEXT = 500
"""Characters of a code that are told; a QR code can hold thousands."""


@dataclass(frozen=True)
class Code:
    """A code that was read without error. ``name`` is the format in words: ``QR code``, ``EAN-13``."""

    name: str
    text: str
    box: Box

    @property
    def sentence(self) -> str:
        """One plain sentence."""
        kind = self.name if self.name.lower().endswith("code") else f"{self.name} bar code"
        return f'The {kind} in the image holds the text "{self.text}".'


def read_codes(image: Image) -> tuple[Code, ...]:
    """All codes in reading order, at most 10. ``image`` is RGB.

    Raises ``BackendUnavailable`` when zxing-cpp is not installed.
    """
    try:
        import zxingcpp
    except ImportError as error:
        raise BackendUnavailable("zxing-cpp is not installed; install 'zxing-cpp' to read codes") from error
    found = []
    for item in zxingcpp.read_barcodes(image):
        text = " ".join("".join(c if c.isprintable() else " " for c in item.text).split())[:MAX_TEXT]
        if text:
            found.append(Code(_name(item.format.name), text.replace('"', "'"), _box(item.position, image)))
    found.sort(key=lambda code: (code.box.y0, code.box.x0, code.text))
    return tuple(found[:MAX_CODES])


def _name(format_: str) -> str:
    known = {"QRCode": "QR code", "MicroQRCode": "Micro QR code", "EAN13": "EAN-13", "EAN8": "EAN-8"}
    return known.get(format_, format_)


def _box(position: object, image: Image) -> Box:
    corners = [getattr(position, name) for name in ("top_left", "top_right", "bottom_left", "bottom_right")]
    xs, ys = [int(c.x) for c in corners], [int(c.y) for c in corners]
    x0, y0 = min(max(min(xs), 0), image.width - 1), min(max(min(ys), 0), image.height - 1)
    x1, y1 = min(max(max(xs), x0 + 1), image.width), min(max(max(ys), y0 + 1), image.height)
    return Box(x0=x0, y0=y0, x1=x1, y1=y1)
