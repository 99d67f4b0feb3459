"""What the ranking of a whole corpus knows of a check's documents: sentences of others that bear on theirs.

The check reads these sentences again, with its own verifier: what is stored only says where to look.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from pydantic import TypeAdapter

from evidence.domains import allowed
from evidence.segmentation.spans import spans_of
from evidence.types import Query, Span
from factdesk.corpus_trust.open import desk_of
from factdesk.parallel.stages import Models

if TYPE_CHECKING:
    from factdesk.check.context import CheckContext
    from store.trust import TrustStore

BUILT_UP_TO = 100
"""Documents of a corpus whose ranking a check works out itself, with ``corpus_trust = "build"``."""


_Place = tuple[str, int, int]
"""Characters of a document: its id, their beginning and their end."""
_Places = TypeAdapter(tuple[tuple[_Place, _Place], ...])
"""A place in another document and one in its own."""


class KnownRelations:
    """Pairs of sentences for one check (``agent.assessment.document_relations.Known``), recorded with it."""

    def __init__(self, check: CheckContext) -> None:
        self._check = check
        self._query = Query.taken_from(check.bounds, text="", limit=1)

    def __call__(self, doc_id: str) -> Sequence[tuple[Span, Span]]:
        """Pairs (sentence of another document, sentence of its own), refutations first."""
        told = self._check.recorder.call("trust", doc_id, lambda: _Places.dump_python(self._stored(doc_id)))
        pairs = [(self._span(other), self._span(own)) for other, own in _Places.validate_python(told)]
        return [(other, own) for other, own in pairs if other is not None and own is not None]

    def _stored(self, doc_id: str) -> tuple[tuple[_Place, _Place], ...]:
        return tuple(
            ((other.doc_id, other.start, other.end), (own.doc_id, own.start, own.end))
            for corpus, store in self._corpora
            for other, own in store.bearing(corpus, doc_id)
        )

    @cached_property
    def _corpora(self) -> tuple[tuple[str, TrustStore], ...]:
        """The open corpora with what is stored of them, which is worked out first where that was asked for."""
        from store.trust import TrustStore

        check, found = self._check, list[tuple[str, TrustStore]]()
        models = Models(lambda: check.corpora.embedder, check.load_verifier)
        for pin in check.evidence.pins():
            name, documents, _ = check.corpora.resolve(pin.name)
            small = len(documents.document_hashes(name)) <= BUILT_UP_TO
            if check.settings.corpus_trust == "build" and small:
                desk_of(check.settings, name, documents, models=models).update()
            found.append((name, TrustStore(documents.engine)))
        return tuple(found)

    def _span(self, place: _Place) -> Span | None:
        """The sentence at a place, where the check may look at its document."""
        doc_id, start, end = place
        document = self._check.evidence.document(doc_id)
        if document is None or not allowed(document, self._query):
            return None
        return next((s for s in spans_of(document) if s.start <= start and end <= s.end), None)
