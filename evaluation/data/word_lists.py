"""Word lists and tables in TOML files beside the code that reads them."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any


def toml_beside(file: str, name: str) -> dict[str, Any]:
    """What the file ``name`` says that lies in the folder of the module ``file``."""
    return tomllib.loads(Path(file).with_name(name).read_text(encoding="utf-8"))
