"""Files of training rows for the tests."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path


def write_rows(path: Path, *rows: Mapping[str, object]) -> Path:
    """A JSON Lines file of these rows."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path
