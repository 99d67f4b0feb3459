"""``factdesk report``."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click


@click.command()
@click.argument("certificate_id", metavar="ID")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "md", "html", "json"]),
    default="text",
    show_default=True,
    help="html is one page that needs nothing else.",
)
@click.option(
    "--mode",
    type=click.Choice(["strict", "mixed", "debug"]),
    default="strict",
    show_default=True,
    help="strict shows only what is verified; mixed also what is open; debug everything.",
)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write to FILE, not to stdout.")
@click.option(
    "--image",
    "images",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A picture of the claim, for crops in the page, where it is not kept here; may be repeated.",
)
def report(certificate_id: str, form: str, mode: Any, out: Path | None, images: tuple[Path, ...]) -> None:
    """Show a certificate as a report. ID is its id, the beginning of it, or a certificate file (.json).

    \b
    Examples:
      factdesk report 3f2a91 --format html --out report.html
      factdesk report certificate.json --mode debug
    """
    from factdesk.checker import Report
    from factdesk.handout import find_certificate, write_file
    from factdesk.pictures import open_pictures
    from factdesk.settings import load_settings

    settings = load_settings()
    shown = Report(find_certificate(settings, certificate_id), mode)
    if form == "text" and out is None:
        shown.print(sys.stdout)
        return
    if form == "html":
        text = shown.html(open_pictures(shown.certificate, settings.paths.pictures, images))
    elif form == "json":
        text = json.dumps(shown.json(), ensure_ascii=False, indent=2) + "\n"
    else:
        text = shown.markdown() if form == "md" else shown.text()
    if out is None:
        click.echo(text, nl=False)
    else:
        write_file(out, text.encode("utf-8"))
