"""What every room shares: the error tree, frozen records, caps, fingerprints and schema versions.

Error tree (each message shows the value with ``!r``, the allowed range and the mend)::

    FactdeskError
      InputError          the user's text, file or folder cannot be used      exit code 3
      ConfigError         a setting or flag is wrong                          exit code 2
      BackendUnavailable  a backend that was asked for cannot be had          exit code 4
      TransientError      may work when tried again; the only one retried     exit code 4
      CertificateError    a certificate or its verification does not hold     exit code 5
      Stopped             a run was stopped and can be resumed                exit code 6

This module depends on pydantic alone and imports nothing of ours.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, ClassVar, Self

from pydantic import BaseModel, ConfigDict, Field

__version__ = "0.1.0"
CERTIFICATE_SCHEMA = "factdesk.certificate/1"
CLAIM_IR_SCHEMA = "factdesk.claim-ir/1"
DEFAULT_VERIFIER = "duet:minilm-fact+mpnet-fact"
"""Spec of the verifier that a check uses unless told otherwise (``verifier.backends.factory``)."""


class FactdeskError(Exception):
    """Root of all errors factdesk raises on purpose."""

    exit_code: ClassVar[int] = 1


class InputError(FactdeskError, ValueError):
    """A text, file or folder that the user gave cannot be used."""

    exit_code = 3


class ConfigError(FactdeskError, ValueError):
    """A setting, flag or specification is wrong."""

    exit_code = 2


class BackendUnavailable(FactdeskError, RuntimeError):
    """A model, database or service that was asked for cannot be had."""

    exit_code = 4


class TransientError(FactdeskError, RuntimeError):
    """Something that may work when tried again. The only error that is retried."""

    exit_code = 4


class CertificateError(FactdeskError, RuntimeError):
    """A certificate is malformed, or a check of it does not hold."""

    exit_code = 5


class Stopped(FactdeskError, RuntimeError):
    """A run was stopped on the way; its checkpoint is there, and it can be resumed."""

    exit_code = 6


class Record(BaseModel):
    """Base of all records that pass between rooms: frozen, no unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @classmethod
    def taken_from(cls, source: object, /, **given: object) -> Self:
        """The record with all fields that ``source`` has by the same name, and those that are given instead."""
        taken = {n: getattr(source, n) for n in cls.model_fields if n not in given and hasattr(source, n)}
        return cls.model_validate({**taken, **given})


class Failure(Record):
    """A part that did not work, kept as a record. Never an exception swallowed, never a verdict."""

    where: str
    """The part, dotted: ``"evidence.retrieve"``, ``"agent.answer"``, ``"verifier.score"``."""
    kind: str
    """Short machine-readable kind: ``"timeout"``, ``"unavailable"``, ``"bad_output"``, …"""
    message: str
    """One sentence for the reader."""
    deciding: bool = True
    """Whether it stood on the deciding path, so that no claim may be certified because of it."""
    claim_id: str | None = None
    """The atomic claim it concerns; ``None``: all of them."""


class Fingerprint(Record):
    """What exactly a part was: stands in the certificate."""

    name: str
    version: str
    sha256: str | None = None
    """Of the weights, the definition or the source files; ``None`` where there are none."""


class Caps(Record):
    """Upper bounds of one check. Past a cap the work is trimmed and the certificate says so."""

    max_claims: int = Field(default=12, ge=1, le=12, description="At most so many atomic claims (default 12).")
    max_spans_per_claim: int = Field(default=20, ge=1)
    max_pairs: int = Field(default=240, ge=1, description="At most so many verifier pairs (default 240).")
    max_questions: int = Field(default=6, ge=1)
    max_branches: int = Field(default=3, ge=1)
    max_seconds: float | None = Field(default=None, gt=0, description="Stop asking after so many seconds.")
    max_tokens: int | None = Field(default=None, ge=1, description="At most so many tokens of a language model.")


def install_line(extra: str) -> str:
    """The command that adds an extra to this installation, from where it came: folder, Git address or index. From an
    index, and where the place is gone, by the bare name.
    """
    import json
    from importlib.metadata import PackageNotFoundError, distribution
    from pathlib import Path
    from urllib.parse import unquote, urlsplit

    try:
        known = distribution("factdesk").read_text("direct_url.json")
        origin = json.loads(known) if known else {}
    except (PackageNotFoundError, ValueError):
        origin = {}
    address = str(origin.get("url", ""))
    if address.startswith("file:"):
        place = Path(unquote(urlsplit(address).path))
    else:
        place = Path(__file__).resolve().parent.parent
    if place.is_file() or (place / "pyproject.toml").is_file():
        return f"pip install '{place}[{extra}]'"
    if tool := origin.get("vcs_info", {}).get("vcs"):
        return f"pip install 'factdesk[{extra}] @ {tool}+{address}'"
    return f"pip install 'factdesk[{extra}]'"


def sha256_text(text: str) -> str:
    """Hex SHA-256 of a text's UTF-8 bytes (lone surrogates are refused by the encoder)."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def sha256_bytes(data: bytes) -> str:
    """Hex SHA-256 of bytes."""
    return hashlib.sha256(data).hexdigest()


def private_folder(path: Path) -> None:
    """Make a folder, and those above it that are missing, for their owner alone. Raises ``OSError``."""
    if not path.is_dir():
        if path.parent != path:
            private_folder(path.parent)
        path.mkdir(mode=0o700, exist_ok=True)


def private_file(path: Path) -> None:
    """Make an empty file for its owner alone where none is, in such a folder. Raises ``OSError``."""
    private_folder(path.parent)
    path.touch(mode=0o600, exist_ok=True)


@contextmanager
def written_whole(path: Path, mode: int = 0o600) -> Iterator[IO[bytes]]:
    """A file that stands at ``path`` after the block, whole or not at all. Raises ``OSError``."""
    draft = path.parent / f".{path.name[:40]}.{os.urandom(8).hex()}"
    try:
        with open(draft, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        with suppress(OSError):
            draft.unlink()


def write_file(path: Path, parts: Iterable[bytes], mode: int = 0o666) -> None:
    """Write a file whole or not at all. Raises ``InputError`` when it cannot be written."""
    try:
        with written_whole(path, mode) as file:
            file.writelines(parts)
    except OSError as error:
        raise InputError(f"{str(path)!r} cannot be written ({error.strerror}); give another place") from error
