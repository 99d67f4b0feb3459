"""``factdesk history``: list, search, show, compare, supersede, stale, head, export, import."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

import click

from factdesk.cli.common import DAY, FILE, FOUR_VERDICTS
from factdesk.cli.options import CheckFlags, check_options, setting_option
from factdesk.cli.output import check_progress, emit, json_option, show_report
from factdesk.kernel import InputError
from factdesk.settings import load_settings

if TYPE_CHECKING:
    from factdesk.certificates.history import Stale
    from report.types import LedgerEntry, Mode, State, Verdict
    from store.ledger import Ledger


@click.group()
def history() -> None:
    """Look back at the certificates of earlier checks."""


def _ledger() -> Ledger:
    from factdesk.checker import open_ledger

    return open_ledger(load_settings())


def _entries(entries: Sequence[LedgerEntry]) -> Iterator[str]:
    from report.sanitize import foreign

    if not entries:
        click.echo("nothing found", err=True)
    for entry in entries:
        if entry.doubt:
            yield f"{entry.certificate_id}  {entry.created[:16]}  not verified: {entry.doubt}"
            yield f"    {foreign(entry.claim_text)[:160]}"
            continue
        counts = f"{entry.verified} verified, {entry.unverified} open, {entry.blocked} refuted"
        marks = f"  replaces {entry.supersedes}" if entry.supersedes else ""
        marks += f"  replaced by {entry.superseded_by}" if entry.superseded_by else ""
        yield f"{entry.certificate_id}  {entry.created[:16]}  {entry.verdict}  ({counts}){marks}"
        yield f"    {foreign(entry.claim_text)[:160]}"


@history.command("list")
@click.option("--limit", type=click.IntRange(1, 1000), default=20, show_default=True)
@click.option("--verdict", type=click.Choice(FOUR_VERDICTS))
@click.option("--since", type=DAY, help="Made on this day or later.")
@click.option("--until", type=DAY, help="Made on this day or earlier.")
@click.option("--older-than", type=click.IntRange(min=1), help="Made more than so many days ago.")
@click.option("--state", type=click.Choice(["verified", "unverified", "blocked"]), help="With such a claim.")
@click.option("--key", "key_id", help="Signed by the key whose id begins so.")
@click.option("--current", "status", flag_value="current", help="Not replaced by a re-check.")
@click.option("--superseded", "status", flag_value="superseded", help="Replaced by a re-check.")
@click.option("--offset", type=click.IntRange(min=0), default=0, help="Leave out so many of the newest.")
@json_option()
def list_(
    limit: int,
    verdict: Verdict | None,
    since: date | None,
    until: date | None,
    older_than: int | None,
    state: str | None,
    key_id: str | None,
    status: Literal["current", "superseded"] | None,
    offset: int,
    as_json: bool,
) -> None:
    """List certificates, newest first."""
    if older_than is not None:
        day = (datetime.now(UTC) - timedelta(days=older_than)).date()
        until = min(until, day) if until else day
    found = _ledger().list(
        limit=limit,
        offset=offset,
        verdict=verdict,
        since=since,
        until=until,
        state=cast("State", state.upper()) if state else None,
        key_id=key_id,
        status=status,
    )
    emit(found, as_json, _entries(found))


@history.command()
@click.argument("words", nargs=-1, required=True)
@click.option("--limit", type=click.IntRange(1, 1000), default=20, show_default=True)
@json_option()
def search(words: tuple[str, ...], limit: int, as_json: bool) -> None:
    """Find certificates whose claims or evidence hold all the WORDS."""
    found = _ledger().search(" ".join(words), limit=limit)
    emit(found, as_json, _entries(found))


@history.command()
@click.argument("certificate_id")
@setting_option("mode", help=None, default="strict", show_default=True)
@json_option("The result as `check --json` prints it.")
@click.option("--certificate", "whole", is_flag=True, help="The whole certificate, canonical JSON.")
def show(certificate_id: str, mode: Mode, as_json: bool, whole: bool) -> None:
    """Show one certificate by its id or the beginning of it."""
    from factdesk.certificates.load import load_report
    from report.certificate.sealing import to_text

    report = load_report(certificate_id, load_settings(), mode)
    if report.doubt:
        click.echo(f"factdesk: not verified: {report.doubt}", err=True)
    if whole:
        click.echo(to_text(report.certificate))
    else:
        show_report(report, as_json)


@history.command()
@click.argument("before")
@click.argument("after")
@json_option()
def compare(before: str, after: str, as_json: bool) -> None:
    """Say in words what changed from certificate BEFORE to certificate AFTER."""
    from factdesk.cli.replay import compare_certificates

    compare_certificates((before, after), as_json)


@history.command()
@click.argument("certificate_id")
@check_options()
@json_option("The new result, as `check --json` prints it.")
def supersede(certificate_id: str, flags: CheckFlags, as_json: bool) -> None:
    """Check the claim of CERTIFICATE_ID again; the new certificate says which one it replaces.

    \b
    Text, dates and mode are those of the old one unless given; images must be given again, and
    corpora where they are not the ones of the settings.
    """
    from factdesk.certificates.history import check_again

    old, settings = _ledger().get(certificate_id), flags.settings()
    if "mode" not in flags.overrides:
        settings = settings.model_copy(update={"mode": old.body.mode})
    with check_progress(quiet=as_json) as progress:
        report = check_again(old, settings, progress, images=flags.images, date=flags.date, as_of=flags.as_of)
    show_report(report, as_json)


@history.command()
@click.option("--older-than", type=click.IntRange(min=1), help="Made more than so many days ago.")
@click.option("--recheck", is_flag=True, help="Check each of them again, as `supersede` does; not those with pictures.")
@json_option()
def stale(older_than: int | None, recheck: bool, as_json: bool) -> None:
    """List what wants a re-check: a cited document has changed in your corpora, or it is older than asked."""
    from factdesk.certificates.history import recheck_all, stale_entries

    settings = load_settings()
    found = stale_entries(settings, _ledger(), older_than)
    if recheck:
        with check_progress(quiet=as_json) as progress:
            found = recheck_all(found, settings, _ledger(), progress)
    emit([item.model_dump(mode="json", exclude_none=True) for item in found], as_json, _stale(found))


def _stale(found: Sequence[Stale]) -> Iterator[str]:
    for item in found:
        yield f"{item.certificate_id}  {item.created[:16]}  {'; '.join(item.reasons)}"
        if item.replaced_by is not None:
            yield f"  replaced by {item.replaced_by}: {item.verdict}"
        elif item.left is not None:
            yield f"  left as it is: {item.left}"


@history.command()
@click.option("--out", type=FILE, help="Write to this file.")
def head(out: Path | None) -> None:
    """Print the signed head: keep it elsewhere, and nobody can cut off your history unseen."""
    from factdesk.certificates.history import write_lines

    found = _ledger().head()
    if found is None:
        raise InputError("the history has no signed head yet; the next check makes one")
    write_lines([found.model_dump_json()], out)


@history.command()
@click.argument("file", type=FILE, required=False)
def export(file: Path | None) -> None:
    """Write the whole history, its head and the public keys to FILE (or stdout), one certificate a line."""
    from factdesk.certificates.history import export_lines, write_lines
    from factdesk.checker import read_ledger

    settings = load_settings()
    write_lines(export_lines(settings, read_ledger(settings)), file)


@history.command("import")
@click.argument("file", type=FILE)
@click.option(
    "--key",
    "key_files",
    multiple=True,
    type=FILE,
    help="Public key that signed it; it counts as known here from then on.",
)
@json_option()
def import_(file: Path, key_files: tuple[Path, ...], as_json: bool) -> None:
    """Take over an exported history, exactly as it was, into an empty history or one that it continues."""
    from factdesk.certificates.history import import_history

    added, whole = import_history(load_settings(), _ledger(), file, key_files)
    said = f"{added} certificate(s) taken over, {whole} in the history"
    emit({"added": added, "certificates": whole}, as_json, (said,))
