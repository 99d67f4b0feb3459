"""Annotating texts against the graph of one corpus; models and graph are loaded once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from agent.assessment.attribution_scores import Weights
from agent.assessment.corroboration import make_probe, make_standing
from agent.assessment.document_relations import RelationTrust
from agent.attribution.labelling import Parts, annotate
from agent.attribution.types import Annotation
from evidence.domains import as_domain, host_of, matches
from evidence.types import Span
from factdesk.annotation.certificate import annotation_body
from factdesk.annotation.weighing import Scales
from factdesk.bounds import bounds_of
from factdesk.check.evidence_source import Evidence
from factdesk.check.models import make_chat
from factdesk.corpora.graphs import Graphs
from factdesk.corpora.stored import Corpora
from factdesk.corpus_trust.open import named_seeds
from factdesk.kernel import InputError
from factdesk.recording.recorder import LIVE, Recorder
from factdesk.settings import Settings

if TYPE_CHECKING:
    from agent.assessment.document_relations import RelationTrust
    from agent.ports import Bounds
    from report.types import CertificateBody
    from verifier.types import Verifier


class AnnotationDesk:
    """Annotates texts. The graph is built, or brought in step, before the first one."""

    def __init__(
        self,
        settings: Settings,
        corpora: Corpora,
        load_verifier: Callable[[], Verifier],
        recorder: Recorder = LIVE,
    ) -> None:
        if len(settings.corpus) != 1:
            raise InputError(f"give one corpus to annotate against, not {len(settings.corpus)}")
        self._settings, self._corpora, self._load_verifier = settings, corpora, load_verifier
        self._recorder = recorder
        self._name = settings.corpus[0]

    def annotate(self, text: str) -> tuple[Annotation, CertificateBody]:
        """Label the claims of a text, with the body of its certificate; a language model as reasoner proposes
        labels beside ours.

        Raises ``InputError`` for a text without words.
        """
        settings, spec = self._settings, self._settings.reasoner
        scales = replace(self._scales, failures=self._evidence.failures(), done=[])
        chat = None if spec == "extractive" else make_chat(spec, settings, self._recorder)
        parts = replace(self.parts, weigh=scales.weigh, chat=chat)
        found = annotate(text, parts)
        return found, annotation_body(found, scales.done, parts, settings, self._evidence, bounds_of(settings, None))

    def sentences(self) -> list[Span]:
        """All sentences of the corpus, in the order of its index."""
        index = self._corpora.index(self._name)
        return index.spans(list(range(len(index))))

    @cached_property
    def parts(self) -> Parts:
        """Graph, models, thresholds and scales."""
        from language.nlp.pipeline import load_nlp

        settings, corpora = self._settings, self._corpora
        graphs = Graphs(settings, corpora)
        graph = graphs.open(self._name, build=not graphs.has(self._name))
        bounds = bounds_of(settings, None)
        return Parts(
            graph=graph,
            embedder=corpora.embedder,
            retriever=self._evidence,
            verifier=self._load_verifier(),
            thresholds=self._scales.thresholds,
            spans=self._spans(bounds.block_domains),
            nlp=load_nlp(),
            weigh=self._scales.weigh,
            block_domains=bounds.block_domains,
            weights=Weights(**settings.attribution.model_dump()),
        )

    @cached_property
    def _evidence(self) -> Evidence:
        return Evidence(self._corpora.open((self._name,), self._settings.retriever))

    @cached_property
    def _scales(self) -> Scales:
        settings, verifier = self._settings, self._load_verifier()
        thresholds = settings.thresholds.apply(verifier.thresholds)
        trust = self._trust(self._evidence, bounds_of(settings, None), verifier)
        return Scales(thresholds, settings.caps.max_pairs, trust, settings.sources)

    def _spans(self, blocked: Sequence[str]) -> Callable[[Sequence[str]], dict[str, Span]]:
        """Sentences by id, without those of blocked sites."""
        index = self._corpora.index(self._name)
        places, names = index.places(), [as_domain(name) for name in blocked]

        def allowed(span: Span) -> bool:
            host, publisher = host_of(span.url), (span.publisher or "").casefold()
            return not any(matches(name, host, publisher) for name in names)

        def spans(ids: Sequence[str]) -> dict[str, Span]:
            rows = [places[i] for i in ids if i in places]
            return {span.span_id: span for span in index.spans(rows) if allowed(span)}

        return spans

    def _trust(self, evidence: Evidence, bounds: Bounds, verifier: Verifier) -> Callable[[], RelationTrust] | None:
        """Makes the trust of one claim's documents, as a check has it; ``None``: it is switched off."""
        if not self._settings.trust:
            return None
        seeds, embedder = named_seeds(self._settings, (self._name,)), self._corpora.embedder
        return lambda: RelationTrust(
            verifier,
            evidence.document_text,
            make_probe(evidence.probing, evidence.document, bounds),
            seeds=seeds,
            sites=self._settings.sources,
            standing=make_standing(embedder.embed, evidence, bounds),
        )
