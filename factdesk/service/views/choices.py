"""What may be chosen for one check, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from evidence.types import CorpusInfo
from factdesk.kernel import InputError
from factdesk.service.desk import Desk

DEFAULT = "default"
MOST_CORPORA = 16
"""Of one check."""


class Choice(NamedTuple):
    """A field of the form with its values."""

    name: str
    label: str
    values: tuple[tuple[str, str], ...]


CHOICES = (
    Choice(
        "method",
        "How questions are asked",
        (
            ("chain", "one after the other (chain)"),
            ("tree", "several at once, the best kept (tree)"),
            ("subq", "all beforehand (subq)"),
            ("auto", "by the claim (auto)"),
        ),
    ),
    Choice(
        "veracity",
        "How the proposal is made",
        (
            ("standard", "from the best pair (standard)"),
            ("cot", "weighing both sides (cot)"),
            ("cove", "with questions about the draft (cove)"),
        ),
    ),
    Choice(
        "mode",
        "What the report shows",
        (
            ("strict", "what is verified (strict)"),
            ("mixed", "open statements too (mixed)"),
            ("debug", "everything (debug)"),
        ),
    ),
)
"""The empty value keeps what the service was set up with."""


@dataclass(frozen=True)
class Offered:
    """Corpora to choose from. ``ticked``: chosen beforehand, where what the service is set up with is not there."""

    stored: tuple[CorpusInfo, ...]
    ticked: tuple[str, ...] = ()


def corpora_of(desk: Desk) -> Offered:
    """The stored corpora; all of them ticked where those of the settings cannot be used."""
    stored = desk.corpora.list()
    try:
        desk.corpora.refuse_unknown([name for name in desk.settings.corpus if name != DEFAULT])
        there = DEFAULT not in desk.settings.corpus or desk.corpora.has(DEFAULT)
    except InputError:
        there = False
    return Offered(stored, () if there else tuple(info.name for info in stored[:MOST_CORPORA]))
