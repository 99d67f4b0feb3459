"""``factdesk export``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click


@click.command()
@click.argument("certificate_id", metavar="ID")
@click.option("--claimreview", is_flag=True, help="ClaimReview (schema.org) as JSON-LD.")
@click.option("--csv", "table", is_flag=True, help="The statements as CSV.")
@click.option(
    "--bundle",
    "bundle_path",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="A zip file with all that a stranger needs to check it.",
)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write to FILE, not to stdout.")
@click.option("--author", default="factdesk", show_default=True, help="Who answers for the ClaimReview.")
@click.option("--url", help="Address of the page on which the ClaimReview stands.")
@click.option(
    "--key",
    type=click.Path(path_type=Path),
    help="Public key (PEM) for the bundle (default: that of this store).",
)
@click.option("--pages/--no-pages", default=True, help="Put the cited documents in full into the bundle.")
@click.option(
    "--mode",
    type=click.Choice(["strict", "mixed", "debug"]),
    default="strict",
    show_default=True,
    help="Of the report in the bundle.",
)
@click.option(
    "--image",
    "images",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A picture of the claim, where it is not kept here; may be repeated.",
)
def export(certificate_id: str, out: Path | None, **options: Any) -> None:
    """Export a certificate. ID is its id, the beginning of it, or a certificate file (.json).

    \b
    Examples:
      factdesk export 3f2a91 --claimreview --author "Harrowmere Courier" --url https://courier.example/check/7
      factdesk export 3f2a91 --csv --out claims.csv
      factdesk export 3f2a91 --bundle check.zip
    """
    bundle_path: Path | None = options["bundle_path"]
    if sum([options["claimreview"], options["table"], bundle_path is not None]) != 1:
        raise click.UsageError("give exactly one of --claimreview, --csv and --bundle FILE")
    if bundle_path is not None and out is not None:
        raise click.UsageError("--bundle names its file already; leave --out away")
    from factdesk.certificates.handout import find_certificate, write_file
    from factdesk.settings import load_settings

    settings = load_settings()
    certificate = find_certificate(settings, certificate_id)
    if bundle_path is not None:
        write_file(bundle_path, _bundle(settings, certificate, options))
        click.echo(f"written: {bundle_path}", err=True)
        return
    if options["claimreview"]:
        from report.exports.claimreview import claimreview, claimreview_text

        text = claimreview_text(claimreview(certificate, author=options["author"], url=options["url"]))
    else:
        from report.exports.claims_csv import claims_csv

        text = claims_csv(certificate)
    if out is None:
        click.echo(text.encode("utf-8"), nl=False)
    else:
        write_file(out, text.encode("utf-8"))


def _bundle(settings: Any, certificate: Any, options: dict[str, Any]) -> bytes:
    from factdesk.certificates.handout import cited_documents, read_key, signing_key
    from factdesk.images.submitted import open_pictures, picture_files
    from report.exports.bundle import Extras, bundle

    folder = settings.paths.pictures
    extras = Extras(
        public_key=read_key(options["key"])
        if options["key"] is not None
        else signing_key(settings, certificate),
        documents=cited_documents(settings, certificate) if options["pages"] else (),
        pictures=picture_files(certificate, folder, options["images"]),
        opened=open_pictures(certificate, folder, options["images"]),
    )
    return bundle(certificate, extras, options["mode"])
