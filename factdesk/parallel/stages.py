"""Work on many items that needs models: embedding sentences, drawing claims, scoring relations.

A stage loads its models once and maps items one to one. An executor runs it: in this process, or on the
actors of Ray (``factdesk.parallel.ray_executor``). What comes out is the same, in the order of what went in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from factdesk.kernel import Fingerprint

if TYPE_CHECKING:
    from evidence.types import Document, Embedder
    from factdesk.settings import Settings
    from store.types import StoredClaim
    from verifier.types import PairText, Verifier

In = TypeVar("In", contravariant=True)
Out = TypeVar("Out", covariant=True)


@dataclass(frozen=True)
class Models:
    """The models that stages need, each loaded when it is first asked for."""

    embedder: Callable[[], Embedder]
    verifier: Callable[[], Verifier]

    @classmethod
    def of(cls, settings: Settings) -> Models:
        """Those that the settings name; an actor makes its own from them."""

        @cache
        def embedder() -> Embedder:
            from evidence.retrieval.embedder import OnnxEmbedder

            return OnnxEmbedder()

        @cache
        def verifier() -> Verifier:
            from factdesk.score_cache import open_score_cache
            from verifier.backends.factory import make_verifier

            return make_verifier(
                settings.verifier,
                strict=False,
                cache=open_score_cache(settings),
                calibrations=settings.paths.calibrations,
            )

        return cls(embedder, verifier)


class Stage(Protocol[In, Out]):
    """Maps items one to one."""

    batch: ClassVar[int]
    """Items that are handed over together; what comes out of each does not depend on the others."""

    def __init__(self, models: Models) -> None: ...
    def __call__(self, items: Sequence[In]) -> Sequence[Out]:
        """In the order of the items. Raises ``BackendUnavailable`` when a model cannot run."""
        ...


class Executor(Protocol):
    """Runs stages somewhere."""

    def run(self, stage: type[Stage[In, Out]], items: Iterable[In]) -> Iterator[Out]:
        """What the stage makes of each item, in order; begun when the first is asked for.

        Raises:
            BackendUnavailable: a model or the cluster cannot run.
        """
        ...

    def close(self) -> None:
        """Let go of what was started."""
        ...


class LocalExecutor:
    """Runs stages in this process (implements ``Executor``)."""

    def __init__(self, models: Models) -> None:
        self._models = models
        self._stages: dict[type[Any], Any] = {}

    def run(self, stage: type[Stage[In, Out]], items: Iterable[In]) -> Iterator[Out]:
        """What the stage makes of each item, in order."""
        for batch in batches(items, stage.batch):
            if stage not in self._stages:
                self._stages[stage] = stage(self._models)
            yield from self._stages[stage](batch)

    def close(self) -> None:
        """Nothing was started."""


def batches(items: Iterable[In], size: int) -> Iterator[list[In]]:
    """Runs of ``size`` items; the last may be shorter."""
    source = iter(items)
    while batch := list(islice(source, size)):
        yield batch


class EmbedSentences:
    """Sentences to unit vectors."""

    batch: ClassVar[int] = 128

    def __init__(self, models: Models) -> None:
        self._embedder = models.embedder()

    def __call__(self, items: Sequence[str]) -> Sequence[NDArray[np.float32]]:
        """One vector each. *Shape:* (dimension,)."""
        return list(self._embedder.embed(items))


@dataclass(frozen=True)
class Drawn:
    """The claims of one document."""

    claims: tuple[StoredClaim, ...]
    dropped: int
    """Statements that are no claims for checking."""


class DrawClaims:
    """Documents to their claims, with vectors."""

    batch: ClassVar[int] = 4

    def __init__(self, models: Models) -> None:
        self._embedder = models.embedder()

    def __call__(self, items: Sequence[Document]) -> Sequence[Drawn]:
        """In the order of the documents."""
        return [self._one(document) for document in items]

    def _one(self, document: Document) -> Drawn:
        from agent.intake.document_claims import claims_of_document
        from store.types import StoredClaim

        found = claims_of_document(document.text, published=document.published)
        vectors = self._embedder.embed([c.text for c in found.claims])
        rows = [
            StoredClaim(
                claim_id=f"{document.doc_id}#c{i:03}",
                doc_id=document.doc_id,
                start=c.start,
                end=c.end,
                source=c.source,
                text=c.text,
                vector=vector.astype("<f4").tobytes(),
            )
            for i, (c, vector) in enumerate(zip(found.claims, vectors, strict=True), 1)
        ]
        return Drawn(tuple(rows), found.dropped)


class ScoreRelations:
    """Pairs of claims to the weight of the relation between them, -1 to 1."""

    batch: ClassVar[int] = 100

    def __init__(self, models: Models) -> None:
        self._verifier = models.verifier()

    def __call__(self, items: Sequence[PairText]) -> Sequence[float]:
        """One weight each."""
        from agent.assessment.nli_pairs import assess_relations, relation_weight

        return [relation_weight(assessment) for assessment in assess_relations(self._verifier, items)]


SENTENCES = 20_000
"""Sentences of new documents that are handed to an executor together."""


class StageEmbedder:
    """An embedder whose sentences go through an executor (implements ``evidence.types.Embedder``)."""

    batch = SENTENCES

    def __init__(self, inner: Embedder, executor: Executor) -> None:
        """``inner`` says whose vectors they are, and makes those of a few sentences itself."""
        self._inner, self._executor = inner, executor

    @property
    def fingerprint(self) -> Fingerprint:
        """That of the model."""
        return self._inner.fingerprint

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return self._inner.dimension

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors of the texts, in order. *Shape:* (n_texts, dimension)."""
        if len(texts) <= EmbedSentences.batch:
            return self._inner.embed(texts)
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        for i, vector in enumerate(self._executor.run(EmbedSentences, texts)):
            vectors[i] = vector
        return vectors
