"""Work on many items that needs models: embedding sentences, drawing claims, scoring relations.

A stage maps items one to one, with models that are loaded once. An executor runs it: in this process, or on the
actors of Ray (``factdesk.parallel.ray_workers``). What comes out is the same, in the order of what went in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from factdesk.kernel import Fingerprint

if TYPE_CHECKING:
    from evidence.types import Document, Embedder
    from factdesk.settings import Settings
    from store.types import StoredClaim
    from verifier.types import PairText, Verifier

In = TypeVar("In")
Out = TypeVar("Out")


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


@dataclass(frozen=True)
class Stage(Generic[In, Out]):
    """Maps items one to one, in batches; what comes out of each item does not depend on the others. ``work`` is a
    function of a module, so that it can be pickled. It raises ``BackendUnavailable`` when a model cannot run.
    """

    work: Callable[[Models, Sequence[In]], Sequence[Out]]
    batch: int


class Executor(Protocol):
    """Runs stages somewhere."""

    def run(self, stage: Stage[In, Out], items: Iterable[In]) -> Iterator[Out]:
        """What the stage makes of each item, in order; begun when the first is asked for. Raises
        ``BackendUnavailable`` where a model or the cluster cannot run.
        """
        ...


@dataclass(frozen=True)
class LocalExecutor:
    """Runs stages in this process (implements ``Executor``)."""

    models: Models

    def run(self, stage: Stage[In, Out], items: Iterable[In]) -> Iterator[Out]:
        """What the stage makes of each item, in order."""
        for batch in batches(items, stage.batch):
            yield from stage.work(self.models, batch)


def batches(items: Iterable[In], size: int) -> Iterator[list[In]]:
    """Runs of ``size`` items; the last may be shorter."""
    source = iter(items)
    while batch := list(islice(source, size)):
        yield batch


def _embed(models: Models, items: Sequence[str]) -> Sequence[NDArray[np.float32]]:
    return list(models.embedder().embed(items))


EMBED_SENTENCES = Stage(_embed, batch=128)
"""Sentences to unit vectors. *Shape:* (dimension,)."""


@dataclass(frozen=True)
class Drawn:
    """The claims of one document."""

    claims: tuple[StoredClaim, ...]
    dropped: int
    """Statements that are no claims for checking."""


def _draw(models: Models, items: Sequence[Document]) -> Sequence[Drawn]:
    return [_drawn(models.embedder(), document) for document in items]


def _drawn(embedder: Embedder, document: Document) -> Drawn:
    from agent.intake.document_claims import claims_of_document
    from store.types import StoredClaim

    found = claims_of_document(document.text, published=document.published)
    vectors = embedder.embed([c.text for c in found.claims])
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


DRAW_CLAIMS = Stage(_draw, batch=4)
"""Documents to their claims, with vectors."""


def _relate(models: Models, items: Sequence[PairText]) -> Sequence[float]:
    from agent.assessment.nli_pairs import assess_relations, relation_weight

    return [relation_weight(assessment) for assessment in assess_relations(models.verifier(), items)]


SCORE_RELATIONS = Stage(_relate, batch=100)
"""Pairs of claims to the weight of the relation between them, -1 to 1."""


class StageEmbedder:
    """An embedder whose sentences go through an executor (implements ``evidence.types.Embedder``)."""

    batch = 20_000
    """Sentences of new documents that are handed to an executor together."""

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
        if len(texts) <= EMBED_SENTENCES.batch:
            return self._inner.embed(texts)
        vectors: list[NDArray[np.float32]] = list(self._executor.run(EMBED_SENTENCES, texts))
        return np.stack(vectors)
