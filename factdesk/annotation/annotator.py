"""Annotating texts against the graph of one corpus; models and graph are loaded once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from agent.attribution.labelling import Parts, annotate
from agent.attribution.types import Annotation
from evidence.types import Span
from factdesk.checker import FactChecker
from factdesk.corpora.graphs import Graphs
from factdesk.kernel import InputError
from factdesk.settings import Settings


class AnnotationDesk:
    """Annotates texts. The graph is built, or brought in step, before the first one."""

    def __init__(self, settings: Settings) -> None:
        self._checker = FactChecker(settings)
        if len(settings.corpus) != 1:
            raise InputError(f"give one corpus to annotate against, not {len(settings.corpus)}")
        self._name = settings.corpus[0]

    def annotate(self, text: str) -> Annotation:
        """Label the claims of a text. Raises ``InputError`` for one without words."""
        return annotate(text, self.parts)

    def sentences(self) -> list[Span]:
        """All sentences of the corpus, in the order of its index."""
        index = self._checker.corpora.index(self._name)
        return index.spans(list(range(len(index))))

    @cached_property
    def parts(self) -> Parts:
        """Graph, models and thresholds."""
        from language.nlp.pipeline import load_nlp

        checker = self._checker
        graphs = Graphs(checker.settings, checker.corpora)
        graph = graphs.open(self._name, build=not graphs.has(self._name))
        index = checker.corpora.index(self._name)
        places = index.places()

        def spans(ids: Sequence[str]) -> dict[str, Span]:
            rows = [places[i] for i in ids if i in places]
            return {span.span_id: span for span in index.spans(rows)}

        return Parts(
            graph=graph, embedder=checker.corpora.embedder,
            retriever=checker.corpora.open((self._name,), checker.settings.retriever),
            verifier=checker.verifier,
            thresholds=checker.settings.thresholds.apply(checker.verifier.thresholds),
            spans=spans, nlp=load_nlp(),
        )  # fmt: skip
