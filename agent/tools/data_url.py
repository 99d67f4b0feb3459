"""A picture as a data URL, for a model that can see."""

from __future__ import annotations

import base64
import io
from pathlib import Path

from factdesk.kernel import InputError

LONGEST_SIDE = 1024
"""Pixels; larger pictures are made smaller."""


def image_data_url(path: Path) -> str:
    """The picture's pixels as a JPEG data URL. EXIF stays here: place and device are nobody's business.

    Raises:
        InputError: the file is no picture that can be read.
    """
    from PIL import Image, ImageOps

    try:
        with Image.open(path) as opened:
            picture = ImageOps.exif_transpose(opened).convert("RGB")
    except (OSError, ValueError, Image.DecompressionBombError) as error:
        raise InputError(
            f"{str(path)!r} cannot be read as a picture for the model; leave llm.images off"
        ) from error
    picture.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    buffer = io.BytesIO()
    picture.save(buffer, "JPEG", quality=85)
    return f"data:image/jpeg;base64,{base64.b64encode(buffer.getvalue()).decode('ascii')}"
