"""Trust worked out again: the relations between documents are scored anew, then ranked anew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from factdesk.kernel import InputError
from report.types import CertificateBody, ClaimRecord, SpanRecord, TrustGraph
from trust.types import ALPHA, DocumentTrust, TrustEdge, TrustReport
from verifier.types import PairText, Verifier

if TYPE_CHECKING:
    from report.verification.findings import Findings


def check_trust(body: CertificateBody, verifier: Verifier, found: Findings) -> CertificateBody:
    """The body with trust as it is worked out now, each claim of an annotation by its own graph; what does not
    agree goes into ``found``. Raises ``BackendUnavailable`` when the verifier cannot run.
    """
    if body.annotation is None:
        return body.model_copy(update={"claims": _claims_with_trust(body, verifier, found)})
    fresh: list[ClaimRecord] = []
    for record, own in zip(body.claims, body.annotation.trust, strict=True):
        alone = {"claims": (record,), "trust": own.documents, "trust_graph": own.graph}
        fresh += _claims_with_trust(body.model_copy(update=alone), verifier, found)
    found.notes[:] = dict.fromkeys(found.notes)
    return body.model_copy(update={"claims": tuple(fresh)})


def _claims_with_trust(body: CertificateBody, verifier: Verifier, found: Findings) -> tuple[ClaimRecord, ...]:
    graph = body.trust_graph
    if not body.trust_enabled:
        if graph is not None or body.trust:
            found.problems.append("trust was off, but the certificate has trust values")
        return _with_trust(body, None, found)
    if graph is None:
        if body.trust:
            found.problems.append("the certificate has trust values, but not the relations they rest on")
        return _with_trust(body, None, found)
    found.notes.append("which documents are copies of each other is taken as recorded (independence clusters)")
    if strangers := [n.doc_id for n in graph.documents if n.stranger]:
        found.notes.append(
            f"that nothing else in these is reported elsewhere is taken as recorded: {', '.join(strangers)}"
        )
    if seeds := [n.doc_id for n in graph.documents if n.seed]:
        found.notes.append(f"named as trusted by whoever made the check: {', '.join(seeds)}")
    if graph.alpha != ALPHA:
        found.differences.append(f"trust: alpha {graph.alpha!r} there, {ALPHA!r} here")
    try:
        recorded = _report(graph, graph.edges)
        fresh = _report(graph, _weighed(graph, verifier, found))
    except InputError as error:
        found.problems.append(f"trust cannot be worked out: {error}")
        return body.claims
    if recorded.edges != graph.edges:
        found.problems.append("the relations of documents are not in their form, or join copies")
    _compare_documents(body, recorded, fresh, found)
    return _with_trust(body, fresh, found)


def _report(graph: TrustGraph, edges: Sequence[TrustEdge]) -> TrustReport:
    from trust.document_trust import assess_trust

    return assess_trust(
        [n.doc_id for n in graph.documents],
        edges,
        clusters={n.doc_id: n.cluster for n in graph.documents},
        seeds=[n.doc_id for n in graph.documents if n.seed],
        alpha=graph.alpha,
        strangers=[n.doc_id for n in graph.documents if n.stranger],
        sentences={n.doc_id: n.sentences for n in graph.documents},
    )


def _weighed(graph: TrustGraph, verifier: Verifier, found: Findings) -> tuple[TrustEdge, ...]:
    """The edges with the weights that the verifier gives now."""
    from agent.assessment.nli_pairs import relation_weight

    sentences = {s.span_id: s for s in graph.sentences}
    edges = [e for e in graph.edges if e.source_span in sentences and e.target_span in sentences]
    pairs = [
        PairText(
            claim=sentences[e.target_span].text,
            premise=sentences[e.source_span].text,
            context=sentences[e.source_span].context,
            published=sentences[e.source_span].published,
        )
        for e in edges
    ]
    fresh = []
    for edge, assessment in zip(edges, found.assess(verifier, pairs), strict=True):
        weight = relation_weight(assessment)
        if not found.scored(edge.weight, weight):
            found.problems.append(f"the relation {edge.source!r} -> {edge.target!r} has another weight")
        fresh.append(edge.model_copy(update={"weight": weight}))
    return tuple(fresh)


def _compare_documents(body: CertificateBody, recorded: TrustReport, fresh: TrustReport, found: Findings) -> None:
    """The recorded values are, to the letter, those of the recorded relations, and near those of new ones."""
    cited = {s.span.doc_id for s in body.scored}
    expected = tuple(d for d in recorded.documents if d.doc_id in cited)
    if len(body.trust) != len(expected):
        found.problems.append("the documents with trust values are not those that are cited")
    for old, again in zip(body.trust, expected, strict=False):
        if _rounded(old) != _rounded(again):
            found.problems.append(f"the trust of {old.doc_id!r} does not follow from its relations")
        now = fresh.of(old.doc_id)
        if now is None or not found.scored(old.score, now.score):
            found.problems.append(f"the trust of {old.doc_id!r} is another when worked out again")


def _rounded(entry: DocumentTrust) -> DocumentTrust:
    """Another machine may differ in the last digits of a sum."""
    return entry.model_copy(update={"score": round(entry.score, 4)})


def _with_trust(body: CertificateBody, report: TrustReport | None, found: Findings) -> tuple[ClaimRecord, ...]:
    """Spans with the trust of their documents: none for readings of images, 0 where it is not known."""

    def mended(item: SpanRecord) -> SpanRecord:
        entry = report.of(item.span.doc_id) if report else None
        trust: float | None = None
        if body.trust_enabled and item.span.kind == "text":
            trust = report.at(item.span.doc_id, item.span.span_id) if report and entry else 0.0
        matter = report.matter(item.span.span_id) if report else None
        now = item.model_copy(
            update={
                "trust": trust,
                "cluster": entry.cluster if entry else item.span.doc_id,
                "disputes": matter.disputes if matter else (),
            }
        )
        found.same(f"trust, cluster or disputes of span {item.span.span_id!r}", item, now)
        return now

    return tuple(r.model_copy(update={"spans": tuple(mended(s) for s in r.spans)}) for r in body.claims)
