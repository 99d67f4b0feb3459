"""Which addresses may be connected to, enforced at the connection.

A name is resolved once, all its addresses are checked, and the connection goes to a checked one, for
redirects too; this prevents DNS rebinding.
"""

from __future__ import annotations

import ipaddress
import socket
import ssl
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import httpcore

from factdesk.kernel import BackendUnavailable, TransientError

PORTS = frozenset({80, 443})
Resolve = Callable[[str, int], Sequence[str]]
Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_UNICAST = ipaddress.IPv6Network("2000::/3")
"""All that is global unicast in IPv6 today."""
_SPECIAL = tuple(
    ipaddress.ip_network(net)
    for net in (
        "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 "
        "192.0.0.0/24 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 "
        "192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3 2001::/23 2001:db8::/32 "
        "2620:4f:8000::/48 3fff::/20"
    ).split()
)
"""The special-purpose ranges of IANA's registries, whatever a Python version knows of them, and the address
under which a cloud answers its own machines."""
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


class Refused(BackendUnavailable):
    """A page that is not fetched; a retry would not help. ``kind`` is that of a ``Failure``."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class Trouble(TransientError):
    """A transient failure to fetch a page."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def look_up(host: str, port: int) -> Sequence[str]:
    """Addresses of a host, by the system's resolver.

    Raises ``Trouble`` where the resolver does not answer, ``Refused`` for an unknown name.
    """
    try:
        return [str(ipaddress.ip_address(host))]
    except ValueError:
        pass  # a name, or a number that the resolver understands
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except socket.gaierror as error:
        if error.errno == socket.EAI_AGAIN:
            raise Trouble("dns", f"the name {host!r} could not be looked up") from error
        raise Refused("dns", f"there is no host {host!r}") from error
    except (OSError, UnicodeError, ValueError) as error:
        raise Refused("dns", f"the name {host!r} cannot be looked up") from error
    return [str(item[4][0]) for item in found]


@dataclass(frozen=True)
class AddressGuard:
    """Allows connections to public addresses on ports 80 and 443 only.

    ``resolve`` and ``test_servers`` are for tests; no setting reaches them.
    """

    resolve: Resolve = look_up
    test_servers: frozenset[tuple[str, int]] = frozenset()

    def address(self, host: str, port: int) -> str:
        """The checked address to connect to.

        One forbidden address is enough to refuse. Raises ``Refused`` or ``Trouble``.
        """
        addresses = self.resolve(host, port)
        for address in addresses:
            if (address, port) in self.test_servers:
                continue
            if port not in PORTS:
                raise Refused("port", f"port {port} of {host!r} is not 80 or 443")
            if not is_public(address):
                raise Refused("address", f"{host!r} leads to {address}, which is no public address")
        if not addresses:
            raise Refused("dns", f"there is no address for {host!r}")
        return addresses[0]


def is_public(text: str) -> bool:
    """Whether an address, and any IPv4 address within it, is global unicast."""
    try:
        address: Address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return False
    return all(
        a.is_global
        and not (a.is_multicast or a.is_reserved or a.is_unspecified or a.is_loopback)
        and not any(a in net for net in _SPECIAL if net.version == a.version)
        and (a.version == 4 or a in _UNICAST)
        for a in _with_carried(address)
    )


def _with_carried(address: Address) -> Iterator[Address]:
    """The address, or the IPv4 addresses of mapping, 6to4, Teredo or NAT64."""
    if isinstance(address, ipaddress.IPv4Address):
        yield address
        return
    if address in _NAT64:
        yield ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        return
    carried = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
    found = [a for a in carried if a is not None]
    if address.ipv4_mapped is None:
        yield address
    yield from found


class _DeadlineStream(httpcore.NetworkStream):
    """A connection whose every read and write ends at the deadline."""

    def __init__(self, stream: httpcore.NetworkStream, deadline: float) -> None:
        self._stream = stream
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, left(self._deadline, timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, left(self._deadline, timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        inner = self._stream.start_tls(ssl_context, server_hostname, left(self._deadline, timeout))
        return _DeadlineStream(inner, self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def left(deadline: float, timeout: float | None) -> float:
    """Seconds until the deadline (of ``time.monotonic``), at most ``timeout``. Raises ``Refused`` past it."""
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        raise Refused("timeout", "the page took longer than allowed")
    return seconds if timeout is None else min(seconds, timeout)


class GuardedBackend(httpcore.NetworkBackend):
    """Connects to checked addresses only."""

    def __init__(self, guard: AddressGuard, deadline: float) -> None:
        self._guard = guard
        self._deadline = deadline
        self._inner = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        address = self._guard.address(host, port)
        stream = self._inner.connect_tcp(address, port, left(self._deadline, timeout), local_address, socket_options)
        return _DeadlineStream(stream, self._deadline)

    def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None
    ) -> httpcore.NetworkStream:
        del path, timeout, socket_options
        raise Refused("address", "a local socket is no web page")
