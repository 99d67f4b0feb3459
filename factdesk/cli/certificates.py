"""``factdesk report``, ``export`` and ``verify``: a certificate shown, handed out, examined."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Literal

import click

from factdesk.cli.options import Command, NewFile
from factdesk.cli.output import Outcome, as_text, write_out
from factdesk.kernel import BackendUnavailable, CertificateError
from factdesk.settings import Mode, Settings, load_settings

if TYPE_CHECKING:
    from factdesk.checker import Report


@click.command(cls=Command)
def report(
    certificate_id: Annotated[str, {"metavar": "ID"}],
    form: Annotated[
        Literal["text", "md", "html", "json", "pdf"],
        "--format",
        "html is one page that needs nothing else; pdf is that page, printed by a browser here.",
    ] = "text",
    mode: Annotated[Mode, "strict shows only what is verified; mixed also what is open; debug everything."] = "strict",
    prose: Annotated[
        bool, "Also write the verified statements as text, each sentence verified again (text, md, json)."
    ] = False,
    out: Annotated[NewFile | None, "Write to FILE, not to stdout."] = None,
    images: Annotated[
        tuple[Path, ...],
        "--image",
        "A picture of the claim, for crops in the page, where it is not kept here; may be repeated.",
    ] = (),
    key_files: Annotated[tuple[Path, ...], "--key", "Public key of somebody else who made it; may be repeated."] = (),
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
        write_out(out, _with_prose(shown, settings, form))
    elif form in ("html", "pdf"):
        if form == "pdf" and out is None:
            raise click.UsageError("--format pdf needs --out FILE")
        page = shown.html(shown_pictures(settings, shown.certificate, images))
        write_out(out, print_pdf(page) if form == "pdf" else page)
    elif form == "json":
        write_out(out, as_text(shown.json()) + "\n")
    elif form == "text" and out is None:
        shown.print(sys.stdout)
    else:
        write_out(out, shown.markdown() if form == "md" else shown.text())


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
        return as_text({**shown.json(), "prose": found}) + "\n"
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
    """The page as PDF, its evidence opened. Raises ``BackendUnavailable`` without a browser, or where it prints
    nothing.
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


@click.command(cls=Command)
def export(
    certificate_id: Annotated[str, {"metavar": "ID"}],
    claimreview: Annotated[bool, "ClaimReview (schema.org) as JSON-LD."] = False,
    table: Annotated[bool, "--csv", "The statements as CSV."] = False,
    form: Annotated[
        str | None, "--format", {"metavar": "NAME"}, "A format by name; installed packages add further ones."
    ] = None,
    bundle_path: Annotated[
        NewFile | None, "--bundle", {"metavar": "FILE"}, "A zip file with all that a stranger needs to check it."
    ] = None,
    out: Annotated[NewFile | None, "Write to FILE, not to stdout."] = None,
    author: Annotated[str, "Who answers for the ClaimReview."] = "factdesk",
    url: Annotated[str | None, "Address of the page on which the ClaimReview stands."] = None,
    key: Annotated[
        Path | None, "Public key (PEM) that signed it, for the bundle too (default: those of this store)."
    ] = None,
    pages: Annotated[bool, "Put the cited documents in full into the bundle."] = True,
    mode: Annotated[Mode, "Of the report in the bundle."] = "strict",
    images: Annotated[
        tuple[Path, ...], "--image", "A picture of the claim, where it is not kept here; may be repeated."
    ] = (),
) -> None:
    """Export a certificate. ID is its id, the beginning of it, or a certificate file (.json).

    \b
    Examples:
      factdesk export 3f2a91 --claimreview --author "Harrowmere Courier" --url https://courier.example/check/7
      factdesk export 3f2a91 --format csv --out claims.csv
      factdesk export 3f2a91 --bundle check.zip
    """
    forms = [*(["claimreview"] if claimreview else []), *(["csv"] if table else []), *([form] if form else [])]
    if len(forms) + (bundle_path is not None) != 1:
        raise click.UsageError("give exactly one of --claimreview, --csv, --format NAME and --bundle FILE")
    if bundle_path is not None and out is not None:
        raise click.UsageError("--bundle names its file already; leave --out away")
    from factdesk.certificates.export_formats import EXPORTS, ExportGiven, export_text
    from factdesk.certificates.handout import bundle_of, read_key
    from factdesk.certificates.load import load_signed

    for name in forms:
        EXPORTS.refuse_unknown(name)
    settings = load_settings()
    certificate = load_signed(certificate_id, settings, (key,) if key is not None else ())
    if bundle_path is not None:
        public = read_key(key) if key is not None else None
        write_out(bundle_path, bundle_of(settings, certificate, mode, key=public, images=images, pages=pages))
        return
    write_out(out, export_text(forms[0], certificate, ExportGiven(author, url)))


@click.command(cls=Command)
def verify(
    files: tuple[Path, ...],
    key_files: Annotated[tuple[Path, ...], "--key", "Public key that may have signed: PEM or key set."] = (),
    rerun: Annotated[bool, "Run the verifier again and decide anew."] = False,
    history_file: Annotated[
        Path | None, "--history", "Export to look certificates up in (default: your own history)."
    ] = None,
    head_files: Annotated[tuple[Path, ...], "--head", "Head of the history that you kept."] = (),
    verifier: Annotated[str | None, "The verifier to run again (default: the shipped one)."] = None,
    allow_unsigned: Annotated[bool, "Let certificates from before signatures pass integrity."] = False,
) -> Outcome:
    """Say of certificate FILES whether integrity, completeness and (with --rerun) scores and decisions hold.

    \b
    With --key only that key counts; without, the keys of this home folder.
    Exit code 5 when an answer that was asked for does not hold or cannot be given.
    Example: factdesk verify certificate.json --key desk.pem --rerun
    """
    from factdesk.certificates.verifying import known_here
    from report.verification.files import read_head_file, verify_files
    from report.verification.words import verification_lines

    here = known_here(load_settings(), key_files, history_file)
    heads = (*map(read_head_file, head_files), *here.heads)
    known = replace(here, heads=heads, allow_unsigned=allow_unsigned)
    found = verify_files(files, known, rerun=rerun, verifier=verifier)
    return Outcome(found, verification_lines(found), 0 if found.holds else 5)
