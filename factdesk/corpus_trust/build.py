"""Keeping the claim graph of a corpus up to date: only what is new or changed is worked on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from agent.intake.document_claims import EXTRACTION_VERSION
from factdesk.kernel import Record
from factdesk.parallel.stages import DrawClaims, Executor, ScoreRelations
from store.trust import TrustStore
from store.types import StoredClaim, StoredDocument, StoredRelation
from trust.neighbours import K, nearest
from verifier.types import PairText

if TYPE_CHECKING:
    from evidence.types import Document, DocumentStore

BATCH = 400
"""Pairs scored before they are stored: a build that is stopped goes on from there."""

Progress = Callable[[str, int, int], None]
"""Takes the step, how much is done and of how many."""


class Built(Record):
    """What one update did."""

    documents: int
    """Documents whose claims were drawn now."""
    removed: int
    claims: int
    """Claims of the whole corpus."""
    dropped: int
    """Statements of the whole corpus that are no claims for checking."""
    candidates: int
    """Pairs of the whole corpus that are near enough to be looked at."""
    scored: int
    """Pairs of claims that the verifier was asked about now, each both ways."""
    supporting: int
    refuting: int
    unrelated: int
    """Directed relations of the whole corpus by kind."""
    model: str
    """sha256 of the verifier's weights."""


def _silent(step: str, done: int, total: int) -> None:
    del step, done, total


def update(
    corpus: str,
    documents: DocumentStore,
    store: TrustStore,
    executor: Executor,
    model: str,
    *,
    k: int = K,
    overall: int | None = None,
    progress: Progress = _silent,
) -> Built:
    """Bring claims and relations of a corpus up to date.

    Args:
        executor: draws claims and scores relations.
        model: sha256 (or version) of the verifier that it scores with.
        k: nearest claims of other documents that are looked at, per claim.
        overall: at most so many pairs are scored by the verifier, the nearest first; ``None``: all.

    New claims look for their neighbours among all; pairs of old claims are not looked for again. Relations
    scored by another model are scored anew. Raises ``BackendUnavailable`` when a model cannot run.
    """
    changed, removed = _draw(corpus, documents, store, executor, progress)
    claims = store.claims(corpus)
    _pair(corpus, store, claims, k, progress)
    todo, candidates = _unscored(store, corpus, claims, model, overall)
    _relate(corpus, documents, store, executor, model, todo, progress)
    relations = [r for r in store.relations(corpus) if r.model]
    return Built(
        documents=changed,
        removed=removed,
        claims=len(claims),
        dropped=sum(d.dropped for d in store.documents(corpus).values()),
        candidates=candidates,
        scored=len(todo),
        supporting=sum(r.weight > 0 for r in relations),
        refuting=sum(r.weight < 0 for r in relations),
        unrelated=sum(r.weight == 0 for r in relations),
        model=model,
    )


def _unscored(
    store: TrustStore, corpus: str, claims: Sequence[StoredClaim], model: str, overall: int | None
) -> tuple[list[tuple[StoredClaim, StoredClaim, float]], int]:
    """Of the ``overall`` nearest pairs, those this model has not scored both ways; and how many pairs are."""
    by_id = {c.claim_id: c for c in claims}
    pairs: dict[tuple[str, str], tuple[float, bool]] = {}
    for r in store.relations(corpus):
        key = (min(r.source, r.target), max(r.source, r.target))
        similarity, scored = pairs.get(key, (r.similarity, True))
        pairs[key] = (similarity, scored and r.model == model)
    nearest_first = sorted(pairs.items(), key=lambda item: (-item[1][0], item[0]))[:overall]
    todo = [(by_id[a], by_id[b], s) for (a, b), (s, scored) in nearest_first if not scored]
    return todo, len(pairs)


def _draw(
    corpus: str, documents: DocumentStore, store: TrustStore, executor: Executor, progress: Progress
) -> tuple[int, int]:
    """Draw the claims of new and changed documents; how many these were, and how many documents went."""
    hashes, known = documents.document_hashes(corpus), store.documents(corpus)
    gone = known.keys() - hashes.keys()
    store.remove_documents(corpus, gone)
    todo = sorted(
        doc_id
        for doc_id, row in hashes.items()
        if doc_id not in known or known[doc_id].row_sha256 != row or known[doc_id].extraction != EXTRACTION_VERSION
    )
    present: list[str] = []

    def wanted() -> Iterator[Document]:
        for doc_id in todo:
            document = documents.get_document(corpus, doc_id)
            if document is not None:
                present.append(doc_id)
                yield document

    for number, drawn in enumerate(executor.run(DrawClaims, wanted())):
        progress("drawing claims", number + 1, len(todo))
        doc_id = present[number]
        state = StoredDocument(
            doc_id=doc_id, row_sha256=hashes[doc_id], extraction=EXTRACTION_VERSION, dropped=drawn.dropped
        )
        store.put_document(corpus, state, drawn.claims)
    return len(todo), len(gone)


def vectors_of(claims: Sequence[StoredClaim]) -> NDArray[np.float32]:
    """The vectors of stored claims. *Shape:* ``(n_claims, dimension)``."""
    if not claims:
        return np.empty((0, 1), dtype=np.float32)
    return np.stack([np.frombuffer(c.vector, dtype="<f4") for c in claims]).astype(np.float32)


def _pair(corpus: str, store: TrustStore, claims: Sequence[StoredClaim], k: int, progress: Progress) -> None:
    """Let the claims of documents that are not paired yet look for their neighbours among all claims."""
    waiting = {doc_id for doc_id, document in store.documents(corpus).items() if not document.paired}
    if not waiting:
        return
    progress("looking for pairs", 0, len(claims))
    numbers = {doc_id: i for i, doc_id in enumerate(sorted({c.doc_id for c in claims}))}
    owners = np.array([numbers[c.doc_id] for c in claims], dtype=np.int64)
    asking = np.array([i for i, c in enumerate(claims) if c.doc_id in waiting], dtype=np.int64)
    found = nearest(vectors_of(claims), owners, k=k, asking=asking)
    columns = found.first.tolist(), found.second.tolist(), found.similarity.tolist()
    rows = [
        StoredRelation(source=claims[x].claim_id, target=claims[y].claim_id, similarity=round(s, 6), weight=0, model="")
        for a, b, s in zip(*columns, strict=True)
        for x, y in ((a, b), (b, a))
    ]
    store.put_pairs(corpus, rows, waiting)


def _relate(
    corpus: str,
    documents: DocumentStore,
    store: TrustStore,
    executor: Executor,
    model: str,
    todo: Sequence[tuple[StoredClaim, StoredClaim, float]],
    progress: Progress,
) -> None:
    """Score pairs both ways and store them, batch by batch."""
    dated: dict[str, str] = {}

    def day(doc_id: str) -> str:
        if doc_id not in dated:
            found: Document | None = documents.get_document(corpus, doc_id)
            dated[doc_id] = found.published.isoformat() if found and found.published else ""
        return dated[doc_id]

    ways = [(x, y, s) for a, b, s in todo for x, y in ((a, b), (b, a))]
    texts = (PairText(claim=y.text, premise=x.text, published=day(x.doc_id)) for x, y, _ in ways)
    weights = executor.run(ScoreRelations, texts)
    for start in range(0, len(todo), BATCH):
        progress("relating claims", start, len(todo))
        rows = [
            StoredRelation(
                source=x.claim_id,
                target=y.claim_id,
                similarity=round(s, 6),
                weight=next(weights),
                model=model,
            )
            for x, y, s in ways[2 * start : 2 * (start + BATCH)]
        ]
        store.put_relations(corpus, rows)
