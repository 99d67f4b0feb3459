"""``factdesk check`` and ``factdesk ask``; with ``--claim-url`` the claim is chosen from a page's first sentences."""

from __future__ import annotations

import sys
from dataclasses import replace
from datetime import date as Date
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from factdesk.cli.common import FOUR_VERDICTS, NEW_FILE, single_check, stop_on_terminate
from factdesk.cli.options import CLAIM_FLAGS, CheckFlags, check_options
from factdesk.cli.output import check_progress, emit_report, json_option
from factdesk.kernel import InputError
from factdesk.settings import Settings

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
    type=NEW_FILE,
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
    chosen = choose_claim(flags.settings(), claim_url)
    return replace(flags, date=flags.date or chosen.date).request(chosen.text)


def _read_stdin() -> str:
    """The claim from stdin as UTF-8, whatever the terminal's encoding; a byte order mark is dropped."""
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"the claim on stdin is not UTF-8 at byte {error.start}; convert it") from error


ask_options = check_options(without=(*CLAIM_FLAGS, "method", "veracity"), also=("sources", "answer_sources"))
"""The flags of ``check`` that make sense for a question, and ``--source``."""


@click.command()
@click.argument("question")
@ask_options
@json_option("Print as JSON (docs/schemas/answer-1.json).")
@click.option("--quiet", is_flag=True, help="No progress on stderr.")
def ask(question: str, flags: CheckFlags, as_json: bool, quiet: bool) -> None:
    """Answer QUESTION from your documents with statements that were verified, or not at all.

    \b
    An answer that rests on one source is shown as that source's word. --answer-sources 2 asks for two that
    are independent, and --source SITE names sites whose own word is enough besides.

    Example:
      factdesk ask "How much did the Tollgate Library cost?" --corpus examples/corpus
    """
    request = flags.request(question, asked=True)
    with check_progress(quiet=quiet or as_json) as progress, single_check() as beside:
        from factdesk.checker import FactChecker

        checker = FactChecker(flags.settings(), beside=beside)
        stop_on_terminate()
        report = checker.run(request, progress)
    emit_report(report, as_json)


MOST = 9
"""Statements to choose from."""


class Chosen(NamedTuple):
    """A statement of a page, and the day on which the page appeared."""

    text: str
    date: Date | None


def choose_claim(settings: Settings, address: str) -> Chosen:
    """Fetch the page, show its headline and first sentences, and ask which is the claim.

    Raises ``InputError`` for a page that cannot be had.
    """
    from evidence.segmentation.spans import spans_of
    from factdesk.corpora.links import read_link
    from report.sanitize import foreign

    document = read_link(settings, address)
    texts = dict.fromkeys([document.title, *(span.text for span in spans_of(document))])
    offered = [text for text in texts if text.strip()][:MOST]
    for number, text in enumerate(offered, start=1):
        click.echo(f"{number}. {foreign(text)}", err=True)
    number = click.prompt("Which one is the claim?", type=click.IntRange(1, len(offered)), err=True)
    return Chosen(offered[number - 1], document.published)
