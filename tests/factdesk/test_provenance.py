"""Nothing is shown as verified but what a known key signed; everything else says why, or is refused."""

from __future__ import annotations

import csv
import io
import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from factdesk.certificates.load import load_report
from factdesk.kernel import CertificateError, InputError
from factdesk.settings import load_settings
from report.certificate.bundle_file import read_bundle
from report.certificate.keys import Keyring
from tests.factdesk.conftest import CLAIM, Run
from tests.report.forging import read, rehashed, resigned, text_of, unsigned

SHOWN = (
    ("report", "--format", "json"),
    ("report", "--format", "md"),
    ("report", "--format", "html"),
    ("report",),
)


@pytest.fixture
def home(checked_home: Path, factdesk_home: Path) -> Path:
    """The test's own home, with one certificate in its history."""
    shutil.copytree(checked_home, factdesk_home)
    return factdesk_home


@pytest.fixture
def made(run: Run, home: Path) -> Any:
    """The certificate of this home, as JSON data."""
    assert home.is_dir()
    [found] = run("history", "list", "--json").json()
    assert found["verdict"] == "supported"
    return read(run("history", "show", found["certificate_id"], "--certificate").out)


def turned(data: Any) -> Any:
    """The decision on the claim turned round."""
    data = json.loads(json.dumps(data))
    decision = data["body"]["decisions"][0]
    decision["state"], decision["label"], data["body"]["verdict"] = "BLOCKED", "contradicted", "refuted"
    return data


def kept(tmp_path: Path, data: Any) -> Path:
    path = tmp_path / "c.json"
    path.write_text(text_of(data), encoding="utf-8")
    return path


@pytest.mark.parametrize("how", [unsigned, rehashed])
def test_a_turned_decision_is_refused_everywhere(
    run: Run, made: Any, tmp_path: Path, how: Callable[[Any], Any]
) -> None:
    path = kept(tmp_path, how(turned(made)))
    for command in (*SHOWN, ("export", "--claimreview"), ("export", "--csv"), ("diff", path)):
        found = run(command[0], path, *command[1:])
        assert found.code != 0
        assert "not verified, altered" in found.err, found.err
        assert "BLOCKED" not in found.out


def test_an_unsigned_certificate_is_headed_and_shows_nothing_as_verified(run: Run, made: Any, tmp_path: Path) -> None:
    path = kept(tmp_path, unsigned(made))
    for command in SHOWN:
        out = run(command[0], path, *command[1:], "--mode", "debug").out
        assert "unsigned" in out
        assert "[VERIFIED" not in out
        assert 'class="card good"' not in out
    shown = run("report", path, "--format", "json").json()
    assert (shown["doubt"], shown["verdict"], shown["shown"]) == ("unsigned", "not_enough_evidence", [])
    for form in ("--claimreview", "--csv"):
        refused = run("export", path, form)
        assert (refused.code, refused.out) != (0, "")
        assert "unsigned" in refused.err


