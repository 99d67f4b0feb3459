"""``factdesk report``."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from factdesk.cli.common import FILE, NEW_FILE
from factdesk.cli.options import setting_option
from factdesk.cli.output import write_out
from factdesk.kernel import BackendUnavailable, CertificateError
from factdesk.settings import Settings, load_settings

if TYPE_CHECKING:
    from factdesk.checker import Report
    from report.types import Mode


@click.command()
@click.argument("certificate_id", metavar="ID")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "md", "html", "json", "pdf"]),
    default="text",
    show_default=True,
    help="html is one page that needs nothing else; pdf is that page, printed by a browser here.",
)
@setting_option(
    "mode",
    default="strict",
    show_default=True,
    help="strict shows only what is verified; mixed also what is open; debug everything.",
)
@click.option(
    "--prose",
    is_flag=True,
    help="Also write the verified statements as text, each sentence verified again (text, md, json).",
)
@click.option("--out", type=NEW_FILE, help="Write to FILE, not to stdout.")
@click.option(
    "--image",
    "images",
    multiple=True,
    type=FILE,
    help="A picture of the claim, for crops in the page, where it is not kept here; may be repeated.",
)
@click.option(
    "--key", "key_files", multiple=True, type=FILE, help="Public key of somebody else who made it; may be repeated."
)
def report(
    certificate_id: str,
    form: str,
    mode: Mode,
    prose: bool,
    out: Path | None,
    images: tuple[Path, ...],
    key_files: tuple[Path, ...],
) -> None:
    """Show a certificate as a report. ID is its id, the beginning of it, or a certificate file (.json).

    One that no known key signed is headed "not verified", and nothing in it is shown as verified.

    \b
    Examples:
      factdesk report 3f2a91 --format html --out report.html
      factdesk report certificate.json --mode debug
    """
    from factdesk.certificates.load import load_report
    from factdesk.images.submitted import shown_pictures

    if prose and form in ("html", "pdf"):
        raise click.UsageError("--prose goes with text, md and json: the page reads the certificate alone")
    settings = load_settings()
    shown = load_report(certificate_id, settings, mode, key_files)
    if prose:
        text = _with_prose(shown, settings, form)
        click.echo(text, nl=False) if out is None else write_out(out, text.encode("utf-8"))
        return
    if form == "text" and out is None:
        shown.print(sys.stdout)
        return
    if form == "pdf":
        if out is None:
            raise click.UsageError("--format pdf needs --out FILE")
        pictures = shown_pictures(settings, shown.certificate, images)
        write_out(out, print_pdf(shown.html(pictures)))
        return
    if form == "html":
        text = shown.html(shown_pictures(settings, shown.certificate, images))
    elif form == "json":
        text = json.dumps(shown.json(), ensure_ascii=False, indent=2) + "\n"
    else:
        text = shown.markdown() if form == "md" else shown.text()
    if out is None:
        click.echo(text, nl=False)
    else:
        write_out(out, text.encode("utf-8"))


def _with_prose(shown: Report, settings: Settings, form: str) -> str:
    """The report with its prose before it, or beside it in JSON."""
    from report.render.markdown import plain
    from report.render.narrative import write_prose
    from report.sanitize import foreign
    from verifier.backends.factory import make_verifier

    if shown.doubt:
        raise CertificateError(f"no prose is written from a certificate that is {shown.doubt}")
    found = write_prose(shown.certificate, make_verifier(settings.verifier, strict=False))
    if form == "json":
        data = {**shown.json(), "prose": found.model_dump(mode="json")}
        return json.dumps(data, ensure_ascii=False, indent=2) + "\n"
    words = found.text or "Nothing was verified that could be written down."
    note = f"Written from certificate {found.certificate_id}; each sentence verified again."
    if form == "md":
        return f"{plain(words)}\n\n*{plain(note)}*\n\n{shown.markdown()}"
    return f"{foreign(words, 20_000)}\n{foreign(note)}\n\n{shown.text()}"


BROWSERS = (
    *("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge", "msedge"),
    "chrome",
)
SECONDS = 120


def print_pdf(page: str) -> bytes:
    """The bytes of the page as PDF, its evidence opened.

    Raises ``BackendUnavailable`` without a browser, or where it prints nothing.
    """
    binary = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if binary is None:
        raise BackendUnavailable(
            "a PDF needs Chromium, Chrome or Edge, and none is installed; print the page of --format html"
        )
    with TemporaryDirectory() as folder:
        source, target = Path(folder) / "report.html", Path(folder) / "report.pdf"
        source.write_text(page.replace("<details", "<details open"), encoding="utf-8")
        flags = ["--headless", "--disable-gpu", "--disable-background-networking", "--no-pdf-header-footer"]
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            flags.append("--no-sandbox")  # Chromium refuses to run as root otherwise
        command = [binary, *flags, f"--user-data-dir={folder}/profile", f"--print-to-pdf={target}"]
        try:
            subprocess.run(
                [*command, source.as_uri()],
                capture_output=True,
                timeout=SECONDS,
                check=True,
                env={**os.environ, "HOME": folder},
            )
            return target.read_bytes()
        except (OSError, subprocess.SubprocessError) as error:
            raise BackendUnavailable(
                f"{Path(binary).name!r} printed no PDF ({type(error).__name__}); print the HTML page by hand"
            ) from error
