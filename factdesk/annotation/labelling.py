"""Labels for claim spans from triplets and sentences, with a rationale in plain words.

The verifier reads the sentences of the triplets and those nearest to the claim; all are weighed as in a
check (``Scales``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING

import numpy as np

from agent.assessment.attribution_scores import Weights, claim_score, kas_mean, kas_sum, tms, word_for_word
from agent.assessment.nli_pairs import pair_of
from agent.attribution.claim_entities import entity_names, held, linked_entities, presence, unnamed
from agent.attribution.edited_sentence import altered_detail
from agent.attribution.objective import propose
from agent.attribution.quantified import instance_of
from agent.attribution.spans import Located, claim_spans
from agent.attribution.triplet_reading import MAX_EDGES, read_sets, spans_behind, triplet_sets
from agent.attribution.types import Annotation, ClaimSpan, LinkedEntity, Proposed, Triplet
from agent.types import ScoredSpan
from evidence.graph.entity_graph import KnowledgeGraph, verbalised
from evidence.graph.retrieval import SentencesById, nearest_triples, ranked_triples
from evidence.graph.types import Edge
from evidence.types import Embedder, Hit, Query, RetrievalScores, Retriever, Span
from factdesk.annotation.label_decision import Judged, Labelled, by_triplets, label_of
from factdesk.annotation.rationale import left_open, rationale
from factdesk.annotation.weighing import Scales, Weighing
from verifier.types import Assessment, Verifier

if TYPE_CHECKING:
    from agent.reasoners.chat_model import ChatModel

READ_TRIPLETS = 16
"""Triplets of a claim's entities that are looked at."""
READ_SENTENCES = 12
"""Sentences that the verifier reads for one claim."""
WIDE = 100
"""Sentences retrieved, of which the best ``READ_SENTENCES`` are read."""
SHOWN = 3
DEFAULT_WEIGHTS = Weights()
NEAR = 0.45
"""Least cosine of a triplet shown for an extrapolatory claim."""


@dataclass(frozen=True)
class Parts:
    """What labels are made with."""

    graph: KnowledgeGraph
    embedder: Embedder
    retriever: Retriever
    sentences: SentencesById
    verifier: Verifier
    scales: Scales
    block_domains: tuple[str, ...] = ()
    """Sites left out of the evidence."""
    weights: Weights = DEFAULT_WEIGHTS
    chat: ChatModel | None = None
    """Proposes labels too (``objective``); it decides none."""


def annotate(text: str, parts: Parts) -> tuple[Annotation, tuple[Weighing, ...]]:
    """Label every claim of a text, with how each was weighed. Deterministic.

    Raises ``InputError`` for a text without words, ``BackendUnavailable`` when a model fails.
    """
    claims = [_Labelling(located, parts) for located in claim_spans(text)]
    told: dict[int, tuple[Proposed, tuple[Edge, ...]]] = {}
    note = ""
    if parts.chat is not None:
        in_turn = [e for row in zip_longest(*(c.edges for c in claims)) for e in row if e is not None]
        edges = list(dict.fromkeys(in_turn))
        told, note = propose(text, [c.located for c in claims], edges, parts.graph, parts.chat)
    found = [one.labelled(text, told.get(number)) for number, one in enumerate(claims)]
    spans = tuple(span for span, _ in found)
    asked = [(s.proposed.cs, s.proposed.tms) if s.proposed else (0, 0.0) for s in spans]
    scores = [(span.cs, span.tms) for span in spans]
    gamma = parts.weights.gamma
    annotation = Annotation(
        text=text,
        spans=spans,
        kas_mean=round(kas_mean(scores, gamma), 4),
        kas_sum=round(kas_sum(scores, gamma), 4),
        weights=parts.weights,
        proposed_kas=round(kas_mean(asked, gamma), 4) if parts.chat is not None and not note else None,
        note=note,
        fingerprints=(parts.verifier.fingerprint, parts.embedder.fingerprint, parts.retriever.fingerprint),
    )
    return annotation, tuple(weighed for _, weighed in found)


