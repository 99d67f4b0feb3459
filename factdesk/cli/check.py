"""``factdesk check``."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from factdesk.cli.common import FOUR_VERDICTS, single_check, stop_on_terminate
from factdesk.cli.options import CheckFlags, check_options
from factdesk.cli.output import check_progress, emit_report, json_option

if TYPE_CHECKING:
    from factdesk.check.context import CheckRequest


@click.command()
@click.argument("text", required=False)
@check_options()
@click.option("--claim-url", metavar="LINK", help="Choose the claim from the first sentences of this page.")
@click.option("--fail-on", default="", help="Comma-separated verdicts that give exit code 1.")
@json_option("Print the result as JSON (docs/schemas/check-1.json).")
@click.option(
    "--record",
    "recording",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write all that comes from outside into this new file, for factdesk replay.",
)
@click.option("--quiet", is_flag=True, help="No progress on stderr.")
def check(
    text: str | None,
    flags: CheckFlags,
    claim_url: str | None,
    fail_on: str,
    as_json: bool,
    recording: Path | None,
    quiet: bool,
) -> None:
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
    if (text is None) == (claim_url is None):
        raise click.UsageError("give the claim as TEXT, or --claim-url LINK to choose it from a page")
    request = _request(text, claim_url, flags)
    with check_progress(quiet=quiet or as_json) as progress, single_check() as beside:
        from factdesk.checker import FactChecker

        checker = FactChecker(flags.settings(), beside=beside)
        stop_on_terminate()
        if recording is None:
            report = checker.run(request, progress)
        else:
            from factdesk.rerun.replay import record_check

            report = record_check(checker, recording, request, progress)
    emit_report(report, as_json)
    if report.verdict in wanted:
        raise click.exceptions.Exit(1)


def _request(text: str | None, claim_url: str | None, flags: CheckFlags) -> CheckRequest:
    """What is to be checked; a claim of a page was made on the day of the page unless another is given."""
    if claim_url is None:
        return flags.request(_read_stdin() if text == "-" else text or "")
    from factdesk.cli.claim_url import choose_claim

    chosen = choose_claim(flags.settings(), claim_url)
    return replace(flags, date=flags.date or chosen.date).request(chosen.text)


def _read_stdin() -> str:
    """The claim from stdin as UTF-8, whatever the terminal's encoding; a byte order mark is dropped."""
    from factdesk.kernel import InputError

    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"the claim on stdin is not UTF-8 at byte {error.start}; convert it") from error
