"""Retellings: of reports that say the same of a matter, one without a detail of its own is no further witness."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from language.names import find_names
from language.quantities.mentions import find_slots

LONGEST = 2_000
"""Characters of a retelling at most: whoever writes more is taken to have something of his own."""
READ = 20_000
"""Characters of the retold document that are read."""


def with_retellings(
    clusters: Mapping[str, str], sides: Iterable[Iterable[str]], texts: Mapping[str, str], order: Sequence[str]
) -> dict[str, str]:
    """Clusters by document, where each retelling counts with the first document that it retells.

    ``sides``: groups of documents that say the same of a claim; ``order``: ids by publication. A document
    retells another one of its group if it gives no number, day or name beyond those of that one. It joins one
    document alone, so that a retelling of several does not make them one source.
    """
    told = {d: details(texts[d][:READ]) for d in order}
    found = dict(clusters)
    for group in (frozenset(g) for g in sides):
        ordered = [d for d in order if d in group]
        for place, later in enumerate(ordered):
            if len(texts[later]) > LONGEST or found[later] != clusters[later]:
                continue
            retold = (
                d
                for at, d in enumerate(ordered)
                if d != later and (told[later] < told[d] or (told[later] == told[d] and at < place))
            )
            first = next(retold, None)
            if first is not None:
                _count_with(found, later, first)
    return found


def _count_with(found: dict[str, str], later: str, first: str) -> None:
    """All that count with ``later`` count with ``first``, unless they do already."""
    own, other = found[later], found[first]
    if own != other:
        found.update({d: other for d, c in found.items() if c == own})


def details(text: str) -> frozenset[str]:
    """The numbers, days and names of a text."""
    numbers = {f"{slot.kind} {slot.value or slot.text}" for slot in find_slots(text)}
    return frozenset(numbers | {word for name in find_names(text) for word in name.words})
