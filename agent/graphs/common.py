"""What the nodes of all graphs share: reading the state, numbering questions, looking up evidence, scoring it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from langgraph.runtime import Runtime

from agent.graphs.qa_pairs import as_told, pair_of, select_new
from agent.graphs.state import Deps, InvestigationState
from agent.types import CHECK, Answer, AtomicClaim, Progress, QAPair, Question, ScoredSpan, TrustMemory
from evidence.retrieval.selection import source_of
from evidence.types import Hit, Query, Span
from factdesk.kernel import BackendUnavailable, Caps, Failure, TransientError
from language.names import find_names
from trust.types import TrustReport
from verifier.guard import check

RECOVERABLE = (BackendUnavailable, TransientError, OSError, MemoryError)
"""Errors that a node turns into a ``Failure``."""
PER_DOCUMENT = 2
"""Sentences of one document among those that may dispute a claim."""
WIDE = 4
"""Factor on the sentences looked through for those that may dispute a claim."""
OTHER_SIDE = 4
"""Places among these for sentences that state a detail of the claim otherwise."""
CHECK_ROOM = 4
"""Spans per claim that an investigation leaves to the verification questions of ``cove``."""


def say(
    runtime: Runtime[Deps],
    stage: str,
    message: str,
    claim: AtomicClaim | None = None,
    depth: int | None = None,
) -> None:
    """Stream one progress event."""
    event = Progress(stage=stage, message=message, claim_id=claim.claim_id if claim else None, depth=depth)  # type: ignore[arg-type]
    runtime.stream_writer(event.model_dump())


_LOOKING = {
    "text": "looking in the documents",
    "image": "looking at the picture",
    "graph": "looking in the graph",
}


def say_question(runtime: Runtime[Deps], question: Question, claim: AtomicClaim) -> None:
    """Report that a question is asked, without its words (they may be a model's)."""
    say(runtime, "question", _LOOKING[question.route], claim, question.depth)


def say_answer(runtime: Runtime[Deps], answer: Answer, claim: AtomicClaim, depth: int) -> None:
    """Report that a question was answered, without its words."""
    found = f"answered from {len(answer.span_ids)} sentence(s)" if answer.found else "no answer found"
    say(runtime, "answer", found, claim, depth)


def current_claim(state: InvestigationState) -> AtomicClaim:
    """The claim at the cursor."""
    return state["claim_ir"].claims[state["cursor"]]


def pairs_of(state: InvestigationState, claim: AtomicClaim) -> list[QAPair]:
    """The claim's pairs so far, without unsupported answers."""
    return [as_told(p) for p in state.get("qa_pairs", ()) if p.question.claim_id == claim.claim_id]


def scored_of(state: InvestigationState, claim: AtomicClaim) -> list[ScoredSpan]:
    """The claim's scored spans so far."""
    return [s for s in state.get("scored", ()) if s.claim_id == claim.claim_id]


def failure_of(where: str, error: Exception, claim: AtomicClaim) -> Failure:
    """A recoverable error as a record on the deciding path of the claim."""
    kind = {BackendUnavailable: "unavailable", TransientError: "transient", MemoryError: "memory"}.get(
        type(error), "io"
    )
    return Failure(where=where, kind=kind, message=str(error) or type(error).__name__, claim_id=claim.claim_id)


def out_of_time(deps: Deps, claim: AtomicClaim) -> Failure | None:
    """The failure of a claim that the time limit cut short."""
    if deps.caps.max_seconds is None or deps.clock() < deps.caps.max_seconds:
        return None
    message = (
        f"the time allowed ({deps.caps.max_seconds:g} s) was used up before this statement was investigated to its end"
    )
    return Failure(where="agent.ask", kind="budget", message=message, claim_id=claim.claim_id)


def investigation_caps(deps: Deps) -> Caps:
    """The caps of an investigation; ``cove`` reserves some spans for its checks."""
    if deps.veracity != "cove":
        return deps.caps
    room = max(1, deps.caps.max_spans_per_claim - CHECK_ROOM)
    return deps.caps.model_copy(update={"max_spans_per_claim": room})


def look_up(deps: Deps, question: Question, claim: AtomicClaim, limit: int) -> tuple[Hit, ...]:
    """At most ``limit`` sentences for a question: from the picture, from the corpus or along the graph."""
    if question.route == "image":
        from agent.tools.image import rank_image_spans

        asked = "" if question.purpose == "image" else question.text
        spans, likeness = deps.images.spans(), deps.images.likeness
        return rank_image_spans(claim.text, spans, limit=limit, question=asked, likeness=likeness)
    text = deps.reasoner.search_text(question, claim)
    names = [n.text for n in find_names(text)] if question.route == "graph" else []
    query = Query.taken_from(deps.bounds, text=text, limit=limit, connect=tuple(dict.fromkeys(names)))
    if not other_side(question):
        return deps.retriever.retrieve(query)
    wide = query.model_copy(update={"limit": limit * WIDE, "max_chunks": query.max_chunks * WIDE})
    found = spread(deps.retriever.retrieve(wide), limit, lambda hit: differs(claim, hit.span))
    return with_rated(found, _of_rated(deps, query))


def _of_rated(deps: Deps, query: Query) -> tuple[Hit, ...]:
    """What the rated sites have for a query, whatever else there is."""
    sites = deps.bounds.rated_domains
    if not sites or query.only_domains:
        return ()
    return deps.retriever.retrieve(query.model_copy(update={"limit": OTHER_SIDE, "only_domains": sites}))


def with_rated(hits: Sequence[Hit], rated: Sequence[Hit]) -> tuple[Hit, ...]:
    """Some hits, those of rated sites first."""
    ids = {hit.span.span_id for hit in rated}
    both = (*rated, *(hit for hit in hits if hit.span.span_id not in ids))
    return tuple(hit.model_copy(update={"rank": rank}) for rank, hit in enumerate(both, 1))


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
    return tuple(hit.model_copy(update={"rank": rank}) for rank, hit in enumerate(able[:limit], 1))


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


def differs(claim: AtomicClaim, span: Span) -> bool:
    """Whether a sentence gives a detail of the claim otherwise, by the rules of the guard."""
    return check(claim.text, span.text, span.context).conflicts


@dataclass(frozen=True)
class Scored:
    """Newly scored spans, and their cost."""

    fresh: tuple[ScoredSpan, ...] = ()
    passes: int = 0
    trimmed: tuple[str, ...] = ()
    failures: tuple[Failure, ...] = ()


def score_hits(
    deps: Deps,
    claim: AtomicClaim,
    hits: Sequence[Hit],
    asked_by: Mapping[str, str],
    known: Sequence[ScoredSpan],
    *,
    caps: Caps,
    passes: int,
) -> Scored:
    """Score those of ``hits`` that are new for the claim, within the caps.

    ``asked_by``: span id to the question that found it; ``passes``: forward passes used up before.
    """
    new, trimmed, failure = select_new(claim, hits, known, caps, caps.max_pairs - passes)
    texts = [pair_of(claim, h.span) for h in new]
    try:
        assessed = deps.verifier.assess(texts) if texts else ()
    except RECOVERABLE as error:
        return Scored(failures=(failure_of("verifier.assess", error, claim),))
    fresh = tuple(
        ScoredSpan(claim_id=claim.claim_id, question_id=asked_by[h.span.span_id], hit=h, assessment=a)
        for h, a in zip(new, assessed, strict=True)
    )
    failures = (failure,) if failure else ()
    return Scored(fresh, sum(a.passes for a in assessed), trimmed, failures)


@dataclass(frozen=True)
class Trusted:
    """Trust after new spans were scored, and its cost."""

    report: TrustReport | None
    memory: TrustMemory | None = None
    passes: int = 0
    failures: tuple[Failure, ...] = ()


def weigh_trust(
    deps: Deps, claim: AtomicClaim, scored: Sequence[ScoredSpan], report: TrustReport | None, passes: int
) -> Trusted:
    """Trust of the documents behind ``scored``; after a failure ``report`` stays."""
    if deps.trust is None:
        return Trusted(report)
    try:
        outcome = deps.trust.update(claim, scored, budget=deps.caps.max_pairs - passes)
    except RECOVERABLE as error:
        return Trusted(report, failures=(failure_of("trust.update", error, claim),))
    failures = (outcome.failure,) if outcome.failure else ()
    return Trusted(outcome.report, deps.trust.memory(), outcome.passes, failures)


def in_chain(question: Question, asked: int) -> Question:
    """The next question of a chain, after ``asked`` others of its claim."""
    return _placed(question, f"q{asked + 1}", depth=asked)


def in_round(question: Question, depth: int, number: int) -> Question:
    """A question of a tree's round."""
    return _placed(question, f"q{depth + 1}.{number + 1}", depth=depth, branch=number)


def side_by_side(question: Question, number: int) -> Question:
    """One of the sub-questions asked at once."""
    return _placed(question, f"q{number + 1}", depth=0, branch=number)


def as_check(question: Question, depth: int, number: int) -> Question:
    """A verification question of ``cove``, marked as such."""
    marked = question.model_copy(update={"purpose": CHECK + question.purpose})
    return _placed(marked, f"v{number + 1}", depth=depth, branch=number)


def _placed(question: Question, number: str, *, depth: int, branch: int = 0) -> Question:
    place = {"question_id": f"{question.claim_id}.{number}", "depth": depth, "branch": branch}
    return question.model_copy(update=place)
