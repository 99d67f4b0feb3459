"""A bounded queue of checks, carried out a few at a time, with events."""

from __future__ import annotations

import asyncio
import logging
import os
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from threading import Event as Flag
from threading import Lock
from typing import TypeAlias

from filelock import FileLock, Timeout

from agent.types import Progress
from factdesk.checker import FactChecker
from factdesk.kernel import FactdeskError, InputError, Stopped
from factdesk.service.carry_out import carry_out, failure_of, refuse_unusable
from factdesk.service.types import CheckEnd, CheckOrder, CheckRequest, CheckState, Event, EventName, Upload
from factdesk.settings import Settings
from language.onnx_model import usable_cores
from report.certificate.sealing import new_certificate_id
from report.sanitize import foreign
from report.types import Verdict
from store.jobs import Job, JobList

LOG = logging.getLogger(__name__)
KEPT = 10_000
"""Finished checks that are remembered; certificates stay in the history."""
FOLLOWED = 2_000
"""Checks whose events are kept in memory."""
WAIT_FOR_CHECKPOINT = 120.0
"""Seconds to wait for a running check's next step."""

MOST_AT_ONCE = 4
"""Checks that run at the same time where the settings name no number; each scores on all cores by itself."""
MEMORY_OF_ONE = 2_000_000_000
"""Bytes of the machine's memory for each."""
ENDS = frozenset({"done", "failed", "stopped"})
MAX_EVENTS = 1_000
LOOK = 0.2
"""Seconds between a follower's looks."""
BEAT = 15.0
"""Seconds between heartbeats of a silent stream."""
CheckJob: TypeAlias = Job[CheckOrder, CheckEnd]


def open_jobs(home: Path) -> JobList[CheckOrder, CheckEnd]:
    """The stored list of accepted checks."""
    return JobList(home / "service.sqlite", CheckOrder, CheckEnd, "file of the service")


def at_once(settings: Settings) -> int:
    """Checks that run at the same time: ``serve.parallel``, or by cores and memory; one where each loads a model."""
    if settings.serve.parallel is not None:
        return settings.serve.parallel
    if any(spec.startswith("gguf:") for spec in (settings.reasoner, settings.verifier)):
        return 1
    room = MOST_AT_ONCE
    if hasattr(os, "sysconf"):
        room = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // MEMORY_OF_ONE
    return max(1, min(MOST_AT_ONCE, usable_cores(), room))


class Track:
    """The events of one check, for all who follow it. Past ``MAX_EVENTS`` progress is dropped; the end is kept."""

    def __init__(self) -> None:
        self._events: list[Event] = []
        self._lock = Lock()

    def add(self, event: EventName, stage: str = "", message: str = "") -> None:
        """Append an event."""
        with self._lock:
            if event != "progress" or len(self._events) < MAX_EVENTS:
                self._events.append(Event(id=len(self._events) + 1, event=event, stage=stage, message=message))

    @property
    def step(self) -> str:
        """What was done last; ``""`` before the first step and after the end."""
        last = self._events[-1] if self._events else None
        return f"{last.stage}: {last.message}" if last is not None and last.event == "progress" else ""

    async def follow(self, after: int, closing: Callable[[], bool]) -> AsyncIterator[Event | None]:
        """Events after number ``after`` to the end; ``None`` after each ``BEAT`` without one."""
        silent = 0.0
        while True:
            for event in self._events[max(after, 0) :]:
                silent, after = 0.0, event.id
                yield event
                if event.event in ENDS:
                    return
            if closing():
                return
            await asyncio.sleep(LOOK)
            silent += LOOK
            if silent >= BEAT:
                silent = 0.0
                yield None


def end_of(state: CheckState) -> Event:
    """The end of another process's check, or its state while it is open."""
    message = state.failure.message if state.failure else str(state.verdict or "")
    return Event(id=1, event=state.state, message=message)


class QueueFull(FactdeskError):
    """The queue takes no more checks."""


class Closing(FactdeskError):
    """The service is stopping."""


