"""``factdesk images add | list | remove | search``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import click

from factdesk.cli.common import DAY, FILE
from factdesk.cli.output import emit, json_option, progress
from factdesk.settings import load_settings

if TYPE_CHECKING:
    from evidence.types import EarlierUse, KnownImage
    from factdesk.images.known import ImagesAdded, KnownImages


@click.group()
def images() -> None:
    """Keep known images with captions, days and sources, so that earlier uses of a picture are found."""


def _known() -> KnownImages:
    from factdesk.images.known import KnownImages

    return KnownImages(load_settings())


@images.command()
@click.argument("paths", nargs=-1, required=True, type=FILE)
@click.option("--caption", default="", help="Caption of all given pictures.")
@click.option("--published", type=DAY, help="Day on which they were published.")
@click.option("--source", help="Who published them.")
@click.option("--url", help="Where they were published.")
@click.option("--taken", type=DAY, help="Day on which they were taken.")
@click.option("--place", help="Where they were taken.")
@click.option("--text", is_flag=True, help="Read the text in them (seconds each, see docs/images.md).")
@json_option("Print the outcome as JSON.")
def add(
    paths: tuple[Path, ...],
    caption: str,
    published: date | None,
    source: str | None,
    url: str | None,
    taken: date | None,
    place: str | None,
    text: bool,
    as_json: bool,
) -> None:
    """Add pictures and folders of pictures. Captions, days and sources come from the options, from
    PICTURE.json or from captions.csv / captions.json in the folder.

    \b
    Example: factdesk images add archive/ --source "Harrowmere Courier"
    """
    from factdesk.images.caption_file import Description

    given = Description(caption=caption, published=published, source=source, url=url, taken=taken, place=place)
    with progress(quiet=as_json) as line:
        outcome = _known().add(paths, given, text=text, progress=lambda done, total: line.count("picture", done, total))
    emit(outcome, as_json, _added(outcome))


def _added(outcome: ImagesAdded) -> Iterator[str]:
    from report.sanitize import foreign

    yield f"{outcome.added} added, {outcome.replaced} replaced, {outcome.unchanged} unchanged"
    for name, why in outcome.skipped:
        click.echo(f"  skipped {foreign(name)}: {foreign(why)}", err=True)


@images.command("list")
@click.option("--limit", type=click.IntRange(1, 10_000), default=50, show_default=True)
@click.option("--offset", type=click.IntRange(0), default=0, show_default=True)
@json_option()
def list_(limit: int, offset: int, as_json: bool) -> None:
    """List known images, newest publication first."""
    found = _known().page(limit, offset)
    left_out = {"hashes", "features", "thumbnail", "vector"}
    emit([known.model_dump(mode="json", exclude=left_out) for known in found], as_json, _listed(found))


def _listed(found: Sequence[KnownImage]) -> Iterator[str]:
    from report.sanitize import foreign

    if not found:
        yield "no known image; add some with: factdesk images add PATH --caption TEXT --published DAY"
    for known in found:
        when = known.published.isoformat() if known.published else "undated   "
        yield f"{known.image_id[:12]}  {when}  {foreign(known.source or '-')}  {foreign(known.caption)}"


@images.command()
@click.argument("ids", nargs=-1, required=True)
def remove(ids: tuple[str, ...]) -> None:
    """Remove known images by the beginnings of their ids. Certificates stay."""
    click.echo(f"{_known().remove(ids)} image(s) removed")


@images.command()
@click.argument("path", type=FILE)
@json_option()
def search(path: Path, as_json: bool) -> None:
    """Find earlier uses of a picture, the same first."""
    found = _known().search(path).uses
    emit(found, as_json, _uses(found))


def _uses(found: Sequence[EarlierUse]) -> Iterator[str]:
    from factdesk.images.matching import use_sentence
    from report.sanitize import foreign

    if not found:
        yield "no earlier use is known"
    for use in found:
        yield f"{use.match:8} {use.agreeing:3} features agree  {foreign(use_sentence(use))}"
