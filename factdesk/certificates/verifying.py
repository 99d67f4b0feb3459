"""Verifying certificates, exports and bundles, seen by this desk: with its keys, heads and history."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from factdesk.checker import open_ledger
from factdesk.settings import Settings
from report.certificate.history_file import HistoryFile, HistoryHeader, read_history
from report.certificate.keys import Keyring, read_keys
from report.types import Head
from report.verification.files import Known, read_text, verify_files
from report.verification.findings import Verification
from store.ledger import Ledger
from store.location import exists


def local_history(ledger: Ledger) -> tuple[HistoryFile, tuple[Head, ...]]:
    """A history on this machine as if it were an export, and the head kept beside it. Raises ``CertificateError``."""
    texts, kept = tuple(ledger.texts()), ledger.kept_head()
    header = HistoryHeader(count=len(texts), head=ledger.head(), keys=())
    return HistoryFile(header=header, texts=texts), (kept,) if kept else ()


def known_here(settings: Settings, key_files: Sequence[Path] = (), history_file: Path | None = None) -> Known:
    """The keys and the history that were given, otherwise those of the home folder, with the head kept beside it."""
    known = Known(keys=read_keys(*key_files) if key_files else Keyring(settings.paths.keys).known())
    if history_file is not None:
        return replace(known, history=read_history(read_text(history_file)), scope="export")
    if not exists(settings.store):
        return known
    history, heads = local_history(open_ledger(settings))
    return replace(known, heads=heads, history=history, scope="local history")


def verify_data(settings: Settings, data: bytes, name: str, *, rerun: bool, key: bytes | None = None) -> Verification:
    """The three answers on a certificate, an export or a bundle; with ``key``, a public key, only that key counts.
    Raises ``InputError`` for what cannot be read.
    """
    open_ledger(settings)  # a desk that serves has a history, be it empty
    with tempfile.TemporaryDirectory() as folder:
        path, own = Path(folder) / (Path(name).name or "file"), Path(folder) / "key.pem"
        path.write_bytes(data)
        if key is not None:
            own.write_bytes(key)
        known = known_here(settings, (own,) if key is not None else ())
        found = verify_files([path], known, rerun=rerun, verifier=settings.verifier if rerun else None)
    files = tuple(f.model_copy(update={"file": path.name}) for f in found.files)
    return found.model_copy(update={"files": files})
