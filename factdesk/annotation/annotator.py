"""Annotating texts against the graph of one corpus; models and graph are loaded once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from agent.assessment.corroboration import make_standing
from agent.assessment.document_probe import make_probe
from agent.assessment.document_relations import RelationTrust
from agent.attribution.labelling import Parts, annotate
from agent.attribution.types import Annotation
from evidence.domains import as_domain, host_of, matches
from evidence.types import Span
from factdesk.annotation.weighing import Scales
from factdesk.bounds import bounds_of
from factdesk.check.evidence_source import Evidence
from factdesk.checker import FactChecker
from factdesk.corpora.graphs import Graphs
from factdesk.corpus_trust.open import named_seeds
from factdesk.kernel import InputError
from factdesk.settings import Settings

if TYPE_CHECKING:
    from agent.bounds import Bounds
    from agent.ports import TrustTool


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
        """Graph, models, thresholds and scales."""
        from language.nlp.pipeline import load_nlp

        checker = self._checker
        graphs = Graphs(checker.settings, checker.corpora)
        graph = graphs.open(self._name, build=not graphs.has(self._name))
        evidence = Evidence(checker.corpora.open((self._name,), checker.settings.retriever))
        bounds = bounds_of(checker.settings, None)
        thresholds = checker.settings.thresholds.apply(checker.verifier.thresholds)
        return Parts(
            graph=graph,
            embedder=checker.corpora.embedder,
            retriever=evidence,
            verifier=checker.verifier,
            thresholds=thresholds,
            spans=self._spans(bounds.block_domains),
            nlp=load_nlp(),
            weigh=Scales(thresholds, checker.settings.caps.max_pairs, self._trust(evidence, bounds)).weigh,
            block_domains=bounds.block_domains,
        )

    def _spans(self, blocked: Sequence[str]) -> Callable[[Sequence[str]], dict[str, Span]]:
        """Sentences by id, without those of blocked sites."""
        index = self._checker.corpora.index(self._name)
        places, names = index.places(), [as_domain(name) for name in blocked]

        def allowed(span: Span) -> bool:
            host, publisher = host_of(span.url), (span.publisher or "").casefold()
            return not any(matches(name, host, publisher) for name in names)

        def spans(ids: Sequence[str]) -> dict[str, Span]:
            rows = [places[i] for i in ids if i in places]
            return {span.span_id: span for span in index.spans(rows) if allowed(span)}

        return spans

    def _trust(self, evidence: Evidence, bounds: Bounds) -> Callable[[], TrustTool] | None:
        """Makes the trust of one claim's documents, as a check has it; ``None``: it is switched off."""
        checker = self._checker
        if not checker.settings.trust:
            return None
        seeds = named_seeds(checker.settings, (self._name,))
        return lambda: RelationTrust(
            checker.verifier,
            evidence.document_text,
            make_probe(evidence.probing, evidence.document, bounds),
            seeds=seeds,
            standing=make_standing(lambda texts: checker.corpora.embedder.embed(texts), evidence, bounds),
        )
