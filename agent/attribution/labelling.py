"""Labels for claim spans from triplets and sentences, with a rationale in plain words.

The verifier reads the sentences of the triplets and those nearest to the claim; all are weighed as in a
check (``Weigh``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING

import numpy as np

from agent.assessment.attribution_scores import Weights, claim_score, kas_mean, kas_sum, tms
from agent.assessment.nli_pairs import pair_of
from agent.attribution.claim_entities import entity_names, held, linked_entities, presence, unnamed
from agent.attribution.edited_sentence import altered_detail
from agent.attribution.objective import propose
from agent.attribution.quantified import instance_of
from agent.attribution.rationale import left_open, rationale
from agent.attribution.spans import Located, claim_spans
from agent.attribution.triplet_reading import MAX_EDGES, read_sets, triplet_sets
from agent.attribution.types import Annotation, ClaimSpan, LabelReading, LinkedEntity, Proposed, Triplet, Weigh, Weighed
from agent.attribution.weighed_label import Judged, Labelled, by_triplets, label_of
from agent.types import ScoredSpan
from evidence.graph.entity_graph import KnowledgeGraph, verbalised
from evidence.graph.retrieval import ranked_triples, triple_vectors
from evidence.graph.types import Edge
from evidence.types import Embedder, Hit, Query, RetrievalScores, Retriever, Span
from verifier.types import Assessment, Thresholds, Verifier

if TYPE_CHECKING:
    from spacy.language import Language

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
    """What labels are made with. ``spans`` gives spans by id; unknown ids are left out."""

    graph: KnowledgeGraph
    embedder: Embedder
    retriever: Retriever
    verifier: Verifier
    thresholds: Thresholds
    spans: Callable[[Sequence[str]], dict[str, Span]]
    nlp: Language
    weigh: Weigh
    block_domains: tuple[str, ...] = ()
    """Sites left out of the evidence."""
    weights: Weights = DEFAULT_WEIGHTS
    chat: ChatModel | None = None
    """Proposes labels too (``objective``); it decides none."""


def annotate(text: str, parts: Parts) -> Annotation:
    """Label every claim of a text. Deterministic.

    Raises ``InputError`` for a text without words, ``BackendUnavailable`` when a model fails.
    """
    claims = [_Labelling(located, parts) for located in claim_spans(text)]
    told: dict[int, tuple[Proposed, tuple[Edge, ...]]] = {}
    note = ""
    if parts.chat is not None:
        in_turn = [e for row in zip_longest(*(c.edges for c in claims)) for e in row if e is not None]
        edges = list(dict.fromkeys(in_turn))
        told, note = propose(text, [c.located for c in claims], edges, parts.graph, parts.chat)
    spans = tuple(one.labelled(text, told.get(number)) for number, one in enumerate(claims))
    asked = [(s.proposed.cs, s.proposed.tms) if s.proposed else (0, 0.0) for s in spans]
    scores = [(span.cs, span.tms) for span in spans]
    gamma = parts.weights.gamma
    return Annotation(
        text=text,
        spans=spans,
        kas_mean=round(kas_mean(scores, gamma), 4),
        kas_sum=round(kas_sum(scores, gamma), 4),
        weights=parts.weights,
        proposed_kas=round(kas_mean(asked, gamma), 4) if parts.chat is not None and not note else None,
        note=note,
        fingerprints=(parts.verifier.fingerprint, parts.embedder.fingerprint, parts.retriever.fingerprint),
    )


class _Labelling:
    """One claim on its way to a label, with its entities and the triplets found for it."""

    def __init__(self, located: Located, parts: Parts) -> None:
        self.located, self.parts = located, parts
        self.text = located.claim.text
        self.untold = left_open(located)
        self.names = entity_names(self.text, parts.graph, parts.nlp)
        self.near = ranked_triples(parts.graph, parts.embedder, self.text, READ_TRIPLETS)
        near = [edge for edge, _ in self.near]
        self.sets = () if self.untold else triplet_sets(self.text, self.names, near, parts.graph)

    @property
    def edges(self) -> list[Edge]:
        """Triplets of its sets, and the nearest ones."""
        return [*(e for edges in self.sets for e in edges), *(e for e, _ in self.near)]

    def labelled(self, text: str, told: tuple[Proposed, tuple[Edge, ...]] | None) -> ClaimSpan:
        """The claim with its label; ``told``: a language model's proposal."""
        located, graph = self.located, self.parts.graph
        usable = told is not None and not self.untold and self.names and len(told[1]) <= MAX_EDGES
        if told is not None and usable and all(held(self.names, told[1], graph)):
            self.sets = (told[1], *self.sets)
        judged = [] if self.untold else self._judge()
        weighed = self.parts.weigh(located.claim, [j.scored for j in judged])
        found = self._decided(judged, weighed)
        ranked, triplets = self._triplets(found, judged)
        ss, epr = self._match(ranked)
        return ClaimSpan(
            start=located.start,
            end=located.end,
            text=text[located.start : located.end],
            claim=self.text,
            label=found.label,
            conflicting=found.conflicting,
            basis=found.basis,
            reading=found.reading or self._instance_read(found),
            triplets=triplets,
            entities=tuple(LinkedEntity.taken_from(e) for e in linked_entities(self.text, self.names, graph)),
            ss=round(ss, 4),
            epr=round(epr, 4),
            tms=round(tms(ss, epr, self.parts.weights), 4),
            cs=claim_score(found.label, bool(triplets)),
            rationale=self.untold or rationale(found, triplets, weighed, bool(judged), self.text),
            proposed=self._scored(*told) if told is not None else None,
        )

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

    def _instance_read(self, found: Labelled) -> LabelReading | None:
        """The instance that the surest sentence bears out, where that refutes the claim."""
        first = found.decisive[0] if found.basis == "instance" else None
        if first is None or first.instance is None:
            return None
        score = first.instance.calibrated.entailment
        statement = instance_of(self.text) or ""
        return LabelReading(statement=statement, span_ids=(first.span.span_id,), joint=False, score=score)

    def _decided(self, judged: Sequence[Judged], weighed: Weighed) -> Labelled:
        """The label by sentences, else by triplets read together; green only where every entity is named."""
        parts = self.parts
        found = label_of(judged, weighed, parts.thresholds)
        if found.label == "attributable" and not any(j.verbatim for j in found.decisive):
            lacking = unnamed(self.names, [j.span for j in found.decisive], parts.graph)
            if lacking:
                found = Labelled(lacking=lacking)
        if found.label != "extrapolatory" or found.conflicting or not self.sets:
            return found
        spans = {j.span.span_id: j.span for j in judged if j.span.span_id in weighed.sound}
        read = read_sets(self.text, self.sets, spans, parts.verifier, parts.graph)
        return by_triplets(read, judged, weighed, parts.thresholds) or found

    def _triplets(self, found: Labelled, judged: Sequence[Judged]) -> tuple[list[Edge], tuple[Triplet, ...]]:
        """The deciding triplets, those of the deciding sentences, else the nearest: as edges and as shown."""
        by_sentence = self.parts.graph.edges_by_sentence
        decisive = {j.span.span_id for j in found.decisive}
        edges = [e for j in found.decisive for e in by_sentence.get(j.span.span_id, ())]
        if not edges:
            edges = [edge for edge, score in self.near if score >= NEAR]
        ranked = list(found.edges) or self._nearest(edges)[:SHOWN]
        spans = {j.span.span_id: j.span for j in judged}
        known = {**self.parts.spans([e.triple.span_id for e in ranked if e.triple.span_id not in spans]), **spans}
        ranked = [e for e in ranked if e.triple.span_id in known]

        def deciding(number: int, edge: Edge) -> bool:
            first = number == 0 and edge.triple.span_id in decisive
            return found.label != "extrapolatory" and (bool(found.edges) or first)

        shown = (_shown(e, known[e.triple.span_id], self.parts.graph, deciding(n, e)) for n, e in enumerate(ranked))
        return ranked, tuple(shown)

    def _nearest(self, edges: Sequence[Edge]) -> list[Edge]:
        """Edges by similarity to the claim; ties keep the order of sentences."""
        distinct = list({(e.subject, e.triple.relation, e.object): e for e in reversed(edges)}.values())[::-1]
        if not distinct:
            return []
        mine = self.parts.embedder.embed([self.text])[0].astype(np.float64)
        vectors = triple_vectors(self.parts.graph, self.parts.embedder, distinct)
        scores = [round(float(np.dot(v.astype(np.float64), mine)), 6) for v in vectors]
        first = distinct[0].triple.span_id
        order = sorted(range(len(distinct)), key=lambda i: (distinct[i].triple.span_id != first, -scores[i], i))
        return [distinct[i] for i in order]

    def _judge(self) -> list[Judged]:
        """Assessments of the sentences found for the claim and of those of the nearest triplets."""
        claim, parts = self.located.claim, self.parts
        chosen = self._read()
        pairs = [pair_of(claim, hit.span) for hit in chosen]
        assessed = parts.verifier.assess(pairs)
        other: Sequence[Assessment | None] = [None] * len(chosen)
        if (instance := instance_of(self.text)) is not None:
            other = parts.verifier.assess([p.model_copy(update={"claim": instance}) for p in pairs])
        return [
            Judged(
                ScoredSpan(claim_id=claim.claim_id, question_id=f"{claim.claim_id}.q1", hit=hit, assessment=a),
                o,
                altered_detail(self.text, hit.span.text, a.guard, parts.nlp),
                verbatim=_plain(hit.span.text) == _plain(self.text),
            )
            for hit, a, o in zip(chosen, assessed, other, strict=True)
        ]

    def _read(self) -> list[Hit]:
        """Sentences to read: by similarity, and those of triplets, of sets of them above all."""
        parts = self.parts
        query = Query(
            text=self.text,
            limit=WIDE,
            max_chunks=WIDE,
            max_spans_per_chunk=READ_SENTENCES,
            block_domains=parts.block_domains,
        )
        hits = {h.span.span_id: h for h in parts.retriever.retrieve(query)}
        with_triplet = [i for i in hits if i in parts.graph.edges_by_sentence]
        wanted = list(dict.fromkeys(e.triple.span_id for e in self.edges))
        others = parts.spans([i for i in wanted if i not in hits])
        found = {i: Hit(span=s, scores=RetrievalScores(), rank=len(hits) + 1) for i, s in others.items()} | hits
        # The rankings in turn, so that none fills all places.
        order = [i for row in zip_longest(hits, with_triplet, wanted) for i in row if i is not None and i in found]
        return [found[i] for i in dict.fromkeys(order)][:READ_SENTENCES]


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).strip(' .!"“”')


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
