"""``factdesk ask``."""

from __future__ import annotations

from typing import Any

import click

from factdesk.cli.common import (
    ProgressLine,
    check_options_without,
    emit_report,
    settings_from,
    single_check,
    stop_on_terminate,
)

LEFT_OUT = ("images", "image_urls", "claim_date", "method", "veracity")
"""Flags of ``check`` that make no sense for a question."""


def ask_options(command: Any) -> Any:
    """The flags of ``check`` that make sense for a question, and ``--source``."""
    command = click.option(
        "--source", "sources", multiple=True,
        help="Site whose own word may stand as an answer (a newspaper you trust); may be repeated.",
    )(command)  # fmt: skip
    return check_options_without(command, LEFT_OUT)


@click.command()
@click.argument("question")
@ask_options
@click.option("--json", "as_json", is_flag=True, help="Print as JSON (docs/schemas/answer-1.json).")
@click.option("--quiet", is_flag=True, help="No progress on stderr.")
def ask(question: str, as_json: bool, quiet: bool, **flags: Any) -> None:
    """Answer QUESTION from your documents with statements that were verified, or not at all.

    \b
    One source's own word is not enough unless you name its site with --source (or `sources` in the settings).
    Example:
      factdesk ask "How much did the Tollgate Library cost?" --corpus examples/corpus
    """
    progress = ProgressLine(quiet=quiet or as_json)
    with single_check() as beside:
        try:
            from factdesk.checker import FactChecker

            checker = FactChecker(settings_from(flags), beside=beside)
            stop_on_terminate()
            report = checker.ask(question, as_of=flags["as_of"], progress=progress)
        finally:
            progress.close()
    emit_report(report, as_json)
