"""Manifests of content credentials by ``c2pa-python``. Nothing is fetched."""

from __future__ import annotations

import json
import struct
from io import BytesIO
from typing import Any

import c2pa

from factdesk.kernel import InputError

_OFFLINE = {"verify": {"remote_manifest_fetch": False, "ocsp_fetch": False}}
"""A manifest kept elsewhere is not fetched: a picture must not make us call an address."""


def read_manifest(data: bytes, media: str) -> tuple[dict[str, Any], str] | None:
    """The store of manifests and its validation state; ``None`` where there is none. Raises ``InputError`` for a
    manifest that is damaged or lies elsewhere.
    """
    try:
        with (
            c2pa.Settings.from_dict(_OFFLINE) as settings,
            c2pa.Context(settings) as context,
            c2pa.Reader(media, BytesIO(data), context=context) as reader,
        ):
            found: Any = json.loads(reader.json())
            state = str(reader.get_validation_state() or "")
    except c2pa.C2paError.ManifestNotFound:
        return None
    except (c2pa.C2paError, ValueError, OSError, struct.error) as error:
        raise InputError(str(error)) from error
    return (found if isinstance(found, dict) else {}), state
