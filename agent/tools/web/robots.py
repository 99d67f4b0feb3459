"""What robots.txt of a host allows (RFC 9309), by Protego; fetched once per host and run."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from pydantic import JsonValue

from agent.tools.web.http import REDIRECTS, Answer
from agent.tools.web.ssrf_guard import Refused, Trouble
from agent.web_ports import Outside, failed, failure_in

if TYPE_CHECKING:
    from protego import Protego

AGENT = "factdesk"
MAX_BYTES = 500_000
MAX_REDIRECTS = 5
FORBIDDEN = frozenset({"address", "port", "dns", "blocked"})
"""Kinds of refusal that concern the host itself."""
MAX_DELAY = 10.0
"""Longest crawl delay in seconds that is kept; hosts that ask for more are left out."""


class Robots:
    """Whether a page may be fetched.

    No robots.txt (status 400 to 499) allows all; one that cannot be fetched allows nothing.
    """

    def __init__(self, get: Callable[[str], Answer], outside: Outside) -> None:
        """``get``: one guarded GET without redirects; raises ``Refused`` or ``Trouble``."""
        self._get = get
        self._outside = outside
        self._lock = threading.Lock()
        self._locks: dict[str, threading.Lock] = {}
        self._known: dict[str, Protego | Refused] = {}

    def delay(self, url: str) -> float:
        """Crawl delay of the host in seconds; raises ``Refused`` where the page is disallowed."""
        rules = self._rules(url)
        if isinstance(rules, Refused):
            raise Refused(rules.kind, str(rules))
        if not rules.can_fetch(url, AGENT):
            raise Refused("robots", f"robots.txt of {_origin(url)!r} forbids it")
        delay = float(rules.crawl_delay(AGENT) or 0.0)
        if delay > MAX_DELAY:
            raise Refused("robots", f"robots.txt of {_origin(url)!r} asks for {delay:g} s between pages")
        return delay

    def _rules(self, url: str) -> Protego | Refused:
        origin = _origin(url)
        with self._lock:
            lock = self._locks.setdefault(origin, threading.Lock())
        with lock:
            if origin not in self._known:
                answer = self._outside.call("robots", origin, lambda: self._ask(origin))
                self._known[origin] = _parsed(answer, origin)
            return self._known[origin]

    def _ask(self, origin: str) -> JsonValue:
        url = f"{origin}/robots.txt"
        try:
            for _ in range(MAX_REDIRECTS + 1):
                answer = self._get(url)
                if answer.status not in REDIRECTS or not answer.location:
                    break
                url = urljoin(url, answer.location)
            else:
                return {"status": 404, "text": ""}  # RFC 9309, 2.3.1.2: may be taken as unavailable
        except (Refused, Trouble) as error:
            return failed(error.kind, str(error))
        return {"status": answer.status, "text": answer.body.decode("utf-8", "replace")}


def _parsed(answer: JsonValue, origin: str) -> Protego | Refused:
    """The rules, or why no page of the host may be fetched."""
    from protego import Protego

    if failure := failure_in(answer):
        kind, message = failure
        if kind in FORBIDDEN:
            return Refused(kind, message)
        return Refused("robots", f"robots.txt of {origin!r} cannot be had ({message})")
    data = answer if isinstance(answer, dict) else {}
    status = data.get("status")
    if status == 200:
        return Protego.parse(str(data.get("text", "")))
    if isinstance(status, int) and 400 <= status < 500:
        return Protego.parse("")
    return Refused("robots", f"robots.txt of {origin!r} cannot be had (status {status})")


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}".lower()
