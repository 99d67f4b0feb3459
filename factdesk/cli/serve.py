"""``factdesk serve``."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import click

from factdesk.cli.common import check_options_without, settings_from

LEFT_OUT = frozenset({"images", "image_urls", "claim_date", "as_of"})


def service_options(command: Any) -> Any:
    """The flags of ``check``, without those that belong to one claim."""
    return check_options_without(command, LEFT_OUT)


@click.command()
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="Address; any but loopback needs a token."
)
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="0: a free one.")
@click.option(
    "--token-file", type=click.Path(path_type=Path, dir_okay=False),
    help="File with the token that callers must give (or the variable FACTDESK_SERVE__TOKEN).",
)  # fmt: skip
@click.option("--queue", type=click.IntRange(1, 10_000), help="So many checks may wait (default 32).")
@service_options
def serve(host: str, port: int, token_file: Path | None, queue: int | None, **flags: Any) -> None:
    """Serve checks, reports, history and verification over HTTP, with a page for the browser.

    \b
    On this machine alone unless --host says otherwise. Stop it with Ctrl-C: the running check ends or is
    put aside, and goes on at the next start (exit code 6 when something is left). See docs/service.md.
    Example: factdesk serve --corpus news
    """
    from factdesk.kernel import Stopped
    from factdesk.service.run import serve as run

    logging.basicConfig(level=logging.WARNING, format="factdesk: %(message)s")
    settings = settings_from(flags)
    given = {"token_file": token_file, "queue": queue}
    limits = settings.serve.model_copy(update={k: v for k, v in given.items() if v is not None})
    left = run(settings.model_copy(update={"serve": limits}), host, port)
    if left:
        raise Stopped(f"stopped; {left} check(s) go on at the next start of factdesk serve")
