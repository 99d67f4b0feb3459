"""What an agent may ask of the desk: plain functions over the facade, without the protocol."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from datetime import date as Date
from functools import cached_property
from typing import TYPE_CHECKING, Any

from factdesk.certificates.verifying import verify_data
from factdesk.checker import FactChecker, Report, open_ledger
from factdesk.kernel import InputError
from report.certificate.sealing import to_text

if TYPE_CHECKING:
    from factdesk.annotation.annotator import AnnotationDesk
    from factdesk.settings import Settings
    from report.types import Certificate

MOST = 50
"""Entries of a list at most."""


class DeskTools:
    """One desk; one piece of work at a time. Whoever calls names corpora, never files, links or models."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._checker = FactChecker(settings)
        self._working = threading.Lock()

    def check(self, claim: str, made_on: str, as_of: str, corpora: Sequence[str]) -> dict[str, Any]:
        """The public JSON of a check. Raises ``FactdeskError``."""
        names = self._corpora(corpora)
        with self._working:
            found = self._checker.check(claim, date=_day(made_on), as_of=_day(as_of), corpus=names)
        return found.json()

    def ask(self, question: str, as_of: str, corpora: Sequence[str]) -> dict[str, Any]:
        """The public JSON of an answer. Raises ``FactdeskError``."""
        names = self._corpora(corpora)
        with self._working:
            found = self._checker.ask(question, as_of=_day(as_of), corpus=names)
        return found.json()

    def annotate(self, text: str) -> dict[str, Any]:
        """Which parts of a text the first corpus bears out. Raises ``FactdeskError``."""
        with self._working:
            data: dict[str, Any] = self._annotator.annotate(text)[0].model_dump(mode="json")
        return data

    def search(self, words: str, corpora: Sequence[str], limit: int) -> list[dict[str, Any]]:
        """Sentences of the documents, best first: quotations, of which nothing was verified."""
        from evidence.types import Query

        names = self._corpora(corpora) or self._settings.corpus
        with self._working:
            library = self._checker.corpora.open(names, self._settings.retriever)
            hits = library.retrieve(Query(text=words, limit=max(1, min(limit, MOST))))
        kept = ("text", "doc_id", "start", "end", "locator", "title", "publisher", "published", "url")
        return [hit.span.model_dump(mode="json", include=set(kept)) for hit in hits]

    def verify(self, certificate: str, rerun: bool) -> dict[str, Any]:
        """The three answers on a certificate: the id of one of this desk, or the text of another's."""
        text = certificate if certificate.lstrip().startswith("{") else self.certificate(certificate)
        with self._working:
            found = verify_data(self._settings, text.encode("utf-8"), "certificate.json", rerun=rerun)
        data: dict[str, Any] = found.model_dump(mode="json")
        return data

    def history(self, words: str = "") -> list[dict[str, Any]]:
        """The latest certificates, or those with these words."""
        ledger = open_ledger(self._settings)
        found = ledger.search(words, limit=MOST) if words.strip() else ledger.list(limit=MOST)
        return [entry.model_dump(mode="json") for entry in found]

    def certificate(self, certificate_id: str) -> str:
        """A certificate as canonical JSON. Raises ``InputError`` for an unknown id."""
        return to_text(self._certificate(certificate_id))

    def report(self, certificate_id: str) -> str:
        """A report as text, in the mode of the settings. Raises ``InputError`` for an unknown id."""
        return Report(self._certificate(certificate_id), self._settings.mode).text()

    @cached_property
    def _annotator(self) -> AnnotationDesk:
        return self._checker.annotation_desk(self._settings.corpus[0])

    def _certificate(self, certificate_id: str) -> Certificate:
        return open_ledger(self._settings).get(certificate_id)

    def _corpora(self, names: Sequence[str]) -> tuple[str, ...]:
        """Stored corpora by name; none: those of the settings."""
        for name in names:
            if not self._checker.corpora.has(name):
                raise InputError(f"there is no stored corpus {name!r}; leave corpora out for those set up")
        return tuple(names)


def _day(text: str) -> Date | None:
    try:
        return Date.fromisoformat(text) if text else None
    except ValueError as error:
        raise InputError(f"{text!r} is no date; write it as 2024-05-31") from error
