"""The walk of a claim: which functions are handed its text, in the order of their first call.

``python -m evaluation.programs.walk "CLAIM" --corpus FOLDER`` checks a claim in this process and prints the
files that its text passes, their rooms, and how often the walk changes the room. A function counts when the
text stands in one of its arguments, or one level below (an element, a field).
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterable, Mapping
from itertools import pairwise
from pathlib import Path
from types import FrameType

import click

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("agent", "evidence", "factdesk", "language", "report", "store", "trust", "verifier")
DEEP = 50
"""Elements of a collection that are looked at."""


class Walk:
    """Functions in the order in which they were first handed the text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.functions: dict[tuple[str, str], None] = {}

    def __call__(self, frame: FrameType, event: str, argument: object) -> None:
        """See ``sys.setprofile``."""
        del argument
        if event != "call":
            return
        code = frame.f_code
        if not code.co_filename.startswith(str(ROOT)):
            return
        file = Path(code.co_filename).relative_to(ROOT).as_posix()
        if file.split("/")[0] not in ROOMS or (file, code.co_qualname) in self.functions:
            return
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        if any(self._holds(frame.f_locals.get(name)) for name in names):
            self.functions[file, code.co_qualname] = None

    def _holds(self, value: object) -> bool:
        return self._is(value) or any(self._is(part) for part in _parts(value))

    def _is(self, value: object) -> bool:
        return isinstance(value, str) and self._text in value

    @property
    def files(self) -> list[str]:
        """Files in the order of their first visit."""
        return list(dict.fromkeys(file for file, _ in self.functions))

    @property
    def room_changes(self) -> int:
        """Changes of room from file to file, first visits only."""
        rooms = [file.split("/")[0] for file in self.files]
        return sum(a != b for a, b in pairwise(rooms))


def _parts(value: object) -> Iterable[object]:
    if isinstance(value, Mapping):
        return list(value.values())[:DEEP]
    if isinstance(value, (list, tuple)):
        return value[:DEEP]
    return list(getattr(value, "__dict__", {}).values())[:DEEP]


@click.command()
@click.argument("text")
@click.option("--corpus", multiple=True, help="Stored corpus, or a file or folder of documents.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def main(text: str, corpus: tuple[str, ...], as_json: bool) -> None:
    """Check TEXT, and print the files that it passes."""
    from factdesk.checker import FactChecker

    checker, walk = FactChecker.from_config(), Walk(text)
    threading.setprofile(walk)
    sys.setprofile(walk)
    try:
        report = checker.check(text, corpus=corpus, record=False)
        report.text()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    found = {
        "verdict": report.verdict,
        "functions": len(walk.functions),
        "files": len(walk.files),
        "room_changes": walk.room_changes,
    }
    if as_json:
        click.echo(json.dumps({**found, "walk": [f"{file}:{name}" for file, name in walk.functions]}))
        return
    for file in walk.files:
        click.echo(f"{file:48} {sum(f == file for f, _ in walk.functions)}")
    click.echo("  ".join(f"{name} {value}" for name, value in found.items()))


if __name__ == "__main__":
    main()
