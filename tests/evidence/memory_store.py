"""A document store in memory, and an embedder that counts: parts for the tests of ``evidence``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from evidence.types import AddResult, CorpusInfo, Document, Embedder
from factdesk.kernel import Fingerprint, sha256_text


def document(doc_id: str, text: str, *, title: str = "", media_type: str = "text/plain", **fields: object) -> Document:
    """A document with its right hash."""
    values = {
        "doc_id": doc_id,
        "title": title,
        "text": text,
        "sha256": sha256_text(text),
        "media_type": media_type,
    }
    return Document.model_validate({**values, **fields})


class MemoryStore:
    """Implements ``DocumentStore`` in a dict."""

    def __init__(self, corpus: str = "c", documents: Sequence[Document] = ()) -> None:
        self.corpora: dict[str, dict[str, Document]] = {}
        if documents:
            self.put_documents(corpus, documents)

    def put_documents(self, corpus: str, documents: Sequence[Document]) -> AddResult:
        held = self.corpora.setdefault(corpus, {})
        before = dict(held)
        held.update({d.doc_id: d for d in documents})
        added = sum(d.doc_id not in before for d in documents)
        same = sum(before.get(d.doc_id) == d for d in documents)
        replaced = len(documents) - added - same
        return AddResult(corpus=corpus, added=added, unchanged=same, replaced=replaced)

    def get_document(self, corpus: str, doc_id: str) -> Document | None:
        return self.corpora.get(corpus, {}).get(doc_id)

    def get_documents(self, corpus: str, doc_ids: Iterable[str]) -> dict[str, Document]:
        held = self.corpora.get(corpus, {})
        return {doc_id: held[doc_id] for doc_id in doc_ids if doc_id in held}

    def iter_documents(self, corpus: str) -> Iterator[Document]:
        return iter(sorted(self.corpora.get(corpus, {}).values(), key=lambda d: d.doc_id))

    def state(self, corpus: str) -> str:
        """Hash of what is there: the same documents, the same state."""
        held = sorted(self.document_hashes(corpus).items())
        return sha256_text(repr(held)) if held else ""

    def document_hashes(self, corpus: str) -> dict[str, str]:
        return {d.doc_id: sha256_text(d.model_dump_json()) for d in self.corpora.get(corpus, {}).values()}

    def remove_documents(self, corpus: str, doc_ids: Sequence[str]) -> int:
        return sum(self.corpora[corpus].pop(doc_id, None) is not None for doc_id in doc_ids)

    def drop_corpus(self, corpus: str) -> bool:
        return self.corpora.pop(corpus, None) is not None

    def list_corpora(self) -> tuple[CorpusInfo, ...]:
        return ()


class CountingEmbedder:
    """Passes on to a real embedder and notes every text it was asked for."""

    def __init__(self, inner: Embedder) -> None:
        self.inner = inner
        self.texts: list[str] = []

    @property
    def fingerprint(self) -> Fingerprint:
        return self.inner.fingerprint

    @property
    def dimension(self) -> int:
        return self.inner.dimension

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.texts.extend(texts)
        return self.inner.embed(texts)
