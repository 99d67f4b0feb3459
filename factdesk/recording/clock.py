"""The day, as a recorded reading of the clock."""

from __future__ import annotations

from datetime import UTC, date, datetime

from factdesk.recording.recorder import Recorder


def today(recorder: Recorder) -> date:
    """The day in UTC, as a recorded reading of the clock."""
    found = recorder.call("clock", "today", lambda: datetime.now(UTC).date().isoformat())
    return date.fromisoformat(str(found))
