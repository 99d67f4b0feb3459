"""``factdesk images add | list | remove | search``."""

from __future__ import annotations

from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click
from annotated_types import Ge, Le

from factdesk.cli.options import Group
from factdesk.cli.output import Outcome, progress, said
from factdesk.settings import load_settings

if TYPE_CHECKING:
    from factdesk.images.known import KnownImages


@click.group(cls=Group)
def images() -> None:
    """Keep known images with captions, days and sources, so that earlier uses of a picture are found."""


def _known() -> KnownImages:
    from factdesk.images.known import KnownImages

    return KnownImages(load_settings())


@images.command()
def add(
    paths: tuple[Path, ...],
    caption: Annotated[str, "Caption of all given pictures."] = "",
    published: Annotated[date | None, "Day on which they were published."] = None,
    source: Annotated[str | None, "Who published them."] = None,
    url: Annotated[str | None, "Where they were published."] = None,
    taken: Annotated[date | None, "Day on which they were taken."] = None,
    place: Annotated[str | None, "Where they were taken."] = None,
    text: Annotated[bool, "Read the text in them (seconds each, see docs/images.md)."] = False,
) -> Outcome:
    """Add pictures and folders of pictures. Captions, days and sources come from the options, from
    PICTURE.json or from captions.csv / captions.json in the folder.

    \b
    Example: factdesk images add archive/ --source "Harrowmere Courier"
    """
    from factdesk.images.caption_file import Description

    given = Description(caption=caption, published=published, source=source, url=url, taken=taken, place=place)
    with progress() as line:
        outcome = _known().add(paths, given, text=text, progress=partial(line.count, "picture"))
    return Outcome(outcome, said("images.added", outcome))


@images.command("list")
def list_(limit: Annotated[int, Ge(1), Le(10_000)] = 50, offset: Annotated[int, Ge(0)] = 0) -> Outcome:
    """List known images, newest publication first."""
    found = _known().page(limit, offset)
    left_out = {"hashes", "features", "thumbnail", "vector"}
    return Outcome([known.model_dump(mode="json", exclude=left_out) for known in found], said("images.listed", found))


@images.command()
def remove(ids: tuple[str, ...]) -> None:
    """Remove known images by the beginnings of their ids. Certificates stay."""
    click.echo(f"{_known().remove(ids)} image(s) removed")


@images.command()
def search(path: Path) -> Outcome:
    """Find earlier uses of a picture, the same first."""
    from factdesk.images.matching import use_sentence

    found = _known().search(path).uses
    return Outcome(found, said("images.uses", found, use_sentence))
