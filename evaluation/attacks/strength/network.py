"""Points 9 and 10: addresses that are not public, and requests that the service must refuse. Loopback only."""

from __future__ import annotations

import asyncio

from evaluation.attacks.strength.trial import Desk, Trial

PRIVATE = (
    "127.0.0.1 10.0.0.1 172.16.3.4 192.168.1.1 169.254.169.254 100.64.0.1 192.0.0.8 192.0.0.192 168.63.129.16 "
    "198.18.0.1 224.0.0.1 255.255.255.255 0.0.0.0 ::1 fe80::1 fc00::1 fec0::1 3fff::1 2001:db8::1 ::ffff:10.0.0.1 "
    "64:ff9b::a00:1 2002:7f00:1:: ff02::1 not-an-address"
).split()
PUBLIC = "93.184.216.34 8.8.8.8 2606:4700:4700::1111 2a00:1450:4001:80b::200e".split()
TOKEN = "a-token-for-this-attack-0123456789"


def _private(desk: Desk) -> str:
    from agent.tools.web.ssrf_guard import is_public

    del desk
    return ", ".join(a for a in PRIVATE if is_public(a))


def _public(desk: Desk) -> str:
    from agent.tools.web.ssrf_guard import is_public

    del desk
    return ", ".join(a for a in PUBLIC if not is_public(a))


def _status(path: str, token: str | None = None, **headers: str) -> int:
    """What the guard of the service answers to a request."""
    import httpx
    from fastapi import FastAPI

    from factdesk.service.guard import LOOPBACK, Guard
    from factdesk.settings_parts import ServeSettings

    app = FastAPI()
    app.add_api_route("/verify/{name}", lambda name: {"name": name})
    app.add_middleware(Guard, limits=ServeSettings(), token=token, names=LOOPBACK)
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    if token:
        given["authorization"] = f"Bearer {token}"

    async def ask() -> int:
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return (await client.get(path, headers=given)).status_code

    return asyncio.run(ask())


def _foreign(desk: Desk) -> str:
    del desk
    found = _status("/verify/abcd?rerun=true", sec_fetch_site="cross-site")
    return "" if found == 403 else f"answered {found}"


def _own(desk: Desk) -> str:
    del desk
    found = _status("/verify/abcd?rerun=true", sec_fetch_site="same-origin")
    return "" if found == 200 else f"answered {found}"


def _other_host(desk: Desk) -> str:
    del desk
    found = _status("/verify/abcd", TOKEN, host="evil.example")
    return "" if found == 400 else f"answered {found}"


def _own_host(desk: Desk) -> str:
    del desk
    found = _status("/verify/abcd", TOKEN, host="localhost")
    return "" if found == 200 else f"answered {found}"


async def _connections(held: int) -> tuple[int, int]:
    """Unfinished connections of one address that stay, and the status of a request beside them."""
    import uvicorn
    from fastapi import FastAPI

    from factdesk.service.run import BoundedProtocol

    class Hasty(BoundedProtocol):
        header_seconds = 1.0

    app = FastAPI()
    app.add_api_route("/health", lambda: {"ok": True})
    config = uvicorn.Config(app, host="127.0.0.1", port=0, log_config=None, http=Hasty, ws="none")
    server = uvicorn.Server(config)
    running = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    streams = [await asyncio.open_connection("127.0.0.1", port) for _ in range(held)]
    for _, writer in streams:
        writer.write(b"GET /health HTTP/1.1\r\nHost: localhost\r\n")
    await asyncio.sleep(1.5)
    left = [reader for reader, _ in streams if not reader.at_eof()]
    status = await _asked(port)
    for _, writer in streams:
        writer.close()
    server.should_exit = True
    await running
    return len(left), status


async def _asked(port: int) -> int:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    line = await asyncio.wait_for(reader.readline(), 20)
    writer.close()
    return int(line.split()[1]) if line else 0


def _slow(desk: Desk) -> str:
    del desk
    left, status = asyncio.run(_connections(300))
    return "" if not left and status == 200 else f"{left} connections stay, a request gets {status}"


def _quick(desk: Desk) -> str:
    del desk
    _, status = asyncio.run(_connections(0))
    return "" if status == 200 else f"a request gets {status}"


TRIALS: tuple[Trial, ...] = (
    Trial(9, f"{len(PRIVATE)} addresses that are not public", _private, _public, quick=True),
    Trial(10, "300 connections that never finish their headers", _slow, _quick),
    Trial(10, "a re-run that a foreign page asks for", _foreign, _own, quick=True),
    Trial(10, "a token and another name of the host", _other_host, _own_host, quick=True),
)
"""Every address and request."""
