"""What the pages draw: nodes and edges of a knowledge graph, and of the trust between documents."""

from __future__ import annotations

from typing import Any

from evidence.graph.entity_graph import KnowledgeGraph
from evidence.graph.types import Entity
from factdesk.service.rendering import corpus_address
from report.sanitize import foreign
from trust.claim_graph import Ranking, TrustGraph
from trust.plot import relations

ENTITIES = 40
"""Entities of one drawing."""
DOCUMENTS = 60
"""Documents of the drawing: those with most relations."""


def graph_elements(graph: KnowledgeGraph, corpus: str, chosen: Entity | None) -> list[dict[str, Any]]:
    """Nodes and edges: those round an entity, or those between the best connected ones."""
    shown = _round(graph, chosen) if chosen is not None else _round(graph, *(e for e, _ in best_connected(graph)))
    ids = {entity.entity_id for entity in shown}
    joined = {end for edge in graph.edges for end in (edge.subject, edge.object) if {edge.subject, edge.object} <= ids}
    nodes = [
        _element(
            id=entity.entity_id,
            label=_short(entity.name, 40),
            href=corpus_address(corpus, "graph", entity=entity.entity_id),
            kind=entity.kind,
            chosen=int(entity == chosen),
        )
        for entity in shown
        if entity.entity_id in joined
    ]
    edges: dict[tuple[str, str, str, bool], dict[str, Any]] = {}
    for edge in graph.edges:
        ends, triple = (edge.subject, edge.object), edge.triple
        about = chosen is None or chosen.entity_id in ends
        if about and ends[0] in ids and ends[1] in ids and ends[0] != ends[1]:
            words = _short(f"{'not ' if triple.negated else ''}{triple.relation}", 40)
            side = "against" if triple.negated else "plain"
            made = _element(id=f"t{len(edges)}", source=ends[0], target=ends[1], label=words, side=side)
            edges.setdefault((*ends, triple.relation, triple.negated), made)
    return [*nodes, *edges.values()]


def trust_elements(graph: TrustGraph, found: Ranking, corpus: str) -> list[dict[str, Any]]:
    """Documents as nodes, and who supports and refutes whom."""
    shown, pairs = relations(graph.links, graph.claims, DOCUMENTS)
    facts = {f.doc_id: f for f in found.documents}
    nodes = [
        _element(
            id=doc_id,
            label=_short(facts[doc_id].title or doc_id, 32),
            href=corpus_address(corpus, "trust", document=doc_id),
            kind="seed" if doc_id in found.seeds else "document",
            score=round(found.scores[doc_id], 3),
        )
        for doc_id in shown
    ]
    edges = [
        _element(
            id=f"r{number}",
            source=a,
            target=b,
            label=f"{abs(net)}×" if abs(net) > 1 else "",
            side="for" if net > 0 else "against",
        )
        for number, (a, b, net) in enumerate(pairs)
    ]
    return [*nodes, *edges]


def best_connected(graph: KnowledgeGraph) -> list[tuple[Entity, int]]:
    """The entities of the drawing with their number of triples, most first; values stand behind their names alone."""
    counted = [(e, len(graph.edges_of.get(e.entity_id, ()))) for e in graph.entities if e.kind != "value"]
    return sorted(counted, key=lambda found: (-found[1], found[0].entity_id))[:ENTITIES]


def _round(graph: KnowledgeGraph, *centres: Entity) -> list[Entity]:
    """Entities with what their triples join them to, values only round a single one."""
    found: dict[str, Entity] = {}
    for centre in centres:
        ends = [e for edge in graph.edges_of.get(centre.entity_id, ()) for e in (edge.subject, edge.object)]
        for entity in (centre, *map(graph.entity, ends)):
            if len(found) < ENTITIES and (len(centres) == 1 or entity.kind != "value"):
                found.setdefault(entity.entity_id, entity)
    return list(found.values())


def _element(**data: Any) -> dict[str, Any]:
    return {"data": data}


def _short(text: str, longest: int) -> str:
    plain = foreign(text, 200)
    return plain if len(plain) <= longest else f"{plain[: longest - 1]}…"
