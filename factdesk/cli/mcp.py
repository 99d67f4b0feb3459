"""``factdesk mcp``."""

from __future__ import annotations

import click

from factdesk.cli.options import CLAIM_FLAGS, CheckFlags, check_options


@click.command()
@check_options(without=(*CLAIM_FLAGS, "as_of"), also=("sources", "answer_sources"))
def mcp(flags: CheckFlags) -> None:
    """Serve checks, answers and history to an agent, by the Model Context Protocol on stdin and stdout.

    \b
    The agent that starts it gets the tools check, ask, annotate, search, verify and history. It names
    corpora, never files or models: those are set here. See docs/agents.md.
    Example: factdesk mcp --corpus news
    """
    from factdesk.kernel import BackendUnavailable, install_line

    try:
        from factdesk.mcp.server import build_server
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] != "mcp":
            raise
        raise BackendUnavailable(f"the server needs the package 'mcp'; {install_line('mcp')}") from error
    build_server(flags.settings()).run()
