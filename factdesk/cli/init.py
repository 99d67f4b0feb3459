"""``factdesk init``: a settings file with the desk's source list."""

from __future__ import annotations

from pathlib import Path

import click

from factdesk.cli.output import tell


@click.command()
@click.argument("sites", nargs=-1)
@click.option("--corpus", help="Offer the sites of this stored corpus, as lines to choose from.")
@click.option(
    "--min-unrated",
    "least",
    type=click.IntRange(1, 10),
    default=2,
    show_default=True,
    help="Independent sources asked for where none is rated.",
)
def init(sites: tuple[str, ...], corpus: str | None, least: int) -> None:
    """Write factdesk.toml into this folder: the SITES that you rate as sources, and what is asked of others.

    \b
    Example: factdesk init reuters.com bbc.co.uk --corpus news
    """
    from evidence.domains import as_domain
    from factdesk.certificates.handout import write_file
    from factdesk.kernel import InputError
    from factdesk.settings import CONFIG_FILE, load_settings
    from factdesk.source_list import settings_text, sites_of

    path = Path(CONFIG_FILE)
    if path.exists():
        raise InputError(f"{CONFIG_FILE!r} is there already; change it, or move it away")
    rated = sorted({site for site in map(as_domain, sites) if site})
    offered = sites_of(load_settings(), corpus) if corpus is not None else {}
    write_file(path, settings_text(rated, offered, least=least).encode())
    tell(f"written: {path} with {len(rated)} rated and {len(set(offered) - set(rated))} offered site(s)")
