"""Annotating texts against the graph of one corpus; models and graph are loaded once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from agent.assessment.attribution_scores import Weights
from agent.assessment.corroboration import make_probe, make_standing
from agent.assessment.document_relations import RelationTrust
from agent.attribution.types import Annotation
from evidence.graph.retrieval import SentencesById
from evidence.types import Span
from factdesk.annotation.certificate import annotation_body
from factdesk.annotation.labelling import Parts, annotate
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
    from agent.ports import TrustTool
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
        self._name, self._bounds = settings.corpus[0], bounds_of(settings, None)

    def annotate(self, text: str) -> tuple[Annotation, CertificateBody]:
        """Label the claims of a text, with the body of its certificate; a language model as reasoner proposes
        labels beside ours.

        Raises ``InputError`` for a text without words.
        """
        settings, spec = self._settings, self._settings.reasoner
        chat = None if spec == "extractive" else make_chat(spec, settings, self._recorder)
        scales = replace(self.parts.scales, failures=self._evidence.failures())
        parts = replace(self.parts, scales=scales, chat=chat)
        found, weighed = annotate(text, parts)
        return found, annotation_body(found, weighed, parts, settings, self._evidence)

    def sentences(self) -> list[Span]:
        """All sentences of the corpus, in the order of its index."""
        index = self._corpora.index(self._name)
        return index.spans(list(range(len(index))))

    @cached_property
    def parts(self) -> Parts:
        """Graph, models, thresholds and scales."""
        from language.nlp.pipeline import load_nlp

        settings, corpora, verifier = self._settings, self._corpora, self._load_verifier()
        graphs = Graphs(settings, corpora)
        graph = graphs.open(self._name, build=not graphs.has(self._name))
        thresholds = settings.thresholds.apply(verifier.thresholds)
        return Parts(
            graph=graph,
            embedder=corpora.embedder,
            retriever=self._evidence,
            sentences=SentencesById(corpora.index(self._name)),
            verifier=verifier,
            nlp=load_nlp(),
            scales=Scales(thresholds, settings.caps.max_pairs, self._trust(verifier), settings.sources),
            block_domains=self._bounds.block_domains,
            weights=Weights(**settings.attribution.model_dump()),
        )

    @cached_property
    def _evidence(self) -> Evidence:
        return Evidence(self._corpora.open((self._name,), self._settings.retriever))

    def _trust(self, verifier: Verifier) -> Callable[[], TrustTool] | None:
        """Makes the trust of one claim's documents, as a check has it; ``None``: it is switched off."""
        if not self._settings.trust:
            return None
        seeds, embedder, evidence = named_seeds(self._settings, (self._name,)), self._corpora.embedder, self._evidence
        return lambda: RelationTrust(
            verifier,
            evidence.document_text,
            make_probe(evidence.probing, evidence.document, self._bounds),
            seeds=seeds,
            sites=self._settings.sources,
            standing=make_standing(embedder.embed, evidence, self._bounds),
        )
