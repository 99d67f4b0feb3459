"""The import-origin guard and the doctor."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from factdesk import doctor
from factdesk import import_guard as origin
from factdesk.kernel import ConfigError
from factdesk.settings import load_settings

HEAVY = ("torch", "transformers", "sentence_transformers", "open_clip", "spacy", "onnxruntime")

SetEnvironment = Callable[..., None]


def run_python(code: str, *, cwd: Path, path: list[Path]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path))},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


def test_our_own_rooms_are_accepted() -> None:
    origin.check_origin()


@pytest.mark.parametrize("loaded", ["", "import agent; "], ids=["before import", "after import"])
@pytest.mark.parametrize("kind", ["package", "module"])
def test_a_foreign_agent_earlier_on_the_path_is_refused(
    tmp_path: Path, repository: Path, kind: str, loaded: str
) -> None:
    foreign = tmp_path / ("agent/__init__.py" if kind == "package" else "agent.py")
    foreign.parent.mkdir(exist_ok=True)
    foreign.write_text("IMPORTED = True\n", encoding="utf-8")
    code = f"{loaded}from factdesk.import_guard import check_origin; check_origin()"
    done = run_python(code, cwd=tmp_path, path=[tmp_path, repository])
    assert done.returncode != 0
    last = done.stderr.strip().splitlines()[-1]
    assert "ConfigError" in last
    assert "'agent'" in last
    assert str(tmp_path) in last
    assert str(repository / "agent") in last


def test_the_guard_imports_no_room(tmp_path: Path, repository: Path) -> None:
    code = (
        "import sys; from factdesk.import_guard import check_origin, ROOMS; check_origin(); "
        "print([m for m in ROOMS if m in sys.modules])"
    )
    assert run_python(code, cwd=tmp_path, path=[repository]).stdout.strip() == "[]"


def test_a_missing_room_is_named(tmp_path: Path, repository: Path) -> None:
    shutil.copytree(repository / "factdesk", tmp_path / "factdesk", ignore=shutil.ignore_patterns("__pycache__"))
    code = f"import sys; sys.path = [p for p in sys.path if p != {str(repository)!r}]; " + (
        "from factdesk.import_guard import check_origin, ROOMS; check_origin()"
    )
    done = run_python(code, cwd=tmp_path, path=[tmp_path])
    assert "ConfigError: package 'agent'" in done.stderr


def test_a_room_without_a_spec_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in = type(sys)("agent")
    monkeypatch.setitem(sys.modules, "agent", stand_in)
    with pytest.raises(ConfigError, match="made at run time"):
        origin.check_origin()


def test_the_examples_are_found() -> None:
    assert (origin.examples_dir() / "corpus").is_dir()


def found(report: doctor.DoctorReport, name: str) -> doctor.Check:
    [check] = [check for check in report.checks if check.name == name]
    return check


def write_model(folder: Path, key: str) -> None:
    folder.mkdir(parents=True)
    (folder / "model.onnx").write_bytes(b"weights")
    manifest = {key: {"model.onnx": hashlib.sha256(b"weights").hexdigest()}}
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")


def test_doctor_is_json_and_changes_nothing(environment: SetEnvironment, factdesk_home: Path) -> None:
    report = doctor.diagnose(load_settings())
    assert doctor.DoctorReport.model_validate_json(report.model_dump_json()) == report
    assert len({check.name for check in report.checks}) == len(report.checks)
    assert all(check.mend for check in report.checks if check.status == "fail")
    assert not factdesk_home.exists()
    for name in ("python", "import origin", "home folder", "spaCy pipeline", "reading images", "web search"):
        assert found(report, name).status == "ok", found(report, name)


@pytest.mark.parametrize(
    ("spoil", "status", "says"),
    [
        (lambda folder: None, "ok", "1 files"),
        (lambda folder: (folder / "model.onnx").write_bytes(b"other"), "fail", "model.onnx"),
        (lambda folder: (folder / "model.onnx").unlink(), "fail", "missing"),
        (lambda folder: (folder / "manifest.json").unlink(), "fail", "missing"),
        (lambda folder: (folder / "manifest.json").write_text("[]"), "fail", "no manifest"),
        (lambda folder: (folder / "manifest.json").write_text("{"), "fail", "no manifest"),
        (lambda folder: (folder / "manifest.json").write_text('{"sha256": {}}'), "fail", "no file"),
    ],
)
def test_weights_are_compared_with_their_manifest(
    environment: SetEnvironment,
    tmp_path: Path,
    spoil: Callable[[Path], object],
    status: str,
    says: str,
) -> None:
    folder = tmp_path / "my-model"
    write_model(folder, "sha256")
    spoil(folder)
    check = found(doctor.diagnose(load_settings(verifier=f"onnx:{folder}")), "verifier")
    assert (check.status, says in check.detail) == (status, True), check


def test_databases_that_do_not_open_are_told(environment: SetEnvironment, factdesk_home: Path) -> None:
    settings = load_settings()
    factdesk_home.mkdir()
    sqlite3.connect(settings.paths.database).executescript("create table t (a); pragma user_version = 7").close()
    assert "schema 7" in found(doctor.diagnose(settings), "database").detail
    settings.paths.database.write_bytes(b"this is no database " * 100)
    report = doctor.diagnose(settings)
    assert found(report, "database").status == "fail"
    assert not report.ok


def test_a_home_below_a_file_is_told(environment: SetEnvironment, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    check = found(doctor.diagnose(load_settings(home=tmp_path / "file" / "home")), "home folder")
    assert check.status == "fail"
    assert "FACTDESK_HOME" in check.mend


def test_a_missing_library_is_told(monkeypatch: pytest.MonkeyPatch, environment: SetEnvironment) -> None:
    monkeypatch.setattr(doctor, "DEFAULT_PATH", ("numpy", "no-such-library"))
    check = found(doctor.diagnose(load_settings()), "default libraries")
    assert (check.status, check.mend) == ("fail", "pip install no-such-library")


def test_models_that_are_not_there_are_no_fault(monkeypatch: pytest.MonkeyPatch, environment: SetEnvironment) -> None:
    monkeypatch.setattr(doctor, "MODELS", ("no-such-library",))
    check = found(doctor.diagnose(load_settings()), "libraries on request")
    assert (check.status, check.mend) == ("ok", "")
    assert "no-such-library not installed" in check.detail
    assert "[models]" in check.detail


def test_web_and_clip_are_told(environment: SetEnvironment, tmp_path: Path) -> None:
    report = doctor.diagnose(load_settings(web=True, clip="no/such/weights"))
    assert (found(report, "web search").status, found(report, "CLIP").status) == ("warn", "warn")
    report = doctor.diagnose(load_settings(clip=f"local-dir:{tmp_path}"))
    assert (found(report, "CLIP").status, str(tmp_path) in found(report, "CLIP").detail) == ("ok", True)


def test_settings_and_doctor_load_nothing_heavy(tmp_path: Path, repository: Path) -> None:
    code = (
        "import sys; from factdesk.settings import load_settings; from factdesk.doctor import diagnose; "
        f"diagnose(load_settings()); print([m for m in {HEAVY!r} if m in sys.modules])"
    )
    done = run_python(code, cwd=tmp_path, path=[repository])
    assert (done.stdout.strip(), done.returncode) == ("[]", 0), done.stderr
