"""Word lists and tables in files beside the code that reads them."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any


def read_table(package: str, file: str) -> dict[str, Any]:
    """A TOML file of a package."""
    return tomllib.loads(files(package).joinpath(file).read_text(encoding="utf-8"))
