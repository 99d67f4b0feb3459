"""Where the rooms come from: refuses to run when one of them is somebody else's package.

Room names such as ``agent`` or ``report`` are common words. A folder of that name in the working
directory or on ``PYTHONPATH`` could stand in for ours, and would then decide what is verified.
"""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path

from factdesk.kernel import ConfigError

ROOMS = ("agent", "evaluation", "evidence", "language", "report", "store", "trust", "verifier")
"""The top-level packages that must lie beside ``factdesk``."""


def home_of_rooms() -> Path:
    """The folder that holds ``factdesk`` and must hold every room."""
    return Path(__file__).resolve().parent.parent


def check_origin() -> None:
    """Raise ``ConfigError`` when a room would be, or was, imported from somewhere else than beside ``factdesk``.
    Imports nothing.
    """
    beside = home_of_rooms()
    for room in ROOMS:
        found = _folder_of(room)
        expected = beside / room
        if found is None:
            raise ConfigError(
                f"package {room!r} was not found; it must lie at {str(expected)!r}. Install factdesk again."
            )
        if found != expected:
            raise ConfigError(
                f"package {room!r} comes from {str(found)!r} but must come from {str(expected)!r}: another "
                "package of that name stands before it on the import path. Run factdesk from another folder, "
                "unset PYTHONPATH, or install it in a virtual environment of its own."
            )


def _folder_of(room: str) -> Path | None:
    """Folder a top-level package resolves to; a lone module counts as its file; ``None``: not found."""
    try:
        spec = find_spec(room)
    except ValueError:  # something without a spec was put in its place
        return Path(getattr(sys.modules[room], "__file__", None) or "<made at run time>")
    if spec is None:
        return None
    places = list(spec.submodule_search_locations or ())
    return Path(os.path.realpath(places[0] if places else spec.origin or room))


def examples_dir() -> Path:
    """The shipped examples: inside the installed package, or at the top of a checkout. Raises ``ConfigError``."""
    candidates = (Path(__file__).resolve().parent / "examples", home_of_rooms() / "examples")
    for folder in candidates:
        if (folder / "corpus").is_dir():
            return folder
    raise ConfigError(
        f"the shipped examples were not found at {str(candidates[0])!r}. Install factdesk again, "
        "or run it from a checkout that has 'examples/'."
    )
