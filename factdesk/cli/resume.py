"""``factdesk resume``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from factdesk.cli.common import ProgressLine, emit_json, emit_report, stop_on_terminate

if TYPE_CHECKING:
    from store.runs import Runs


@click.command()
@click.argument("run", required=False)
@click.option("--forget", is_flag=True, help="Give the run up instead of going on with it.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as `check --json` does.")
@click.option("--quiet", is_flag=True, help="No progress on stderr.")
def resume(run: str | None, forget: bool, as_json: bool, quiet: bool) -> None:
    """Go on with a check that was stopped or killed; without RUN, list those.

    Text, images, corpora and settings are those of the check; nothing that was answered is asked again.

    \b
    Examples:
      factdesk resume
      factdesk resume 3fa2b1
    """
    from factdesk.rerun.resume import resume_run
    from factdesk.settings import load_settings
    from store.runs import Runs

    settings = load_settings()
    runs = Runs(settings.paths.checkpoints)
    if run is None:
        _show(runs, as_json)
        return
    if forget:
        runs.forget(runs.find(run))
        return
    stop_on_terminate()
    progress = ProgressLine(quiet=quiet or as_json)
    try:
        report = resume_run(settings, run, progress)
    finally:
        progress.close()
    emit_report(report, as_json)


def _show(runs: Runs, as_json: bool) -> None:
    from report.sanitize import foreign

    found = runs.list()
    if as_json:
        emit_json([info.model_dump(mode="json") for info in found])
        return
    if not found:
        click.echo("no run was stopped", err=True)
    for info in found:
        state = "still going on" if info.running else "stopped"
        pictures = f", {info.images} image(s)" if info.images else ""
        click.echo(f"{info.run_id}  {info.created[:16]}  {info.method}{pictures}  ({state})")
        click.echo(f"    {foreign(info.text)[:160]}")
