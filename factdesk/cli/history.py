"""``factdesk history``, ``diff``, and ``keys``, which sign the history."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, cast

import click
from annotated_types import Ge

from factdesk.cli.options import ARGUMENT, CheckFlags, Command, Group, Limit, Verdict, Yes, check_options
from factdesk.cli.output import Outcome, progress, said, tell, write_out
from factdesk.kernel import InputError
from factdesk.settings import Mode, load_settings

if TYPE_CHECKING:
    from report.certificate.keys import Keyring
    from report.types import State
    from store.ledger import Ledger


OlderThan = Annotated[int | None, Ge(1), "Made more than so many days ago."]


@click.group(cls=Group)
def history() -> None:
    """Look back at the certificates of earlier checks."""


def _ledger() -> Ledger:
    from factdesk.checker import open_ledger

    return open_ledger(load_settings())


@history.command("list")
@click.option("--current", "status", flag_value="current", help="Not replaced by a re-check.")
@click.option("--superseded", "status", flag_value="superseded", help="Replaced by a re-check.")
def list_(
    status: Literal["current", "superseded"] | None,
    limit: Limit = 20,
    verdict: Verdict | None = None,
    since: Annotated[date | None, "Made on this day or later."] = None,
    until: Annotated[date | None, "Made on this day or earlier."] = None,
    older_than: OlderThan = None,
    state: Annotated[Literal["verified", "unverified", "blocked"] | None, "With such a claim."] = None,
    key_id: Annotated[str | None, "--key", "Signed by the key whose id begins so."] = None,
    offset: Annotated[int, Ge(0), "Leave out so many of the newest."] = 0,
) -> Outcome:
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
    return Outcome(found, said("history.entries", found))


@history.command()
def search(words: tuple[str, ...], limit: Limit = 20) -> Outcome:
    """Find certificates whose claims or evidence hold all the WORDS."""
    found = _ledger().search(" ".join(words), limit=limit)
    return Outcome(found, said("history.entries", found))


@history.command()
def show(
    certificate_id: str,
    mode: Mode = "strict",
    whole: Annotated[bool, "--certificate", "The whole certificate, canonical JSON."] = False,
) -> Outcome | None:
    """Show one certificate by its id or the beginning of it."""
    from factdesk.certificates.load import load_report
    from report.certificate.sealing import to_text

    report = load_report(certificate_id, load_settings(), mode)
    if report.doubt:
        tell(f"factdesk: not verified: {report.doubt}")
    if not whole:
        return Outcome(report)
    click.echo(to_text(report.certificate))
    return None


@history.command()
def compare(before: str, after: str) -> Outcome:
    """Say in words what changed from certificate BEFORE to certificate AFTER."""
    return _compared(before, after)


@history.command()
@check_options()
def supersede(certificate_id: str, flags: CheckFlags) -> Outcome:
    """Check the claim of CERTIFICATE_ID again; the new certificate says which one it replaces.

    \b
    Text, dates and mode are those of the old one unless given; images must be given again, and
    corpora where they are not the ones of the settings.
    """
    from factdesk.certificates.history import check_again

    old, settings = _ledger().get(certificate_id), flags.settings()
    if "mode" not in flags.overrides:
        settings = settings.model_copy(update={"mode": old.body.mode})
    with progress() as line:
        report = check_again(old, settings, line.step, images=flags.images, date=flags.date, as_of=flags.as_of)
    return Outcome(report)


@history.command()
def stale(
    older_than: OlderThan = None,
    recheck: Annotated[bool, "Check each of them again, as `supersede` does; not those with pictures."] = False,
) -> Outcome:
    """List what wants a re-check: a cited document has changed in your corpora, or it is older than asked."""
    from factdesk.certificates.history import recheck_all, stale_entries

    settings = load_settings()
    found = stale_entries(settings, _ledger(), older_than)
    if recheck:
        with progress() as line:
            found = recheck_all(found, settings, _ledger(), line.step)
    return Outcome([item.model_dump(mode="json", exclude_none=True) for item in found], said("history.stale", found))


@history.command()
def head(out: Annotated[Path | None, "Write to this file."] = None) -> None:
    """Print the signed head: keep it elsewhere, and nobody can cut off your history unseen."""
    from factdesk.certificates.history import write_lines

    found = _ledger().head()
    if found is None:
        raise InputError("the history has no signed head yet; the next check makes one")
    write_lines([found.model_dump_json()], out)


@history.command()
def export(file: Annotated[Path | None, ARGUMENT] = None) -> None:
    """Write the whole history, its head and the public keys to FILE (or stdout), one certificate a line."""
    from factdesk.certificates.history import export_lines, write_lines
    from factdesk.checker import read_ledger

    settings = load_settings()
    write_lines(export_lines(settings, read_ledger(settings)), file)


@history.command("import")
def import_(
    file: Path,
    key_files: Annotated[
        tuple[Path, ...], "--key", "Public key that signed it; it counts as known here from then on."
    ] = (),
) -> Outcome:
    """Take over an exported history, exactly as it was, into an empty history or one that it continues."""
    from factdesk.certificates.history import import_history

    added, whole = import_history(load_settings(), _ledger(), file, key_files)
    said = f"{added} certificate(s) taken over, {whole} in the history"
    return Outcome({"added": added, "certificates": whole}, [said])


@click.command(cls=Command)
def diff(first: Annotated[str, {"metavar": "A"}], second: Annotated[str, {"metavar": "B"}]) -> Outcome:
    """Say in words what changed from certificate A to certificate B.

    Each is an id in the history (or its beginning), a certificate as a file, or a recording.
    """
    return _compared(first, second)


def _compared(*names: str) -> Outcome:
    """What differs between two certificates, and beside it which of them is not verified."""
    from factdesk.certificates.load import load_report
    from report.render.diff import compare

    settings = load_settings()
    reports = [load_report(name, settings) for name in names]
    for name, report in zip(names, reports, strict=True):
        if report.doubt:
            tell(f"factdesk: {name!r} is not verified: {report.doubt}")
    found = compare(*(report.certificate for report in reports))
    return Outcome(found, said("history.compared", found))


@click.group(cls=Group)
def keys() -> None:
    """Look at, hand out and renew the keys that sign your certificates."""


def _keyring() -> Keyring:
    from report.certificate.keys import Keyring

    return Keyring(load_settings().paths.keys)


@keys.command("show")
def show_keys() -> Outcome:
    """Show the key in use (made now, if there is none) and the earlier ones that still verify."""
    ring = _keyring()
    active = ring.signer.key_id
    known = ring.known()
    shown = sorted(known.values(), key=lambda k: (k.key_id != active, k.created, k.key_id))
    data = {"active": active, "keys": [known[key_id] for key_id in sorted(known)]}
    return Outcome(data, said("history.keys", shown, active))


@keys.command("export")
def export_keys(
    key_id: Annotated[str | None, ARGUMENT] = None,
    every: Annotated[bool, "--all", "All public keys as JSON, with who vouches for whom."] = False,
    out: Annotated[Path | None, "Write to this file."] = None,
) -> None:
    """Print the public key (PEM) to hand out: the one in use, or the one whose id begins with KEY_ID."""
    from report.certificate.keys import keyset, to_pem

    ring = _keyring()
    active = ring.signer.key_id
    known = ring.known()
    if every:
        text = json.dumps(keyset(known), indent=2) + "\n"
    else:
        found = [i for i in known if i.startswith(key_id or active)]
        if len(found) != 1:
            raise InputError(f"{key_id!r} is the beginning of {len(found)} key ids; factdesk keys show lists them")
        text = to_pem(known[found[0]])
    write_out(out, text)


@keys.command()
def rotate(yes: Yes = False) -> None:
    """Sign with a new key from now on. The old private key is removed, its public part goes on verifying."""
    if not yes:
        click.confirm("Make a new key and remove the old private one?", abort=True, err=True)
    made = _keyring().rotate()
    click.echo(f"{made.key_id}  in use; hand it out: factdesk keys export")
