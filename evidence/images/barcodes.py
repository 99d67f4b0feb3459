"""QR and bar codes in a picture (zxing-cpp): what they hold, and where."""

from __future__ import annotations

from dataclasses import dataclass

from PIL.Image import Image

from evidence.images.boxes import around
from evidence.images.file_data import printable
from evidence.types import Box
from factdesk.kernel import BackendUnavailable

MAX_CODES = 10
MAX_TEXT = 500
"""Characters of a code that are told; a QR code can hold thousands."""
_NAMES = {"QRCode": "QR code", "MicroQRCode": "Micro QR code", "EAN13": "EAN-13", "EAN8": "EAN-8"}
_CORNERS = ("top_left", "top_right", "bottom_left", "bottom_right")


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
    """All codes in reading order, at most 10. ``image`` is RGB. Raises ``BackendUnavailable`` when zxing-cpp is not
    installed.
    """
    try:
        import zxingcpp
    except ImportError as error:
        raise BackendUnavailable("zxing-cpp is not installed; install 'zxing-cpp' to read codes") from error
    found = []
    for item in zxingcpp.read_barcodes(image):
        if text := printable(item.text)[:MAX_TEXT]:
            corners = [getattr(item.position, name) for name in _CORNERS]
            box = around(((int(c.x), int(c.y)) for c in corners), image.size)
            found.append(Code(_NAMES.get(item.format.name, item.format.name), text.replace('"', "'"), box))
    found.sort(key=lambda code: (code.box.y0, code.box.x0, code.text))
    return tuple(found[:MAX_CODES])
