"""``factdesk eval attacks``: every kind of attack with its honest twin."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from factdesk.cli.output import emit, json_option

if TYPE_CHECKING:
    from evaluation.attacks.strength.table import AttackTable
    from evaluation.attacks.strength.trial import Row


@click.command()
@click.option("--quick", is_flag=True, help="Only those that take few whole checks (a minute).")
@click.option("--point", "points", multiple=True, type=click.IntRange(1, 11), help="Only this kind; may be repeated.")
@click.option(
    "--page",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Write the table into this page (docs/threat-model.md), between its marks.",
)
@click.option(
    "--keep",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Keep the rows as JSON in this file, in the places of earlier ones.",
)
@json_option("Print the rows as JSON.")
def attacks(quick: bool, points: tuple[int, ...], page: Path | None, keep: Path | None, as_json: bool) -> None:
    """Try every kind of attack and its honest twin on a desk of its own, on this machine alone.

    \b
    An attack must fail, and its twin work; exit code 5 where one does not.
    Example: factdesk eval attacks --quick
    """
    from evaluation.attacks.strength.table import AttackTable, renewed, run_attacks, with_table
    from factdesk.cli.output import write_out

    found = run_attacks(quick=quick, points=points, done=lambda row: click.echo(_line(row), err=True))
    table = found
    if keep is not None and keep.exists():
        table = renewed(AttackTable.model_validate_json(keep.read_bytes()), found)
    if keep is not None:
        write_out(keep, (table.model_dump_json(indent=1) + "\n").encode())
    if page is not None:
        write_out(page, with_table(page.read_text(encoding="utf-8"), table).encode())
    emit(found, as_json, _summary(found))
    if found.failed:
        raise click.exceptions.Exit(5)


def _line(row: Row) -> str:
    outcome = "held" if row.holds else "FAILED"
    why = "; ".join(w for w in (row.attack and f"attack: {row.attack}", row.twin and f"twin: {row.twin}") if w)
    return f"{row.point:2}  {outcome:6}  {row.seconds:6.1f} s  {row.name}{f'  ({why})' if why else ''}"


def _summary(found: AttackTable) -> Iterator[str]:
    for row in found.rows:
        yield _line(row)
    yield f"{len(found.rows) - len(found.failed)} of {len(found.rows)} held, {sum(r.seconds for r in found.rows):.0f} s"


COMMANDS: tuple[click.Command, ...] = (attacks,)
