"""Requests and responses of the service; the OpenAPI description is made of them."""

from __future__ import annotations

from datetime import date as Date
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from factdesk.kernel import Failure, Record
from factdesk.settings import Method, Mode, Veracity
from report.types import LedgerEntry, Verdict

MAX_CHARACTERS = 20_000
ID_PATTERN = r"^[A-Za-z0-9._-]{4,64}$"
State = Literal["queued", "running", "done", "failed"]
EventName = Literal["queued", "running", "progress", "done", "failed", "stopped"]
CorpusName = Annotated[str, StringConstraints(min_length=1, max_length=200)]


ClaimText = Annotated[str, StringConstraints(min_length=1, max_length=MAX_CHARACTERS, pattern=r"\S")]
CorpusNames = Annotated[tuple[CorpusName, ...], Field(max_length=16)]


class CheckRequest(Record):
    """A claim to check with the service's settings; pictures come as multipart."""

    text: ClaimText
    date: Date | None = None
    """Day on which the claim was made."""
    as_of: Date | None = None
    """Leave out evidence published after this day."""
    corpus: CorpusNames = ()
    """Names of stored corpora; empty: those of the settings."""
    method: Method | None = None
    """How it is asked about (docs/methods.md); null: as set up."""
    veracity: Veracity | None = None
    """How the reasoner proposes a verdict; null: as set up."""
    mode: Mode | None = None
    """What the report shows; null: as set up."""


class Question(Record):
    """A question to answer from stored corpora, with the service's settings."""

    text: ClaimText
    as_of: Date | None = None
    corpus: CorpusNames = ()
    answer_sources: Annotated[int, Field(ge=1, le=2)] | None = None
    """Independent sources that must support an answer; null: as set up."""


class AnnotationRequest(Record):
    """A text to annotate; ``corpus``: a stored corpus, or that of the settings."""

    text: ClaimText
    corpus: CorpusName | None = None


class CheckOrder(CheckRequest):
    """What waits in the queue: a claim, a question, or a certificate's claim once more."""

    asked: bool = False
    """``text`` is a question."""
    answer_sources: int | None = None
    supersedes: str | None = None
    """Id of the certificate that is replaced."""


class Upload(Record):
    """A file that was handed in; ``name`` is safe as a file name."""

    name: str
    data: bytes


class CheckState(Record):
    """An accepted check; its id is the id of its certificate."""

    id: str
    state: State
    created: str
    """ISO 8601 UTC."""
    text: str
    waiting: int | None = None
    """Checks before it in the queue."""
    step: str = ""
    """What it did last, while it runs."""
    mode: Mode | None = None
    """What its report was asked to show."""
    verdict: Verdict | None = None
    """Set when it is done."""
    failure: Failure | None = None
    """Why it failed; then nothing was certified."""


class CheckEnd(Record):
    """How a check ended: with a verdict, or with a failure."""

    verdict: Verdict | None = None
    failure: Failure | None = None


class Event(Record):
    """An event of a check; ``id`` counts from 1."""

    id: int
    event: EventName
    stage: str = ""
    message: str = ""


class HistoryQuery(BaseModel):
    """What is asked of the history; the filters hold for a search too."""

    model_config = ConfigDict(frozen=True)

    q: Annotated[str, Field(max_length=400, description="Words in claims or deciding evidence.")] = ""
    verdict: Verdict | None = None
    state: Literal["verified", "unverified", "blocked"] | None = None
    status: Literal["current", "superseded"] | None = None
    since: Date | None = None
    until: Date | None = None
    limit: Annotated[int, Field(ge=1, le=200)] = 50
    offset: Annotated[int, Field(ge=0, le=100_000)] = 0


class HistoryPage(Record):
    """A page of the history, newest first (of a search: best first)."""

    entries: tuple[LedgerEntry, ...]
    total: int
    """Certificates in the whole history."""
    next_offset: int | None = None
    """Offset of the next page; ``None`` on the last one."""


class Health(Record):
    """Version, and how many checks wait and run."""

    version: str
    waiting: int
    running: int
    stopping: bool


class Problem(Record):
    """Why a request was refused or failed."""

    error: str
    """A machine-readable code."""
    detail: str
    """One sentence that says how to mend it."""
