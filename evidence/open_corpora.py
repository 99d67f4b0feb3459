"""Corpora that are open for a check: retrieval over all of them, with the documents behind it."""

from __future__ import annotations

import json
from collections.abc import Sequence, Set
from functools import cached_property

from evidence.segmentation.spans import CONTEXT_JOIN
from evidence.types import Document, DocumentStore, Hit, Query, Retriever, Span
from factdesk.kernel import BackendUnavailable, Fingerprint, TransientError, sha256_text

KEPT = 200
"""Documents that an open corpus keeps at hand."""


class OpenCorpora:
    """Retrieval over one or several corpora at once, with their documents."""

    def __init__(
        self,
        spec: str,
        parts: Sequence[tuple[str, DocumentStore, Retriever]],
        *,
        by_rank: bool = False,
        unread: Sequence[tuple[str, str]] = (),
    ) -> None:
        """``by_rank``: the parts' own orders count when hits are put together, not their scores."""
        self._spec = spec
        self.unread = tuple(unread)
        """Files that a check was given and could not use, each with the reason."""
        self._parts = tuple(parts)
        self._by_rank = by_rank
        self._kept: dict[tuple[int, str], Document | None] = {}

    @property
    def fingerprint(self) -> Fingerprint:
        """Of the retrievers of all parts together."""
        from evidence.retriever_factory import NoRetriever

        if not self._parts:
            return NoRetriever().fingerprint
        prints = [r.fingerprint for _, _, r in self._parts]
        if len(prints) == 1:
            return prints[0]
        joined = "|".join(f"{p.name} {p.version} {p.sha256}" for p in prints)
        return Fingerprint(name=f"retriever:{self._spec}", version="several", sha256=sha256_text(joined))

    def retrieve(self, query: Query) -> tuple[Hit, ...]:
        """Hits of all parts, best first; of a document id that several parts have, the first counts."""
        owners: dict[str, int] = {}
        merged: list[Hit] = []
        for number, (_, _, retriever) in enumerate(self._parts):
            hits = retriever.retrieve(query)
            documents = self._at_hand(number, {hit.span.doc_id for hit in hits})
            for hit in hits:
                if owners.setdefault(hit.span.doc_id, number) == number:
                    merged.append(_located(hit, documents[hit.span.doc_id]))
        if len(self._parts) == 1:
            return tuple(merged)
        best = sorted(merged, key=self._place)[: query.limit]
        return tuple(hit.model_copy(update={"rank": rank}) for rank, hit in enumerate(best, 1))

    def _place(self, hit: Hit) -> tuple[float, str]:
        return (float(hit.rank) if self._by_rank else -(hit.scores.last or 0.0)), hit.span.span_id

    def states(self) -> tuple[tuple[str, str], ...]:
        """Each part with the time of its last change; names that ``Corpora.open`` takes."""
        return tuple((corpus, store.state(corpus)) for corpus, store, _ in self._parts)

    def snapshot_id(self) -> str:
        """Hex SHA-256 over ids and hashes of all documents."""
        return sha256_text(json.dumps(sorted(self.document_hashes), ensure_ascii=False))

    def document(self, doc_id: str) -> Document | None:
        """A document by its id, from the first part that has it."""
        found = (self._at_hand(number, {doc_id})[doc_id] for number in range(len(self._parts)))
        return next((document for document in found if document is not None), None)

    def _at_hand(self, number: int, doc_ids: Set[str]) -> dict[str, Document | None]:
        """Documents of one part by id; those that were asked for last are kept."""
        kept, (corpus, store, _) = self._kept, self._parts[number]
        known = {d: kept[number, d] for d in doc_ids if (number, d) in kept}
        if wanted := doc_ids - known.keys():
            read = store.get_documents(corpus, wanted)
            found = {d: read.get(d) for d in wanted}
            # put in place whole: checks run in several threads
            few = kept if len(kept) + len(found) <= KEPT else {}
            self._kept = {**few, **{(number, d): document for d, document in found.items()}}
            known |= found
        return known

    @cached_property
    def document_hashes(self) -> list[tuple[str, str]]:
        """Id and hash (text and metadata) of every document of every part."""
        return [pair for corpus, store, _ in self._parts for pair in store.document_hashes(corpus).items()]

    def size(self) -> int:
        """How many documents all parts have."""
        return len(self.document_hashes)


def _located(hit: Hit, document: Document | None) -> Hit:
    """A hit with the place that it has in the file. Raises as ``refuse_altered``."""
    place = refuse_altered(hit.span, document).place_at(hit.span.start)
    return hit.model_copy(update={"span": hit.span.model_copy(update={"locator": place})}) if place else hit


def refuse_altered(span: Span, document: Document | None) -> Document:
    """The document of a span from an index: a copy, which can be damaged or altered.

    Raises:
        TransientError: the document was changed or removed since the index was opened.
        BackendUnavailable: the index says what the document does not.
    """
    if document is None or document.sha256 != span.doc_sha256:
        raise TransientError(f"document {span.doc_id!r} was changed while the index was in use; check the claim again")
    same = (
        document.text[span.start : span.end] == span.text
        and (document.title, document.url, document.publisher, document.published)
        == (span.title, span.url, span.publisher, span.published)
        and all(part in document.text or part in document.title for part in span.context.split(CONTEXT_JOIN))
    )
    if not same:
        raise BackendUnavailable(
            f"the index does not have document {span.doc_id!r} as it is stored (damaged, or altered); "
            "run factdesk doctor --fix"
        )
    return document
