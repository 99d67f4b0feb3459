"""What the processes of the concurrency tests run."""

from __future__ import annotations

from multiprocessing import get_context
from pathlib import Path

from report.certificate.keys import Keyring
from report.certificate.sealing import SigningCodec
from store.engine import open_engine
from store.ledger import Ledger
from store.location import Place
from tests.report.builders import make_certificate

PROCESSES = get_context("forkserver")
"""Processes of their own that share no connection with the tests, and need not import the rooms anew."""
PROCESSES.set_forkserver_preload([__name__])


def append_many(place: Place, worker: int, count: int) -> list[str]:
    """Open the database (which may not be there yet) and append; the ids in the order appended."""
    ledger = Ledger(open_engine(place, busy_timeout=60.0), SigningCodec())
    ids = [f"w{worker:02d}-{number:04d}" for number in range(count)]
    for certificate_id in ids:
        ledger.append(make_certificate(certificate_id))
    return ids


def append_signed(folder: str, place: Place, worker: int, count: int) -> list[str]:
    """The same with signatures: the key is made by whoever comes first."""
    home = Path(folder)
    codec_ = SigningCodec(Keyring(home / "keys"))
    ledger = Ledger(open_engine(place, busy_timeout=60.0), codec_, home / "head.json")
    ids = [f"s{worker:02d}-{number:05d}" for number in range(count)]
    for certificate_id in ids:
        ledger.append(make_certificate(certificate_id))
    return ids
