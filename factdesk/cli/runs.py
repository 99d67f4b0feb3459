"""``factdesk replay`` and ``factdesk resume``: checks that were recorded, and checks that were stopped."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import click

from factdesk.cli.options import ARGUMENT, Command, Quiet
from factdesk.cli.output import Outcome, progress, said, tell, with_notes
from factdesk.cli.process import stop_on_terminate
from factdesk.settings import load_settings


@click.command(cls=Command)
def replay(file: Path, quiet: Quiet = False) -> Outcome:
    """Run a check again from its recording FILE, without network, corpora or history.

    Exit code 5 when the certificate body is not the recorded one, 3 when the recording lacks an answer.

    \b
    Example:
      factdesk check "The bridge reopened in May." --web --record run.jsonl.zst
      factdesk replay run.jsonl.zst --json
    """
    from factdesk.rerun.replay import replay as run_again

    with progress(quiet=quiet) as shown:
        outcome = run_again(file, load_settings().home, shown.step)
    sha256 = outcome.recorded.envelope.body_sha256
    if outcome.identical:
        tell(f"replayed: the certificate body is the recorded one ({sha256})")
    else:
        tell(f"replayed: the certificate body is NOT the recorded one ({sha256})")
        for line in said("history.differences", outcome.differences):
            tell(line)
    return Outcome(outcome.report, code=0 if outcome.identical else 5)


@click.command(cls=Command)
def resume(
    run: Annotated[str | None, ARGUMENT] = None,
    forget: Annotated[bool, "Give the run up instead of going on with it."] = False,
    quiet: Quiet = False,
) -> Outcome | None:
    """Go on with a check that was stopped or killed; without RUN, list those.

    Text, images, corpora and settings are those of the check; nothing that was answered is asked again.

    \b
    Examples:
      factdesk resume
      factdesk resume 3fa2b1
    """
    from factdesk.rerun.resume import resume_run
    from store.runs import Runs

    settings = load_settings()
    runs = Runs(settings.paths.checkpoints)
    if run is None:
        found = runs.list()
        return Outcome(found, said("history.runs", found))
    if forget:
        runs.forget(runs.find(run))
        return None
    stop_on_terminate()
    with progress(quiet=quiet) as line:
        report = resume_run(settings, run, line.step)
    return with_notes(report)
