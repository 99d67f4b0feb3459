from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from sqlalchemy.engine import Engine

from report.certificate.sealing import SigningCodec
from store.engine import open_engine
from store.ledger import Ledger
from store.location import Place, Postgres
from store.postgres import close_pools
from tests.postgres import fresh
from tests.report.builders import make_certificate

NOBODY = 65534


@pytest.fixture(params=["sqlite", "postgres"])
def places(request: pytest.FixtureRequest) -> Iterator[Callable[[Path], Place]]:
    """The database that belongs to a folder: a file in it, and then an own one on a real PostgreSQL."""
    if request.param == "sqlite":
        yield lambda folder: folder / "history.db"
        return
    url, made = request.getfixturevalue("postgres_server"), dict[Path, Place]()
    with ExitStack() as stack:

        def place(folder: Path) -> Place:
            if folder not in made:
                made[folder] = Postgres(stack.enter_context(fresh(url)))
            return made[folder]

        yield place
        close_pools()


@pytest.fixture
def place(places: Callable[[Path], Place], tmp_path: Path) -> Place:
    return places(tmp_path)


@pytest.fixture
def engine(place: Place) -> Engine:
    return open_engine(place, busy_timeout=0.2)


@pytest.fixture
def ledger(engine: Engine) -> Ledger:
    return Ledger(engine, SigningCodec())


@pytest.fixture
def unprivileged(tmp_path: Path) -> Iterator[Path]:
    """A folder, and a user for whom the rights of files count (they do not for root).

    That user may not be able to read the folders Python and the package lie in, and a codec that cannot be loaded
    once stays unknown to the whole process. So all that a ledger loads on its way is loaded before.
    """
    Ledger(open_engine(tmp_path / "loaded.db"), SigningCodec()).append(make_certificate())
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o777)
    root = os.geteuid() == 0
    if root:
        os.seteuid(NOBODY)
    try:
        yield folder
    finally:
        if root:
            os.seteuid(0)
        for path in (folder, *folder.rglob("*")):
            path.chmod(0o755)
        shutil.rmtree(folder)
