"""``factdesk resume``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from factdesk.cli.common import stop_on_terminate
from factdesk.cli.output import check_progress, emit, emit_report, json_option
from factdesk.settings import load_settings

if TYPE_CHECKING:
    from store.runs import RunInfo


@click.command()
@click.argument("run", required=False)
@click.option("--forget", is_flag=True, help="Give the run up instead of going on with it.")
@json_option("Print the result as `check --json` does.")
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
    from store.runs import Runs

    settings = load_settings()
    runs = Runs(settings.paths.checkpoints)
    if run is None:
        found = runs.list()
        emit(found, as_json, _listed(found))
        return
    if forget:
        runs.forget(runs.find(run))
        return
    stop_on_terminate()
    with check_progress(quiet=quiet or as_json) as progress:
        report = resume_run(settings, run, progress)
    emit_report(report, as_json)


def _listed(found: Sequence[RunInfo]) -> Iterator[str]:
    from report.sanitize import foreign

    if not found:
        click.echo("no run was stopped", err=True)
    for info in found:
        state = "still going on" if info.running else "stopped"
        pictures = f", {info.images} image(s)" if info.images else ""
        yield f"{info.run_id}  {info.created[:16]}  {info.method}{pictures}  ({state})"
        yield f"    {foreign(info.text)[:160]}"
