"""``factdesk verify``: three answers on a certificate, an export or a bundle."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from factdesk.cli.common import FILE
from factdesk.cli.output import emit, json_option
from factdesk.settings import load_settings

if TYPE_CHECKING:
    from report.verification.files import Known


@click.command()
@click.argument("files", nargs=-1, required=True, type=FILE)
@click.option("--key", "key_files", multiple=True, type=FILE, help="Public key that may have signed: PEM or key set.")
@click.option("--rerun", is_flag=True, help="Run the verifier again and decide anew.")
@click.option(
    "--history", "history_file", type=FILE, help="Export to look certificates up in (default: your own history)."
)
@click.option("--head", "head_files", multiple=True, type=FILE, help="Head of the history that you kept.")
@click.option("--verifier", help="The verifier to run again (default: the shipped one).")
@click.option("--allow-unsigned", is_flag=True, help="Let certificates from before signatures pass integrity.")
@json_option()
def verify(
    files: tuple[Path, ...],
    key_files: tuple[Path, ...],
    rerun: bool,
    history_file: Path | None,
    head_files: tuple[Path, ...],
    verifier: str | None,
    allow_unsigned: bool,
    as_json: bool,
) -> None:
    """Say of certificate FILES whether integrity, completeness and (with --rerun) scores and decisions hold.

    \b
    With --key only that key counts; without, the keys of this home folder.
    Exit code 5 when an answer that was asked for does not hold or cannot be given.
    Example: factdesk verify certificate.json --key desk.pem --rerun
    """
    from report.verification.files import verify_files
    from report.verification.words import verification_lines

    known = _known(key_files, history_file, head_files, allow_unsigned=allow_unsigned)
    found = verify_files(files, known, rerun=rerun, verifier=verifier)
    emit(found, as_json, verification_lines(found))
    if not found.holds:
        raise click.exceptions.Exit(5)


def _known(
    key_files: tuple[Path, ...],
    history_file: Path | None,
    head_files: tuple[Path, ...],
    *,
    allow_unsigned: bool,
) -> Known:
    """Keys, heads and history: those that were given, else those of the home folder."""
    from factdesk.certificates.verifying import local_history
    from factdesk.checker import open_ledger
    from report.certificate.history_file import read_history
    from report.certificate.keys import Keyring, read_keys
    from report.verification.files import Known, read_head_file, read_text
    from store.location import exists

    settings = load_settings()
    keys = {i: k for path in key_files for i, k in read_keys(path).items()}
    if not key_files:
        keys = Keyring(settings.paths.keys).known()
    heads = tuple(read_head_file(path) for path in head_files)
    known = Known(keys=keys, heads=heads, allow_unsigned=allow_unsigned)
    if history_file is not None:
        return replace(known, history=read_history(read_text(history_file)), scope="export")
    if not exists(settings.store):
        return known
    history, kept = local_history(open_ledger(settings))
    return replace(known, heads=(*heads, *kept), history=history, scope="local history")
