"""Middleware before every request: host names, rates, token, origin, and size of bodies; in this order, so that guesses
of the token are rate-limited.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import math
import sys
import time
from collections import OrderedDict
from collections.abc import Callable
from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from factdesk.service.errors import problem
from factdesk.settings_parts import ServeSettings

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
MAX_CALLERS = 10_000
DRAIN = 2
"""Bodies up to so many times the limit are read to their end, so that the refusal arrives."""
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # with no-referrer, forms would say that they come from nowhere
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
    "X-Frame-Options": "DENY",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
}
"""Of every response; a page has a content security policy of its own."""


class Rate:
    """A token bucket per caller, refilled over a minute."""

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_minute = per_minute
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, caller: str) -> int:
        """Take one; returns 0, or the seconds until one is available."""
        now = self._clock()
        left, then = self._buckets.pop(caller, (float(self._per_minute), now))
        left = min(float(self._per_minute), left + (now - then) * self._per_minute / 60)
        wait = 0 if left >= 1 else max(1, math.ceil((1 - left) * 60 / self._per_minute))
        self._buckets[caller] = (left if wait else left - 1, now)
        while len(self._buckets) > MAX_CALLERS:
            self._buckets.popitem(last=False)
        return wait


class Guard:
    """ASGI middleware. ``token`` is ``None`` on loopback alone; the service answers to ``names``."""

    def __init__(self, app: ASGIApp, limits: ServeSettings, token: str | None, names: frozenset[str]) -> None:
        self._app = app
        self._limits = limits
        self._token = _digest(token) if token is not None else None
        self._names = names
        self._requests = Rate(limits.requests_per_minute)
        self._checks = Rate(limits.checks_per_minute)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or pass it on with its body counted."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        refusal = self._refusal(scope)
        if refusal is not None:
            if refusal.status_code == 413:
                await self._drain(scope, receive)
            await refusal(scope, receive, send_with_headers)
            return
        await self._app(scope, self._counted(receive), send_with_headers)

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        if self._names and not self._is_called(_host(headers.get("host", ""))):
            why = "the service is not called by this name; see the setting serve.hosts"
            return problem(headers, 400, why, "wrong_host")
        caller = (scope.get("client") or ("?",))[0]
        wait = self._requests.take(caller)
        if not wait and _works(scope):
            wait = self._checks.take(caller)
        if wait:
            after = {"Retry-After": str(wait)}
            return problem(headers, 429, f"too many requests; try again in {wait} s", **after)
        if self._token is not None and not hmac.compare_digest(
            _digest(_given_token(headers.get("authorization", ""))), self._token
        ):
            challenge = {"WWW-Authenticate": 'Bearer realm="factdesk", Basic realm="factdesk", charset="UTF-8"'}
            why = "give the token of the service as Authorization: Bearer, or as password"
            return problem(headers, 401, why, "no_token", **challenge)
        if (scope["method"] not in ("GET", "HEAD", "OPTIONS") or _works(scope)) and _from_elsewhere(headers):
            return problem(headers, 403, "a page of another site may not send this", "foreign_page")
        if _length(headers) > self._limits.max_body:
            return problem(headers, 413, _too_large(self._limits))
        return None

    def _is_called(self, host: str) -> bool:
        """Whether the service answers to a host: by name, and with a token by address too."""
        return host in self._names or (self._token is not None and address_of(host) is not None)

    def _counted(self, receive: Receive) -> Receive:
        seen = 0

        async def counted() -> Message:
            nonlocal seen
            message = await receive()
            if message["type"] == "http.request":
                seen += len(message.get("body", b""))
                if seen > self._limits.max_body:
                    raise HTTPException(413, _too_large(self._limits))
            return message

        return counted

    async def _drain(self, scope: Scope, receive: Receive) -> None:
        left = _length(Headers(scope=scope))
        if left > DRAIN * self._limits.max_body:
            return
        more = True
        while more and left > 0:
            message = await receive()
            left -= len(message.get("body", b""))
            more = message["type"] == "http.request" and message.get("more_body", False)


def _works(scope: Scope) -> bool:
    """Whether a request uses the model."""
    if scope["method"] == "POST":
        return True
    return bool(scope["path"].startswith(("/verify/", "/verified/"))) and b"rerun=" in scope.get("query_string", b"")


def _length(headers: Headers) -> int:
    """The size that a body is said to have; what is no number counts as larger than any."""
    given = headers.get("content-length", "0")
    return int(given) if given.isascii() and given.isdigit() and len(given) < 16 else sys.maxsize


def _digest(token: str) -> bytes:
    """Hash of a token, for comparison in constant time."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def _given_token(header: str) -> str:
    """The token in an Authorization header: of Bearer, or the password of Basic (for browsers)."""
    kind, _, value = header.partition(" ")
    if kind.lower() == "bearer":
        return value.strip()
    if kind.lower() == "basic":
        try:
            return base64.b64decode(value, validate=True).decode("utf-8").partition(":")[2]
        except (binascii.Error, ValueError):
            return ""
    return ""


def _host(header: str) -> str:
    """The host name without port."""
    try:
        return (urlsplit(f"//{header}").hostname or "").rstrip(".")
    except ValueError:
        return ""


def address_of(host: str) -> IPv4Address | IPv6Address | None:
    """The address that a host is given by; ``None`` for a name."""
    try:
        return ip_address(host)
    except ValueError:
        return None


def _from_elsewhere(headers: Headers) -> bool:
    """Whether a browser says that another site's page sends the request."""
    site = headers.get("sec-fetch-site")  # no page can forge it; browsers leave it out on plain http
    if site is not None:
        return site not in ("same-origin", "none")
    origin = headers.get("origin") or headers.get("referer")
    if origin is None:
        return False
    try:
        return urlsplit(origin).netloc != headers.get("host", "")
    except ValueError:
        return True


def _too_large(limits: ServeSettings) -> str:
    return f"the request is larger than {limits.max_body} bytes; send less, or raise serve.max_body"
