"""What goes in and out of the service. The OpenAPI description is made of these records."""

from __future__ import annotations

from datetime import date as Date
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from factdesk.kernel import Failure, Record
from report.types import LedgerEntry, Verdict

MAX_CHARACTERS = 20_000
ID_PATTERN = r"^[A-Za-z0-9._-]{4,64}$"
State = Literal["queued", "running", "done", "failed"]
CorpusName = Annotated[str, StringConstraints(min_length=1, max_length=200)]


class CheckRequest(Record):
    """A claim to be checked with the settings of the service; pictures come beside it, as multipart."""

    text: Annotated[str, StringConstraints(min_length=1, max_length=MAX_CHARACTERS, pattern=r"\S")]
    date: Date | None = None
    """Day on which the claim was made."""
    as_of: Date | None = None
    """Leave out evidence published after this day."""
    corpus: Annotated[tuple[CorpusName, ...], Field(max_length=16)] = ()
    """Stored corpora by name (no paths); empty: those of the service's settings."""


class Upload(Record):
    """A picture that came with a claim; ``name`` is safe as the name of a file."""

    name: str
    data: bytes


class CheckState(Record):
    """A check that was accepted. Its id is the id of the certificate it will have."""

    id: str
    state: State
    created: str
    """ISO 8601 UTC."""
    text: str
    waiting: int | None = None
    """How many checks come before it, while it is queued."""
    verdict: Verdict | None = None
    """Once it is done."""
    failure: Failure | None = None
    """Why it failed. A failure is never a verdict: nothing was certified."""


class CheckEnd(Record):
    """How a check ended: with a verdict, or with a failure."""

    verdict: Verdict | None = None
    failure: Failure | None = None


class Event(Record):
    """Something that happened to a check; ``id`` counts from 1."""

    id: int
    event: Literal["queued", "running", "progress", "done", "failed", "stopped"]
    stage: str = ""
    message: str = ""


class HistoryPage(Record):
    """A part of the history, newest first (of a search: best first)."""

    entries: tuple[LedgerEntry, ...]
    total: int
    """Certificates in the whole history."""
    next_offset: int | None = None
    """Where the next page begins; ``None`` on the last one."""


class Health(Record):
    """That the service answers, and what it has to do."""

    version: str
    waiting: int
    running: int
    stopping: bool


class Problem(Record):
    """Why a request was refused or failed."""

    error: str
    """Short and machine-readable."""
    detail: str
    """One sentence with the mend."""