class _Labelling:
    """One claim on its way to a label, with its entities and the triplets found for it."""

    def __init__(self, located: Located, parts: Parts) -> None:
        self.located, self.parts = located, parts
        self.text = located.claim.text
        self.untold, self.instance = left_open(located), instance_of(self.text) or ""
        self.names = entity_names(self.text, parts.graph)
        self.near = ranked_triples(parts.graph, parts.embedder, self.text, READ_TRIPLETS)
        self.entities = linked_entities(self.text, self.names, parts.graph)
        near = [edge for edge, _ in self.near]
        self.sets = () if self.untold else triplet_sets(self.names, self.entities, near, parts.graph)

    @property
    def edges(self) -> list[Edge]:
        """Triplets of its sets, and the nearest ones."""
        return [*(e for edges in self.sets for e in edges), *(e for e, _ in self.near)]

    def labelled(self, text: str, told: tuple[Proposed, tuple[Edge, ...]] | None) -> tuple[ClaimSpan, Weighing]:
        """The claim with its label, and how it was weighed; ``told``: a language model's proposal."""
        located, parts = self.located, self.parts
        if told is not None and not self.untold and self.names and len(told[1]) <= MAX_EDGES:
            self.sets = ((told[1],) if all(held(self.names, told[1], parts.graph)) else ()) + self.sets
        judged = [] if self.untold else self._judge()
        weighed = parts.scales.weigh(located.claim, [j.scored for j in judged])
        found = self._decided(judged, weighed)
        ranked, triplets = self._triplets(found, judged)
        ss, epr = self._match(ranked)
        span = ClaimSpan(
            start=located.start,
            end=located.end,
            text=text[located.start : located.end],
            claim=self.text,
            label=found.label,
            conflicting=found.conflicting,
            basis=found.basis,
            reading=found.reading,
            triplets=triplets,
            entities=tuple(LinkedEntity.taken_from(e) for e in self.entities),
            ss=round(ss, 4),
            epr=round(epr, 4),
            tms=round(tms(ss, epr, parts.weights), 4),
            cs=claim_score(found.label, bool(triplets)),
            rationale=self.untold or rationale(found, triplets, weighed, bool(judged), self.text),
            proposed=self._scored(*told) if told is not None else None,
        )
        return span, weighed

    def _match(self, edges: Sequence[Edge]) -> tuple[float, float]:
        """``SS``, the cosine of the claim with the triplets written out, and ``EPR``; each 0 to 1."""
        epr = presence(self.names, edges, self.parts.graph)
        if not edges:
            return 0.0, epr
        words = " ".join(verbalised(e, self.parts.graph) for e in edges)
        first, second = self.parts.embedder.embed([self.text, words]).astype(np.float64)
        return min(1.0, max(0.0, float(np.dot(first, second)))), epr

    def _scored(self, proposed: Proposed, edges: Sequence[Edge]) -> Proposed:
        """A model's proposal with the scores of its triplets."""
        found = round(tms(*self._match(edges), self.parts.weights), 4)
        return proposed.model_copy(update={"tms": found, "cs": claim_score(proposed.label, bool(edges))})

    def _decided(self, judged: Sequence[Judged], weighed: Weighing) -> Labelled:
        """The label by sentences, else by triplets read together; green only where every entity is named."""
        parts, thresholds = self.parts, self.parts.scales.thresholds
        found = label_of(judged, weighed, thresholds, self.instance)
        if found.label == "attributable" and not any(j.verbatim for j in found.decisive):
            lacking = unnamed(self.names, [j.span for j in found.decisive], parts.graph)
            if lacking:
                found = Labelled(lacking=lacking)
        if found.label != "extrapolatory" or found.conflicting or not self.sets:
            return found
        sentences = {j.span.span_id: j.span.text for j in judged if j.span.span_id in weighed.sound}
        read = read_sets(self.text, self.sets, sentences, parts.verifier, parts.graph)
        return by_triplets(read, judged, weighed, thresholds) or found

    def _triplets(self, found: Labelled, judged: Sequence[Judged]) -> tuple[list[Edge], tuple[Triplet, ...]]:
        """The deciding triplets, those of the deciding sentences, else the nearest: as edges and as shown."""
        graph = self.parts.graph
        decisive = [j.span.span_id for j in found.decisive]
        edges = [e for i in decisive for e in graph.edges_by_sentence.get(i, ())]
        ranked = list(found.edges) or self._nearest(edges or [e for e, score in self.near if score >= NEAR])[:SHOWN]
        known = {j.span.span_id: j.span for j in judged}
        known |= self._sentences([i for i in spans_behind(ranked) if i not in known])
        ranked = [e for e in ranked if e.triple.span_id in known]

        def deciding(number: int, edge: Edge) -> bool:
            first = number == 0 and edge.triple.span_id in decisive
            return found.label != "extrapolatory" and (bool(found.edges) or first)

        shown = (_shown(e, known[e.triple.span_id], graph, deciding(n, e)) for n, e in enumerate(ranked))
        return ranked, tuple(shown)

    def _nearest(self, edges: Sequence[Edge]) -> list[Edge]:
        """Edges by similarity to the claim, those of the first one's sentence before others."""
        distinct = list({(e.subject, e.triple.relation, e.object): e for e in reversed(edges)}.values())[::-1]
        ranked = [e for e, _ in nearest_triples(self.parts.graph, self.parts.embedder, self.text, distinct)]
        return sorted(ranked, key=lambda e: e.triple.span_id != distinct[0].triple.span_id)

    def _judge(self) -> list[Judged]:
        """Assessments of the sentences found for the claim and of those of the nearest triplets."""
        claim, parts = self.located.claim, self.parts
        chosen = self._read()
        pairs = [pair_of(claim, hit.span) for hit in chosen]
        assessed = parts.verifier.assess(pairs)
        other: Sequence[Assessment | None] = [None] * len(chosen)
        if self.instance:
            other = parts.verifier.assess([p.model_copy(update={"claim": self.instance}) for p in pairs])
        return [
            Judged(
                ScoredSpan(claim_id=claim.claim_id, question_id=f"{claim.claim_id}.q1", hit=hit, assessment=a),
                o,
                altered_detail(self.text, hit.span.text, a.guard),
                verbatim=word_for_word(self.text, hit.span.text),
            )
            for hit, a, o in zip(chosen, assessed, other, strict=True)
        ]

    def _read(self) -> list[Hit]:
        """Sentences to read: by similarity, and those of triplets, of sets of them above all."""
        hits = {h.span.span_id: h for h in self.parts.retriever.retrieve(self._query)}
        with_triplet = [i for i in hits if i in self.parts.graph.edges_by_sentence]
        wanted = spans_behind(self.edges)
        others = self._sentences([i for i in wanted if i not in hits])
        found = {i: Hit(span=s, scores=RetrievalScores(), rank=len(hits) + 1) for i, s in others.items()} | hits
        # The rankings in turn, so that none fills all places.
        order = [i for row in zip_longest(hits, with_triplet, wanted) for i in row if i is not None and i in found]
        return [found[i] for i in dict.fromkeys(order)][:READ_SENTENCES]

    @property
    def _query(self) -> Query:
        blocked = self.parts.block_domains
        return Query(
            text=self.text, limit=WIDE, max_chunks=WIDE, max_spans_per_chunk=READ_SENTENCES, block_domains=blocked
        )

    def _sentences(self, span_ids: Sequence[str]) -> dict[str, Span]:
        return {span.span_id: span for span in self.parts.sentences.of(span_ids, self._query)}


def _shown(edge: Edge, span: Span, graph: KnowledgeGraph, deciding: bool) -> Triplet:
    triple = edge.triple
    return Triplet.taken_from(
        span,
        subject=graph.entity(edge.subject).name,
        relation=triple.relation,
        object=graph.entity(edge.object).name,
        negated=triple.negated,
        said_by=triple.said_by,
        sentence=span.text,
        published=span.published.isoformat() if span.published else "",
        deciding=deciding,
    )
