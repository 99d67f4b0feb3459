"""The file of a whole exported history: a line that says what it is, then one certificate a line.

Every line is canonical JSON; certificates stand in their order exactly as they are stored, so that an
export of an imported history has the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from pydantic import ValidationError

from factdesk.kernel import CertificateError, Record
from report.certificate.canonical import canonical, dump
from report.certificate.signing import PublicKey
from report.types import Head

SCHEMA: Literal["factdesk.history/1"] = "factdesk.history/1"


class HistoryHeader(Record):
    """First line of an export."""

    schema_version: Literal["factdesk.history/1"] = SCHEMA
    count: int
    head: Head | None
    keys: tuple[PublicKey, ...]
    """Public keys, offered: a reader trusts only those he knows, and those they vouch for."""


class HistoryFile(Record):
    """An export, read but not checked."""

    header: HistoryHeader
    texts: tuple[str, ...]
    """Canonical text of each certificate."""


def history_lines(
    texts: Iterable[str], *, count: int, head: Head | None, keys: Mapping[str, PublicKey]
) -> Iterator[str]:
    """The lines of an export, without line ends. Raises ``CertificateError`` for another count of texts."""
    header = HistoryHeader(count=count, head=head, keys=tuple(keys[i] for i in sorted(keys)))
    yield canonical(dump(header)).decode("utf-8")
    written = 0
    for text in texts:
        if written == count:
            break  # appended since the export began
        yield text
        written += 1
    if written != count:
        raise CertificateError(f"the history has {written} certificates, not {count}; export again")


def is_history(text: str) -> bool:
    """Whether a text begins as an export does."""
    first = text.partition("\n")[0]
    return f'"{SCHEMA}"' in first and '"envelope"' not in first


def read_history(text: str) -> HistoryFile:
    """Read an export. Raises ``CertificateError`` when it is cut off or is none."""
    first, _, rest = text.partition("\n")
    try:
        header = HistoryHeader.model_validate(json.loads(first))
    except (ValueError, RecursionError, ValidationError) as error:
        raise CertificateError(f"this is no export of a history: {error}") from error
    return HistoryFile(header=header, texts=tuple(line for line in rest.split("\n") if line.strip()))
