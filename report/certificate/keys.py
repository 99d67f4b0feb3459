"""The keys of a desk: one private key (``<home>/keys/private.pem``, PKCS 8, its owner's alone), and the public ones of
all it ever had or took over (``<home>/keys/public/<key id>.json``).

Rotation removes the retired private key; its public part stays, and it vouches for the new one.
"""

from __future__ import annotations

import base64
import json
import os
import secrets
import stat
import tempfile
from contextlib import suppress
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from factdesk.kernel import ConfigError, InputError
from report.certificate.bundle_file import read_bundle
from report.certificate.signing import PublicKey, endorsement_message, key_id_of, key_of_pem

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

KEYSET_SCHEMA = "factdesk.keys/1"
_BEGUN = "begun"
"""The file that says that this desk has a private key: a lost one is not replaced unseen."""


class PrivateKey:
    """What signs certificates and heads."""

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key
        self.raw_public = key.public_key().public_bytes_raw()
        self.key_id = key_id_of(self.raw_public)

    def sign(self, message: bytes) -> str:
        """Ed25519 signature, base64. The same message has always the same one."""
        return base64.b64encode(self._key.sign(message)).decode("ascii")

    def public(self, previous: PrivateKey | None = None) -> PublicKey:
        """The public part; ``previous`` vouches for it."""
        return PublicKey(
            key_id=self.key_id,
            public_key=base64.b64encode(self.raw_public).decode("ascii"),
            created=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            previous_key_id=previous.key_id if previous else None,
            endorsement=previous.sign(endorsement_message(self.key_id)) if previous else None,
        )

    def pem(self) -> bytes:
        """PKCS 8 PEM, unencrypted."""
        from cryptography.hazmat.primitives import serialization as s

        return self._key.private_bytes(s.Encoding.PEM, s.PrivateFormat.PKCS8, s.NoEncryption())


