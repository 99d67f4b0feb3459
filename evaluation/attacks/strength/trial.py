"""What an attack is, and the desk that it is tried on."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from factdesk.kernel import Record

if TYPE_CHECKING:
    from click.testing import Result

    from factdesk.checker import FactChecker, Report
    from factdesk.settings import Settings

CORPUS = "documents.jsonl"


@dataclass(frozen=True)
class Page:
    """A document of a trial; ``site`` gives its address and its publisher."""

    text: str
    site: str
    published: str = "2024-05-04"

    def line(self) -> str:
        """As a line of JSON Lines."""
        name = self.site.partition(".")[0]
        fields = {"doc_id": name, "title": "", "text": self.text, "publisher": name.title()}
        return json.dumps({**fields, "url": f"https://{self.site}/1", "published": self.published})


class Desk:
    """A desk of its own in a folder, with the shipped models and a key."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._places = 0
        self._checkers: dict[str, FactChecker] = {}

    def place(self) -> Path:
        """A new empty folder."""
        self._places += 1
        made = self.folder / f"place-{self._places}"
        made.mkdir()
        return made

    def settings(self, home: Path | None = None, **changes: Any) -> Settings:
        """Settings with a home folder of this desk."""
        from factdesk.settings import load_settings

        return load_settings(home=home or self.folder / "home", **changes)

    def checker(self, **changes: Any) -> FactChecker:
        """Checks by settings that are changed in this way; made once."""
        from factdesk.checker import FactChecker

        key = repr(sorted(changes.items()))
        if key not in self._checkers:
            self._checkers[key] = FactChecker(self.settings(**changes))
        return self._checkers[key]

    def check(self, claim: str, pages: Sequence[Page], *, record: bool = False, **changes: Any) -> Report:
        """A check of a claim against these documents alone."""
        path = self.place() / CORPUS
        path.write_text("\n".join(page.line() for page in pages), encoding="utf-8")
        return self.checker(**changes).check(claim, corpus=(str(path),), record=record)

    def command(self, *arguments: str, home: Path | None = None) -> Result:
        """A command line of factdesk, as a user gives it."""
        from click.testing import CliRunner

        from factdesk.cli import cli

        return CliRunner().invoke(cli, list(arguments), env={"FACTDESK_HOME": str(home or self.folder / "home")})


def state_of(report: Report) -> str:
    """State and standing of a report's first statement: ``VERIFIED by one source, rated``."""
    from report.policy.badge import standing

    decision = report.certificate.body.decisions[0]
    return f"{decision.state}{standing(decision).rstrip(',')}"


Check = Callable[[Desk], str]
"""Says what is wrong, or gives ``""``."""


@dataclass(frozen=True)
class Trial:
    """One kind of attack with its twin; ``quick`` ones take no whole check with many documents."""

    point: int
    name: str
    attack: Check
    twin: Check
    quick: bool = False


class Row(Record):
    """What came of a trial: ``""`` where the attack failed, and where the twin worked."""

    point: int
    name: str
    attack: str
    twin: str
    seconds: float

    @property
    def holds(self) -> bool:
        """Whether both ways came out as they must."""
        return not self.attack and not self.twin
