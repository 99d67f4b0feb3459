"""From an order to the body of its certificate: evidence opened, tools made, the graph run with its checkpoints.

Importing this module imports LangGraph, which takes its time; the checker does so once a check has begun.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from agent.assessment.corroboration import make_probe, make_standing
from agent.assessment.document_relations import RelationTrust, none_known
from agent.graphs.answer import build_answer
from agent.graphs.methods import build_method
from agent.graphs.nodes import recursion_limit
from agent.graphs.state import Deps, InvestigationState
from agent.tools.image import ImageReader
from agent.types import ClaimIR, Investigation, Progress
from evidence.types import Query
from factdesk.check.assemble import assemble, record_of
from factdesk.check.context import CheckContext
from factdesk.check.known_relations import KnownRelations
from factdesk.check.models import with_report
from factdesk.corpus_trust.open import named_seeds
from factdesk.kernel import InputError, Record
from factdesk.recording.recorder import today
from report.policy.rules import decide
from report.types import CertificateBody, Witness
from store.runs import Run

if TYPE_CHECKING:
    from agent.graphs.state import Stands
    from agent.types import AtomicClaim, ScoredSpan
    from evidence.types import Hit
    from factdesk.kernel import Failure
    from trust.types import TrustReport
    from verifier.types import Thresholds


STATE_MODULES = frozenset(
    {"agent.types", "evidence.types", "factdesk.kernel", "language.types", "trust.types", "verifier.types"}
)
"""Where the records of a graph's state are described."""


def choose_method(claims: ClaimIR) -> str:
    """What ``--method auto`` stands for: the chain for a single claim, the tree for several."""
    return "chain" if len(claims.claims) == 1 else "tree"


def run_graph(
    text: str, deps: Deps, run: Run, progress: Callable[[Progress], None], method: str = "chain"
) -> Investigation:
    """Investigate ``text`` by a method and hand over what was found, validated. Every step is written to the run's file
    before the next one begins. A run that an earlier process began goes on from its last step; its trust tool and its
    clock go on from there too.
    """
    from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
    from langgraph.checkpoint.sqlite import SqliteSaver

    try:
        saver = SqliteSaver(run.jobs.connection, serde=JsonPlusSerializer(allowed_msgpack_modules=_state_types()))
        graph = _build(method, deps).compile(checkpointer=saver)
        config: Any = {
            "configurable": {"thread_id": run.run_id},
            "recursion_limit": recursion_limit(deps.caps.max_claims, deps.caps.max_questions),
        }
        start: InvestigationState | None = {"text": text}
        if run.stored is not None and (before := _before(graph, saver, config, run)) is not None:
            start, deps = None, _taken_up(deps, before)
        if start is not None or graph.get_state(config).tasks:  # not ``next``: it leaves out what is done
            for event in graph.stream(
                start, config, context=deps, stream_mode="custom", version="v2", durability="sync"
            ):
                progress(Progress.model_validate(event["data"]))
        state = graph.get_state(config).values
    except sqlite3.Error as error:
        raise run.jobs.unusable(error) from error
    return _investigation(state)


def _before(graph: Any, saver: Any, config: Any, run: Run) -> dict[str, Any] | None:
    """The state that an earlier process left; ``None`` where it had not come to its first step."""
    try:
        if saver.get_tuple(config) is None:
            return None
        state: dict[str, Any] = graph.get_state(config).values
    except (ValueError, KeyError, TypeError, EOFError) as error:
        raise InputError(
            f"the checkpoint of run {run.run_id!r} is damaged ({error}); give it up with factdesk resume "
            f"{run.run_id} --forget, and check its claim anew"
        ) from error
    return state


def _build(method: str, deps: Deps) -> Any:
    if method == "answer":
        return build_answer()
    return build_method(method, deps.veracity)


def _taken_up(deps: Deps, state: dict[str, Any]) -> Deps:
    """The trust tool knows again what it knew, and the clock counts on."""
    memory, spent, clock = state.get("trust_memory"), float(state.get("seconds", 0.0)), deps.clock
    if deps.trust is not None and memory is not None:
        deps.trust.recall(memory)
    return replace(deps, clock=lambda: spent + clock())


def _state_types() -> list[tuple[str, str]]:
    """The records that may come out of a checkpoint; anything else in it is refused."""

    def below(kind: type[Record]) -> Iterator[type[Record]]:
        for made in kind.__subclasses__():
            yield made
            yield from below(made)

    return [(kind.__module__, kind.__qualname__) for kind in below(Record) if kind.__module__ in STATE_MODULES]


def _investigation(state: dict[str, Any]) -> Investigation:
    """Revalidate the end state: node output is not checked on the way."""
    return Investigation.model_validate({name: state[name] for name in Investigation.model_fields if name in state})


def investigate(check: CheckContext, run: Run, progress: Callable[[Progress], None]) -> CertificateBody:
    """Carry out an order: the body of its certificate. Evidence is opened before the reasoner's budget starts; what is
    opened is written down before the graph runs.
    """
    _ = check.evidence, check.thresholds, check.reasoner, check.looked
    deps = _make_deps(check)
    _ = check.fingerprints, check.retrieval
    pins = check.evidence.pins()
    run.begin(check.order.model_copy(update={"pins": pins, "fingerprints": check.fingerprints}), check.files)
    body = assemble(with_report(_run_graph(check, deps, run, progress), check.reasoner), check)
    return with_archived(body, check) if check.settings.web and check.settings.websearch.archive else body


