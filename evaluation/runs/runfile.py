"""Runs as files: ``RUN.json`` with figures and items, and ``RUN.traces.jsonl.gz`` with what they came from.

While a run goes on, each claim is one line of ``RUN.json.part``. A run that was stopped goes on from there
when it is begun again with the same data, settings and models, and is refused otherwise.
"""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from evaluation.data.outcome import EvalItem, Trace
from evaluation.metrics.figures import EvalFigures
from factdesk.kernel import Fingerprint, InputError, Record

RUN_SCHEMA = "factdesk.eval-run/1"


class RunKey(Record):
    """What a run is made of: two runs with the same key give the same verdicts."""

    format: str
    name: str
    """Of the file, without folders."""
    data_sha256: str
    evidence: str
    limit: int | None
    binary: bool
    settings: dict[str, Any]
    """As a certificate records them."""
    thresholds: dict[str, Any]
    """In force, the verifier's own included."""
    score_cache: bool
    """Scores kept from earlier checks make seconds meaningless; every score is the same."""
    corpus: tuple[str, ...]
    """Names of corpora."""
    corpus_sha256: str
    """Over ids and hashes of all their documents."""
    verifier: Fingerprint
    variant: str = ""
    """Of an ablation; ``""``: as shipped."""
    factdesk_version: str


class EvalRun(Record):
    """A finished run."""

    schema_version: str = RUN_SCHEMA
    key: RunKey
    fingerprint: dict[str, str]
    """sha256 (or version) of every model, index and rule set, by name."""
    created: str
    """ISO 8601 UTC."""
    skipped: dict[str, int]
    figures: EvalFigures
    extra: dict[str, Any]
    """Figures of this format alone (AVeriTeC, RAGTruth)."""
    items: tuple[EvalItem, ...]


def traces_path(path: Path) -> Path:
    """Where the traces of ``RUN.json`` stand."""
    return path.with_name(f"{path.name.removesuffix('.json')}.traces.jsonl.gz")


class Part:
    """A run that goes on: lines are written through to the disk, one a claim.

    Raises ``InputError`` when the file belongs to another run.
    """

    def __init__(self, path: Path, key: RunKey) -> None:
        self.path = path.with_name(f"{path.name}.part")
        self.done: dict[str, EvalItem] = {}
        self.fingerprint: dict[str, str] = {}
        if self.path.exists():
            self._take_up(key)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._write({"key": key.model_dump(mode="json")})

    def _take_up(self, key: RunKey) -> None:
        good = 0
        with self.path.open("rb") as file:
            for number, line in enumerate(file):
                try:
                    row = json.loads(line)
                    if number == 0:
                        found = RunKey.model_validate(row["key"])
                    else:
                        item = EvalItem.model_validate(row["item"])
                        self.done[item.id] = item
                        self.fingerprint = row["fingerprint"]
                except (ValueError, KeyError, TypeError):
                    if number == 0:
                        raise InputError(f"{self.path.name} is damaged; remove it and begin anew") from None
                    break  # torn off when the process was stopped: the claim is checked again
                if number == 0 and found != key:
                    raise InputError(
                        f"{self.path.name} belongs to a run with other {_differing(found, key)}; "
                        "remove it, or name another file with --out"
                    )
                good += len(line)
        os.truncate(self.path, good)

    def add(self, item: EvalItem, trace: Trace, fingerprint: dict[str, str]) -> None:
        """One more claim is done."""
        self.done[item.id] = item
        self.fingerprint = fingerprint
        self._write(
            {"item": item.model_dump(mode="json"), "fingerprint": fingerprint, "trace": trace.model_dump(mode="json")}
        )

    def traces(self) -> Iterator[str]:
        """The trace of each claim as JSON, in the order in which they were done."""
        with self.path.open(encoding="utf-8") as file:
            next(file)
            for line in file:
                yield json.dumps(json.loads(line)["trace"], ensure_ascii=False)

    def _write(self, row: dict[str, Any]) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def finish(self, path: Path, run: EvalRun) -> None:
        """Write the run and its traces, then remove the part."""
        traces = traces_path(path)
        with gzip.open(f"{traces}.new", "wt", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in self.traces())
        Path(f"{traces}.new").replace(traces)
        write_json(path, run.model_dump(mode="json"))
        self.path.unlink()


def _differing(a: RunKey, b: RunKey) -> str:
    names = [name for name in RunKey.model_fields if getattr(a, name) != getattr(b, name)]
    return ", ".join(names)


def write_json(path: Path, data: Any) -> None:
    """One JSON document, put in its place at once. Raises ``InputError`` where it cannot be written."""
    fresh = path.with_name(f"{path.name}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        fresh.replace(path)
    except OSError as error:
        raise InputError(f"{str(path)!r} cannot be written ({error.strerror})") from error


def read_run(path: Path) -> EvalRun:
    """A finished run. Raises ``InputError`` for a file that is none."""
    try:
        return EvalRun.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        why = error.strerror if isinstance(error, OSError) else f"{error.error_count()} field(s) do not fit"
        raise InputError(f"{str(path)!r} is no finished run ({why}); factdesk eval run makes one with --out") from error


def read_traces(path: Path) -> dict[str, Trace]:
    """The traces of a run by the claims' ids. Raises ``InputError`` where they are missing or damaged."""
    file = traces_path(path)
    try:
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            found = [Trace.model_validate_json(line) for line in lines]
    except (OSError, EOFError, ValueError) as error:
        raise InputError(
            f"the traces {file.name!r} of the run cannot be read ({type(error).__name__}); "
            "they stand beside it, and factdesk eval run makes them"
        ) from error
    return {trace.id: trace for trace in found}
