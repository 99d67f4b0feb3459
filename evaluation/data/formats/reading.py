"""Reading the files of the formats: JSON, JSON Lines and tables, gzip where the name ends in ``.gz``."""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO

from evaluation.data.formats.types import EvalLabel, EvalRow
from factdesk.kernel import InputError

JsonRow = Mapping[str, Any]
FIELD_LIMIT = 10_000_000
"""Characters of one field of a table."""


def open_text(path: Path) -> TextIO:
    """A text file, unpacked. Raises ``InputError``."""
    try:
        if path.suffix == ".gz":
            return gzip.open(path, "rt", encoding="utf-8-sig", newline="")
        return path.open(encoding="utf-8-sig", newline="")
    except OSError as error:
        raise InputError(f"{str(path)!r} cannot be read ({error.strerror})") from error


def json_rows(path: Path) -> Iterator[tuple[int, JsonRow]]:
    """Objects of a JSON list or of JSON Lines, numbered from 1.

    Raises ``InputError`` with the line's number for what is no object.
    """
    with open_text(path) as file:
        try:
            first = file.read(1)
            while first.isspace():
                first = file.read(1)
            if first == "[":
                for number, row in enumerate(json.loads(first + file.read()), 1):
                    yield number, _object(path, number, row)
                return
            for number, line in enumerate(_lines(first, file), 1):
                if line.strip():
                    yield number, _object(path, number, json.loads(line))
        except (ValueError, RecursionError, EOFError, OSError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(f"{path.name} is neither JSON Lines nor a JSON list ({error})") from error


def _lines(first: str, file: TextIO) -> Iterator[str]:
    if first:
        yield first + file.readline()
    yield from file


def _object(path: Path, number: int, row: object) -> JsonRow:
    if not isinstance(row, dict):
        raise InputError(f"{path.name} entry {number} is no JSON object but {type(row).__name__}")
    return row


def table_rows(path: Path, *, columns: Sequence[str] | None = None) -> Iterator[tuple[int, JsonRow]]:
    """Rows of a table (``.tsv``: tabs, else commas), numbered by record from 1.

    ``columns``: their names where the file has no header; otherwise the header's. Raises ``InputError``.
    """
    tabs = path.name.removesuffix(".gz").endswith(".tsv")
    csv.field_size_limit(FIELD_LIMIT)
    with open_text(path) as file:
        try:
            if tabs:
                reader = csv.DictReader(file, columns, delimiter="\t", quoting=csv.QUOTE_NONE)
            else:
                reader = csv.DictReader(file, columns)
            yield from enumerate(reader, 1)
        except (csv.Error, UnicodeDecodeError, EOFError) as error:
            raise InputError(f"{path.name} cannot be read as a table ({error})") from error


def any_rows(path: Path) -> Iterator[tuple[int, JsonRow]]:
    """Rows of a ``.csv`` or ``.tsv`` with a header, or of JSON."""
    name = path.name.removesuffix(".gz")
    return table_rows(path) if name.endswith((".csv", ".tsv")) else json_rows(path)


def first_rows(
    path: Path,
    limit: int | None,
    make: Callable[[JsonRow, int], EvalRow | None],
    *keys: str,
    read: Callable[[Path], Iterator[tuple[int, JsonRow]]] = json_rows,
) -> tuple[EvalRow, ...]:
    """What ``make`` makes of the rows that have these keys, the first ``limit``; a row of ``None`` is left out.

    Raises ``InputError`` for a row that lacks a key.
    """
    found: list[EvalRow] = []
    for number, row in read(path):
        if limit is not None and len(found) >= limit:
            break
        need(row, path, number, *keys)
        made = make(row, number)
        if made is not None:
            found.append(made)
    return tuple(found)


def need(row: JsonRow, path: Path, number: int, *keys: str) -> None:
    """Raises ``InputError`` naming the first of ``keys`` that the row lacks."""
    missing = next((k for k in keys if row.get(k) is None), None)
    if missing is not None:
        raise InputError(f"{path.name} entry {number} has no {missing!r}; it needs {', '.join(keys)}")


def label_of(value: object, known: Mapping[str, EvalLabel], path: Path, number: int) -> EvalLabel:
    """The label that a format's own word stands for, in any case. Raises ``InputError`` for another word."""
    found = known.get(str(value).strip().casefold())
    if found is None:
        raise InputError(f"{path.name} entry {number}: label {value!r} is none of {', '.join(sorted(known))}")
    return found


def digest(paths: Sequence[Path]) -> str:
    """Hex SHA-256 over names and bytes of files; of folders, over names and sizes of what lies in them."""
    total = hashlib.sha256()
    for path in paths:
        if path.is_dir():
            for found in sorted(p for p in path.rglob("*") if p.is_file()):
                total.update(f"{found.relative_to(path).as_posix()} {found.stat().st_size}\n".encode())
            continue
        try:
            with path.open("rb") as file:
                total.update(hashlib.file_digest(file, "sha256").digest())
        except OSError as error:
            raise InputError(f"{str(path)!r} cannot be read ({error.strerror})") from error
    return total.hexdigest()


def companion(companions: Sequence[Path], what: str, *, folder: bool) -> Path | None:
    """The first companion that is a folder, or a file; raises ``InputError`` for one that is not there."""
    for path in companions:
        if not path.exists():
            raise InputError(f"there is no {str(path)!r}; give {what} with --with")
    return next((p for p in companions if p.is_dir() == folder), None)
