"""Fields of a certificate that follow from others: worked out here for its making and for its checking."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from agent.types import Bridge, ReadSpan, resolved_name
from evidence.domains import host_of, on_site
from evidence.types import Span, of_document
from factdesk.kernel import sha256_bytes
from report.certificate.annotated import annotation_problems
from report.certificate.canonical import canonical, canonical_record, round_floats
from report.types import (
    AnswerRecord,
    CertificateBody,
    ClaimRecord,
    Dating,
    Retrieval,
    SpanRecord,
    TrustGraph,
    Witness,
)
from trust.types import TrustSentence

_OF_THE_SPAN = ("title", "url", "publisher", "published", "retrieved")


def settings_sha256(settings: dict[str, Any]) -> str:
    """Hex SHA-256 over the recorded settings, canonical."""
    return sha256_bytes(canonical(round_floats(settings)))


def retrieval_sha256(retrieval: Retrieval) -> str:
    """Hex SHA-256 over the retrieval configuration, canonical."""
    return sha256_bytes(canonical_record(retrieval))


def dating(published: str | None, as_of: str | None, claim_date: str | None) -> Dating:
    """A document's day against ``as_of``, or else the day of the claim: ``later`` is after that day.

    ``dated`` where there is no day to compare with. All are ISO days.
    """
    if published is None:
        return "undated"
    reference = as_of or claim_date
    if reference is None:
        return "dated"
    return "later" if published > reference else "before"


def documents_of(
    records: Sequence[ClaimRecord], as_of: str | None, claim_date: str | None
) -> tuple[dict[str, Any], ...]:
    """Every cited document once, in the order of ids."""
    found: dict[str, dict[str, Any]] = {}
    for span in (item.span for record in records for item in record.spans):
        if of_document(span.kind):
            fields = span.model_dump(mode="json")
            found[span.doc_id] = {
                "doc_id": span.doc_id,
                "sha256": span.doc_sha256,
                **{name: fields[name] for name in _OF_THE_SPAN},
                "dating": dating(fields["published"], as_of, claim_date),
            }
    return tuple(found[key] for key in sorted(found))


def independent_sources(spans: Iterable[SpanRecord]) -> dict[str, str]:
    """The independent source of each span, by its id: named by the first document of cluster, publisher and
    site.
    """
    groups: list[tuple[set[tuple[str, str]], set[str], set[str]]] = []
    for s in spans:
        site, publisher = host_of(s.span.url), (s.span.publisher or "").casefold()
        keys = {("cluster", s.cluster or s.span.doc_id)}
        keys |= {(kind, name) for kind, name in (("site", site), ("publisher", publisher)) if name}
        ids, documents = {s.span.span_id}, {s.span.doc_id}
        for other in [g for g in groups if g[0] & keys]:
            groups.remove(other)
            keys, ids, documents = keys | other[0], ids | other[1], documents | other[2]
        groups.append((keys, ids, documents))
    return {span_id: min(documents) for _, ids, documents in groups for span_id in ids}


def _source_problems(body: CertificateBody) -> Iterator[str]:
    for claim in body.claims:
        expected = independent_sources(claim.spans)
        for record in claim.spans:
            if record.source not in ("", expected[record.span.span_id]):
                yield f"span {record.span.span_id!r} is not of the source that it names"


def is_rated(span: Span, sources: Iterable[str], *, seed: bool) -> bool:
    """Whether the desk has rated what says it: a seed of trust, or on one of the listed sites."""
    return span.kind == "text" and (seed or on_site(span.url, sources))


def _rating_problems(body: CertificateBody) -> Iterator[str]:
    sources = body.settings.get("sources")
    sites = [str(site) for site in sources] if isinstance(sources, list | tuple) else []
    seeds = {d.doc_id for graph in trust_graphs(body) for d in graph.documents if d.seed}
    for record in body.scored:
        if record.rated != is_rated(record.span, sites, seed=record.span.doc_id in seeds):
            yield f"span {record.span.span_id!r} is not rated as settings and seeds say"


def trust_graphs(body: CertificateBody) -> tuple[TrustGraph, ...]:
    """That of the check, or those of an annotation's claims."""
    own = [t.graph for t in body.annotation.trust] if body.annotation is not None else [body.trust_graph]
    return tuple(graph for graph in own if graph is not None)


