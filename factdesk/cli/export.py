"""``factdesk export``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from factdesk.cli.common import FILE, NEW_FILE
from factdesk.cli.options import setting_option
from factdesk.cli.output import write_out
from factdesk.settings import Settings, load_settings

if TYPE_CHECKING:
    from report.exports.bundle import Extras
    from report.types import Certificate, Mode


@click.command()
@click.argument("certificate_id", metavar="ID")
@click.option("--claimreview", is_flag=True, help="ClaimReview (schema.org) as JSON-LD.")
@click.option("--csv", "table", is_flag=True, help="The statements as CSV.")
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
      factdesk export 3f2a91 --csv --out claims.csv
      factdesk export 3f2a91 --bundle check.zip
    """
    if sum([claimreview, table, bundle_path is not None]) != 1:
        raise click.UsageError("give exactly one of --claimreview, --csv and --bundle FILE")
    if bundle_path is not None and out is not None:
        raise click.UsageError("--bundle names its file already; leave --out away")
    from factdesk.certificates.load import load_signed

    settings = load_settings()
    certificate = load_signed(certificate_id, settings, (key,) if key is not None else ())
    if bundle_path is not None:
        from report.exports.bundle import bundle

        extras = _extras(settings, certificate, key, images, pages=pages)
        write_out(bundle_path, bundle(certificate, extras, mode))
        return
    data = _text(certificate, author, url, claimreview=claimreview).encode("utf-8")
    if out is None:
        click.echo(data, nl=False)
    else:
        write_out(out, data)


def _text(certificate: Certificate, author: str, url: str | None, *, claimreview: bool) -> str:
    from report.exports import claimreview as review
    from report.exports.claims_csv import claims_csv

    if not claimreview:
        return claims_csv(certificate)
    return review.claimreview_text(review.claimreview(certificate, author=author, url=url))


def _extras(
    settings: Settings, certificate: Certificate, key: Path | None, images: tuple[Path, ...], *, pages: bool
) -> Extras:
    """What goes into a bundle besides the certificate."""
    from factdesk.certificates.handout import cited_documents, read_key, signing_key
    from factdesk.images.submitted import picture_files, shown_pictures
    from report.exports.bundle import Extras

    folder = settings.paths.pictures
    return Extras(
        public_key=read_key(key) if key is not None else signing_key(settings, certificate),
        documents=cited_documents(settings, certificate) if pages else (),
        pictures=picture_files(certificate, folder, images),
        opened=shown_pictures(settings, certificate, images),
    )
