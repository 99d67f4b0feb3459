"""Hybrid retrieval without its last stage, for ablations: both rankings fused, nothing reranked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evidence.retrieve import IndexRetriever
from factdesk.corpora import OpenCorpora, ProgressCallback
from factdesk.evaluation.runner import CountedCorpora, MeasuredChecker, MeasuredCorpora
from factdesk.kernel import Fingerprint
from factdesk.settings import Settings


class FusedRetriever(IndexRetriever):
    """BM25 and vectors, fused by rank. Its fingerprint tells it from the shipped one."""

    @property
    def fingerprint(self) -> Fingerprint:
        """Of the hybrid retriever, under a name of its own."""
        return super().fingerprint.model_copy(update={"name": "retriever:fused"})

    def _reranked(self, text: str, pairs: Sequence[Any], vector: Any) -> list[Any]:
        del text, vector
        return list(pairs)


class FusedCorpora(MeasuredCorpora):
    """Corpora in which ``hybrid`` is fused and not reranked."""

    def open(
        self,
        names: Sequence[str],
        spec: str,
        progress: ProgressCallback | None = None,
        *,
        graph: bool = False,
    ) -> OpenCorpora:
        """As ``Corpora.open``."""
        if spec != "hybrid":
            return super().open(names, spec, progress, graph=graph)
        parts = []
        for name in names:
            corpus, store, _ = self.resolve(name, progress)
            parts.append((corpus, store, FusedRetriever("hybrid", self.index(name), self.embedder)))
        return CountedCorpora("fused", parts, self.counts)


class FusedChecker(MeasuredChecker):
    """A measured check over such corpora; it records nothing."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.corpora = FusedCorpora(settings, self.counts)
