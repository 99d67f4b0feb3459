"""Web pages as documents of a corpus: fetched under the rules of ``docs/web.md``, each kept as it was."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from factdesk.bounds import blocked_on_web
from factdesk.kernel import InputError
from factdesk.recording.recorder import LIVE, today

if TYPE_CHECKING:
    from evidence.types import Document
    from factdesk.settings import Settings
    from store.snapshots import SnapshotStore

LINK = re.compile(r"\s*https?://\S+\s*", re.IGNORECASE)
"""A web address and nothing else."""


def is_link(text: str) -> bool:
    """Whether a text is a web address and nothing else."""
    return LINK.fullmatch(text) is not None


def read_link(settings: Settings, address: str) -> Document:
    """The main text of a page, its address and its day of publication; the page goes into the snapshots. Raises
    ``InputError`` with the reason for a page that may not be fetched, cannot be had, or has no text.
    """
    from agent.tools.web.fetch import PageFetcher
    from agent.tools.web.page import read_page
    from store.snapshots import Snapshot

    outcome = PageFetcher(LIVE, blocked_on_web(settings)).fetch(address.strip())
    if outcome.page is None:
        why = outcome.failure.message if outcome.failure else f"{address!r} gave nothing"
        raise InputError(f"{why}; save the page and add the file")
    try:
        document = read_page(outcome.page, today(LIVE))
    except InputError as error:
        raise InputError(f"{address[:300]!r} was not read: {error}; save it and add the file") from error
    kept = Snapshot(document=document, body=outcome.page.body, charset=outcome.page.charset)
    open_snapshots(settings).keep([kept])
    return document


def open_snapshots(settings: Settings) -> SnapshotStore:
    """The web pages as they were when they were read, beside the history."""
    from store.engine import open_engine
    from store.snapshots import SnapshotStore

    return SnapshotStore(open_engine(settings.store))
