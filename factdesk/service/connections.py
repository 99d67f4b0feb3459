"""Connections within bounds: the time for a request's headers, and how many an address may have."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

HEADER_SECONDS = 10.0
"""Time for the first headers of a connection."""
MAX_PER_ADDRESS = 100
"""Connections of one address at the same time; all together are bounded by ``limit_concurrency``."""
_open: Counter[str] = Counter()


class BoundedProtocol(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """uvicorn's HTTP, which itself bounds neither."""

    header_seconds = HEADER_SECONDS
    max_per_address = MAX_PER_ADDRESS

    def connection_made(self, transport: Any) -> None:
        """Count the connection, close it where its address has too many, and watch for its headers."""
        super().connection_made(transport)
        peer = transport.get_extra_info("peername")
        self._address = str(peer[0]) if isinstance(peer, tuple) else ""
        _open[self._address] += 1
        if _open[self._address] > self.max_per_address:
            transport.close()
            return
        self._timer: asyncio.TimerHandle | None = asyncio.get_running_loop().call_later(
            self.header_seconds, self._close_where_silent
        )

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        _open[self._address] -= 1
        if not _open[self._address]:
            del _open[self._address]
        if (timer := getattr(self, "_timer", None)) is not None:
            timer.cancel()
        super().connection_lost(exc)

    def _close_where_silent(self) -> None:
        if self.cycle is None and not self.transport.is_closing():
            self.transport.close()
