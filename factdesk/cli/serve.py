"""``factdesk serve`` and ``factdesk mcp``."""

from __future__ import annotations

import logging
from pathlib import Path

import click

from factdesk.cli.common import NEW_FILE
from factdesk.cli.options import CLAIM_FLAGS, CheckFlags, check_options
from factdesk.kernel import BackendUnavailable, Stopped, install_line


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address; any but loopback needs a token.")
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="0: a free one.")
@click.option(
    "--token-file",
    type=NEW_FILE,
    help="File with the token that callers must give (or the variable FACTDESK_SERVE__TOKEN).",
)
@click.option("--queue", type=click.IntRange(1, 10_000), help="So many checks may wait (default 32).")
@check_options(without=(*CLAIM_FLAGS, "as_of"))
def serve(host: str, port: int, token_file: Path | None, queue: int | None, flags: CheckFlags) -> None:
    """Serve checks, reports, history and verification over HTTP, with a page for the browser.

    \b
    On this machine alone unless --host says otherwise. Stop it with Ctrl-C: the running check ends or is
    put aside, and goes on at the next start (exit code 6 when something is left). See docs/service.md.
    Example: factdesk serve --corpus news
    """
    from factdesk.service.run import serve as run

    logging.basicConfig(level=logging.WARNING, format="factdesk: %(message)s")
    settings = flags.settings()
    given = {"token_file": token_file, "queue": queue}
    limits = settings.serve.model_copy(update={k: v for k, v in given.items() if v is not None})
    left = run(settings.model_copy(update={"serve": limits}), host, port)
    if left:
        raise Stopped(f"stopped; {left} check(s) go on at the next start of factdesk serve")


@click.command()
@check_options(without=(*CLAIM_FLAGS, "as_of"), also=("sources", "answer_sources"))
def mcp(flags: CheckFlags) -> None:
    """Serve checks, answers and history to an agent, by the Model Context Protocol on stdin and stdout.

    \b
    The agent that starts it gets the tools check, ask, annotate, search, verify and history. It names
    corpora, never files or models: those are set here. See docs/agents.md.
    Example: factdesk mcp --corpus news
    """
    try:
        from factdesk.mcp.server import build_server
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] != "mcp":
            raise
        raise BackendUnavailable(f"the server needs the package 'mcp'; {install_line('mcp')}") from error
    build_server(flags.settings()).run()
