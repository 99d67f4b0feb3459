"""Every command of docs/evaluation.md exists with its arguments, and the tables there are complete."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from evaluation.ablations.ablate import AXES
from evaluation.data.formats.registry import FORMATS
from evaluation.runs.errors import CLASSES
from factdesk.cli import cli

PAGE = Path(__file__).resolve().parents[2] / "docs" / "evaluation.md"
TEXT = PAGE.read_text(encoding="utf-8")
COMMANDS = [
    line for block in re.findall(r"```sh\n(.*?)```", TEXT, re.DOTALL) for line in block.splitlines() if line.strip()
]


@pytest.mark.parametrize("line", COMMANDS)
def test_commands_exist(line: str) -> None:
    words = shlex.split(line)
    assert words[0] == "factdesk"
    command: click.Command = cli
    context = click.Context(cli, info_name="factdesk")
    rest = words[1:]
    while isinstance(command, click.Group):
        found = command.get_command(context, rest[0])
        assert found is not None, rest[0]
        command, rest = found, rest[1:]
    made = command.make_context(command.name, rest)
    if "name" in made.params and command.name in ("run", "ablate", "baselines"):
        assert made.params["name"] in FORMATS


def test_the_page_names_everything() -> None:
    assert len(COMMANDS) > 12
    for name in (*FORMATS, *AXES):
        assert f"| `{name}` |" in TEXT, name
    for name in CLASSES:
        assert name in TEXT.replace("\n", " "), name
    assert max(map(len, TEXT.splitlines())) < 300
