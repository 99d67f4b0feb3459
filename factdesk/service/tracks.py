"""The events of one check, written by one thread and read by all followers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from threading import Lock
from typing import Literal, TypeAlias

from factdesk.service.types import CheckState, Event

EventName: TypeAlias = Literal["queued", "running", "progress", "done", "failed", "stopped"]
ENDS = frozenset({"done", "failed", "stopped"})
MAX_EVENTS = 1_000
LOOK = 0.5
"""Seconds between checks for a stop."""
BEAT = 15.0
"""Seconds between heartbeats of a silent stream."""


class Track:
    """Append-only. Past ``MAX_EVENTS`` progress is dropped; the end is kept."""

    def __init__(self) -> None:
        self._events: list[Event] = []
        self._lock = Lock()
        self._followers: set[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = set()

    def add(self, event: EventName, stage: str = "", message: str = "") -> None:
        """Append an event and wake all followers."""
        with self._lock:
            if event == "progress" and len(self._events) >= MAX_EVENTS:
                return
            number = len(self._events) + 1
            self._events.append(Event(id=number, event=event, stage=stage, message=message))
            followers = tuple(self._followers)
        for loop, wake in followers:
            with suppress(RuntimeError):  # that loop has ended
                loop.call_soon_threadsafe(wake.set)

    @property
    def step(self) -> str:
        """What was done last; ``""`` before the first step and after the end."""
        last = self._events[-1] if self._events else None
        return f"{last.stage}: {last.message}" if last is not None and last.event == "progress" else ""

    async def follow(self, after: int, closing: Callable[[], bool]) -> AsyncIterator[Event | None]:
        """Events after number ``after`` to the end; ``None`` after each ``BEAT`` without one."""
        me = (asyncio.get_running_loop(), asyncio.Event())
        silent = 0.0
        with self._lock:
            self._followers.add(me)
        try:
            while True:
                me[1].clear()
                for event in self._events[max(after, 0) :]:
                    silent, after = 0.0, event.id
                    yield event
                    if event.event in ENDS:
                        return
                if closing():
                    return
                try:
                    await asyncio.wait_for(me[1].wait(), LOOK)
                except TimeoutError:
                    silent += LOOK
                    if silent >= BEAT:
                        silent = 0.0
                        yield None
        finally:
            with self._lock:
                self._followers.discard(me)


def end_of(state: CheckState) -> Event:
    """The end of another process's check, or its state while it is open."""
    message = state.failure.message if state.failure else str(state.verdict or "")
    return Event(id=1, event=state.state, message=message)
