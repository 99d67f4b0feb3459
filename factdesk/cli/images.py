"""``factdesk images add | list | remove | search``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from factdesk.cli.common import DAY, emit_json


@click.group()
def images() -> None:
    """Keep known images with captions, days and sources, so that earlier uses of a picture are found."""


def _desk() -> Any:
    from factdesk.images.known import KnownImages
    from factdesk.settings import load_settings

    return KnownImages(load_settings())


@images.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--caption", default="", help="Caption of all given pictures.")
@click.option("--published", type=DAY, help="Day on which they were published.")
@click.option("--source", help="Who published them.")
@click.option("--url", help="Where they were published.")
@click.option("--taken", type=DAY, help="Day on which they were taken.")
@click.option("--place", help="Where they were taken.")
@click.option("--no-text", is_flag=True, help="Do not read the text in them (faster, see docs/images.md).")
@click.option("--json", "as_json", is_flag=True, help="Print the outcome as JSON.")
def add(
    paths: tuple[Path, ...], caption: str, published: Any, source: str | None, url: str | None, taken: Any,
    place: str | None, no_text: bool, as_json: bool,
) -> None:  # fmt: skip
    """Add pictures and folders of pictures. Captions, days and sources come from the options, from
    PICTURE.json or from captions.csv / captions.json in the folder.

    \b
    Example: factdesk images add archive/ --source "Harrowmere Courier"
    """
    from factdesk.images.caption_file import Description

    given = Description(
        caption=caption, published=published, source=source, url=url, taken=taken, place=place
    )
    outcome = _desk().add(paths, given, text=not no_text, progress=_bar(as_json))
    if as_json:
        emit_json(outcome.model_dump(mode="json"))
        return
    click.echo(f"{outcome.added} added, {outcome.replaced} replaced, {outcome.unchanged} unchanged")
    from report.sanitize import foreign

    for name, why in outcome.skipped:
        click.echo(f"  skipped {foreign(name)}: {foreign(why)}", err=True)


def _bar(quiet: bool) -> Any:
    if quiet or not sys.stderr.isatty():
        return None
    from rich.console import Console

    console = Console(stderr=True)

    def show(done: int, total: int) -> None:
        console.print(f"picture {done} of {total}", end="\r")

    return show


@images.command("list")
@click.option("--limit", type=click.IntRange(1, 10_000), default=50, show_default=True)
@click.option("--offset", type=click.IntRange(0), default=0, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def list_(limit: int, offset: int, as_json: bool) -> None:
    """List known images, newest publication first."""
    found = _desk().page(limit, offset)
    if as_json:
        emit_json([k.model_dump(mode="json", exclude={"hashes", "thumbnail", "vector"}) for k in found])
        return
    from report.sanitize import foreign

    if not found:
        click.echo("no known image; add some with: factdesk images add PATH --caption TEXT --published DAY")
    for known in found:
        when = known.published.isoformat() if known.published else "undated   "
        click.echo(f"{known.image_id[:12]}  {when}  {foreign(known.source or '-')}  {foreign(known.caption)}")


@images.command()
@click.argument("ids", nargs=-1, required=True)
def remove(ids: tuple[str, ...]) -> None:
    """Remove known images by the beginnings of their ids. Certificates stay."""
    click.echo(f"{_desk().remove(ids)} image(s) removed")


@images.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def search(path: Path, as_json: bool) -> None:
    """Find earlier uses of a picture, the same first."""
    from factdesk.images.known import use_sentence
    from report.sanitize import foreign

    found = _desk().search(path).uses
    if as_json:
        emit_json([use.model_dump(mode="json") for use in found])
        return
    if not found:
        click.echo("no earlier use is known")
    for use in found:
        click.echo(f"{use.match:8} distance {use.distance:2}  {foreign(use_sentence(use))}")
