"""``verify`` answers for each file by itself, within bounds, whatever is in it."""

from __future__ import annotations

import json
import os
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import pytest

from factdesk.kernel import InputError
from report.certificate.canonical import MAX_TEXT
from report.certificate.keys import Keyring
from report.certificate.sealing import to_text
from report.verification.files import Known, Reruns, read_text, verify_files
from report.verification.findings import Reverified
from report.verification.integrity import verify_integrity
from tests.report.builders import make_certificate
from tests.report.forging import leaves, pattern, with_leaf

DATA: Any = json.loads(to_text(make_certificate()))


def nested(depth: int) -> Any:
    found: Any = []
    for _ in range(depth):
        found = [found]
    return found


@pytest.mark.parametrize(
    "value",
    [[], {}, ["a"], {"a": 1}, None, True, 10**400, -1.5, "\ud800", nested(50), nested(900)],
    ids=range(11),
)
def test_no_value_in_any_field_breaks_the_reader(value: Any) -> None:
    for path in {pattern(path): path for path in leaves(DATA)}.values():
        _, found = verify_integrity(json.dumps(with_leaf(DATA, path, value)), {})
        assert found.problems


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 900, "[]", "1", "", '{"body": [], "envelope": {}}'])
def test_no_text_breaks_the_reader(text: str) -> None:
    assert verify_integrity(text, {})[1].problems


def packed(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def test_a_bundle_that_unpacks_to_too_much_is_refused_before_it_is_read(tmp_path: Path) -> None:
    bomb = packed(tmp_path / "bomb.zip", {"certificate.json": b"[" * (4 * MAX_TEXT)})
    many = packed(tmp_path / "many.zip", {f"f{n}": b"" for n in range(300)})
    tracemalloc.start()
    for path in (bomb, many):
        with pytest.raises(InputError):
            read_text(path)
    assert tracemalloc.get_traced_memory()[1] < 10 * MAX_TEXT
    tracemalloc.stop()


def test_damaged_and_encrypted_bundles_fail_alone(tmp_path: Path) -> None:
    good, damaged, locked = (tmp_path / f"{name}.zip" for name in ("good", "damaged", "locked"))
    packed(good, {"certificate.json": to_text(make_certificate()).encode()})
    data = bytearray(good.read_bytes())
    data[60:90] = os.urandom(30)
    damaged.write_bytes(data)
    data = bytearray(good.read_bytes())
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    locked.write_bytes(data)
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    known = Known(allow_unsigned=True)
    found = verify_files([good, damaged, locked, fifo, Path("/dev/zero"), tmp_path / "absent"], known)
    assert [f.certificates[0].integrity.ok for f in found.files] == [True, *[False] * 5]
    assert all(f.certificates[0].integrity.problems for f in found.files[1:])
    assert not found.holds
    with pytest.raises(InputError, match="regular"):
        verify_files([fifo], known)


def test_what_is_not_intact_is_not_worked_out_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[object] = []
    monkeypatch.setattr(Reruns, "again", lambda _self, c: tried.append(c) or Reverified(ok=True))
    text = to_text(make_certificate())
    for name, content in (("altered", text.replace("0.97", "0.98", 1)), ("whole", text)):
        (tmp_path / name).write_text(content, encoding="utf-8")
    assert (tmp_path / "altered").read_text() != text
    altered, whole = verify_files([tmp_path / "altered", tmp_path / "whole"], Known(), rerun=True).files
    assert len(tried) == 1
    assert altered.certificates[0].reverified == Reverified(
        ok=False, problems=("not worked out again: its integrity does not hold",)
    )
    assert whole.certificates[0].reverified == Reverified(ok=True)


def test_a_key_from_a_pipe_is_refused(tmp_path: Path) -> None:
    from report.certificate.keys import read_keys

    os.mkfifo(tmp_path / "key")
    with pytest.raises(InputError, match="regular"):
        read_keys(tmp_path / "key")
    assert Keyring(tmp_path / "none").known() == {}
