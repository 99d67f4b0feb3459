"""The command line. Each command is a few lines over the facade; heavy parts load inside the commands.

Data goes to stdout, progress and errors to stderr. Exit codes: 0 done, 1 ``--fail-on`` met, 2 wrong
usage, 3 bad input, 4 a backend that was asked for is not available, 5 a verification did not hold, 6
stopped and resumable.
"""

from __future__ import annotations

import atexit
import gc
import sys
from importlib import import_module
from importlib.metadata import EntryPoints, entry_points

import click

from factdesk.kernel import BackendUnavailable, FactdeskError, __version__
from factdesk.registry import load

MODULES = {
    **dict.fromkeys(("annotate", "ask", "check", "replay", "resume"), "check"),
    **dict.fromkeys(("export", "report", "verify"), "certificates"),
    **dict.fromkeys(("corpus", "snapshot"), "corpus"),
    **dict.fromkeys(("diff", "history", "keys"), "history"),
    **dict.fromkeys(("mcp", "serve"), "serve"),
    **dict.fromkeys(("demo", "doctor", "explain", "init"), "tools"),
    **{name: name for name in ("batch", "graph", "images", "trust")},
}
"""Our commands, each with its module in this folder."""
GARBAGE = 50_000
"""New objects after which cycles of garbage are searched for; Python's own 700 suits long programs."""


class Commands(click.Group):
    """Our commands, and those of installed packages (entry points ``factdesk.commands``), loaded when
    named.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of all commands, sorted."""
        del ctx
        return sorted({*MODULES, *(found.name for found in _installed())})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Our command of that name; otherwise the installed one."""
        del ctx
        if cmd_name in MODULES:
            ours: click.Command = getattr(import_module(f"{__name__}.{MODULES[cmd_name]}"), cmd_name)
            return ours
        found = next((e for e in _installed() if e.name == cmd_name), None)
        try:
            command: click.Command | None = None if found is None else load("command", found)
        except BackendUnavailable as error:
            return Unusable(cmd_name, error)
        return command


class Unusable(click.Command):
    """An installed command that cannot be loaded: it says so, and the others go on."""

    def __init__(self, name: str, why: BackendUnavailable) -> None:
        anything = click.Argument(["arguments"], nargs=-1, type=click.UNPROCESSED)
        lenient = {"ignore_unknown_options": True}
        super().__init__(name, params=[anything], help="Cannot be loaded.", context_settings=lenient)
        self._why = why

    def invoke(self, ctx: click.Context) -> None:
        """Raise why."""
        del ctx
        raise self._why


def _installed() -> EntryPoints:
    return entry_points(group="factdesk.commands")


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="factdesk")
def cli() -> None:
    """Check claims against text and image evidence; every "Verified" can be re-run by a stranger.

    \b
    Examples:
      factdesk demo
      factdesk check "The bridge reopened in May 2024." --corpus articles/
      factdesk check "The post says that 14 people were hurt." --image post.png --corpus articles/
      factdesk history list
      factdesk report ID --format html --out report.html
    """


def main() -> None:
    """Entry point: errors of ours become one sentence and their exit code. Cycles of garbage are rarely searched for
    while much is imported and little becomes garbage, and not at the end; what has to be closed is closed before.
    """
    gc.set_threshold(GARBAGE)
    atexit.register(gc.freeze)
    try:
        from factdesk.import_guard import check_origin

        check_origin()
        code = cli(standalone_mode=False)
        sys.exit(code if isinstance(code, int) else 0)
    except click.exceptions.Abort:
        click.echo("stopped.", err=True)
        sys.exit(6)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except FactdeskError as error:
        from factdesk.cli.output import tell

        tell(f"factdesk: {error}")
        sys.exit(error.exit_code)
    except MemoryError:
        click.echo(
            "factdesk: out of memory; what was certified is safe (factdesk history list). Close other "
            "programs, or give --max-pairs and --max-claims lower values",
            err=True,
        )
        sys.exit(4)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
