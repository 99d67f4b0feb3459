from __future__ import annotations

import json
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from factdesk.kernel import ConfigError, InputError
from report.certificate.keys import Keyring, keyset, read_keys, to_pem
from report.certificate.signing import PublicKey, signature_state, verified, with_endorsed


def test_the_key_is_made_on_first_use_for_its_owner_alone(tmp_path: Path) -> None:
    ring = Keyring(tmp_path / "home" / "keys")
    assert ring.known() == {}
    assert not ring.folder.exists(), "looking makes nothing"
    signer = ring.signer
    private = ring.folder / "private.pem"
    assert stat.S_IMODE(private.stat().st_mode) == 0o600
    assert Keyring(ring.folder).signer.key_id == signer.key_id
    assert list(ring.known()) == [signer.key_id]
    assert sorted(p.name for p in ring.folder.iterdir()) == ["begun", "private.pem", "public"]


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o660])
def test_a_key_that_others_can_read_is_refused(tmp_path: Path, mode: int) -> None:
    made = Keyring(tmp_path).signer.key_id
    (tmp_path / "private.pem").chmod(mode)
    for act in (lambda: Keyring(tmp_path).check(), lambda: Keyring(tmp_path).signer):
        with pytest.raises(ConfigError, match=r"can be read by others .*chmod 600"):
            act()
    rotated = Keyring(tmp_path).rotate()
    assert rotated.key_id != made
    assert rotated.endorsement is None, "somebody else may have had it, so it vouches for nothing"
    assert Keyring(tmp_path).signer.key_id == rotated.key_id


def test_all_who_start_at_once_use_one_key(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        ids = set(pool.map(lambda _: Keyring(tmp_path).signer.key_id, range(8)))
    assert len(ids) == 1
    assert set(Keyring(tmp_path).known()) == ids


def test_old_keys_verify_after_a_rotation_and_vouch_for_the_new(tmp_path: Path) -> None:
    ring = Keyring(tmp_path)
    old = ring.signer
    signature = old.sign(b"message")
    secret = (tmp_path / "private.pem").read_bytes()
    new = ring.rotate()
    known = ring.known()
    assert set(known) == {old.key_id, new.key_id}
    assert verified(known[old.key_id], b"message", signature)
    assert not verified(known[new.key_id], b"message", signature)
    assert secret not in [p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()]
    third = ring.rotate()
    first = {old.key_id: known[old.key_id]}
    assert set(with_endorsed(first, [third, new])) == {old.key_id, new.key_id, third.key_id}
    forged = third.model_copy(update={"endorsement": new.endorsement})
    assert set(with_endorsed(first, [forged, new])) == {old.key_id, new.key_id}
    stranger = Keyring(tmp_path / "other").signer.public()
    assert set(with_endorsed(first, [stranger])) == {old.key_id}


def test_keys_are_read_back_and_nothing_else_is(tmp_path: Path) -> None:
    ring = Keyring(tmp_path / "keys")
    key = ring.signer.public()
    pem, every = tmp_path / "key.pem", tmp_path / "keys.json"
    pem.write_text(to_pem(key))
    every.write_text(json.dumps(keyset(ring.known())))
    assert set(read_keys(pem)) == set(read_keys(every)) == {key.key_id}
    wrong = {**keyset(ring.known()), "keys": [{**key.model_dump(), "key_id": "0" * 64}]}
    for name, content in {
        "private": (ring.folder / "private.pem").read_text(),
        "nonsense": "hello",
        "other": json.dumps(wrong),
        "empty": "",
        "list": '{"keys": 3}',
    }.items():
        path = tmp_path / name
        path.write_text(content)
        with pytest.raises(InputError):
            read_keys(path)
    with pytest.raises(InputError, match="cannot be read"):
        read_keys(tmp_path / "absent")


def test_a_damaged_key_is_said_and_not_replaced(tmp_path: Path) -> None:
    Keyring(tmp_path).signer  # noqa: B018 - makes it
    private = tmp_path / "private.pem"
    private.write_text("not a key")
    with pytest.raises(ConfigError, match="cannot be read"):
        Keyring(tmp_path).signer  # noqa: B018
    assert private.read_text() == "not a key"
    [public] = (tmp_path / "public").iterdir()
    public.write_text("{}")
    with pytest.raises(ConfigError, match="damaged"):
        Keyring(tmp_path).known()


def test_states_of_a_signature(tmp_path: Path) -> None:
    signer = Keyring(tmp_path).signer
    keys: dict[str, PublicKey] = {signer.key_id: signer.public()}
    good = signer.sign(b"m")
    assert signature_state(signer.key_id, good, b"m", keys) == "valid"
    assert signature_state(signer.key_id, good, b"n", keys) == "invalid"
    assert signature_state(signer.key_id, good[:-3] + "B==", b"m", keys) == "invalid", "another spelling"
    assert signature_state(signer.key_id, None, b"m", keys) == "invalid"
    assert signature_state(None, good, b"m", keys) == "invalid"
    assert signature_state(None, None, b"m", keys) == "unsigned"
    assert signature_state(signer.key_id, good, b"m", {}) == "unknown_key"


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(ConfigError, match=r"private key|cannot be kept"):
        Keyring(tmp_path / "file" / "keys").signer  # noqa: B018
    assert os.listdir(tmp_path) == ["file"]


def test_a_lost_private_key_is_not_replaced_unseen(tmp_path: Path) -> None:
    lost = Keyring(tmp_path).signer.key_id
    (tmp_path / "private.pem").unlink()
    for act in (lambda: Keyring(tmp_path).check(), lambda: Keyring(tmp_path).signer):
        with pytest.raises(ConfigError, match="is gone"):
            act()
    new = Keyring(tmp_path).rotate()
    assert (new.endorsement, new.key_id == lost) == (None, False)
    assert Keyring(tmp_path).signer.key_id == new.key_id


def test_a_linked_key_and_an_open_folder_are_refused(tmp_path: Path) -> None:
    ring = Keyring(tmp_path / "keys")
    assert ring.signer
    ring.folder.chmod(0o777)
    with pytest.raises(ConfigError, match=r"can be changed by others .*chmod 700"):
        Keyring(ring.folder).check()
    ring.folder.chmod(0o700)
    private = ring.folder / "private.pem"
    private.rename(tmp_path / "elsewhere.pem")
    private.symlink_to(tmp_path / "elsewhere.pem")
    with pytest.raises(ConfigError, match="is a link"):
        Keyring(ring.folder).check()


def test_a_secret_stays_the_same_and_is_private(tmp_path: Path) -> None:
    secret = Keyring(tmp_path / "keys").secret("scores")
    assert len(secret) == 32
    assert Keyring(tmp_path / "keys").secret("scores") == secret
    assert Keyring(tmp_path / "other").secret("scores") != secret
    path = tmp_path / "keys" / "scores.secret"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o644)
    with pytest.raises(ConfigError, match="read by others"):
        Keyring(tmp_path / "keys").secret("scores")
