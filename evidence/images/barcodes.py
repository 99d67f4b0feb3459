"""QR and bar codes in a picture (zxing-cpp): what they hold, and where."""

from __future__ import annotations

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


def read_codes(image: Image) -> tuple[tuple[str, Box], ...]:
    """What codes say, in a sentence each, and where they are, in reading order; at most 10. ``image`` is RGB. Raises
    ``BackendUnavailable`` when zxing-cpp is not installed.
    """
    try:
        import zxingcpp
    except ImportError as error:
        raise BackendUnavailable("zxing-cpp is not installed; install 'zxing-cpp' to read codes") from error
    found: list[tuple[int, int, str, str, Box]] = []
    for item in zxingcpp.read_barcodes(image):
        if text := printable(item.text)[:MAX_TEXT].replace('"', "'"):
            corners = [getattr(item.position, name) for name in _CORNERS]
            box = around(((int(c.x), int(c.y)) for c in corners), image.size)
            name = _NAMES.get(item.format.name, item.format.name)
            kind = name if name.lower().endswith("code") else f"{name} bar code"
            found.append((box.y0, box.x0, text, f'The {kind} in the image holds the text "{text}".', box))
    return tuple((sentence, box) for *_, sentence, box in sorted(found, key=lambda code: code[:3])[:MAX_CODES])
