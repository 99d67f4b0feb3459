"""Sentences for a question: from the picture, from the corpus, or along the graph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from agent.graphs.state import Deps
from agent.tools.image import rank_image_spans
from agent.types import CHECK, AtomicClaim, Question
from evidence.retrieval.selection import source_of
from evidence.types import Hit, Query
from language.names import find_names
from verifier.guard import check

PER_DOCUMENT = 2
"""Sentences of one document among those that may dispute a claim."""
WIDE = 4
"""Factor on the sentences looked through for those that may dispute a claim."""
OTHER_SIDE = 4
"""Places among these for sentences that state a detail of the claim otherwise."""


def look_up(deps: Deps, question: Question, claim: AtomicClaim, limit: int) -> tuple[Hit, ...]:
    """At most ``limit`` sentences for a question, and of the other side those of rated sites besides."""
    if question.route == "image":
        asked = "" if question.purpose == "image" else question.text
        spans, likeness = deps.images.spans(), deps.images.likeness
        return rank_image_spans(claim.text, spans, limit=limit, question=asked, likeness=likeness)
    text, bounds = deps.reasoner.search_text(question, claim), deps.bounds
    names = [n.text for n in find_names(text)] if question.route == "graph" else []
    query = Query.taken_from(bounds, text=text, limit=limit, connect=tuple(dict.fromkeys(names)))
    if not other_side(question):
        return deps.retriever.retrieve(query)
    wide = query.model_copy(update={"limit": limit * WIDE, "max_chunks": query.max_chunks * WIDE})

    found = spread(deps.retriever.retrieve(wide), limit, partial(states_otherwise, claim))
    rated: tuple[Hit, ...] = ()
    if bounds.rated_domains and not query.only_domains:
        sites = {"limit": OTHER_SIDE, "only_domains": bounds.rated_domains}
        rated = deps.retriever.retrieve(query.model_copy(update=sites))
    ids = {hit.span.span_id for hit in rated}
    return _ranked((*rated, *(hit for hit in found if hit.span.span_id not in ids)))


def states_otherwise(claim: AtomicClaim, hit: Hit) -> bool:
    """Whether the guard sees a detail of the claim stated otherwise."""
    return check(claim.text, hit.span.text, hit.span.context).conflicts


def other_side(question: Question) -> bool:
    """Whether the question asks for a source that disputes the claim."""
    return question.purpose.removeprefix(CHECK).partition(":")[0] == "dispute"


def spread(hits: Sequence[Hit], limit: int, other: Callable[[Hit], bool] = lambda _hit: False) -> tuple[Hit, ...]:
    """At most ``limit`` of some hits, best first, ``PER_DOCUMENT`` of a document.

    A publisher has half of the places while others wait, and ``OTHER_SIDE`` places are for those of which
    ``other`` says that they state the claim otherwise: no number of like sentences takes these.
    """
    taken: Counter[str] = Counter()
    able: list[Hit] = []
    for hit in hits:
        taken[hit.span.doc_id] += 1
        if taken[hit.span.doc_id] <= PER_DOCUMENT:
            able.append(hit)
    if len(able) > limit:
        able = _shared_out(able, limit, other)
    return _ranked(able[:limit])


def _ranked(hits: Sequence[Hit]) -> tuple[Hit, ...]:
    return tuple(hit.model_copy(update={"rank": rank}) for rank, hit in enumerate(hits, 1))


def _shared_out(hits: Sequence[Hit], limit: int, other: Callable[[Hit], bool]) -> list[Hit]:
    """The places of :func:`spread` where there are more hits than places."""
    share: Counter[str] = Counter()
    chosen: dict[str, Hit] = {}

    def take(candidates: Iterable[Hit], places: int, *, shared: bool) -> None:
        for hit in candidates:
            if len(chosen) >= places or hit.span.span_id in chosen:
                continue
            if not shared or share[source_of(hit.span)] < max(1, limit // 2):
                share[source_of(hit.span)] += 1
                chosen[hit.span.span_id] = hit

    take(hits, limit - OTHER_SIDE, shared=True)
    take((hit for hit in hits if hit.span.span_id not in chosen and other(hit)), limit, shared=True)
    take(hits, limit, shared=True)
    take(hits, limit, shared=False)
    return [hit for hit in hits if hit.span.span_id in chosen]
