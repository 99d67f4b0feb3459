"""The page of commands, made from the commands: ``python -m factdesk.cli.page > docs/commands.md``."""

from __future__ import annotations

from collections.abc import Iterator

import click

from factdesk.cli import cli

HEAD = """# Commands

Made by `python -m factdesk.cli.page`; `tests/docs` holds it to the code. Options and examples: `--help`
after a command.

| command | what it does |
|---|---|"""


def page() -> str:
    """Every command with what it does, as Markdown."""
    return "\n".join([HEAD, *_rows(cli, click.Context(cli, info_name="factdesk"))]) + "\n"


def _rows(group: click.Group, context: click.Context) -> Iterator[str]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is None:
            continue
        inner = click.Context(command, info_name=name, parent=context)
        arguments = [p.make_metavar(inner) for p in command.params if isinstance(p, click.Argument)]
        words = " ".join([inner.command_path.removeprefix(context.find_root().command_path), *arguments])
        yield f"| `factdesk{words}` | {command.get_short_help_str(160)} |"
        if isinstance(command, click.Group):
            yield from _rows(command, inner)


if __name__ == "__main__":
    click.echo(page(), nl=False)