def least_trust(record: ClaimRecord, span_ids: Iterable[str]) -> float | None:
    """Least trust of the documents of scored spans; ``None`` where none of them has one."""
    wanted = set(span_ids)
    return min((s.trust for s in record.spans if s.span.span_id in wanted and s.trust is not None), default=None)


def derived_problems(body: CertificateBody) -> Iterator[str]:
    """What does not follow although it should."""
    if settings_sha256(body.settings) != body.settings_sha256:
        yield "the settings do not have the recorded hash"
    if retrieval_sha256(body.retrieval) != body.retrieval_sha256:
        yield "the retrieval configuration does not have the recorded hash"
    if body.retrieval.retriever not in body.fingerprints:
        yield "the retriever of the retrieval configuration is not among the fingerprints"
    if body.settings.get("caps") not in (None, body.caps.model_dump(mode="json")):
        yield "the caps are not those of the settings"
    yield from _document_problems(body)
    yield from _rating_problems(body)
    yield from _source_problems(body)
    for graph in trust_graphs(body):
        yield from _graph_problems(body, graph)
    yield from _asked_problems(body)
    yield from _bridge_problems(body)
    yield from _answer_problems(body)
    yield from annotation_problems(body)


def _answer_problems(body: CertificateBody) -> Iterator[str]:
    """An answer cites sentences that are here, scored for its claim or in full, and has a grounding."""
    for answer in body.answers:
        name = f"the answer to {answer.question_id!r}"
        record = body.record_for(answer.question_id)
        scored = {s.span.span_id for s in record.spans} if record else set()
        rest = [s.span_id for s in answer.unscored]
        if set(answer.span_ids) - scored != set(rest) or len(set(rest)) < len(rest):
            yield f"{name} cites unknown sentences, or one twice"
        if not all(_in_its_form(s) for s in answer.unscored):
            yield f"{name} cites a sentence that is not in its form"
        if answer.found is (answer.grounding is None):
            yield f"{name} and its grounding do not go together"
        if record is None or answer.trust != _trust_of(answer, record, body):
            yield f"{name} has another trust than what it cites"


def _trust_of(answer: AnswerRecord, record: ClaimRecord, body: CertificateBody) -> float | None:
    """The least trust of what it cites, and of what a reading with a name in it rests on besides."""
    bridge = next((b for b in body.bridges if b.question_id == answer.question_id), None)
    return least_trust(record, behind(answer.span_ids, bridge))


def behind(cited: Iterable[str], bridge: Bridge | None) -> tuple[str, ...]:
    """The spans whose documents an answer's trust is that of: those it cites, and those of its reading."""
    read = (s.span_id for s in bridge.second_hop.spans) if bridge is not None and bridge.second_hop is not None else ()
    return (*cited, *read)


def _asked_problems(body: CertificateBody) -> Iterator[str]:
    """A question has a fit for each claim, and each claim what a drafted one needs; a check has neither."""
    rules = [record.witness for record in body.claims]
    if body.asked is None:
        if any(rule is not None for rule in rules):
            yield "a claim was drafted from the evidence, but no question was asked"
        return
    if [f.claim_id for f in body.asked.fits] != [record.claim.claim_id for record in body.claims]:
        yield "the fits are not those of the claims"
    sources, wanted = body.settings.get("sources"), body.settings.get("answer_sources")
    named = sources if isinstance(sources, list) else []
    needed = Witness.asked_for(wanted if isinstance(wanted, int) else None, [str(site) for site in named])
    if not isinstance(sources, list) or any(rule != needed for rule in rules):
        yield "what a drafted claim needs is not what the settings say"


def _bridge_problems(body: CertificateBody) -> Iterator[str]:
    """A reading belongs to a question that takes its name, and to sentences scored for the claim."""
    names = {q.question_id: resolved_name(q.purpose) for q in body.questions}
    if len({b.question_id for b in body.bridges}) != len(body.bridges):
        yield "the list of readings has a question twice"
    for bridge in body.bridges:
        record = body.record_for(bridge.question_id)
        if record is None or names[bridge.question_id] != bridge.name:
            yield f"the reading for {bridge.question_id!r} belongs to no question that takes its name"
            continue
        parts = [bridge.first_hop, *([bridge.second_hop] if bridge.second_hop else [])]
        known = {s.span.span_id for s in record.spans}
        if not all(_read_from(s, known) for p in parts for s in p.spans) or any(
            len({s.span_id for s in p.spans}) < len(p.spans) for p in parts
        ):
            yield f"the reading for {bridge.question_id!r} rests on unknown sentences, or on one twice"
        told = [_puts_in(p.text, bridge.name, record.claim.text) for p in parts]
        if bridge.name not in bridge.first_hop.text or (len(parts) == 2 and not any(told)):
            yield f"the reading for {bridge.question_id!r} is not the claim with the name in it"


