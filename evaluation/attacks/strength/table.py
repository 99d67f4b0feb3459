"""All attacks on one desk, and the table of what held and what failed."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from evaluation.attacks.strength import documents, flooding, forged, local, network, planted, unseen
from evaluation.attacks.strength.trial import Check, Desk, Row, Trial
from factdesk.kernel import FactdeskError, InputError, Record

TRIALS: tuple[Trial, ...] = tuple(
    sorted(
        (t for part in (flooding, unseen, planted, forged, documents, local, network) for t in part.TRIALS),
        key=lambda t: t.point,
    )
)
BEGIN, END = "<!-- strength: begin -->", "<!-- strength: end -->"
BROKEN = (FactdeskError, ArithmeticError, LookupError, OSError, RecursionError, TypeError, ValueError)
"""What a product that does not hold may raise: the trial has failed then."""


class AttackTable(Record):
    """The rows of a run, by point."""

    rows: tuple[Row, ...]

    @property
    def failed(self) -> tuple[Row, ...]:
        """Rows that do not hold."""
        return tuple(row for row in self.rows if not row.holds)


def run_attacks(
    *, quick: bool = False, points: Sequence[int] = (), done: Callable[[Row], None] = lambda _row: None
) -> AttackTable:
    """Try every attack and its twin on a desk of its own, in a folder that is removed afterwards."""
    chosen = [t for t in TRIALS if (t.quick or not quick) and (not points or t.point in points)]
    folder = Path(tempfile.mkdtemp(prefix="factdesk-attacks-"))
    try:
        desk, rows = Desk(folder), []
        for trial in chosen:
            rows.append(_row(trial, desk))
            done(rows[-1])
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return AttackTable(rows=tuple(rows))


def _row(trial: Trial, desk: Desk) -> Row:
    start = time.monotonic()
    attack, twin = _outcome(trial.attack, desk), _outcome(trial.twin, desk)
    seconds = round(time.monotonic() - start, 1)
    return Row(point=trial.point, name=trial.name, attack=attack, twin=twin, seconds=seconds)


def _outcome(check: Check, desk: Desk) -> str:
    try:
        return check(desk)
    except BROKEN as error:
        return f"{type(error).__name__}: {error}"[:200]


def renewed(kept: AttackTable, found: AttackTable) -> AttackTable:
    """Kept rows with those of a new run in their places; rows of trials that are gone are left out."""
    rows = {(row.point, row.name): row for row in (*kept.rows, *found.rows)}
    return AttackTable(rows=tuple(rows[key] for t in TRIALS if (key := (t.point, t.name)) in rows))


def markdown(table: AttackTable) -> str:
    """The rows as a table of the page."""
    lines = ["| point | attack | the attack | its honest twin | seconds |", "|---|---|---|---|---|"]
    for row in table.rows:
        attack, twin = row.attack or "fails", row.twin or "works"
        marks = ("fails" if not row.attack else f"**{attack}**", "works" if not row.twin else f"**{twin}**")
        lines.append(f"| {row.point} | {row.name} | {marks[0]} | {marks[1]} | {row.seconds} |")
    held = sum(row.holds for row in table.rows)
    known = f"{len(table.rows)} of the {len(TRIALS)} attacks that the command knows are in this table"
    return "\n".join([*lines, "", f"{known}; {held} hold."])


def with_table(page: str, table: AttackTable) -> str:
    """The page with the table between its marks. Raises ``InputError`` where it has none."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise InputError(f"the page has no place for the table; it stands between {BEGIN!r} and {END!r}")
    return f"{before}{BEGIN}\n{markdown(table)}\n{END}{after}"