class CheckQueue:
    """Accepts checks and carries them out in their order, ``serve.parallel`` at a time, over the same models. A check
    is stored before it is acknowledged; open ones are resumed from their checkpoint at the next start.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.checker = FactChecker(settings)
        self.closing = False
        """A plain value, since a signal handler sets it; readers poll it."""
        self._jobs = open_jobs(settings.home)
        self._lock = Lock()
        self._one = FileLock(settings.home / "service.lock")
        self._pool = ThreadPoolExecutor(at_once(settings), thread_name_prefix="check")
        self._tracks: OrderedDict[str, Track] = OrderedDict()
        self._waiting: list[str] = []
        self._running: set[str] = set()
        self._idle = Flag()
        self._idle.set()
        self._stop = False

    def start(self) -> int:
        """Resume the checks of an earlier process; returns how many. Raises ``InputError`` where another service is
        running.
        """
        try:
            self._one.acquire(timeout=0)
        except Timeout as error:
            raise InputError(
                f"another factdesk serve works in {str(self.settings.home)!r}; stop it or give another home"
            ) from error
        left = self._jobs.list("queued", "running")
        for job in left:
            self._line_up(job.job_id)
        return len(left)

    @property
    def waiting(self) -> int:
        """Number of checks in the queue."""
        return len(self._waiting)

    @property
    def running(self) -> int:
        """Number of checks that are carried out."""
        return len(self._running)

    def accept(self, request: CheckRequest, images: Sequence[Upload]) -> CheckState:
        """Put a check into the queue. Raises ``QueueFull``, ``Closing``, and ``InputError`` for an unusable corpus or
        picture.
        """
        if self.closing:
            raise Closing("the service is stopping; try again when it is back")
        self._refuse_full()
        refuse_unusable(self.checker, request, images)
        check_id = new_certificate_id()
        with self._lock:
            self._refuse_full()
            self._waiting.append(check_id)  # the place is taken; the disk may take its time
        try:
            order = CheckOrder.model_validate(request.model_dump())
            self._jobs.put(check_id, order, files=[(image.name, image.data) for image in images])
        except InputError:
            self._waiting.remove(check_id)
            raise
        self._line_up(check_id)
        found = self.state(check_id)
        if found is None:
            raise InputError(f"check {check_id!r} was not kept; look at the disk")
        return found

    def state(self, check_id: str) -> CheckState | None:
        """State of a check; ``None`` if it is unknown."""
        job = self._jobs.get(check_id)
        return self._state_of(job) if job is not None else None

    def open_checks(self) -> tuple[CheckState, ...]:
        """Unfinished checks, those that run first."""
        return tuple(self._state_of(job) for job in self._jobs.list("queued", "running"))

    async def follow(self, check_id: str, after: int = 0) -> AsyncIterator[Event | None]:
        """Events of a check after number ``after``, to its end; ``None`` as a heartbeat. Of a check that ended in an
        earlier process, the end alone.
        """
        track = self._tracks.get(check_id)
        if track is None:
            found = await asyncio.to_thread(self.state, check_id)
            if found is not None:
                yield end_of(found)
            return
        async for event in track.follow(after, lambda: self.closing):
            yield event

    def close(self, grace: float) -> int:
        """Stop accepting; suspend the running checks after ``grace`` seconds. Returns how many are left."""
        with self._lock:
            self.closing = True
        if not self._idle.wait(grace):
            self._stop = True
            self._idle.wait(WAIT_FOR_CHECKPOINT)
        with self._lock:
            self._pool.shutdown(wait=False, cancel_futures=True)
        self._one.release()
        return len(self._jobs.list("queued", "running"))

    def _state_of(self, job: CheckJob) -> CheckState:
        end = job.result or CheckEnd()
        waiting = list(self._waiting)
        place = waiting.index(job.job_id) + self.running if job.job_id in waiting else 0
        track = self._tracks.get(job.job_id)
        return CheckState(
            id=job.job_id,
            state=job.state,
            created=job.created,
            text=job.payload.text,
            step=track.step if track is not None else "",
            mode=job.payload.mode,
            waiting=place if job.state == "queued" else None,
            verdict=end.verdict,
            failure=end.failure,
        )

    def _refuse_full(self) -> None:
        if len(self._waiting) >= self.settings.serve.queue:
            raise QueueFull(f"{len(self._waiting)} checks are waiting, no other is taken; try again later")

    def _line_up(self, check_id: str) -> None:
        with self._lock:
            if check_id not in self._waiting:
                self._waiting.append(check_id)
            self._tracks[check_id] = Track()
            while len(self._tracks) > FOLLOWED:
                self._tracks.popitem(last=False)
            self._tracks[check_id].add("queued")
            if self.closing:
                return  # it is written down, and goes on at the next start
            future = self._pool.submit(self._work, check_id)
        future.add_done_callback(lambda done: self._ended(check_id, done))

    def _work(self, check_id: str) -> Verdict:
        """Carry out a check; returns its verdict."""
        with self._lock:
            if self.closing:
                raise Stopped("the service stopped before the check began; it goes on at the next start")
            self._idle.clear()
            self._waiting.remove(check_id)
            self._running.add(check_id)
        self._jobs.start(check_id)
        self._add(check_id, "running")
        job = self._jobs.get(check_id)
        if job is None:
            raise InputError(f"check {check_id!r} is not known")
        files = tuple(Upload(name=name, data=data) for name, data in self._jobs.files(check_id))
        return carry_out(self.checker, check_id, job.payload, files, lambda event: self._progress(check_id, event))

    def _progress(self, check_id: str, event: Progress) -> None:
        if self._stop:
            raise Stopped("the service was stopped; the check goes on at its next start")
        self._add(check_id, "progress", event.stage, foreign(event.message)[:300])

    def _ended(self, check_id: str, done: Future[Verdict]) -> None:
        """Store how a check ended; an error becomes a failure, never a verdict."""
        if done.cancelled():
            return
        try:
            self._write_end(check_id, done)
        except FactdeskError as trouble:
            LOG.error("the end of check %s cannot be written down: %s", check_id, trouble)
            self._add(check_id, "stopped", message=str(trouble))
        finally:
            with self._lock:
                self._running.discard(check_id)
                if not self._running:
                    self._idle.set()

    def _write_end(self, check_id: str, done: Future[Verdict]) -> None:
        error = done.exception()
        if isinstance(error, Stopped):
            self._add(check_id, "stopped", message=str(error))
        elif error is None:
            self._jobs.end(check_id, "done", CheckEnd(verdict=done.result()))
            self._add(check_id, "done", message=done.result())
        else:
            failure = failure_of(check_id, error)
            self._jobs.end(check_id, "failed", CheckEnd(failure=failure))
            self._add(check_id, "failed", message=failure.message)
        self._jobs.remove_ended(KEPT)

    def _add(self, check_id: str, event: EventName, stage: str = "", message: str = "") -> None:
        track = self._tracks.get(check_id)
        if track is not None:
            track.add(event, stage, message)