def with_archived(body: CertificateBody, check: CheckContext) -> CertificateBody:
    """The body with the addresses of archived copies of the web pages among its documents."""
    from agent.tools.web.archive import ArchivedCopies

    copies = ArchivedCopies(check.recorder)
    pages = {str(d["doc_id"]): str(d["url"]) for d in body.documents if str(d["doc_id"]).startswith("web:")}
    found = copies.of(pages, today(check.recorder))
    documents = ({**d, "archived": found[d["doc_id"]]} if d["doc_id"] in found else d for d in body.documents)
    return body.model_copy(update={"documents": tuple(documents), "failures": (*body.failures, *copies.failures())})


def _run_graph(check: CheckContext, deps: Deps, run: Run, progress: Callable[[Progress], None]) -> Investigation:
    """Run the graph that the settings or the order name, over the text or the draft of an answer."""
    order = check.order
    method = "answer" if order.asked else check.settings.method
    text = draft_for(order.text, deps) if order.asked else order.text
    chosen = choose_method(check.compile_claims(text)) if method == "auto" else method
    return run_graph(text, deps, run, progress, chosen)


def _make_deps(check: CheckContext) -> Deps:
    """What the graph's nodes may use."""
    settings, looked = check.settings, check.looked
    witness = Witness.asked_for(settings.answer_sources, settings.sources)
    stands = make_stands(check.thresholds, trust_enabled=settings.trust, witness=witness)
    return Deps(
        compile_claims=check.compile_claims,
        retriever=check.evidence.retriever,
        verifier=check.verifier,
        reasoner=check.reasoner,
        images=ImageReader(check.pictures, looked.spans, looked.likeness),
        trust=_make_trust(check) if settings.trust else None,
        thresholds=check.thresholds,
        caps=settings.caps,
        clock=check.seconds,
        bounds=check.bounds,
        veracity=settings.veracity,
        stands=stands if check.order.asked else None,
    )


def _make_trust(check: CheckContext) -> RelationTrust:
    evidence, of_corpus = check.evidence, check.settings.corpus_trust != "off"
    return RelationTrust(
        check.verifier,
        evidence.document_text,
        make_probe(evidence.probing, evidence.document, check.bounds),
        seeds=_seeds(check),
        sites=check.settings.sources,
        standing=make_standing(lambda texts: check.corpora.embedder.embed(texts), evidence, check.bounds),
        known=KnownRelations(check) if of_corpus else none_known,
    )


def _seeds(check: CheckContext) -> list[str]:
    """Documents that users named as trusted (``factdesk trust seed``), recorded too."""
    found = check.recorder.call("fingerprint", "seeds", lambda: list(named_seeds(check.settings, check.corpus_names)))
    return [str(doc_id) for doc_id in found] if isinstance(found, list) else []


LOOKED_AT = 6
"""The draft is made from so many times the sentences that a question of a check looks at."""
LOOKED_FOR = 20
"""So many times as many are ranked, to find those that follow one of the best ``LED_BY``: what answers often names
its subject by a pronoun alone."""
LED_BY = 20


def draft_for(question: str, deps: Deps) -> str:
    """Look for sentences that answer, and draft from them; ``""``: none does. First stands the question's own statement
    with its gap filled from a sentence that supports it; then statements of sentences that lean to such an answer. A
    language model, where it is the reasoner, may propose statements too.
    """
    from agent.assessment.answer_type import word_rules_suffice
    from agent.assessment.statement_form import statement_form
    from agent.reasoners.answer_candidates import read_gap
    from agent.reasoners.drafting import MAX_STATEMENTS, draft_answer
    from agent.reasoners.llm import LLMReasoner

    hits = sentences_for(question, deps)
    reasoner = deps.reasoner
    proposed = reasoner.draft_answer(question, hits) if isinstance(reasoner, LLMReasoner) else ()
    limit = min(MAX_STATEMENTS, deps.caps.max_claims)
    form, own = statement_form(question), tuple[str, ...]()
    if form is not None:
        read = read_gap(question, form, hits, deps.verifier, deps.thresholds)
        own, hits = read.statements[:limit], tuple(h for h in hits if h.span.span_id in read.leaning)
    elif not word_rules_suffice(question):
        hits = ()
    return draft_answer(question, hits, deps.compile_claims, proposed, limit, own)


def sentences_for(question: str, deps: Deps) -> tuple[Hit, ...]:
    """Sentences that may answer, best first: whole chunks, and what follows the best sentences directly."""
    from evidence.segmentation.spans import MAX_CHUNK

    most = deps.bounds.hits * LOOKED_FOR
    whole = {"max_chunks": most, "max_spans_per_chunk": MAX_CHUNK}
    ranked = deps.retriever.retrieve(Query.taken_from(deps.bounds, text=question, limit=most, **whole))
    cut = deps.bounds.hits * LOOKED_AT
    leads = tuple(hit.span.text for hit in ranked[:LED_BY])
    led = tuple(hit for hit in ranked[cut:] if hit.span.context.endswith(leads))
    return (*ranked[:LED_BY], *led, *ranked[LED_BY:cut])


def make_stands(thresholds: Thresholds, *, trust_enabled: bool, witness: Witness) -> Stands:
    """The policy's word on a drafted statement while it is being looked into."""

    def stands(
        claim: AtomicClaim,
        scored: Sequence[ScoredSpan],
        trust: TrustReport | None,
        failures: Sequence[Failure],
    ) -> bool:
        record = record_of(claim, scored, trust, trust_enabled=trust_enabled, witness=witness, sources=witness.sources)
        return decide(record, thresholds, tuple(failures)).state == "VERIFIED"

    return stands
