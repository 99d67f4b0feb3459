"""The source list of a new ``factdesk.toml``: rated sites, and those of a corpus to choose from."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from factdesk.settings import Settings

_HEAD = """\
# Settings of factdesk in this folder (docs/limits.md, docs/trust.md).

# Sites that you rate as sources. A badge tells whether what it stands on is rated, nobody outvotes what a rated
# source says, and a flood of pages does not push it out. Take the # away before those that you know.
sources = [
"""
_ASKED = """\
]

[thresholds]
# What no rated source supports needs so many independent ones; with 1, a single unrated page is enough.
min_unrated = {}
"""


def sites_of(settings: Settings, corpus: str) -> Mapping[str, int]:
    """The sites of a stored corpus, each with the number of its documents, most first. Raises ``InputError``."""
    from evidence.domains import host_of
    from factdesk.kernel import InputError
    from store.documents import SqlDocumentStore
    from store.engine import open_engine

    store = SqlDocumentStore(open_engine(settings.store))
    if all(info.name != corpus for info in store.list_corpora()):
        raise InputError(f"there is no corpus {corpus!r}; factdesk corpus list shows them")
    found = Counter(host_of(d.url).removeprefix("www.") for d in store.iter_documents(corpus) if d.url)
    return dict(sorted(((site, n) for site, n in found.items() if site), key=lambda item: (-item[1], item[0])))


def settings_text(rated: Sequence[str], offered: Mapping[str, int], *, least: int) -> str:
    """The text of the file: rated sites, those offered as comments, and ``min_unrated``."""
    lines = [f"    {json.dumps(site, ensure_ascii=False)},\n" for site in rated]
    lines += [
        f"    # {json.dumps(site, ensure_ascii=False)},  # {number} document(s)\n"
        for site, number in offered.items()
        if site not in rated
    ]
    return f"{_HEAD}{''.join(lines)}{_ASKED.format(least)}"
