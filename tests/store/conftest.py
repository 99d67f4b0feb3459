from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy.engine import Engine

from report import certificate as codec
from store.engine import open_engine
from store.ledger import Ledger

NOBODY = 65534


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    return open_engine(tmp_path / "history.db", busy_timeout=0.2)


@pytest.fixture
def ledger(engine: Engine) -> Ledger:
    return Ledger(engine, codec)


@pytest.fixture
def unprivileged() -> Iterator[Path]:
    """A folder, and a user for whom the rights of files count (they do not for root)."""
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
