"""What several commands share: days as arguments, the set-up of a single check."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from agent.intake.worker_process import ParsingProcess


class Day(click.ParamType[date]):
    """An ISO date (``2024-05-31``)."""

    name = "date"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> date:
        """Parse, or say what a date looks like."""
        if isinstance(value, date):
            return value
        try:
            return datetime.strptime(value, "%Y-%m-%d").date()
        except ValueError:
            self.fail(f"{value!r} is no date; write it as 2024-05-31", param, ctx)


DAY = Day()
FOUR_VERDICTS = ("supported", "refuted", "conflicting", "not_enough_evidence")


def stop_on_terminate() -> None:
    """Being asked to end (SIGTERM) stops a check as Ctrl-C does: with its checkpoint, and exit code 6."""
    import signal

    signal.signal(signal.SIGTERM, signal.default_int_handler)


@contextmanager
def single_check() -> Iterator[ParsingProcess]:
    """For a command that ends after one check: claims are read beside, and less is imported.

    LangGraph's client imports httpx, which takes in its own command line, with rich and pygments, where it
    can.
    """
    from agent.intake.worker_process import ParsingProcess
    from language.nlp.delegation import answered_by
    from language.nlp.import_blocker import look_absent

    with look_absent({"httpx._main"}), ParsingProcess() as beside, answered_by(beside.ask):
        yield beside
