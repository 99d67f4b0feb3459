"""Keeping the graph of a corpus in step with its documents: parse new ones, drop removed ones, merge."""

from __future__ import annotations

from collections.abc import Callable

from evidence.graph.entity_resolution import merge
from evidence.graph.extract import Extractor
from evidence.graph.types import BuildResult, DocumentTriples, GraphStore
from evidence.types import DocumentStore, Embedder

IMPORTED = "import:"
"""Extractor of documents made of imported triples; they are not parsed."""
_BATCH = 50
Progress = Callable[[int, int], None]


def sync_graph(
    documents: DocumentStore,
    graphs: GraphStore,
    corpus: str,
    extractor: Extractor,
    embedder: Embedder | None,
    progress: Progress | None = None,
) -> BuildResult:
    """Bring the stored graph in step; unchanged documents are not parsed again.

    The same documents give the same graph, whatever the order. A stopped build goes on from its last
    batch.
    """
    wanted = documents.document_hashes(corpus)
    known = graphs.graph_documents(corpus)
    made_by = fingerprint_text(extractor)
    stale = [d for d, sha in sorted(wanted.items()) if not _current(known.get(d), sha, made_by)]
    removed = sorted(known.keys() - wanted.keys())
    batch: list[DocumentTriples] = []
    for number, doc_id in enumerate(stale, 1):
        document = documents.get_document(corpus, doc_id)
        if document is None:
            continue
        batch.append(
            DocumentTriples(
                doc_id=doc_id,
                row_sha256=wanted[doc_id],
                extractor=made_by,
                triples=extractor.extract(document),
            )
        )
        if len(batch) == _BATCH:
            graphs.put_triples(corpus, batch)
            batch = []
        if progress is not None:
            progress(number, len(stale))
    if batch or removed:
        graphs.put_triples(corpus, batch, removed)
    triples = graphs.triples(corpus)
    merged = merge(triples, embedder)
    graphs.put_entities(corpus, merged.entities)
    return BuildResult(
        corpus=corpus,
        documents=len(wanted),
        parsed=len(stale),
        removed=len(removed),
        triples=len(triples),
        entities=len(merged.entities),
        merged=merged.joined,
    )


def fingerprint_text(extractor: Extractor) -> str:
    """An extractor's fingerprint in one line."""
    print_ = extractor.fingerprint
    return f"{print_.name} {print_.version} {print_.sha256 or ''}".strip()


def _current(known: tuple[str, str] | None, sha256: str, made_by: str) -> bool:
    if known is None or known[0] != sha256:
        return False
    return known[1] == made_by or known[1].startswith(IMPORTED)
