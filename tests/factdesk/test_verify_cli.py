"""``factdesk verify``, ``keys`` and the history commands from end to end, with the shipped model."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import stat
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.factdesk.conftest import CLAIM, Run
from verifier.backends.factory import DUET, SMALL

pytestmark = pytest.mark.usefixtures("home")


def certificate(run: Run, name: str, *arguments: object) -> str:
    """Check, and write the certificate to a file; its id."""
    made: str = run("check", CLAIM, *arguments, "--json").json()["certificate_id"]
    Path(name).write_text(run("history", "show", made, "--certificate").out, encoding="utf-8")
    return made


def test_a_stranger_with_the_public_key_verifies(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    name = certificate(run, "c.json")
    assert stat.S_IMODE((home / "keys" / "private.pem").stat().st_mode) == 0o600
    assert run("keys", "export", "--out", "desk.pem").code == 0
    assert run("history", "export", "h.jsonl").code == 0
    own = run("verify", "c.json", "--rerun", "--json").json()
    assert (own["integrity"]["ok"], own["completeness"]["ok"], own["reverified"]["ok"]) == (True, True, True)
    assert (own["max_score_diff"], own["badge_mismatches"]) == (0.0, [])
    monkeypatch.setenv("FACTDESK_HOME", str(tmp_path / "stranger"))
    found = run("verify", "c.json", "--key", "desk.pem", "--rerun", "--json").json()
    assert found["integrity"]["ok"] is True
    assert found["completeness"]["ok"] is None
    assert found["reverified"]["ok"] is True
    assert run("verify", "h.jsonl", "--key", "desk.pem", "--json").json()["completeness"]["ok"] is True
    both = run("verify", "c.json", "--key", "desk.pem", "--history", "h.jsonl", "--json").json()
    assert both["completeness"]["ok"] is True
    without = run("verify", "c.json")
    assert without.code == 5
    assert "integrity     could not decide" in without.out
    assert "signed by a key you have not named" in without.out
    with zipfile.ZipFile("out.zip", "w") as archive:
        archive.write("c.json", "certificate.json")
    assert run("verify", "out.zip", "--key", "desk.pem").code == 0
    text = Path("c.json").read_text(encoding="utf-8")
    Path("c.json").write_text(text.replace(CLAIM, CLAIM.replace("6.2", "9.9"), 1), encoding="utf-8")
    broken = run("verify", "c.json", "--key", "desk.pem", "--json")
    assert broken.code == 5
    assert json.loads(broken.out)["integrity"]["ok"] is False
    assert name in broken.out
    assert run("verify", "absent.json", "--key", "desk.pem").code == 3
    assert not (tmp_path / "stranger" / "keys").exists(), "verifying makes no key"


def test_a_bundle_by_an_unknown_key_is_intact_and_still_open(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    name = certificate(run, "c.json")
    assert run("export", name, "--bundle", "check.zip").code == 0
    text = Path("c.json").read_text(encoding="utf-8")
    signature = json.loads(text)["envelope"]["signature"]
    _packed("forged.zip", "check.zip", text.replace(signature, signature[:8] + "AAAA" + signature[12:]))
    _packed("altered.zip", "check.zip", text.replace(CLAIM, CLAIM.replace("6.2", "9.9"), 1))
    monkeypatch.setenv("FACTDESK_HOME", str(tmp_path / "stranger"))
    open_ = run("verify", "check.zip")
    assert open_.code == 5
    assert "integrity     intact; signed by a key you have not named" in open_.out
    assert "(--key check.zip)" in open_.out
    found = run("verify", "check.zip", "--json")
    assert (json.loads(found.out)["integrity"]["ok"], found.code) == (None, 5)
    assert run("verify", "check.zip", "--key", "check.zip").code == 0
    for bad in ("forged.zip", "altered.zip"):
        assert "integrity     DOES NOT HOLD" in run("verify", bad).out, bad


def _packed(name: str, like: str, text: str) -> None:
    """A bundle as another, with another certificate and sums that fit it."""
    with zipfile.ZipFile(like) as old:
        files = {n: old.read(n) for n in old.namelist() if n != "SHA256SUMS"}
    files["certificate.json"] = text.encode()
    sums = "".join(f"{hashlib.sha256(data).hexdigest()}  {n}\n" for n, data in files.items())
    with zipfile.ZipFile(name, "w") as new:
        for n, data in {**files, "SHA256SUMS": sums.encode()}.items():
            new.writestr(n, data)


def test_missing_weights_are_said_and_do_not_pass(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    certificate(run, "c.json")
    found = run("verify", "c.json", "--rerun", "--verifier", "onnx:/nowhere", "--json")
    assert found.code == 5
    again = json.loads(found.out)["reverified"]
    assert again["ok"] is None
    assert "not available" in again["differences"][0]
    assert run("verify", "c.json").code == 0, "it was not asked for here"


def test_a_re_run_takes_the_shipped_verifier_that_the_certificate_names(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    certificate(run, "c.json", "--verifier", DUET)
    prints = json.loads(Path("c.json").read_text(encoding="utf-8"))["body"]["fingerprints"]
    assert f"verifier:{DUET}" in {p["name"] for p in prints}
    found = run("verify", "c.json", "--rerun", "--json").json()
    assert (found["reverified"]["ok"], found["max_score_diff"]) == (True, 0.0)
    other = run("verify", "c.json", "--rerun", "--verifier", SMALL, "--json")
    assert other.code == 5
    assert json.loads(other.out)["reverified"]["ok"] is None, "other weights cannot say"


def test_rotation_keeps_old_certificates_verifying(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    certificate(run, "old.json")
    run("keys", "export", "--out", "old.pem")
    before = run("keys", "show", "--json").json()
    assert run("keys", "rotate", "--yes").code == 0
    after = run("keys", "show", "--json").json()
    assert before["active"] != after["active"]
    assert {k["key_id"] for k in after["keys"]} == {before["active"], after["active"]}
    certificate(run, "new.json")
    assert run("verify", "old.json", "new.json", "--json").json()["integrity"]["ok"] is True
    assert run("verify", "new.json", "--key", "old.pem").code == 5
    run("history", "export", "h.jsonl")
    whole = run("verify", "h.jsonl", "--key", "old.pem", "--json").json()
    assert whole["integrity"]["ok"] is True, "the old key vouches for the new one in the export"
    assert "BEGIN PUBLIC KEY" in run("keys", "export", before["active"][:12]).out
    assert run("keys", "export", "zz").code == 3


def test_a_key_others_can_read_stops_the_check_before_the_work(run: Run, home: Path) -> None:
    run("keys", "show")
    (home / "keys" / "private.pem").chmod(0o644)
    stopped = run("check", CLAIM)
    assert stopped.code == 2
    assert "chmod 600" in stopped.err
    assert run("history", "list", "--json").json() == []


def test_recheck_compare_export_and_import(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, articles: Path, home: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    old = certificate(run, "c.json")
    changed = tmp_path / "changed" / articles.name
    shutil.copytree(articles, changed)
    for path in changed.glob("*"):
        path.write_text(path.read_text(encoding="utf-8").replace("6.2 million", "7.4 million"), encoding="utf-8")
    assert run("history", "stale", "--json").json() == []
    assert run("corpus", "add", changed).code == 0
    [stale] = run("history", "stale", "--json").json()
    assert stale["certificate_id"] == old
    assert any("has changed" in reason for reason in stale["reasons"])
    new = run("history", "supersede", old, "--json").json()["certificate_id"]
    assert run("history", "stale", "--json").json() == []
    listed = {e["certificate_id"]: e for e in run("history", "list", "--json").json()}
    assert listed[new]["supersedes"] == old
    assert listed[old]["superseded_by"] == new
    found = run("history", "compare", old, new, "--json").json()
    assert found["identical"] is False
    assert {"verdict", "statements", "evidence"} <= {d["part"] for d in found["differences"]}
    told = run("history", "compare", old, new).out
    assert "verdict:     The verdict was" in told
    assert "No longer" in told
    assert [e["certificate_id"] for e in run("history", "list", "--current", "--json").json()] == [new]
    assert run("history", "list", "--state", "blocked", "--until", "2020-01-01", "--json").json() == []
    assert run("history", "supersede", old, "--image", home / "nothing.png").code == 3
    assert run("history", "head", "--out", "head.json").code == 0
    assert run("history", "export", "h.jsonl").code == 0
    run("keys", "export", "--out", "desk.pem")
    monkeypatch.setenv("FACTDESK_HOME", str(tmp_path / "other"))
    assert run("history", "import", "h.jsonl").code == 5, "the key is not known there"
    assert run("history", "import", "h.jsonl", "--key", "desk.pem", "--json").json() == {
        "added": 2,
        "certificates": 2,
    }
    assert run("history", "export", "again.jsonl").code == 0
    assert Path("again.jsonl").read_bytes() == Path("h.jsonl").read_bytes()
    assert {e["certificate_id"]: e for e in run("history", "list", "--json").json()} == listed
    assert run("verify", "again.jsonl", "--head", "head.json").code == 0
    lines = Path("h.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    Path("cut.jsonl").write_text("".join(lines[:-1]), encoding="utf-8")
    cut = run("verify", "cut.jsonl", "--key", "desk.pem", "--json")
    assert cut.code == 5
    assert json.loads(cut.out)["completeness"]["ok"] is False
    assert run("history", "import", "cut.jsonl", "--key", "desk.pem").code == 5


def test_all_stale_ones_are_checked_again_at_once(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, articles: Path, repository: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    old = certificate(run, "c.json")
    sign = repository / "examples" / "images" / "sign.png"
    pictured = certificate(run, "p.json", "--image", sign)
    elsewhere = certificate(run, "e.json", "--corpus", articles)
    changed = tmp_path / "changed" / articles.name
    shutil.copytree(articles, changed)
    for path in changed.glob("*"):
        path.write_text(path.read_text(encoding="utf-8").replace("6.2 million", "7.4 million"), encoding="utf-8")
    assert run("corpus", "add", changed).code == 0
    listed = {e["certificate_id"] for e in run("history", "stale", "--json").json()}
    assert listed == {old, pictured, elsewhere}
    found = {e["certificate_id"]: e for e in run("history", "stale", "--recheck", "--json").json()}
    assert found.keys() == listed
    assert "--image" in found[pictured]["left"]
    assert "replaced_by" not in found[pictured]
    assert found[old]["verdict"] != "supported"
    current = {e["certificate_id"] for e in run("history", "list", "--current", "--json").json()}
    assert current == {pictured, found[old]["replaced_by"], found[elsewhere]["replaced_by"]}
    assert "left as it is" in run("history", "stale", "--recheck").out


def test_the_small_distribution_verifies_without_the_rest(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, repository: Path
) -> None:
    """The wheel, unpacked: it finds all it needs in itself, and loads nothing that it does not declare."""
    monkeypatch.chdir(tmp_path)
    certificate(run, "c.json")
    run("keys", "export", "--out", "desk.pem")
    package = repository / "packages" / "factdesk-verify"
    built = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "dist")],
        cwd=package,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert built.returncode == 0, built.stderr
    [wheel] = (tmp_path / "dist").glob("factdesk_verify-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "unpacked")
    code = (
        "import json, sys; from factdesk_verify.__main__ import main\n"
        "code = main(sys.argv[1:]); places = {m.__file__ for n, m in sys.modules.items()"
        " if n.split('.')[0] in"
        " {'factdesk', 'report', 'verifier', 'trust', 'agent', 'evidence', 'language'}}\n"
        "print(json.dumps([sorted({n.split('.')[0] for n in sys.modules}), sorted(places)])); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "c.json", "--key", "desk.pem", "--rerun", "--json"],
        env={**os.environ, "PYTHONPATH": str(tmp_path / "unpacked")},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr + done.stdout
    *answer, last = done.stdout.strip().splitlines()
    assert json.loads("\n".join(answer))["reverified"]["ok"] is True
    loaded, places = json.loads(last)
    assert all(str(tmp_path / "unpacked") in place for place in places)
    assert not set(loaded) & {
        "torch",
        "transformers",
        "sqlmodel",
        "sqlalchemy",
        "filelock",
        "pydantic_settings",
    }
    assert {"onnxruntime", "tokenizers", "numpy", "cryptography", "rfc8785", "pydantic"} <= set(loaded)
