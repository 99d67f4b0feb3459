"""Annotating texts against the graph of one corpus; models and graph are loaded once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from agent.assessment.attribution_scores import Weights
from agent.assessment.corroboration import make_probe, make_standing
from agent.assessment.document_relations import RelationTrust
from agent.attribution.types import Annotation
from evidence.graph.retrieval import SentencesById
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
from factdesk.settings import Settings

if TYPE_CHECKING:
    from agent.assessment.document_relations import RelationTrust
    from report.types import CertificateBody
    from verifier.types import Verifier


@dataclass(frozen=True)
class AnnotationDesk:
    """Annotates texts against one corpus, as it was when it was opened."""

    settings: Settings
    evidence: Evidence
    parts: Parts

    def annotate(self, text: str) -> tuple[Annotation, CertificateBody]:
        """Label the claims of a text, with the body of its certificate; a language model as reasoner proposes
        labels beside ours.

        Raises ``InputError`` for a text without words.
        """
        settings, spec = self.settings, self.settings.reasoner
        chat = None if spec == "extractive" else make_chat(spec, settings)
        scales = replace(self.parts.scales, failures=self.evidence.failures())
        parts = replace(self.parts, scales=scales, chat=chat)
        found, weighed = annotate(text, parts)
        return found, annotation_body(found, weighed, parts, settings, self.evidence)


def open_annotation_desk(settings: Settings, corpora: Corpora, verifier: Verifier) -> AnnotationDesk:
    """What annotates against the one corpus of the settings; its graph is built, or brought in step, first."""
    if len(settings.corpus) != 1:
        raise InputError(f"give one corpus to annotate against, not {len(settings.corpus)}")
    (name,), bounds = settings.corpus, bounds_of(settings, None)
    graphs = Graphs(settings, corpora)
    graph = graphs.open(name, build=not graphs.has(name))
    evidence = Evidence(lambda: corpora.open((name,), settings.retriever))
    seeds = named_seeds(settings, (name,)) if settings.trust else ()

    def trust() -> RelationTrust:
        return RelationTrust(
            verifier,
            evidence.document_text,
            make_probe(evidence.probing, evidence.document, bounds),
            seeds=seeds,
            sites=settings.sources,
            standing=make_standing(corpora.embedder.embed, evidence, bounds),
        )

    thresholds = settings.thresholds.apply(verifier.thresholds)
    parts = Parts(
        graph=graph,
        embedder=corpora.embedder,
        retriever=evidence,
        sentences=SentencesById(corpora.index(name)),
        verifier=verifier,
        scales=Scales(thresholds, settings.caps.max_pairs, trust if settings.trust else None, settings.sources),
        block_domains=bounds.block_domains,
        weights=Weights(**settings.attribution.model_dump()),
    )
    return AnnotationDesk(settings, evidence, parts)
