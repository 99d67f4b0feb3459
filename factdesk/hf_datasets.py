"""Hugging Face ``datasets``: rows as documents of a corpus, and rows checked where they stand."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from factdesk.checker import FactChecker
from factdesk.kernel import BackendUnavailable, FactdeskError, InputError, install_line

if TYPE_CHECKING:
    from datasets import Dataset

Row = Mapping[str, Any]
FIELDS = ("doc_id", "title", "text", "url", "publisher", "published")
"""What a row may tell of a document; ``text`` is needed."""


def open_dataset(name: str, split: str = "train", **options: Any) -> Dataset:
    """A folder that ``save_to_disk`` wrote, or whatever ``load_dataset`` knows by that name. Raises
    ``BackendUnavailable`` without the package, ``InputError`` for what it cannot open.
    """
    try:
        import datasets
    except ImportError as error:
        raise BackendUnavailable(f"this needs the package datasets; {install_line('datasets')}") from error
    try:
        if (Path(name) / "dataset_info.json").is_file():
            return datasets.load_from_disk(name)
        return datasets.load_dataset(name, split=split, **options)
    except (OSError, ValueError) as error:
        raise InputError(f"the dataset {name!r} cannot be opened ({error}); give a saved folder or a name") from error


def json_lines(rows: Iterable[Row], **columns: str) -> Iterator[str]:
    """The rows as lines of a ``.jsonl`` file, which ``factdesk corpus add`` takes. ``columns`` name those that are
    called otherwise (``text="body"``); a row without an id is named by its place.
    """
    wanted = {field: columns.get(field, field) for field in FIELDS}
    if unknown := sorted(columns.keys() - wanted.keys()):
        raise InputError(f"a document has no field {unknown[0]!r}; known: {', '.join(FIELDS)}")
    for number, row in enumerate(rows, start=1):
        found = {field: row[name] for field, name in wanted.items() if row.get(name) is not None}
        yield json.dumps({"doc_id": f"row-{number}", **found}, ensure_ascii=False, default=str)


def checked(
    rows: Iterable[Row], checker: FactChecker | None = None, *, column: str = "claim", **settings: Any
) -> Iterator[dict[str, Any]]:
    """Each row with ``verdict``, ``shown`` (verified statements) and ``certificate_id``. A row that could not be
    checked has ``verdict`` ``None`` and the reason in ``failure``: no verdict.
    """
    desk = checker or FactChecker.from_config(**settings)
    for row in rows:
        result: dict[str, Any] = {"verdict": None, "shown": [], "certificate_id": None, "failure": None}
        try:
            found = desk.check(str(row[column])).json()
            result |= {"verdict": found["verdict"], "certificate_id": found["certificate_id"]}
            result["shown"] = [shown["text"] for shown in found["shown"]]
        except FactdeskError as error:
            result["failure"] = str(error)
        except KeyError as error:
            raise InputError(f"the rows have no column {column!r}; they have {', '.join(sorted(row))}") from error
        yield {**row, **result}
