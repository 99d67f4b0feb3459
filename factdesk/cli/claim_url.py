"""``--claim-url``: the claim is chosen from the headline and the first sentences of a page."""

from __future__ import annotations

from datetime import date as Date
from typing import NamedTuple

import click

from factdesk.settings import Settings

MOST = 9
"""Statements to choose from."""


class Chosen(NamedTuple):
    """A statement of a page, and the day on which the page appeared."""

    text: str
    date: Date | None


def choose_claim(settings: Settings, address: str) -> Chosen:
    """Fetch the page, show its headline and first sentences, and ask which is the claim.

    Raises ``InputError`` for a page that cannot be had.
    """
    from evidence.segmentation.spans import spans_of
    from factdesk.corpora.links import read_link
    from report.sanitize import foreign

    document = read_link(settings, address)
    texts = dict.fromkeys([document.title, *(span.text for span in spans_of(document))])
    offered = [text for text in texts if text.strip()][:MOST]
    for number, text in enumerate(offered, start=1):
        click.echo(f"{number}. {foreign(text)}", err=True)
    number = click.prompt("Which one is the claim?", type=click.IntRange(1, len(offered)), err=True)
    return Chosen(offered[number - 1], document.published)
