"""A picture as a data URL, for a multimodal model."""

from __future__ import annotations

import base64
import io

from factdesk.kernel import InputError

LONGEST_SIDE = 1024
"""Pixels of the longest side; larger pictures are scaled down."""


def image_data_url(data: bytes) -> str:
    """The picture as a JPEG data URL without EXIF.

    Raises ``InputError`` for bytes that are no readable picture.
    """
    from PIL import Image, ImageOps

    try:
        with Image.open(io.BytesIO(data)) as opened:
            picture = ImageOps.exif_transpose(opened).convert("RGB")
    except (OSError, ValueError, Image.DecompressionBombError) as error:
        raise InputError("a submitted picture cannot be read as one for the model; leave llm.images off") from error
    picture.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    buffer = io.BytesIO()
    picture.save(buffer, "JPEG", quality=85)
    return f"data:image/jpeg;base64,{base64.b64encode(buffer.getvalue()).decode('ascii')}"
