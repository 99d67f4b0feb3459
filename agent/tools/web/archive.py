"""Copies of cited pages in the Wayback Machine, by its availability interface; a cited page may change or go."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from pydantic import JsonValue

from agent.tools.web.json_api import JsonApi
from agent.web_ports import Outside, failed, failure_in
from factdesk.kernel import BackendUnavailable, Failure, TransientError

WAYBACK = "https://archive.org"
MOST = 20
"""Pages of one check that are asked for."""
LONGEST = 2_000
"""Characters of an address that is recorded."""


class ArchivedCopies:
    """Addresses of archived copies; what goes wrong is told once and is on no deciding path."""

    def __init__(self, outside: Outside) -> None:
        self._outside = outside
        self._down = ""

    def of(self, pages: Mapping[str, str], day: date) -> dict[str, str]:
        """The copy nearest to a day, by document. ``pages``: addresses by document; some have no copy."""
        found: dict[str, str] = {}
        for doc_id, url in list(pages.items())[:MOST]:
            answer = self._asked(url, day)
            if failure := failure_in(answer):
                self._down = failure[1]
                break
            if isinstance(answer, str) and _is_address(answer):
                found[doc_id] = answer
        return found

    def failures(self) -> tuple[Failure, ...]:
        """Why not all pages were asked for; never on the deciding path."""
        if not self._down:
            return ()
        return (Failure(where="web.archive", kind="unavailable", message=self._down, deciding=False),)

    def _asked(self, url: str, day: date) -> JsonValue:
        return self._outside.call("archive", url, lambda: self._ask(url, day))

    def _ask(self, url: str, day: date) -> JsonValue:
        try:
            answer = JsonApi("the Wayback Machine", WAYBACK).get(
                "/wayback/available", {"url": url, "timestamp": f"{day:%Y%m%d}"}
            )
        except (TransientError, BackendUnavailable) as error:
            return failed("unavailable", f"archived copies were not looked up ({error})")
        found: JsonValue = answer
        for name in ("archived_snapshots", "closest", "url"):
            found = found.get(name) if isinstance(found, dict) else None
        return found if isinstance(found, str) else ""


def _is_address(text: str) -> bool:
    return text.startswith(("http://", "https://")) and len(text) <= LONGEST and text.isprintable() and " " not in text
