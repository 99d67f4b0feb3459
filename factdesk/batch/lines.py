"""The lines of a batch in its list of jobs: a job per content, and one per repeated line.

The proof is history and certificates; a damaged list is made anew from them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, TypeAlias

from factdesk.batch.types import Bad, Item, Outcome
from factdesk.kernel import Record
from store.jobs import JobList

LineState: TypeAlias = Literal["completed", "resumed", "failed", "duplicate", "waiting", "lost"]


class Line(Record):
    """A line of the input, as the latest run read it."""

    run: str
    """The run that read it; lines of earlier runs do not count."""
    line: int
    id: str
    key: str
    same_as: int | None = None
    """The first line of the same content."""


class Lines:
    """The lines of one run, in their order. Raises ``InputError`` when the disk refuses."""

    def __init__(self, jobs: JobList[Line, Outcome], run: str) -> None:
        self._jobs, self._run = jobs, run

    def enter(self, row: Item | Bad, folder: Path) -> LineState:
        """Record a line and its state; ``waiting`` is still to be checked."""
        known = self._jobs.get(row.key)
        line = Line(run=self._run, line=row.line, id=row.id, key=row.key)
        if known is not None and known.payload.run == self._run:
            same = line.model_copy(update={"same_as": known.payload.line})
            self._jobs.put(f"{row.key} {row.line}", same, state="done")
            return "duplicate"
        if isinstance(row, Bad):
            failed = Outcome(key=row.key, status="failed", reason=_plain(row.reason))
            self._jobs.put(row.key, line, state="failed", result=failed)
            return "failed"
        before = known.result if known is not None and known.state == "done" else None
        if before is not None and (folder / place(row.key)).is_file():
            resumed = before.model_copy(update={"status": "resumed"})
            self._jobs.put(row.key, line, state="done", result=resumed)
            return "resumed"
        self._jobs.put(row.key, line)
        return "waiting"

    def end(self, outcome: Outcome) -> None:
        """Record the result of a content."""
        ended = outcome.model_copy(update={"reason": _plain(outcome.reason)})
        self._jobs.end(outcome.key, "done" if outcome.certificate_id else "failed", ended)

    def lose(self, key: str, reason: str) -> None:
        """Record that a certificate is missing; the next run makes it again."""
        self._jobs.end(key, "failed", Outcome(key=key, status="lost", reason=_plain(reason)))

    def jobs(self) -> Iterator[tuple[Line, LineState, Outcome | None]]:
        """Every line of this run with its state and result."""
        for job in self._jobs.iterate():
            line = job.payload
            if line.run == self._run:
                yield line, _state(line, job.result), job.result

    def results(self) -> Iterator[dict[str, Any]]:
        """One record for each line."""
        for line, state, outcome in self.jobs():
            found: dict[str, Any] = {"line": line.line, "id": line.id, "status": state}
            if line.same_as is not None:
                found["same_as_line"] = line.same_as
                first = self._jobs.get(line.key)
                outcome = first.result if first is not None else None
            if outcome is not None and outcome.certificate_id is not None:
                found |= {
                    "verdict": outcome.verdict,
                    "certificate_id": outcome.certificate_id,
                    "certificate": place(line.key),
                }
            if outcome is not None and outcome.reason:
                found["reason"] = outcome.reason
            yield found


def place(key: str) -> str:
    """Path of an item's certificate in the folder of the batch."""
    return f"certificates/{key[:2]}/{key}.json"


def _state(line: Line, outcome: Outcome | None) -> LineState:
    if line.same_as is not None:
        return "duplicate"
    return outcome.status if outcome is not None else "waiting"


def _plain(text: str) -> str:
    return text.encode("utf-8", "replace").decode()[:2000]
