"""Verifying bytes that somebody handed in, seen by this desk: with its keys, heads and history."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from factdesk.checker import open_ledger
from report.certificate.history_file import HistoryFile, HistoryHeader
from report.certificate.keys import Keyring, read_keys

if TYPE_CHECKING:
    from factdesk.settings import Settings
    from report.types import Head
    from report.verification.files import Known
    from report.verification.findings import Verification
    from store.ledger import Ledger


def local_history(ledger: Ledger) -> tuple[HistoryFile, tuple[Head, ...]]:
    """A history on this machine as if it were an export, and the head kept beside it.

    Raises ``CertificateError`` for a damaged head.
    """
    texts, kept = tuple(ledger.texts()), ledger.kept_head()
    header = HistoryHeader(count=len(texts), head=ledger.head(), keys=())
    return HistoryFile(header=header, texts=texts), (kept,) if kept else ()


def known_here(settings: Settings) -> Known:
    """What this desk knows beforehand: its keys, its history and the head kept beside it."""
    from report.verification.files import Known

    history, heads = local_history(open_ledger(settings))
    keys = Keyring(settings.paths.keys).known()
    return Known(keys=keys, heads=heads, history=history, scope="local history")


def verify_data(settings: Settings, data: bytes, name: str, *, rerun: bool, key: bytes | None = None) -> Verification:
    """The three answers on a certificate, an export or a bundle; ``key``: a public key that may have signed.

    With a key only that key counts, as in ``factdesk verify``. Raises ``InputError`` for what cannot be read.
    """
    from report.verification.files import verify_files

    known = known_here(settings)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / (Path(name).name or "file")
        path.write_bytes(data)
        if key is not None:
            own = Path(folder) / "key.pem"
            own.write_bytes(key)
            known = replace(known, keys=read_keys(own))
        found = verify_files([path], known, rerun=rerun, verifier=settings.verifier if rerun else None)
    files = tuple(f.model_copy(update={"file": path.name}) for f in found.files)
    return found.model_copy(update={"files": files})
