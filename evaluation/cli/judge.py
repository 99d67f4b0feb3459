"""``factdesk eval sheet`` and ``agreement``: what people say."""

from __future__ import annotations

from pathlib import Path

import click

from evaluation.cli.figures import in_words
from factdesk.cli.output import emit, json_option


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--n", type=click.IntRange(min=1), default=200, show_default=True, help="Verified statements.")
@click.option("--explanations", type=click.IntRange(min=0), default=50, show_default=True)
@click.option("--seed", type=int, default=0, show_default=True)
@click.option(
    "--gold",
    type=click.Path(path_type=Path),
    help="Gold explanations: MOCHEG's table with ruling_outline, or JSON Lines with id and explanation.",
)
@click.option("--out", required=True, type=click.Path(path_type=Path, dir_okay=False), help="FILE.csv or FILE.html.")
def sheet(run: Path, n: int, explanations: int, seed: int, gold: Path | None, out: Path) -> None:
    """Export what a RUN verified, with its evidence, for people to judge.

    \b
    Give each person a copy; they fill in `rating`: yes, no or unclear, and 1 to 3 for explanations: how good they
    are, or, beside a gold explanation, how much of it they have.
    Example: factdesk eval sheet runs/examples.json --n 200 --out sheet.html
    """
    from evaluation.judging.sheets import read_gold, sheet_rows, write_sheet
    from evaluation.runs.runfile import read_run, read_traces

    found = read_run(run)
    claims = {item.id: item.claim for item in found.items}
    told = read_gold(gold) if gold is not None else {}
    rows = sheet_rows(claims, read_traces(run), n=n, explanations=explanations, seed=seed, gold=told)
    write_sheet(out, rows, f"Judging {found.key.name}")
    verified = sum(row.kind == "verified" for row in rows)
    click.echo(f"{out}: {verified} Verified statement(s), {len(rows) - verified} explanation(s)")


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@json_option()
def agreement(files: tuple[Path, ...], as_json: bool) -> None:
    """Verified precision and Krippendorff's alpha from filled sheets, one FILE a person.

    \b
    Example: factdesk eval agreement anna.csv boris.csv
    """
    from evaluation.judging.agreement import agreement as measure

    found = measure(files)
    emit(found, as_json, (f"{name:20} {in_words(value)}" for name, value in found.model_dump().items()))


COMMANDS: tuple[click.Command, ...] = (sheet, agreement)
