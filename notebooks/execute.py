"""Runs the notebooks beside this file from top to bottom, each in a home of its own.

    python notebooks/execute.py                 # run them all, say what fails
    python notebooks/execute.py 1-*.ipynb       # some of them
    python notebooks/execute.py --write         # and keep the new outputs

It needs nbclient, nbformat, ipykernel and matplotlib (`pip install '.[test]'`). Times and ids, which
differ from run to run, are written as an ellipsis, so that the outputs change only when factdesk does.
"""

# ruff: noqa: T201  (a script: printing is what it is for)

from __future__ import annotations

import argparse
import os
import re
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
SECONDS = 600
"""What a cell may take, on a machine that is busy with other things."""
VARYING = (
    (re.compile(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?Z?"), "…"),  # when a certificate was made
    (re.compile(r"\b[0-9a-f]{16}\b"), "…"),  # its id
)
"""Only these are replaced; scores, verdicts and hashes stay as they came out."""


def execute(path: Path, scratch: Path) -> Any:
    """A notebook with fresh outputs. Raises ``CellExecutionError`` for the first cell that fails."""
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=SECONDS,
        kernel_name="python3",
        record_timing=False,
        coalesce_streams=True,
        startup_timeout=SECONDS,
        extra_arguments=["--log-level=40"],  # the kernel need not tell that it speaks over loopback
        resources={"metadata": {"path": str(HERE)}},
    )
    environment = {k: v for k, v in os.environ.items() if not k.upper().startswith("FACTDESK_")}
    environment |= {
        "FACTDESK_HOME": str(scratch / "home"),
        "IPYTHONDIR": str(scratch / "ipython"),
        "HF_HUB_OFFLINE": "1",
        "TQDM_DISABLE": "1",
        "PYTHONWARNINGS": "ignore:IProgress not found",
        "PYTHONPATH": os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH")))),
    }
    client.execute(env=environment)
    return notebook


def clean(notebook: Any) -> None:
    """Take out of the outputs what differs from run to run and from machine to machine."""
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for cell in notebook.cells:
        cell.metadata = {}
        for output in cell.get("outputs", []):
            if "text" in output:
                output.text = steady(output.text)
            for kind, data in output.get("data", {}).items():
                if kind.startswith("text/") and isinstance(data, str):
                    output.data[kind] = steady(data)


def steady(text: str) -> str:
    """A text with an ellipsis for each time and id."""
    for pattern, instead in VARYING:
        text = pattern.sub(instead, text)
    return text


def main(arguments: list[str]) -> int:
    """Run the notebooks that are named, or all; 1 when one fails."""
    parser = argparse.ArgumentParser(description="Run the notebooks beside this file.")
    parser.add_argument("notebooks", nargs="*", type=Path)
    parser.add_argument("--write", action="store_true", help="keep the new outputs")
    given = parser.parse_args(arguments)
    failed = 0
    for path in given.notebooks or sorted(HERE.glob("*.ipynb")):
        with TemporaryDirectory() as scratch:
            os.environ["JUPYTER_RUNTIME_DIR"] = str(Path(scratch, "runtime"))
            try:
                notebook = execute(path, Path(scratch))
            except CellExecutionError as error:
                print(f"{path.name} fails:\n{error}", file=sys.stderr)
                failed += 1
                continue
        print(f"{path.name}: every cell ran")
        if given.write:
            clean(notebook)
            nbformat.write(notebook, path)
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
