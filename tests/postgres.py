"""A real PostgreSQL for tests: the one FACTDESK_TEST_POSTGRES names, or one started here for the session.

It is started as an unprivileged user in a temporary folder and listens on a socket in it, nowhere else.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote, urlsplit, urlunsplit

import pytest

GIVEN = os.environ.get("FACTDESK_TEST_POSTGRES")
"""Read at import: every test gets an environment without our variables."""
NOBODY = 65534


def binaries() -> Path | None:
    """The folder with ``initdb`` and ``postgres``, newest version first."""
    found = shutil.which("initdb")
    if found:
        return Path(found).resolve().parent
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda p: p.parts[-3].zfill(3))
    return debian[-1].parent if debian else None


@contextmanager
def server() -> Iterator[str]:
    """The URL of a server's maintenance database. Skips where there is none."""
    pytest.importorskip("psycopg", reason="the extra postgres is not installed")
    if GIVEN:
        yield GIVEN
        return
    programs = binaries()
    if programs is None:
        pytest.skip("no PostgreSQL here (Debian: apt-get install postgresql, or name one in FACTDESK_TEST_POSTGRES)")
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # nothing here has to outlive the tests
    folder = Path(tempfile.mkdtemp(prefix="fdk-pg-", dir=memory))
    user = NOBODY if os.geteuid() == 0 else None
    if user is not None:
        os.chown(folder, user, user)
    data, log = folder / "data", folder / "log"

    def run(*command: str) -> None:
        # a pipe of ours would be kept open by the server
        with open(os.devnull, "w") as silent:
            done = subprocess.run(
                [str(programs / command[0]), *command[1:]],
                stdout=silent,
                stderr=silent,
                cwd=folder,
                user=user,
                group=user,
                extra_groups=[] if user is not None else None,
                env={"PATH": os.environ["PATH"], "LC_ALL": "C", "HOME": str(folder)},
            )
        if done.returncode:
            pytest.fail(f"{command[0]} failed: {log.read_text() if log.exists() else done.returncode}")

    try:
        run("initdb", "-D", str(data), "-U", "desk", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        options = f"-c listen_addresses= -c unix_socket_directories={folder} -c fsync=off -c shared_buffers=16MB"
        run("pg_ctl", "-D", str(data), "-l", str(log), "-w", "-t", "60", "-o", options, "start")
        try:
            yield f"postgresql://desk@/postgres?host={quote(str(folder), safe='')}"
        finally:
            run("pg_ctl", "-D", str(data), "-w", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def fresh(url: str) -> Iterator[str]:
    """The URL of an empty database of its own, gone afterwards."""
    import psycopg

    name = f"fdk_{uuid.uuid4().hex}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} ENCODING 'UTF8' TEMPLATE template0")  # type: ignore[call-overload]
        try:
            yield urlunsplit(urlsplit(url)._replace(path=f"/{name}"))
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")  # type: ignore[call-overload]
