"""``factdesk export``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from factdesk.cli.common import FILE, NEW_FILE
from factdesk.cli.options import setting_option
from factdesk.cli.output import write_out
from factdesk.settings import load_settings

if TYPE_CHECKING:
    from report.types import Mode


@click.command()
@click.argument("certificate_id", metavar="ID")
@click.option("--claimreview", is_flag=True, help="ClaimReview (schema.org) as JSON-LD.")
@click.option("--csv", "table", is_flag=True, help="The statements as CSV.")
@click.option("--format", "form", metavar="NAME", help="A format by name; installed packages add further ones.")
@click.option(
    "--bundle",
    "bundle_path",
    metavar="FILE",
    type=NEW_FILE,
    help="A zip file with all that a stranger needs to check it.",
)
@click.option("--out", type=NEW_FILE, help="Write to FILE, not to stdout.")
@click.option("--author", default="factdesk", show_default=True, help="Who answers for the ClaimReview.")
@click.option("--url", help="Address of the page on which the ClaimReview stands.")
@click.option(
    "--key", type=FILE, help="Public key (PEM) that signed it, for the bundle too (default: those of this store)."
)
@click.option("--pages/--no-pages", default=True, help="Put the cited documents in full into the bundle.")
@setting_option("mode", default="strict", show_default=True, help="Of the report in the bundle.")
@click.option(
    "--image",
    "images",
    multiple=True,
    type=FILE,
    help="A picture of the claim, where it is not kept here; may be repeated.",
)
def export(
    certificate_id: str,
    claimreview: bool,
    table: bool,
    form: str | None,
    bundle_path: Path | None,
    out: Path | None,
    author: str,
    url: str | None,
    key: Path | None,
    pages: bool,
    mode: Mode,
    images: tuple[Path, ...],
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
    data = export_text(forms[0], certificate, ExportGiven(author, url)).encode("utf-8")
    if out is None:
        click.echo(data, nl=False)
    else:
        write_out(out, data)
