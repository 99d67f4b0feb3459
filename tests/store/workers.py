"""What the processes of the concurrency tests run."""

from __future__ import annotations

from pathlib import Path

from report import certificate as codec
from store.engine import open_engine
from store.ledger import Ledger
from tests.report.builders import make_certificate


def append_many(path: str, worker: int, count: int) -> list[str]:
    """Open the database (which may not be there yet) and append; the ids in the order appended."""
    ledger = Ledger(open_engine(Path(path), busy_timeout=60.0), codec)
    ids = [f"w{worker:02d}-{number:04d}" for number in range(count)]
    for certificate_id in ids:
        ledger.append(make_certificate(certificate_id))
    return ids
