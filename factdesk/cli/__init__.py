"""The command line. Each command is a few lines over the facade; heavy parts load inside the commands.

Data goes to stdout, progress and errors to stderr. Exit codes: 0 done, 1 ``--fail-on`` met, 2 wrong
usage, 3 bad input, 4 a backend that was asked for is not available, 5 a verification did not hold, 6
stopped and resumable.
"""

from __future__ import annotations

import atexit
import gc
import sys
from importlib.metadata import EntryPoints, entry_points

import click

from factdesk.cli.annotate import annotate
from factdesk.cli.ask import ask
from factdesk.cli.batch import batch
from factdesk.cli.check import check
from factdesk.cli.corpus import corpus
from factdesk.cli.export import export
from factdesk.cli.graph import graph
from factdesk.cli.history import history
from factdesk.cli.images import images
from factdesk.cli.keys import keys
from factdesk.cli.replay import diff, replay, snapshot
from factdesk.cli.report import report
from factdesk.cli.resume import resume
from factdesk.cli.serve import serve
from factdesk.cli.tools import demo, doctor, explain
from factdesk.cli.trust import trust
from factdesk.cli.verify import verify
from factdesk.kernel import __version__


class Commands(click.Group):
    """Our commands, and those of installed packages (entry points ``factdesk.commands``), loaded when
    named."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of all commands, sorted."""
        return sorted({*super().list_commands(ctx), *(found.name for found in _installed())})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Our command of that name; otherwise the installed one."""
        ours = super().get_command(ctx, cmd_name)
        if ours is not None:
            return ours
        command: click.Command | None = next((e.load() for e in _installed() if e.name == cmd_name), None)
        return command


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


for command in (
    annotate, ask, batch,
    check, corpus, demo, diff, doctor, explain, export, graph, history, images, keys, replay,
    report, resume, serve, snapshot, trust, verify,
):  # fmt: skip
    cli.add_command(command)


def main() -> None:
    """Entry point: errors of ours become one sentence and their exit code.

    At the end nothing is searched for cycles of garbage, which took a tenth of a whole check: the memory goes
    back anyway. What has to be closed is closed before.
    """
    from factdesk.kernel import FactdeskError

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
        click.echo(f"factdesk: {error}", err=True)
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
