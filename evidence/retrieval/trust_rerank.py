"""ClaimTrust's search mode ``score``: evidence ranked by similarity and the trust of its document together. ``(1 - w)
norm(similarity) + w norm(trust)``, both norms over the candidates of the query (least to most, 0 to 1). Only the order
changes: trust neither adds evidence nor decides on it here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from evidence.types import Hit, Query, Retriever
from factdesk.kernel import Fingerprint, sha256_text

WIDER = 3
"""So many times the wanted hits are the candidates."""
UNKNOWN = 0.5
"""Trust of a document that has none: the start value of ClaimRank."""


class TrustedOrder:
    """A retriever over another one (``evidence.types.Retriever``).

    Args:
        trust: score by document id, 0 to 1.
        weight: ``w``, 0 to 1; 0 leaves the order of ``inner`` among its candidates.
    """

    def __init__(self, inner: Retriever, trust: Mapping[str, float], weight: float) -> None:
        self._inner, self._trust, self._weight = inner, dict(trust), weight

    @property
    def fingerprint(self) -> Fingerprint:
        """Of the inner retriever, the weight and all scores."""
        inner = self._inner.fingerprint
        scores = json.dumps(sorted((k, round(v, 6)) for k, v in self._trust.items()))
        text = f"{inner.name} {inner.version} {inner.sha256} {self._weight} {WIDER} {scores}"
        return Fingerprint(name=inner.name, version=f"{inner.version}, by trust", sha256=sha256_text(text))

    def retrieve(self, query: Query) -> tuple[Hit, ...]:
        """At most ``query.limit`` hits, best first by both."""
        wide = query.model_copy(update={"limit": query.limit * WIDER, "max_chunks": query.max_chunks * WIDER})
        found = self._inner.retrieve(wide)
        scores = [hit.scores.last for hit in found]
        similarity = _normed([-hit.rank if s is None else s for hit, s in zip(found, scores, strict=True)])
        trust = _normed([self._trust.get(hit.span.doc_id, UNKNOWN) for hit in found])
        both = [(1 - self._weight) * s + self._weight * t for s, t in zip(similarity, trust, strict=True)]
        order = sorted(range(len(found)), key=lambda n: (-both[n], found[n].rank, found[n].span.span_id))
        kept = order[: query.limit]
        return tuple(found[n].model_copy(update={"rank": rank}) for rank, n in enumerate(kept, 1))


def _normed(values: Sequence[float]) -> list[float]:
    """From 0 (the least) to 1 (the most); all 0 where they are the same."""
    if not values:
        return []
    low, high = min(values), max(values)
    return [(v - low) / (high - low) if high > low else 0.0 for v in values]
