"""``factdesk replay``, ``factdesk diff``, ``factdesk snapshot``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from factdesk.cli.common import ProgressLine, emit_json


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the result as `check --json` does.")
@click.option("--quiet", is_flag=True, help="No progress on stderr.")
def replay(file: Path, as_json: bool, quiet: bool) -> None:
    """Run a check again from its recording FILE, without network, corpora or history.

    Exit code 5 when the certificate body is not the recorded one, 3 when the recording lacks an answer.

    \b
    Example:
      factdesk check "The bridge reopened in May." --web --record run.jsonl.zst
      factdesk replay run.jsonl.zst --json
    """
    from factdesk.rerun.replay import replay as run_again
    from factdesk.settings import load_settings
    from report.sanitize import foreign

    progress = ProgressLine(quiet=quiet or as_json)
    try:
        outcome = run_again(file, load_settings().home, progress)
    finally:
        progress.close()
    if as_json:
        emit_json(outcome.report.json())
    else:
        outcome.report.print(sys.stdout)
    sha256 = outcome.recorded.envelope.body_sha256
    if outcome.identical:
        click.echo(f"replayed: the certificate body is the recorded one ({sha256})", err=True)
        return
    click.echo(f"replayed: the certificate body is NOT the recorded one ({sha256})", err=True)
    for item in outcome.differences:
        click.echo(f"{item.part + ':':12} {foreign(item.text)}", err=True)
    raise click.exceptions.Exit(5)


@click.command()
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def diff(first: str, second: str, as_json: bool) -> None:
    """Say in words what changed from certificate A to certificate B.

    Each is an id in the history (or its beginning), a certificate as a file, or a recording.
    """
    from factdesk.certificates.load import load_certificate
    from factdesk.settings import load_settings
    from report.render.diff import compare

    settings = load_settings()
    show_comparison(compare(load_certificate(first, settings), load_certificate(second, settings)), as_json)


def show_comparison(found: Any, as_json: bool) -> None:
    """A ``report.render.diff.Comparison`` on stdout."""
    from report.sanitize import foreign

    if as_json:
        emit_json(found.model_dump(mode="json"))
        return
    if found.identical:
        click.echo("The two certificates say the same, byte for byte.")
    for item in found.differences:
        click.echo(f"{item.part + ':':12} {foreign(item.text)}")


@click.command()
@click.argument("sha256")
@click.option("--raw", is_flag=True, help="The bytes as they were fetched, to stdout.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def snapshot(sha256: str, raw: bool, as_json: bool) -> None:
    """Show the web page with this SHA256 (of its text or bytes) as it was when a certificate cited it."""
    from factdesk.check.snapshots import open_snapshots
    from factdesk.kernel import InputError
    from factdesk.settings import load_settings
    from report.sanitize import escaped

    found = open_snapshots(load_settings()).find(sha256)
    if not found:
        raise InputError(f"there is no snapshot {sha256!r}; certificates name the hash of each document")
    if len({s.document.sha256 for s in found}) > 1:
        raise InputError(f"{sha256!r} is the beginning of several hashes; give more of it")
    page = found[0]
    if raw:
        sys.stdout.buffer.write(page.body)
    elif as_json:
        emit_json({"body_sha256": page.body_sha256, **page.document.model_dump(mode="json")})
    else:
        d = page.document
        click.echo(
            f"{escaped(d.title)}\n{escaped(d.url or '')}\npublished {d.published}, read {d.retrieved}\n"
        )
        click.echo("\n".join(escaped(line) for line in d.text.split("\n")))
