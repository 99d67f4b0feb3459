"""What all routes work on: the queue, the history, and one place for work that no queue holds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from threading import Lock

from starlette.exceptions import HTTPException

from factdesk.checker import FactChecker
from factdesk.corpora.graphs import Graphs
from factdesk.corpora.stored import Corpora
from factdesk.corpus_trust.open import open_desk
from factdesk.corpus_trust.ranking import TrustDesk
from factdesk.parallel.stages import Models
from factdesk.service.check_queue import CheckQueue, Closing
from factdesk.service.history import Archive
from factdesk.settings import Settings

BUSY_SECONDS = 10
"""Retry-After while something else is worked on, in seconds."""


@dataclass(frozen=True)
class Desk:
    """One desk behind the routes; it goes through what the command line goes through."""

    queue: CheckQueue
    archive: Archive
    _one: Lock = field(default_factory=Lock)

    @property
    def settings(self) -> Settings:
        """The settings of the service."""
        return self.queue.settings

    @property
    def checker(self) -> FactChecker:
        """The checker, whose models are loaded once."""
        return self.queue.checker

    @property
    def corpora(self) -> Corpora:
        """The stored corpora."""
        return self.checker.corpora

    @cached_property
    def graphs(self) -> Graphs:
        """Their knowledge graphs."""
        return Graphs(self.settings, self.corpora)

    def trust(self, corpus: str) -> TrustDesk:
        """The claim graph of a corpus, with the models of the checker. Raises ``InputError``."""
        models = Models(lambda: self.corpora.embedder, lambda: self.checker.verifier)
        return open_desk(self.settings, corpus, models=models)

    def known(self, corpus: str) -> str:
        """The name of a stored corpus. Raises ``HTTPException`` 404 for another."""
        if not self.corpora.has(corpus):
            raise HTTPException(404, f"there is no stored corpus {corpus!r}")
        return corpus

    @contextmanager
    def alone(self, doing: str) -> Iterator[None]:
        """Long work outside of the queue, one piece at a time. Raises ``HTTPException`` 429, ``Closing``."""
        if self.queue.closing:
            raise Closing("the service is stopping; try again when it is back")
        if not self._one.acquire(blocking=False):
            raise HTTPException(429, f"{doing}: another such work is going on; try again", busy())
        try:
            yield
        finally:
            self._one.release()


def busy() -> dict[str, str]:
    """The header that says when to try again."""
    return {"Retry-After": str(BUSY_SECONDS)}
