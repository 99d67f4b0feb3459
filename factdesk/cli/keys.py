"""``factdesk keys show | export | rotate``: the keys that sign the history."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from factdesk.cli.common import FILE
from factdesk.cli.output import emit, json_option
from factdesk.kernel import InputError
from factdesk.settings import load_settings

if TYPE_CHECKING:
    from report.certificate.keys import Keyring


@click.group()
def keys() -> None:
    """Look at, hand out and renew the keys that sign your certificates."""


def _keyring() -> Keyring:
    from report.certificate.keys import Keyring

    return Keyring(load_settings().paths.keys)


@keys.command()
@json_option()
def show(as_json: bool) -> None:
    """Show the key in use (made now, if there is none) and the earlier ones that still verify."""
    ring = _keyring()
    active = ring.signer.key_id
    known = ring.known()

    def lines() -> Iterator[str]:
        for key in sorted(known.values(), key=lambda k: (k.key_id != active, k.created, k.key_id)):
            mark = "in use" if key.key_id == active else "verifies only"
            yield f"{key.key_id}  {mark}, since {key.created or 'unknown'}"

    emit({"active": active, "keys": [known[key_id] for key_id in sorted(known)]}, as_json, lines())


@keys.command()
@click.argument("key_id", required=False)
@click.option("--all", "every", is_flag=True, help="All public keys as JSON, with who vouches for whom.")
@click.option("--out", type=FILE, help="Write to this file.")
def export(key_id: str | None, every: bool, out: Path | None) -> None:
    """Print the public key (PEM) to hand out: the one in use, or the one whose id begins with KEY_ID."""
    import json

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
    if out is None:
        click.echo(text, nl=False)
        return
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{str(out)!r} cannot be written ({error.strerror}); give another file") from error


@keys.command()
@click.option("--yes", is_flag=True, help="Do not ask.")
def rotate(yes: bool) -> None:
    """Sign with a new key from now on. The old private key is removed, its public part goes on verifying."""
    if not yes:
        click.confirm("Make a new key and remove the old private one?", abort=True, err=True)
    made = _keyring().rotate()
    click.echo(f"{made.key_id}  in use; hand it out: factdesk keys export")
