"""Keeping the claim graph of a corpus up to date: only what is new or changed is worked on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from agent.intake.document_claims import EXTRACTION_VERSION
from factdesk.kernel import Record
from factdesk.parallel.stages import DRAW_CLAIMS, SCORE_RELATIONS, Executor
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
Near = tuple[StoredClaim, StoredClaim, float]
"""Two claims and their similarity."""


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


def silent(step: str, done: int, total: int) -> None:
    """Progress that nobody sees."""
    del step, done, total


@dataclass(frozen=True)
class Update:
    """Brings claims and relations of a corpus up to date. ``executor`` draws claims and scores relations; ``model``:
    sha256 (or version) of the verifier that it scores with. New claims look for their neighbours among all; pairs of
    old claims are not looked for again. Relations scored by another model are scored anew.
    """

    corpus: str
    documents: DocumentStore
    store: TrustStore
    executor: Executor
    model: str
    progress: Progress

    def run(self, k: int = K, overall: int | None = None) -> Built:
        """Bring it up to date. Raises ``BackendUnavailable`` when a model cannot run. ``k``: nearest claims of other
        documents that are looked at, per claim; ``overall``: at most so many pairs are scored by the verifier, the
        nearest first; ``None``: all.
        """
        changed, removed = self._draw()
        claims = self.store.claims(self.corpus)
        self._pair(claims, k)
        todo, candidates = self._unscored(claims, overall)
        self._relate(todo)
        relations = [r for r in self.store.relations(self.corpus) if r.model]
        return Built(
            documents=changed,
            removed=removed,
            claims=len(claims),
            dropped=sum(d.dropped for d in self.store.documents(self.corpus).values()),
            candidates=candidates,
            scored=len(todo),
            supporting=sum(r.weight > 0 for r in relations),
            refuting=sum(r.weight < 0 for r in relations),
            unrelated=sum(r.weight == 0 for r in relations),
            model=self.model,
        )

    def _draw(self) -> tuple[int, int]:
        """Draw the claims of new and changed documents; how many these were, and how many documents went."""
        hashes, known = self.documents.document_hashes(self.corpus), self.store.documents(self.corpus)
        gone = known.keys() - hashes.keys()
        self.store.remove_documents(self.corpus, gone)
        todo = sorted(
            doc_id
            for doc_id, row in hashes.items()
            if doc_id not in known or known[doc_id].row_sha256 != row or known[doc_id].extraction != EXTRACTION_VERSION
        )
        present: list[str] = []

        def wanted() -> Iterator[Document]:
            for doc_id in todo:
                document = self.documents.get_document(self.corpus, doc_id)
                if document is not None:
                    present.append(doc_id)
                    yield document

        for number, drawn in enumerate(self.executor.run(DRAW_CLAIMS, wanted())):
            self.progress("drawing claims", number + 1, len(todo))
            doc_id = present[number]
            state = StoredDocument(
                doc_id=doc_id, row_sha256=hashes[doc_id], extraction=EXTRACTION_VERSION, dropped=drawn.dropped
            )
            self.store.put_document(self.corpus, state, drawn.claims)
        return len(todo), len(gone)

    def _pair(self, claims: Sequence[StoredClaim], k: int) -> None:
        """Let the claims of documents that are not paired yet look for their neighbours among all claims."""
        waiting = {doc_id for doc_id, document in self.store.documents(self.corpus).items() if not document.paired}
        if not waiting:
            return
        self.progress("looking for pairs", 0, len(claims))
        numbers = {doc_id: i for i, doc_id in enumerate(sorted({c.doc_id for c in claims}))}
        owners = np.array([numbers[c.doc_id] for c in claims], dtype=np.int64)
        asking = np.array([i for i, c in enumerate(claims) if c.doc_id in waiting], dtype=np.int64)
        found = nearest(vectors_of(claims), owners, k=k, asking=asking)
        columns = found.first.tolist(), found.second.tolist(), found.similarity.tolist()
        near = [(claims[a], claims[b], s) for a, b, s in zip(*columns, strict=True)]
        self.store.put_pairs(self.corpus, [_relation(x, y, s) for x, y, s in _both_ways(near)], waiting)

    def _unscored(self, claims: Sequence[StoredClaim], overall: int | None) -> tuple[list[Near], int]:
        """Of the ``overall`` nearest pairs, those this model has not scored both ways; and how many pairs are."""
        by_id = {c.claim_id: c for c in claims}
        pairs: dict[tuple[str, str], tuple[float, bool]] = {}
        for r in self.store.relations(self.corpus):
            key = (min(r.source, r.target), max(r.source, r.target))
            similarity, scored = pairs.get(key, (r.similarity, True))
            pairs[key] = (similarity, scored and r.model == self.model)
        nearest_first = sorted(pairs.items(), key=lambda item: (-item[1][0], item[0]))[:overall]
        todo = [(by_id[a], by_id[b], s) for (a, b), (s, scored) in nearest_first if not scored]
        return todo, len(pairs)

    def _relate(self, todo: Sequence[Near]) -> None:
        """Score pairs both ways and store them, batch by batch."""

        @cache
        def day(doc_id: str) -> str:
            found: Document | None = self.documents.get_document(self.corpus, doc_id)
            return found.published.isoformat() if found and found.published else ""

        ways = _both_ways(todo)
        texts = (PairText(claim=y.text, premise=x.text, published=day(x.doc_id)) for x, y, _ in ways)
        weights = self.executor.run(SCORE_RELATIONS, texts)
        for start in range(0, len(todo), BATCH):
            self.progress("relating claims", start, len(todo))
            batch = ways[2 * start : 2 * (start + BATCH)]
            rows = [_relation(x, y, s, next(weights), self.model) for x, y, s in batch]
            self.store.put_relations(self.corpus, rows)


def vectors_of(claims: Sequence[StoredClaim]) -> NDArray[np.float32]:
    """The vectors of stored claims. *Shape:* ``(n_claims, dimension)``."""
    if not claims:
        return np.empty((0, 1), dtype=np.float32)
    return np.stack([np.frombuffer(c.vector, dtype="<f4") for c in claims]).astype(np.float32)


def _both_ways(pairs: Sequence[Near]) -> list[Near]:
    return [way for a, b, s in pairs for way in ((a, b, s), (b, a, s))]


def _relation(
    source: StoredClaim, target: StoredClaim, similarity: float, weight: float = 0, model: str = ""
) -> StoredRelation:
    return StoredRelation(
        source=source.claim_id, target=target.claim_id, similarity=round(similarity, 6), weight=weight, model=model
    )
