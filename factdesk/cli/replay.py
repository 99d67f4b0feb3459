"""``factdesk replay``, ``factdesk diff``, ``factdesk snapshot``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from factdesk.cli.common import FILE
from factdesk.cli.output import check_progress, emit, json_option, show_report
from factdesk.kernel import InputError
from factdesk.settings import load_settings

if TYPE_CHECKING:
    from report.render.diff import Comparison
    from store.snapshots import Snapshot


@click.command()
@click.argument("file", type=FILE)
@json_option("Print the result as `check --json` does.")
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
    from report.sanitize import foreign

    with check_progress(quiet=quiet or as_json) as progress:
        outcome = run_again(file, load_settings().home, progress)
    show_report(outcome.report, as_json)
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
@json_option()
def diff(first: str, second: str, as_json: bool) -> None:
    """Say in words what changed from certificate A to certificate B.

    Each is an id in the history (or its beginning), a certificate as a file, or a recording.
    """
    compare_certificates((first, second), as_json)


def compare_certificates(names: tuple[str, str], as_json: bool) -> None:
    """What differs between two certificates, on stdout; on stderr which of them is not verified."""
    from factdesk.certificates.load import load_report
    from report.render.diff import compare

    settings = load_settings()
    reports = [load_report(name, settings) for name in names]
    for name, report in zip(names, reports, strict=True):
        if report.doubt:
            click.echo(f"factdesk: {name!r} is not verified: {report.doubt}", err=True)
    found = compare(*(report.certificate for report in reports))
    emit(found, as_json, _differences(found))


def _differences(found: Comparison) -> Iterator[str]:
    from report.sanitize import foreign

    if found.identical:
        yield "The two certificates say the same, byte for byte."
    for item in found.differences:
        yield f"{item.part + ':':12} {foreign(item.text)}"


@click.command()
@click.argument("sha256")
@click.option("--raw", is_flag=True, help="The bytes as they were fetched, to stdout.")
@json_option()
def snapshot(sha256: str, raw: bool, as_json: bool) -> None:
    """Show the web page with this SHA256 (of its text or bytes) as it was when a certificate cited it."""
    from factdesk.corpora.links import open_snapshots

    found = open_snapshots(load_settings()).find(sha256)
    if not found:
        raise InputError(f"there is no snapshot {sha256!r}; certificates name the hash of each document")
    if len({s.document.sha256 for s in found}) > 1:
        raise InputError(f"{sha256!r} is the beginning of several hashes; give more of it")
    page = found[0]
    if raw:
        sys.stdout.buffer.write(page.body)
        return
    emit({"body_sha256": page.body_sha256, **page.document.model_dump(mode="json")}, as_json, _page(page))


def _page(page: Snapshot) -> Iterator[str]:
    from report.sanitize import escaped

    d = page.document
    yield f"{escaped(d.title)}\n{escaped(d.url or '')}\npublished {d.published}, read {d.retrieved}\n"
    for line in d.text.split("\n"):
        yield escaped(line)
