"""``factdesk ask``."""

from __future__ import annotations

import click

from factdesk.cli.common import single_check, stop_on_terminate
from factdesk.cli.options import CLAIM_FLAGS, CheckFlags, check_options
from factdesk.cli.output import check_progress, emit_report, json_option

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
