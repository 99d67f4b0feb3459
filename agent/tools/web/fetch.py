"""Fetching pages under the rules of ``docs/web.md``."""

from __future__ import annotations

import base64
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from urllib.parse import urldefrag, urljoin, urlsplit

from pydantic import JsonValue

from agent.tools.web.http import REDIRECTS, Answer, Getter, retried
from agent.tools.web.robots import MAX_BYTES as ROBOTS_BYTES
from agent.tools.web.robots import Robots
from agent.tools.web.ssrf_guard import AddressGuard, Refused, Trouble
from agent.web_ports import FetchedPage, FetchOutcome, Outside, failed, failure_in
from factdesk.kernel import Failure, Fingerprint, InputError, sha256_text

FETCH_VERSION = "1"
TYPES = ("text/html", "application/xhtml+xml", "text/plain")
PICTURES = ("image/png", "image/jpeg", "image/webp", "image/gif")
MAX_URL = 2_000
_MAGIC = {
    b"%PDF-": "a PDF",
    b"\x89PNG": "a PNG image",
    b"\xff\xd8\xff": "a JPEG image",
    b"GIF8": "a GIF image",
    b"PK\x03\x04": "a ZIP archive",
    b"\x7fELF": "a program",
    b"MZ\x90": "a program",
    b"\x1f\x8b": "gzip",
}


@dataclass(frozen=True)
class Limits:
    """Bounds of fetching. Seconds, bytes, counts."""

    max_bytes: int = 3_000_000
    """Of a page after decompression."""
    seconds: float = 15.0
    """Of one request."""
    redirects: int = 5
    attempts: int = 2
    pages: int = 60
    """Requests for pages in one check, redirects included."""
    host_seconds: float = 1.0
    """Between two requests to the same host, at least."""


@dataclass
class Pacer:
    """Spaces out requests to one host."""

    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _next: dict[str, float] = field(default_factory=dict)

    def wait(self, host: str, seconds: float) -> None:
        """Wait for this host's turn; the next one is ``seconds`` later."""
        with self._lock:
            now = self.clock()
            turn = max(now, self._next.get(host, now))
            self._next[host] = turn + seconds
        if turn > now:
            self.sleep(turn - now)


class PageFetcher:
    """Fetches the pages of one check, each at most once.

    ``outside`` records or replays answers; ``blocked`` tells blocked hosts, redirects included; ``guard``
    tells allowed addresses; ``types`` are the media types read (``PICTURES`` for pictures).
    """

    def __init__(
        self,
        outside: Outside,
        blocked: Callable[[str], bool],
        *,
        limits: Limits | None = None,
        guard: AddressGuard | None = None,
        pacer: Pacer | None = None,
        types: tuple[str, ...] = TYPES,
    ) -> None:
        self._outside = outside
        self._blocked = blocked
        self._limits = limits or Limits()
        self._guarded = guard or AddressGuard()
        self._getter = Getter(self._guarded, seconds=self._limits.seconds)
        self._pacer = pacer or Pacer()
        self._types = types
        self._robots = Robots(self._get_robots, outside)
        self._lock = threading.Lock()
        self._asked = 0

    @property
    def fingerprint(self) -> Fingerprint:
        """Versions and limits."""
        definition = repr((FETCH_VERSION, self._types, self._limits))
        return Fingerprint(name="fetch:httpx", version=version("httpx"), sha256=sha256_text(definition))

    def fetch(self, url: str) -> FetchOutcome:
        """One page with its redirects, each under all rules. Raises only what ``outside`` raises."""
        asked, current = url, urldefrag(url)[0]
        try:
            for _ in range(self._limits.redirects + 1):
                host = self._check(current)
                pause = max(self._limits.host_seconds, self._robots.delay(current))
                answer = _answer(self._outside.call("fetch", current, partial(self._hop, current, host, pause)))
                if answer.status in REDIRECTS and answer.location:
                    current = urldefrag(urljoin(current, answer.location))[0]
                    continue
                return FetchOutcome(page=_page(asked, current, answer, text=self._types == TYPES), failure=None)
            raise Refused("redirects", f"more than {self._limits.redirects} redirects")
        except (Refused, ValueError) as error:
            if isinstance(error, InputError):  # not recorded: must surface
                raise
            kind = error.kind if isinstance(error, Refused) else "address"
            message = f"{asked[:300]!r} was not read: {error}"
            failure = Failure(where="web.fetch", kind=kind, message=message, deciding=False)
            return FetchOutcome(page=None, failure=failure)

    def _check(self, url: str) -> str:
        """The host of an address that may be fetched."""
        parts = urlsplit(url)
        host = (parts.hostname or "").rstrip(".")
        if parts.scheme not in ("http", "https") or not host or len(url) > MAX_URL:
            raise Refused("address", f"{url[:200]!r} is no http or https address")
        if parts.username is not None or parts.password is not None:
            raise Refused("address", "an address with a user name is not asked for")
        if self._blocked(host):
            raise Refused("blocked", f"{host!r} is on the list of sites left out")
        return host

    def _hop(self, url: str, host: str, pause: float) -> JsonValue:
        """One recorded answer, failures included."""
        with self._lock:
            self._asked += 1
            if self._asked > self._limits.pages:
                return failed("budget", f"the cap of {self._limits.pages} pages")

        def once() -> Answer:
            self._pacer.wait(host, pause)
            return self._getter.get(url, max_bytes=self._limits.max_bytes, types=self._types)

        try:
            answer = retried(once, attempts=self._limits.attempts, sleep=self._pacer.sleep)
        except (Refused, Trouble) as error:
            return failed(error.kind, str(error))
        return {
            "status": answer.status,
            "media_type": answer.media_type,
            "charset": answer.charset,
            "location": answer.location,
            "body": base64.b64encode(answer.body).decode("ascii"),
        }

    def _get_robots(self, url: str) -> Answer:
        self._check(url)
        return retried(
            lambda: self._getter.get(url, max_bytes=ROBOTS_BYTES, cut=True),
            attempts=self._limits.attempts,
            sleep=self._pacer.sleep,
        )


def _answer(data: JsonValue) -> Answer:
    """An answer from its recorded form. Raises ``Refused`` for a recorded failure."""
    if not isinstance(data, dict):
        raise Refused("format", "the answer has no usable form")
    if failure := failure_in(data):
        raise Refused(*failure)
    status, location, charset = data.get("status"), data.get("location"), data.get("charset")
    return Answer(
        status=status if isinstance(status, int) else 0,
        media_type=str(data.get("media_type", "")),
        charset=charset if isinstance(charset, str) else None,
        location=location if isinstance(location, str) else None,
        body=base64.b64decode(str(data.get("body", ""))),
    )


def _page(asked: str, final: str, answer: Answer, *, text: bool) -> FetchedPage:
    if answer.status != 200:
        raise Refused("status", f"the server answered {answer.status}")
    for magic, what in _MAGIC.items() if text else ():
        if answer.body.startswith(magic):
            raise Refused("type", f"the server says {answer.media_type!r}, but it is {what}")
    return FetchedPage(
        url=asked, final_url=final, media_type=answer.media_type, charset=answer.charset, body=answer.body
    )
