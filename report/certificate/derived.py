"""Fields of a certificate that follow from others: worked out for its making, and for checking it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from agent.types import Bridge
from evidence.domains import host_of, on_site
from evidence.types import Span, of_document
from factdesk.kernel import sha256_bytes
from report.certificate.canonical import canonical, canonical_record, round_floats
from report.types import CertificateBody, ClaimRecord, Dating, Retrieval, SpanRecord, TrustGraph

OF_THE_SPAN = ("title", "url", "publisher", "published", "retrieved")


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
                **{name: fields[name] for name in OF_THE_SPAN},
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


def is_rated(span: Span, sources: Iterable[str], *, seed: bool) -> bool:
    """Whether the desk has rated what says it: a seed of trust, or on one of the listed sites."""
    return span.kind == "text" and (seed or on_site(span.url, sources))


def trust_graphs(body: CertificateBody) -> tuple[TrustGraph, ...]:
    """That of the check, or those of an annotation's claims."""
    own = [t.graph for t in body.annotation.trust] if body.annotation is not None else [body.trust_graph]
    return tuple(graph for graph in own if graph is not None)


def least_trust(record: ClaimRecord, span_ids: Iterable[str]) -> float | None:
    """Least trust of the documents of scored spans; ``None`` where none of them has one."""
    wanted = set(span_ids)
    return min((s.trust for s in record.spans if s.span.span_id in wanted and s.trust is not None), default=None)


def behind(cited: Iterable[str], bridge: Bridge | None) -> tuple[str, ...]:
    """The spans whose documents an answer's trust is that of: those it cites, and those of its reading."""
    read = (s.span_id for s in bridge.second_hop.spans) if bridge is not None and bridge.second_hop is not None else ()
    return (*cited, *read)
