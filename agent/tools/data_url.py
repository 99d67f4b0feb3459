"""A picture as a data URL, for a model that can see."""

from __future__ import annotations

import base64
import io

from factdesk.kernel import InputError

LONGEST_SIDE = 1024
"""Pixels; larger pictures are made smaller."""


def image_data_url(data: bytes) -> str:
    """The picture's pixels as a JPEG data URL. EXIF stays here: place and device are nobody's business.

    Raises:
        InputError: the bytes are no picture that can be read.
    """
    from PIL import Image, ImageOps

    try:
        with Image.open(io.BytesIO(data)) as opened:
            picture = ImageOps.exif_transpose(opened).convert("RGB")
    except (OSError, ValueError, Image.DecompressionBombError) as error:
        raise InputError(
            "a submitted picture cannot be read as one for the model; leave llm.images off"
        ) from error
    picture.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    buffer = io.BytesIO()
    picture.save(buffer, "JPEG", quality=85)
    return f"data:image/jpeg;base64,{base64.b64encode(buffer.getvalue()).decode('ascii')}"
