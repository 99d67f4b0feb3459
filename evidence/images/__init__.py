"""Images: reading a file safely, the text in it, its EXIF data. Text read from an image is only ever text."""

from __future__ import annotations

from evidence.images.context_facts import ImageFacts, image_context_facts
from evidence.images.reader import ocr_fingerprint, read_image

__all__ = ["ImageFacts", "image_context_facts", "ocr_fingerprint", "read_image"]
