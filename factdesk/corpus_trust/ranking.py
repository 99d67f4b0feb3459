"""Trust of a corpus for the command line and notebooks: update, graph, ranking, seeds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from factdesk.corpus_trust.build import Built, Progress, Update, silent
from factdesk.kernel import InputError
from factdesk.parallel.stages import Executor, Models
from trust.types import SAME_MATTER, VERBATIM, ClaimLink, ClaimNode, DocumentFacts, RankOptions

if TYPE_CHECKING:
    from evidence.types import Document, DocumentStore
    from store.trust import SeedKind, TrustStore
    from store.types import StoredClaim, StoredRelation
    from trust.claim_graph import Ranking, TrustGraph


@dataclass
class TrustDesk:
    """The claim graph of one corpus. Models are loaded on first use: showing what is stored loads none. ``executor``
    draws claims and scores relations.
    """

    corpus: str
    documents: DocumentStore
    store: TrustStore
    models: Models
    executor: Executor
    options: RankOptions

    def __post_init__(self) -> None:
        if not self.documents.state(self.corpus):
            raise InputError(f"there is no corpus {self.corpus!r}; factdesk corpus list shows them")

    def update(self, *, k: int | None = None, overall: int | None = None, progress: Progress = silent) -> Built:
        """Draw, pair and relate what is new; see ``factdesk.corpus_trust.build.Update``."""
        from trust.neighbours import K

        self.__dict__.pop("graph", None)
        model = self.models.verifier().fingerprint
        named = model.sha256 or model.version
        todo = Update(self.corpus, self.documents, self.store, self.executor, named, progress)
        return todo.run(k or K, overall)

    @cached_property
    def graph(self) -> TrustGraph:
        """The stored graph, with its clusters of copies."""
        from trust.claim_graph import TrustGraph
        from trust.independence import corpus_clusters

        claims, relations = self.store.claims(self.corpus), self.store.relations(self.corpus)
        documents = list(self.documents.iter_documents(self.corpus))
        owner = {c.claim_id: c.doc_id for c in claims}
        ordered = sorted(documents, key=lambda d: (d.published is None, str(d.published), d.doc_id))
        clusters = corpus_clusters(
            {d.doc_id: d.text for d in documents},
            [d.doc_id for d in ordered],
            shared=[
                (owner[r.source], owner[r.target])
                for r in relations
                if r.similarity >= VERBATIM and r.source < r.target
            ],
            claim_counts=Counter(c.doc_id for c in claims),
        )
        return TrustGraph.of(
            [_facts(d, clusters[d.doc_id]) for d in documents],
            [ClaimNode(claim_id=c.claim_id, doc_id=c.doc_id, text=c.text, start=c.start, end=c.end) for c in claims],
            _links(claims, relations),
        )

    def seeds(self) -> tuple[str, ...]:
        """Ids of the trusted documents: those named, and all of publishers that are named."""
        named = self.store.seeds(self.corpus)
        if not named:
            return ()
        publishers = {name.casefold() for kind, name in named if kind == "publisher"}
        chosen = {name for kind, name in named if kind == "document"}
        for document in self.documents.iter_documents(self.corpus) if publishers else ():
            if (document.publisher or "").casefold() in publishers:
                chosen.add(document.doc_id)
        hashes = self.documents.document_hashes(self.corpus)
        return tuple(sorted(chosen & hashes.keys()))

    def rank(self, options: RankOptions | None = None) -> Ranking:
        """All documents ranked with the seeds, by the settings' variants and alpha where none are given."""
        return self.graph.rank(options or self.options, self.seeds())

    def add_seeds(self, kind: SeedKind, names: Iterable[str]) -> None:
        """Name documents or publishers as trusted. Raises ``InputError`` for a document that is not there."""
        chosen = sorted(set(names))
        if kind == "document":
            known = self.documents.document_hashes(self.corpus)
            unknown = [name for name in chosen if name not in known]
            if unknown:
                raise InputError(
                    f"corpus {self.corpus!r} has no document {unknown[0]!r}; factdesk corpus search shows the ids"
                )
        self.store.add_seeds(self.corpus, kind, chosen)

    def remove_seeds(self, kind: SeedKind, names: Iterable[str]) -> int:
        """No longer name them as trusted; how many were."""
        return self.store.remove_seeds(self.corpus, kind, names)

    def named_seeds(self) -> list[tuple[SeedKind, str]]:
        """What was named as trusted: kind and name."""
        return self.store.seeds(self.corpus)


def _links(claims: Sequence[StoredClaim], relations: Sequence[StoredRelation]) -> list[ClaimLink]:
    """Links of the claim graph; those that neither support nor refute are asked whether one is a denial."""
    from verifier.guard import denies

    text = {c.claim_id: c.text for c in claims}
    return [
        ClaimLink(
            source=r.source,
            target=r.target,
            weight=r.weight,
            similarity=r.similarity,
            denied=r.weight == 0 and r.similarity >= SAME_MATTER and denies(*sorted((text[r.source], text[r.target]))),
        )
        for r in relations
    ]


def _facts(document: Document, cluster: str) -> DocumentFacts:
    return DocumentFacts(
        doc_id=document.doc_id,
        title=document.title,
        publisher=document.publisher or "",
        cluster=cluster,
        published=document.published.isoformat() if document.published else "",
    )
