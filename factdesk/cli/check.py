"""``factdesk check``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from factdesk.cli.common import (
    FOUR_VERDICTS,
    ProgressLine,
    check_options,
    emit_report,
    settings_from,
    single_check,
    stop_on_terminate,
)

if TYPE_CHECKING:
    from agent.intake.worker_process import ParsingProcess
    from factdesk.checker import Report


@click.command()
@click.argument("text")
@check_options
@click.option("--fail-on", default="", help="Comma-separated verdicts that give exit code 1.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON (docs/schemas/check-1.json).")
@click.option(
    "--record",
    "recording",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write all that comes from outside into this new file, for factdesk replay.",
)
@click.option("--quiet", is_flag=True, help="No progress on stderr.")
def check(text: str, fail_on: str, as_json: bool, recording: Path | None, quiet: bool, **flags: Any) -> None:
    """Check a claim (TEXT, or - to read it from stdin) and certify what holds.

    \b
    Examples:
      factdesk check "The Tollgate Library cost 6.2 million pounds." --corpus examples/corpus
      factdesk check "The chart shows 341 GWh for the third quarter." --image chart.png
      echo "The bridge reopened in May." | factdesk check - --corpus news --json
    """
    wanted = {v.strip() for v in fail_on.split(",") if v.strip()}
    if unknown := sorted(wanted - set(FOUR_VERDICTS)):
        raise click.BadParameter(
            f"{unknown[0]!r} is no verdict; known: {', '.join(FOUR_VERDICTS)}", param_hint="--fail-on"
        )
    if text == "-":
        text = _read_stdin()
    progress = ProgressLine(quiet=quiet or as_json)
    with single_check() as beside:
        try:
            report = _report(text, beside, recording, progress, flags)
        finally:
            progress.close()
    emit_report(report, as_json)
    if report.verdict in wanted:
        raise click.exceptions.Exit(1)


def _report(
    text: str, beside: ParsingProcess, recording: Path | None, progress: ProgressLine, flags: dict[str, Any]
) -> Report:
    from factdesk.checker import FactChecker

    checker = FactChecker(settings_from(flags), beside=beside)
    stop_on_terminate()
    options: dict[str, Any] = {
        "images": flags["images"], "image_urls": flags["image_urls"], "date": flags["claim_date"],
        "as_of": flags["as_of"], "progress": progress,
    }  # fmt: skip
    if recording is None:
        return checker.check(text, **options)
    from factdesk.rerun.replay import record_check

    return record_check(checker, recording, text, **options)


def _read_stdin() -> str:
    """The claim from stdin as UTF-8, whatever the terminal's encoding; a byte order mark is dropped."""
    from factdesk.kernel import InputError

    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"the claim on stdin is not UTF-8 at byte {error.start}; convert it") from error
