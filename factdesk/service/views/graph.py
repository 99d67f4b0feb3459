"""A knowledge graph for its page: what is drawn, and the triples of an entity with their sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evidence.graph.entity_graph import KnowledgeGraph
from evidence.graph.types import Edge, Entity
from evidence.types import Document
from factdesk.service.views.documents import corpus_address, text_address
from report.sanitize import foreign
from store.documents import SqlDocumentStore

ENTITIES = 40
"""Entities of one drawing."""
TRIPLES = 100
"""Triples of one entity that are listed."""
LONGEST = 40
"""Characters of a name in the drawing."""


def graph_elements(graph: KnowledgeGraph, corpus: str, chosen: Entity | None) -> list[dict[str, Any]]:
    """Nodes and edges: those round an entity, or those between the best connected ones."""
    shown = _round(graph, chosen) if chosen is not None else _round(graph, *(e for e, _ in _connected(graph)))
    ids = {entity.entity_id for entity in shown}
    joined = {end for edge in graph.edges for end in (edge.subject, edge.object) if {edge.subject, edge.object} <= ids}
    nodes = [
        {
            "data": {
                "id": entity.entity_id,
                "label": _short(entity.name),
                "href": corpus_address(corpus, "graph", entity=entity.entity_id),
                "kind": entity.kind,
                "chosen": int(chosen is not None and entity.entity_id == chosen.entity_id),
            }
        }
        for entity in shown
        if entity.entity_id in joined
    ]
    edges: dict[tuple[str, str, str, bool], dict[str, Any]] = {}
    for edge in graph.edges:
        ends = edge.subject, edge.object
        about = chosen is None or chosen.entity_id in ends
        if about and ends[0] in ids and ends[1] in ids and ends[0] != ends[1]:
            key = (*ends, edge.triple.relation, edge.triple.negated)
            edges.setdefault(key, {"data": _edge(edge, len(edges))})
    return [*nodes, *edges.values()]


def hubs(graph: KnowledgeGraph, corpus: str) -> list[tuple[str, str, int]]:
    """The best connected entities: name, page, number of triples."""
    return [
        (entity.name, corpus_address(corpus, "graph", entity=entity.entity_id), count)
        for entity, count in _connected(graph)[:ENTITIES]
    ]


def triple_rows(graph: KnowledgeGraph, entity: Entity, corpus: str, store: SqlDocumentStore) -> list[dict[str, Any]]:
    """The triples of an entity, each with its sentence and where it stands."""
    edges = graph.edges_of.get(entity.entity_id, ())[:TRIPLES]
    documents = store.get_documents(corpus, [edge.triple.doc_id for edge in edges])
    return [_row(graph, edge, corpus, documents.get(edge.triple.doc_id)) for edge in edges]


def _row(graph: KnowledgeGraph, edge: Edge, corpus: str, document: Document | None) -> dict[str, Any]:
    triple = edge.triple
    marks = [word for word, on in (("denied", triple.negated), ("not certain", triple.hedged)) if on]
    if triple.said_by:
        marks.append(f"said by {triple.said_by}")
    ends = [graph.entity(entity_id) for entity_id in (edge.subject, edge.object)]
    subject, target = ((end.name, corpus_address(corpus, "graph", entity=end.entity_id)) for end in ends)
    return {
        "subject": subject,
        "relation": triple.relation,
        "object": target,
        "marks": marks,
        "sentence": document.text[triple.start : triple.end] if document is not None else "",
        "title": (document.title if document is not None else "") or triple.doc_id,
        "address": text_address(corpus, triple.doc_id, triple.start, triple.end),
    }


def _edge(edge: Edge, number: int) -> dict[str, Any]:
    words = f"{'not ' if edge.triple.negated else ''}{edge.triple.relation}"
    side = "against" if edge.triple.negated else "plain"
    return {"id": f"t{number}", "source": edge.subject, "target": edge.object, "label": _short(words), "side": side}


def _connected(graph: KnowledgeGraph) -> list[tuple[Entity, int]]:
    """Entities with their number of triples, most first; values stand behind their names alone."""
    counted = [(e, len(graph.edges_of.get(e.entity_id, ()))) for e in graph.entities if e.kind != "value"]
    return sorted(counted, key=lambda found: (-found[1], found[0].entity_id))


def _round(graph: KnowledgeGraph, *centres: Entity) -> Sequence[Entity]:
    """Entities with what their triples join them to, values only round a single one."""
    found: dict[str, Entity] = {}
    for centre in centres:
        ends = [e for edge in graph.edges_of.get(centre.entity_id, ()) for e in (edge.subject, edge.object)]
        for entity in (centre, *map(graph.entity, ends)):
            if len(found) < ENTITIES and (len(centres) == 1 or entity.kind != "value"):
                found.setdefault(entity.entity_id, entity)
    return list(found.values())


def _short(text: str) -> str:
    plain = foreign(text, 200)
    return plain if len(plain) <= LONGEST else f"{plain[: LONGEST - 1]}…"
