"""The head of the history outside of the database: who cuts off the database does not cut this one too. The file only
ever moves forward along the chain. Where it does not lie on the chain any more, it is left as it is: ``factdesk verify
--history`` then says that certificates were cut off or replaced.
"""

from __future__ import annotations

import logging
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from factdesk.kernel import CertificateError, private_folder
from report.types import Head

LOG = logging.getLogger(__name__)


def read_head(path: Path) -> Head | None:
    """The head in a file, ``None`` where there is none. Raises ``CertificateError`` for a damaged one."""
    try:
        return Head.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise CertificateError(f"the head file {str(path)!r} cannot be read: {error}") from error


def keep_head(path: Path, head: Head, hash_at: Callable[[int], str | None]) -> None:
    """Write ``head`` where the kept one lies on the chain below it; ``hash_at`` gives a number's hash. The certificate
    is safe in the database by now, so a disk that refuses is only logged.
    """
    try:
        kept = read_head(path)
    except CertificateError as error:
        LOG.warning("%s", error)
        return
    if kept is not None and (kept.sequence >= head.sequence or hash_at(kept.sequence) != kept.envelope_sha256):
        return
    try:
        private_folder(path.parent)  # no database file may have made it
        handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(head.model_dump_json() + "\n")
            os.replace(draft, path)
        finally:
            Path(draft).unlink(missing_ok=True)
    except OSError as error:
        LOG.warning("the head file %r cannot be written: %s", str(path), error)
