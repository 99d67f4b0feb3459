"""One guarded HTTP GET, bounded in size and time, without redirects; and retries."""

from __future__ import annotations

import ssl
import time
import zlib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

import httpcore
import httpx

from agent.tools.web.ssrf_guard import AddressGuard, GuardedBackend, Refused, Trouble
from factdesk.kernel import TransientError

T = TypeVar("T")

USER_AGENT = "factdesk/1 (checks claims; reads single pages; honours robots.txt)"
REDIRECTS = frozenset({301, 302, 303, 307, 308})
_LATER = frozenset({408, 425, 429, 500, 502, 503, 504})
"""Transient status codes."""
_CORE_ERRORS = (
    httpcore.NetworkError,
    httpcore.TimeoutException,
    httpcore.ProtocolError,
    httpcore.UnsupportedProtocol,
    httpcore.ConnectionNotAvailable,
    httpcore.ProxyError,
)


@dataclass(frozen=True)
class Answer:
    """A server's answer; ``body`` is decompressed."""

    status: int
    media_type: str
    charset: str | None
    location: str | None
    body: bytes


@cache
def _tls() -> ssl.SSLContext:
    return httpx.create_ssl_context(trust_env=False)


class Getter:
    """Sends single GET requests through guarded connections."""

    def __init__(self, guard: AddressGuard, *, seconds: float) -> None:
        """``seconds`` bounds one request from connecting to the last byte, without name lookup."""
        self._guard = guard
        self._seconds = seconds

    def get(
        self,
        url: str,
        *,
        max_bytes: int,
        types: Collection[str] = (),
        cut: bool = False,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """The answer to one GET; the body only for status 200 and allowed ``types``.

        ``cut``: keep the first ``max_bytes`` of a longer body instead of refusing it; ``headers``: further
        ones. Raises ``Refused`` or ``Trouble``.
        """
        deadline = time.monotonic() + self._seconds
        sent = {
            "User-Agent": USER_AGENT,
            "Accept-Encoding": "gzip",
            "Accept": "application/json" if "application/json" in types else "text/html, text/plain;q=0.8",
            **(headers or {}),
        }
        try:
            asked = httpx.URL(url)
        except httpx.InvalidURL as error:
            raise Refused("address", f"{url[:200]!r} is no usable address ({error})") from error
        target = httpcore.URL(scheme=asked.raw_scheme, host=asked.raw_host, port=asked.port, target=asked.raw_path)
        fields = list(sent.items())
        limits = {"timeout": dict.fromkeys(("connect", "read", "write", "pool"), self._seconds)}
        pool = httpcore.ConnectionPool(
            ssl_context=_tls(),
            max_connections=1,
            max_keepalive_connections=0,
            network_backend=GuardedBackend(self._guard, deadline),
        )
        try:
            with pool, pool.stream("GET", target, headers=fields, extensions=limits) as response:
                return _read(response, url, max_bytes, types, cut)
        except _CORE_ERRORS as error:
            raise _sorted(error, deadline, self._seconds) from error


def _sorted(error: Exception, deadline: float, seconds: float) -> Refused | Trouble:
    if time.monotonic() >= deadline - 0.001:
        return Refused("timeout", f"the page took longer than {seconds:g} s")
    if isinstance(error, httpcore.TimeoutException):
        return Trouble("timeout", "the server did not answer in time")
    if isinstance(error, httpcore.ConnectError) and "CERTIFICATE" in str(error).upper():
        return Refused("tls", "the server's certificate does not hold")
    if isinstance(error, httpcore.LocalProtocolError | httpcore.UnsupportedProtocol):
        return Refused("address", "the address cannot be asked for")
    return Trouble("network", f"the connection failed ({type(error).__name__})")


def _read(response: httpcore.Response, url: str, max_bytes: int, types: Collection[str], cut: bool) -> Answer:
    status, headers = response.status, httpx.Headers(response.headers)
    if status in _LATER:
        raise Trouble("status", f"the server answered {status}")
    media_type, charset = _content_type(headers.get("content-type", ""))
    location = headers.get("location") if status in REDIRECTS else None
    if status != 200:
        return Answer(status, media_type, charset, location, b"")
    if types and media_type not in types:
        raise Refused("type", f"{url[:200]!r} is {media_type or 'of no stated type'!r}, not a text page")
    body, more = _bounded(response, headers.get("content-encoding", "identity").strip().lower(), max_bytes)
    if more and not cut:
        raise Refused("size", f"the page is larger than {max_bytes} bytes")
    return Answer(status, media_type, charset, None, body)


def _content_type(value: str) -> tuple[str, str | None]:
    media_type, _, rest = value.partition(";")
    charset = None
    for part in rest.split(";"):
        name, _, given = part.partition("=")
        if name.strip().lower() == "charset" and given.strip():
            charset = given.strip().strip("\"'")[:40]
    return media_type.strip().lower()[:100], charset


def _bounded(response: httpcore.Response, encoding: str, max_bytes: int) -> tuple[bytes, bool]:
    """At most ``max_bytes`` of the decompressed body, and whether it was longer."""
    if encoding not in ("identity", "", "gzip", "x-gzip"):
        raise Refused("encoding", f"the page is encoded as {encoding[:40]!r}, which was not asked for")
    inflater = zlib.decompressobj(31) if "gzip" in encoding else None
    body = bytearray()
    try:
        for chunk in response.iter_stream():
            body += inflater.decompress(chunk, max_bytes + 1 - len(body)) if inflater else chunk
            if len(body) > max_bytes:
                return bytes(body[:max_bytes]), True
    except zlib.error as error:
        raise Refused("encoding", "the page's compressed bytes are damaged") from error
    if inflater is not None and not inflater.eof:
        raise Trouble("network", "the page's compressed bytes end too early")
    return bytes(body), False


def retried(fn: Callable[[], T], *, attempts: int, sleep: Callable[[float], None] = time.sleep) -> T:
    """``fn``'s result after at most ``attempts`` tries, with growing pauses of 0.5 to 8 seconds.

    Raises the last ``TransientError``, and any other error at once.
    """
    from tenacity import Retrying, retry_if_exception_type, stop_after_attempt, wait_exponential

    retrying = Retrying(
        retry=retry_if_exception_type(TransientError),
        stop=stop_after_attempt(attempts),
        wait=wait_exponential(multiplier=0.5, max=8.0),
        sleep=sleep,
        reraise=True,
    )
    return retrying(fn)
