"""The folder of a batch: who works on it, with which settings, and what it holds.

::

    OUT/batch.json         id and settings of the batch; another run must have the same
    OUT/batch.sqlite       the list of jobs, one for each content and one for each repeated line
    OUT/certificates/ab/abcd….json   one for each finished item, written in one step
    OUT/results.jsonl      one line for each line of the input, written at the end of each run
    OUT/summary.json

The proof is history and certificates; a damaged list is made anew from them.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from pydantic import ValidationError

from factdesk import kernel
from factdesk.batch.types import Bad, Item, Line, LineState, Orders, Outcome, place
from factdesk.kernel import ConfigError, InputError, Record, written_whole
from report.certificate.canonical import canonical
from report.certificate.derived import settings_sha256
from store.jobs import JobList

BATCH_SCHEMA = "factdesk.batch/1"
IDENTITY, JOBS, LOCK = "batch.json", "batch.sqlite", "batch.lock"
RESULTS, SUMMARY = "results.jsonl", "summary.json"


class Identity(Record):
    """What must be equal for two runs of one batch."""

    schema_version: str = BATCH_SCHEMA
    batch_id: str
    created: str
    settings: dict[str, Any]
    """Everything that can change a decision: settings, corpora, ``as_of``, version."""

    @property
    def fingerprint(self) -> str:
        """Hex SHA-256 over the settings."""
        return settings_sha256(self.settings)


class Folder:
    """The folder, locked by this process for one run. Raises ``InputError`` when the disk refuses."""

    def __init__(self, path: Path, identity: Identity, jobs: JobList[Line, Outcome], run: str) -> None:
        self.path, self.identity = path, identity
        self._jobs, self._run = jobs, run

    def has(self, key: str) -> bool:
        """Whether it holds an item's certificate."""
        return (self.path / place(key)).is_file()

    def enter(self, row: Item | Bad) -> LineState:
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
        if before is not None and self.has(row.key):
            resumed = before.model_copy(update={"status": "resumed"})
            self._jobs.put(row.key, line, state="done", result=resumed)
            return "resumed"
        self._jobs.put(row.key, line)
        return "waiting"

    def end(self, outcome: Outcome) -> None:
        """Record the result of a content; one that is lost is made again by the next run."""
        ended = outcome.model_copy(update={"reason": _plain(outcome.reason)})
        self._jobs.end(outcome.key, "done" if outcome.certificate_id else "failed", ended)

    def lines(self) -> Iterator[tuple[Line, LineState, Outcome | None]]:
        """Every line of this run with its state and result, that of its content where it repeats one."""
        for job in self._jobs.iterate():
            line, outcome = job.payload, job.result
            if line.run != self._run:
                continue
            if line.same_as is not None:
                first = self._jobs.get(line.key)
                yield line, "duplicate", first.result if first is not None else None
            else:
                yield line, outcome.status if outcome is not None else "waiting", outcome

    def results(self) -> Iterator[dict[str, Any]]:
        """One record for each line."""
        for line, state, outcome in self.lines():
            found: dict[str, Any] = {"line": line.line, "id": line.id, "status": state}
            if line.same_as is not None:
                found["same_as_line"] = line.same_as
            if outcome is not None and outcome.certificate_id is not None:
                found |= {
                    "verdict": outcome.verdict,
                    "certificate_id": outcome.certificate_id,
                    "certificate": place(line.key),
                }
            if outcome is not None and outcome.reason:
                found["reason"] = outcome.reason
            yield found


@contextmanager
def hold(orders: Orders) -> Iterator[Folder]:
    """Lock the folder of a batch; created if missing. Raises ``InputError`` where it holds something else, is in use or
    cannot be written, ``ConfigError`` where it was begun with other settings.
    """
    out = orders.out
    try:
        out.mkdir(parents=True, exist_ok=True)
        if not (out / IDENTITY).exists() and any(p.name != LOCK for p in out.iterdir()):
            raise InputError(f"the folder {str(out)!r} holds something else; give an empty or a new one")
        lock = FileLock(out / LOCK)
        lock.acquire(timeout=0)
    except Timeout as error:
        raise InputError(f"another process is working on the batch in {str(out)!r}") from error
    except OSError as error:
        raise _refused(out, error) from error
    try:
        identity = _identity(out, orders)
        jobs = JobList(out / JOBS, Line, Outcome, "list of the batch")
        jobs.remove_damaged()
        with jobs:
            yield Folder(out, identity, jobs, secrets.token_hex(8))
    finally:
        lock.release()


def write(path: Path, parts: Iterable[str]) -> None:
    """Write a file atomically. Raises ``InputError``."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with written_whole(path) as file:
            file.writelines(part.encode() for part in parts)
    except OSError as error:
        raise _refused(path, error) from error


def _identity(out: Path, orders: Orders) -> Identity:
    wanted = json.loads(canonical(_recorded(orders)))
    path = out / IDENTITY
    if path.exists():
        try:
            found = Identity.model_validate_json(path.read_bytes())
        except (OSError, ValidationError) as error:
            raise InputError(
                f"{str(path)!r} cannot be read; give another folder, and keep this one: its certificates hold"
            ) from error
        if found.settings != wanted:
            raise ConfigError(
                f"the batch in {str(out)!r} was begun with another {_difference(found.settings, wanted)}; "
                "give the same flags, or another folder"
            )
        return found
    created = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    made = Identity(batch_id=secrets.token_hex(16), created=created, settings=wanted)
    write(path, [made.model_dump_json(indent=1) + "\n"])
    return made


def _recorded(orders: Orders) -> dict[str, Any]:
    return {
        **orders.settings.recorded(),
        "corpus": [_place_of(name) for name in orders.settings.corpus],
        "as_of": orders.as_of.isoformat() if orders.as_of else None,
        "version": kernel.__version__,
    }


def _place_of(corpus: str) -> str:
    """A path made absolute; a corpus name as it is."""
    path = Path(corpus).expanduser()
    return str(path.absolute()) if path.exists() else corpus


def _difference(before: dict[str, Any], now: dict[str, Any]) -> str:
    name = next(k for k in sorted({*before, *now}) if before.get(k) != now.get(k))
    return f"{name!r} ({before.get(name)!r}, not {now.get(name)!r})"


def _refused(path: Path, error: OSError) -> InputError:
    return InputError(f"{str(path)!r} cannot be written ({error.strerror or error}); free space or mend it")


def _plain(text: str) -> str:
    return text.encode("utf-8", "replace").decode()[:2000]
