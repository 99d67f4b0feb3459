"""``factdesk history list | show | search``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import click

from factdesk.cli.common import DAY, FOUR_VERDICTS, emit_json


@click.group()
def history() -> None:
    """Look back at the certificates of earlier checks."""


def _ledger() -> Any:
    from factdesk.checker import open_ledger
    from factdesk.settings import load_settings

    return open_ledger(load_settings())


def _show(entries: Sequence[Any], as_json: bool) -> None:
    if as_json:
        emit_json([entry.model_dump(mode="json") for entry in entries])
        return
    from report.sanitize import foreign

    if not entries:
        click.echo("nothing found", err=True)
    for entry in entries:
        counts = f"{entry.verified} verified, {entry.unverified} open, {entry.blocked} refuted"
        click.echo(
            f"{entry.certificate_id}  {entry.created[:16]}  {entry.verdict}  ({counts})\n"
            f"    {foreign(entry.claim_text)[:160]}"
        )


@history.command("list")
@click.option("--limit", type=click.IntRange(1, 1000), default=20, show_default=True)
@click.option("--verdict", type=click.Choice(FOUR_VERDICTS))
@click.option("--since", type=DAY, help="Made on this day or later.")
@click.option("--json", "as_json", is_flag=True)
def list_(limit: int, verdict: Any, since: Any, as_json: bool) -> None:
    """List certificates, newest first."""
    _show(_ledger().list(limit=limit, verdict=verdict, since=since), as_json)


@history.command()
@click.argument("words", nargs=-1, required=True)
@click.option("--limit", type=click.IntRange(1, 1000), default=20, show_default=True)
@click.option("--json", "as_json", is_flag=True)
def search(words: tuple[str, ...], limit: int, as_json: bool) -> None:
    """Find certificates whose claims or evidence hold all the WORDS."""
    _show(_ledger().search(" ".join(words), limit=limit), as_json)


@history.command()
@click.argument("certificate_id")
@click.option("--mode", type=click.Choice(["strict", "mixed", "debug"]), default="strict", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="The result as `check --json` prints it.")
@click.option("--certificate", "whole", is_flag=True, help="The whole certificate, canonical JSON.")
def show(certificate_id: str, mode: Any, as_json: bool, whole: bool) -> None:
    """Show one certificate by its id or the beginning of it."""
    from factdesk.checker import Report
    from report.certificate import to_text

    certificate = _ledger().get(certificate_id)
    report = Report(certificate, mode)
    if whole:
        click.echo(to_text(certificate))
    elif as_json:
        emit_json(report.json())
    else:
        report.print(sys.stdout)
