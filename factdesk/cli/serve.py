"""``factdesk serve`` and ``factdesk mcp``."""

from __future__ import annotations

import logging
from typing import Annotated

import click
from annotated_types import Ge, Le

from factdesk.cli.options import CLAIM_FLAGS, CheckFlags, Command, NewFile, check_options
from factdesk.kernel import BackendUnavailable, Stopped, install_line


@click.command(cls=Command)
@check_options(without=(*CLAIM_FLAGS, "as_of"))
def serve(
    flags: CheckFlags,
    host: Annotated[str, "Address; any but loopback needs a token."] = "127.0.0.1",
    port: Annotated[int, Ge(0), Le(65535), "0: a free one."] = 8765,
    token_file: Annotated[
        NewFile | None, "File with the token that callers must give (or the variable FACTDESK_SERVE__TOKEN)."
    ] = None,
    queue: Annotated[int | None, Ge(1), Le(10_000), "So many checks may wait (default 32)."] = None,
    commands: Annotated[
        bool, "Answer factdesk check and ask of this user and home folder too, with the models that are loaded."
    ] = False,
) -> None:
    """Serve checks, reports, history and verification over HTTP, with a page for the browser.

    \b
    On this machine alone unless --host says otherwise. Stop it with Ctrl-C: the running check ends or is
    put aside, and goes on at the next start (exit code 6 when something is left). See docs/service.md.
    Example: factdesk serve --corpus news --commands
    """
    from factdesk.service.run import serve as run

    logging.basicConfig(level=logging.WARNING, format="factdesk: %(message)s")
    settings = flags.settings()
    given = {"token_file": token_file, "queue": queue}
    limits = settings.serve.model_copy(update={k: v for k, v in given.items() if v is not None})
    left = run(settings.model_copy(update={"serve": limits}), host, port, commands=commands)
    if left:
        raise Stopped(f"stopped; {left} check(s) go on at the next start of factdesk serve")


@click.command(cls=Command)
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
