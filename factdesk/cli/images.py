"""``factdesk images add | list | remove | search``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click
from annotated_types import Ge, Le

from factdesk.cli.options import Group
from factdesk.cli.output import Outcome, foreign, progress, tell
from factdesk.settings import load_settings

if TYPE_CHECKING:
    from evidence.types import EarlierUse, KnownImage
    from factdesk.images.known import ImagesAdded, KnownImages


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
        outcome = _known().add(paths, given, text=text, progress=lambda done, total: line.count("picture", done, total))
    return Outcome(outcome, _added(outcome))


def _added(outcome: ImagesAdded) -> Iterator[str]:
    yield f"{outcome.added} added, {outcome.replaced} replaced, {outcome.unchanged} unchanged"
    for name, why in outcome.skipped:
        tell(f"  skipped {foreign(name)}: {foreign(why)}")


@images.command("list")
def list_(limit: Annotated[int, Ge(1), Le(10_000)] = 50, offset: Annotated[int, Ge(0)] = 0) -> Outcome:
    """List known images, newest publication first."""
    found = _known().page(limit, offset)
    left_out = {"hashes", "features", "thumbnail", "vector"}
    return Outcome([known.model_dump(mode="json", exclude=left_out) for known in found], _listed(found))


def _listed(found: Sequence[KnownImage]) -> Iterator[str]:
    if not found:
        yield "no known image; add some with: factdesk images add PATH --caption TEXT --published DAY"
    for known in found:
        when = known.published.isoformat() if known.published else "undated   "
        yield f"{known.image_id[:12]}  {when}  {foreign(known.source or '-')}  {foreign(known.caption)}"


@images.command()
def remove(ids: tuple[str, ...]) -> None:
    """Remove known images by the beginnings of their ids. Certificates stay."""
    click.echo(f"{_known().remove(ids)} image(s) removed")


@images.command()
def search(path: Path) -> Outcome:
    """Find earlier uses of a picture, the same first."""
    found = _known().search(path).uses
    return Outcome(found, _uses(found))


def _uses(found: Sequence[EarlierUse]) -> Iterator[str]:
    from factdesk.images.matching import use_sentence

    if not found:
        yield "no earlier use is known"
    for use in found:
        yield f"{use.match:8} {use.agreeing:3} features agree  {foreign(use_sentence(use))}"