def test_one_of_another_desk_counts_with_its_key(
    run: Run, made: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, key = kept(tmp_path, made), tmp_path / "desk.pem"
    assert "[VERIFIED" in run("report", path).out
    assert run("export", path, "--claimreview").code == 0
    assert run("keys", "export", "--out", key).code == 0
    monkeypatch.setenv("FACTDESK_HOME", str(tmp_path / "stranger"))
    alone = run("report", path).out
    assert "signed by a key that is not known here" in alone
    assert "[VERIFIED" not in alone
    assert run("export", path, "--csv").code != 0
    assert "[VERIFIED" in run("report", path, "--key", key).out
    assert "VERIFIED" in {
        r["state"] for r in csv.DictReader(io.StringIO(run("export", path, "--csv", "--key", key).out))
    }


def test_a_signature_of_another_certificate_is_refused(made: Any, tmp_path: Path, home: Path) -> None:
    data = rehashed({**made, "body": {**made["body"], "factdesk_version": "9"}})
    with pytest.raises(CertificateError, match="altered"):
        load_report(str(kept(tmp_path, data)), load_settings())
    forged = resigned(data, Keyring(tmp_path / "own").signer)
    assert load_report(str(kept(tmp_path, forged)), load_settings()).doubt
    assert home.is_dir()


def altered_rows(home: Path, statement: str) -> None:
    """What somebody with the database does to it."""
    connection = sqlite3.connect(home / "factdesk.sqlite")
    for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        connection.execute(f'DROP TRIGGER "{name}"')
    connection.execute(statement)
    connection.commit()
    connection.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE ledger SET claim_text = 'The mayor took money.'",
        "UPDATE ledger SET verdict = 'refuted', verified = 0, blocked = 1",
        "UPDATE ledger SET certificate_json = replace(certificate_json, '6.2 million', '9.9 million')",
        "UPDATE ledger_link SET supersedes = 'abcd'",
    ],
)
def test_an_altered_row_shows_none_of_its_words_and_doctor_says_so(
    run: Run, made: Any, home: Path, statement: str
) -> None:
    [before] = run("history", "list", "--json").json()
    assert (before["doubt"], before["verdict"], before["claim_text"]) == ("", "supported", CLAIM)
    checks = {c["name"]: c for c in json.loads(run("doctor", "--json").out)["checks"]}
    assert checks["history"]["status"] == "ok"
    altered_rows(home, statement)
    [after] = run("history", "list", "--json").json()
    assert (after["doubt"], after["verdict"], after["claim_text"]) == ("altered", "not_enough_evidence", "")
    listed = run("history", "list").out
    assert "not verified: altered" in listed
    assert "mayor" not in listed
    checks = {c["name"]: c for c in json.loads(run("doctor", "--json").out)["checks"]}
    assert checks["history"]["status"] == "fail"
    assert made["envelope"]["sequence"] == 1


def test_an_unsigned_row_is_listed_as_such(run: Run, made: Any, home: Path) -> None:
    forged = unsigned(made)
    text, hashed = text_of(forged).replace("'", "''"), forged["envelope"]["envelope_sha256"]
    altered_rows(home, f"UPDATE ledger SET certificate_json = '{text}', envelope_sha256 = '{hashed}'")
    altered_rows(home, "UPDATE ledger_link SET key_id = NULL")
    [entry] = run("history", "list", "--json").json()
    assert (entry["doubt"], entry["verified"], entry["verdict"]) == ("unsigned", 0, "not_enough_evidence")
    assert "[VERIFIED" not in run("history", "show", made["envelope"]["certificate_id"]).out


def test_an_import_takes_only_what_a_known_key_signed(
    run: Run, made: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    export, key = tmp_path / "h.jsonl", tmp_path / "desk.pem"
    assert run("history", "export", export).code == 0
    assert run("keys", "export", "--out", key).code == 0
    header, line = export.read_text(encoding="utf-8").splitlines()
    headless, forged = {**json.loads(header), "head": None}, text_of(unsigned(made))
    cases = {"forged": (text_of(headless), forged), "headless": (text_of(headless), line)}
    for name, lines in cases.items():
        path = tmp_path / f"{name}.jsonl"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        monkeypatch.setenv("FACTDESK_HOME", str(tmp_path / name))
        assert run("history", "import", path, "--key", key).code != 0
        assert run("history", "list", "--json").json() == []
    monkeypatch.setenv("FACTDESK_HOME", str(tmp_path / "whole"))
    assert run("history", "import", export).code != 0
    assert run("history", "import", export, "--key", key).code == 0


def test_a_file_that_is_two_things_is_refused(run: Run, made: Any, tmp_path: Path) -> None:
    good = tmp_path / "good.zip"
    assert run("export", made["envelope"]["certificate_id"], "--bundle", good).code == 0
    forged = text_of(unsigned(turned(made))).encode()
    for number, data in enumerate((forged + good.read_bytes(), good.read_bytes() + forged, b" " + good.read_bytes())):
        path = tmp_path / f"both{number}.zip"
        path.write_bytes(data)
        assert run("verify", path).code != 0
    assert run("verify", good).code == 0
    with pytest.raises(InputError, match="alone"):
        read_bundle(tmp_path / "both0.zip")
