"""The store of web pages as they were when they were read."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from factdesk.settings import Settings
    from store.snapshots import SnapshotStore


def open_snapshots(settings: Settings) -> SnapshotStore:
    """The snapshots beside the history."""
    from store.engine import open_engine
    from store.snapshots import SnapshotStore

    return SnapshotStore(open_engine(settings.store))