def _read_from(read: ReadSpan, known: set[str]) -> bool:
    """Whether its sentence is one of the claim's, or is given here in its proper form, never both."""
    span = read.span
    if span is None or read.span_id in known:
        return span is None and read.span_id in known
    return span.span_id == read.span_id and span.kind == "text" and _in_its_form(span)


def _in_its_form(span: Span) -> bool:
    """Whether a sentence is as long as its place says, and has the id of its place."""
    return span.start >= 0 and span.end - span.start == len(span.text) > 0 and _named_by_place(span)


def _named_by_place(span: Span) -> bool:
    return span.span_id.startswith(f"{span.chunk_id}.") and span.chunk_id.startswith(f"{span.doc_id}#")


def _puts_in(statement: str, name: str, claim: str) -> bool:
    """Whether a statement is the claim with ``name`` for some of its words."""
    before, _, after = statement.partition(name)
    return claim.startswith(before) and claim.endswith(after) and len(before) + len(after) < len(claim)


def _document_problems(body: CertificateBody) -> Iterator[str]:
    """Every span says of its document what the list of documents says; nothing else is in the list."""
    expected = {d["doc_id"]: d for d in documents_of(body.claims, body.as_of, body.claim_date)}
    if [d.get("doc_id") for d in body.documents] != list(expected):
        yield "the list of documents is not that of the spans"
    for document in body.documents:
        wanted = expected.get(str(document.get("doc_id")), {})
        if any(document.get(name) != value for name, value in wanted.items()):
            yield f"the list of documents says of {document.get('doc_id')!r} what its spans do not"
    for span in (item.span for item in body.scored):
        fields = span.model_dump(mode="json")
        if of_document(span.kind) and any(fields[name] != expected[span.doc_id][name] for name in (*_OF_THE_SPAN,)):
            yield f"the spans of {span.doc_id!r} say different things of their document"
        if not _named_by_place(span):
            yield f"span {span.span_id!r} does not have the id of its place"


def place_problems(body: CertificateBody) -> Iterator[str]:
    """Claims, fields and questions that do not stand where they say."""
    for record in body.claims:
        claim = record.claim
        if body.claim_text[claim.start : claim.end] != claim.source:
            yield f"the source of claim {claim.claim_id!r} is not what the input says at its place"
        for field in claim.fields:
            if claim.text[field.start : field.end] != field.text:
                yield f"a field of claim {claim.claim_id!r} is not what the claim says at its place"
    asked = {(q.question_id, q.claim_id) for q in body.questions}
    for record in body.claims:
        for item in record.spans:
            if (item.question_id, record.claim.claim_id) not in asked:
                yield f"span {item.span.span_id!r} belongs to the unknown question {item.question_id!r}"


def _graph_problems(body: CertificateBody, graph: TrustGraph) -> Iterator[str]:
    nodes = {n.doc_id: n for n in graph.documents}
    sentences = {s.span_id: s for s in graph.sentences}
    if len(nodes) != len(graph.documents) or len(sentences) != len(graph.sentences):
        yield "the trust graph names a document or a sentence twice"
    for edge in graph.edges:
        source, target = sentences.get(edge.source_span), sentences.get(edge.target_span)
        if source is None or target is None or (source.doc_id, target.doc_id) != (edge.source, edge.target):
            yield f"the trust edge {edge.source!r} -> {edge.target!r} rests on unknown sentences"
    if {s.span_id for s in graph.sentences} != {i for e in graph.edges for i in (e.source_span, e.target_span)}:
        yield "the sentences of the trust graph are not those of its edges"
    for span in (item.span for item in body.scored):
        found = sentences.get(span.span_id)
        published = span.published.isoformat() if span.published else ""
        cited = TrustSentence.taken_from(span, published=published)
        if found not in {None, cited}:
            yield f"the trust graph quotes span {span.span_id!r} otherwise than the claims do"
