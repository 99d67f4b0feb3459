"""HEIC pictures by ``pi-heif`` (extra ``images``), the build of pillow-heif that reads alone."""

from __future__ import annotations

import pi_heif


def open_heic_with_pillow() -> None:
    """Let Pillow open HEIC files. Thumbnails and depth maps inside are left alone."""
    pi_heif.register_heif_opener(thumbnails=False, depth_images=False)
