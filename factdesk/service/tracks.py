"""The events of one check, written by one thread and read by all followers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from threading import Lock
from typing import Literal, TypeAlias

from factdesk.service.types import CheckState, Event

EventName: TypeAlias = Literal["queued", "running", "progress", "done", "failed", "stopped"]
ENDS = frozenset({"done", "failed", "stopped"})
MAX_EVENTS = 1_000
LOOK = 0.2
"""Seconds between a follower's looks."""
BEAT = 15.0
"""Seconds between heartbeats of a silent stream."""


class Track:
    """Append-only. Past ``MAX_EVENTS`` progress is dropped; the end is kept."""

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
