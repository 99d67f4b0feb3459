"""Files of a folder given to a check that were not used, or with a doubt: kept beside the cached corpus.

A later check of the same files finds the cache and reads no file again, but must tell the same.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from factdesk.kernel import Failure, InputError, private_folder

MOST = 20
"""Files that are told one by one."""


def keep_unread(cache: Path, corpus: str, skipped: Sequence[tuple[str, str]]) -> None:
    """Write down what was left out of a cached corpus; nothing where nothing was."""
    path = _path(cache, corpus)
    if not skipped:
        path.unlink(missing_ok=True)
        return
    try:
        private_folder(path.parent)
        path.write_text(json.dumps(skipped), encoding="utf-8")
    except OSError as error:
        raise InputError(f"{str(path)!r} cannot be written ({error.strerror}); free space") from error


def read_unread(cache: Path, corpus: str) -> list[tuple[str, str]]:
    """What was left out of a cached corpus; empty for stored ones, which tell it when files are added.

    Raises ``InputError`` where the list is damaged.
    """
    path = _path(cache, corpus)
    try:
        if not path.is_file():
            return []
        return [(str(name), str(why)) for name, why in json.loads(path.read_text(encoding="utf-8"))]
    except (OSError, ValueError, TypeError) as error:
        raise InputError(f"{str(path)!r} is damaged ({error}); remove the cache folder") from error


def unread_failures(unread: Sequence[tuple[str, str]]) -> tuple[Failure, ...]:
    """One for each file, at most ``MOST``; none is on the deciding path. What is "kept …" was read."""
    told = [f"{n!r} was {why}" if why.startswith("kept ") else f"{n!r} was not read: {why}" for n, why in unread[:MOST]]
    if len(unread) > MOST:
        told.append(f"{len(unread) - MOST} more files were not read or were kept with a doubt")
    return tuple(Failure(where="evidence.ingest", kind="unread", message=message, deciding=False) for message in told)


def _path(cache: Path, corpus: str) -> Path:
    return cache / "unread" / f"{corpus}.json"