class Keyring:
    """The keys below one folder; nothing is made before a signature is asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._private = folder / "private.pem"
        self._public = folder / "public"

    def check(self) -> None:
        """Refuse a private key, or a folder of keys, that others could read or replace. Cheap; raises
        ``ConfigError``, also where the private key of a desk that had one is gone.
        """
        check_private(self.folder, folder=True)
        check_private(self._private)
        begun = (self.folder / _BEGUN).exists()
        if begun and not self._private.exists():
            raise ConfigError(
                f"the private key {str(self._private)!r} is gone, but was used here; restore it "
                "from a backup, or make a new one that nobody vouches for with: factdesk keys rotate"
            )

    @cached_property
    def signer(self) -> PrivateKey:
        """The private key, made on first use. Raises ``ConfigError`` when it cannot be used."""
        self.check()
        if not self._private.exists():
            _keep(self._private, _new_key().pem())
        key = self._read()
        _keep(self.folder / _BEGUN, b"")
        self._remember(key.public())
        return key

    def secret(self, name: str) -> bytes:
        """32 bytes that only this desk knows, made on first use. Raises ``ConfigError``."""
        path = self.folder / f"{name}.secret"
        check_private(path)
        _keep(path, secrets.token_bytes(32))
        try:
            found = path.read_bytes()
        except OSError as error:
            raise ConfigError(f"the secret {str(path)!r} cannot be read ({error}); mend its rights") from error
        if len(found) != 32:
            raise ConfigError(f"the secret {str(path)!r} is damaged; remove it")
        return found

    def rotate(self) -> PublicKey:
        """A new key from now on; the old one vouches for it, and its private part is removed.

        A key that others could read may be rotated away; it does not vouch then.
        """
        old: PrivateKey | None = None
        if self._private.exists():
            with suppress(ConfigError):
                old = self.signer
        new = _new_key()
        public = new.public(old)
        self._remember(public)
        _keep(self._private, new.pem(), replace=True)
        _keep(self.folder / _BEGUN, b"")
        self.__dict__.pop("signer", None)
        return public

    def known(self) -> dict[str, PublicKey]:
        """All public keys by id. Raises ``ConfigError`` for a damaged file."""
        found = {}
        for path in sorted(self._public.glob("*.json")) if self._public.is_dir() else ():
            try:
                key = PublicKey.model_validate_json(path.read_bytes())
                key.raw  # noqa: B018 - the id must be that of the bytes
            except (OSError, ValueError) as error:
                raise ConfigError(f"the public key file {str(path)!r} is damaged; remove it") from error
            found[key.key_id] = key
        return found

    def add(self, keys: dict[str, PublicKey]) -> None:
        """Take over public keys of others: certificates signed by them count as known here."""
        for key in keys.values():
            self._remember(key)

    def _remember(self, key: PublicKey) -> None:
        _keep(self._public / f"{key.key_id}.json", (key.model_dump_json(indent=2) + "\n").encode())

    def _read(self) -> PrivateKey:
        from cryptography.exceptions import UnsupportedAlgorithm
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        from cryptography.hazmat.primitives.serialization import load_pem_private_key

        try:
            key = load_pem_private_key(self._private.read_bytes(), password=None)
        except (OSError, ValueError, TypeError, UnsupportedAlgorithm) as error:
            raise ConfigError(
                f"the private key {str(self._private)!r} cannot be read ({error}); restore it, or make a new "
                "one with: factdesk keys rotate"
            ) from error
        if not isinstance(key, Ed25519PrivateKey):
            raise ConfigError(f"the private key {str(self._private)!r} is no Ed25519 key; restore the right one")
        return PrivateKey(key)


def check_private(path: Path, *, folder: bool = False) -> None:
    """Refuse a private file, or a folder of them, that is a link or open to others; one that is not
    there is fine. Raises ``ConfigError``.
    """
    what = "key folder" if folder else "private file"
    try:
        found = path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        raise ConfigError(f"the {what} {str(path)!r} cannot be looked at ({error})") from error
    if stat.S_ISLNK(found.st_mode) and not folder:
        raise ConfigError(f"the {what} {str(path)!r} is a link; put the file itself there")
    if os.name == "nt":
        return
    found = path.stat()
    mode = stat.S_IMODE(found.st_mode)
    if mode & (0o022 if folder else 0o077):
        mend = f"chmod {'700' if folder else '600'}"
        raise ConfigError(
            f"the {what} {str(path)!r} can be {'changed' if folder else 'read'} by others (mode {mode:o}); "
            f"run '{mend}' on it, and 'factdesk keys rotate' if somebody may have used it"
        )
    if found.st_uid != os.geteuid():
        raise ConfigError(f"the {what} {str(path)!r} belongs to another user; take it over")


def _new_key() -> PrivateKey:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return PrivateKey(Ed25519PrivateKey.generate())


def _keep(path: Path, data: bytes, *, replace: bool = False) -> None:
    """Write a file for the owner only, whole or not at all; without ``replace`` one that is there stays.

    Raises ``ConfigError``.
    """
    if path.exists() and not replace:
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # mode 0600
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            if replace:
                os.replace(draft, path)
            else:
                with suppress(FileExistsError):  # the first writer wins
                    os.link(draft, path)
        finally:
            Path(draft).unlink(missing_ok=True)
    except OSError as error:
        raise ConfigError(f"{str(path)!r} cannot be kept ({error}); mend the rights of its folder") from error


def to_pem(key: PublicKey) -> str:
    """The public key as PEM (SubjectPublicKeyInfo)."""
    from cryptography.hazmat.primitives import serialization as s
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    found = Ed25519PublicKey.from_public_bytes(key.raw)
    return found.public_bytes(s.Encoding.PEM, s.PublicFormat.SubjectPublicKeyInfo).decode("ascii")


def keyset(keys: dict[str, PublicKey]) -> dict[str, Any]:
    """All public keys as JSON data."""
    return {"schema_version": KEYSET_SCHEMA, "keys": [keys[i].model_dump(mode="json") for i in sorted(keys)]}


def read_keys(*paths: Path) -> dict[str, PublicKey]:
    """Public keys of PEM files, of key sets as ``factdesk keys export --all`` writes them, or of bundles.

    Raises ``InputError``.
    """
    return {name: key for path in paths for name, key in _read_key_file(path).items()}


def _read_key_file(path: Path) -> dict[str, PublicKey]:
    try:
        if path.exists() and not path.is_file():
            raise InputError(f"the key file {str(path)!r} is no regular file")
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"the key file {str(path)!r} cannot be read ({error.strerror})") from error
    if data.lstrip().startswith(b"{"):
        return _read_keyset(data, path)
    bundle = read_bundle(path)
    found = bundle.key if bundle is not None else key_of_pem(data, str(path))
    if found is None:
        raise InputError(f"the bundle {str(path)!r} has no public key; ask its maker for it")
    return {found.key_id: found}


def _read_keyset(data: bytes, path: Path) -> dict[str, PublicKey]:
    try:
        content = json.loads(data)
        keys = [PublicKey.model_validate(item) for item in content["keys"]]
        if content["schema_version"] != KEYSET_SCHEMA:
            raise ValueError(f"schema {content['schema_version']!r}")
        return {key.key_id: key for key in keys if key.raw}
    except (ValueError, KeyError, TypeError, ValidationError) as error:
        raise InputError(f"{str(path)!r} is no set of public keys ({error})") from error
