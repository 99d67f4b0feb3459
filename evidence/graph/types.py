"""What other rooms may know of the knowledge graph: triples, entities, statistics and the store's port."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

from factdesk.kernel import Record

NodeKind = Literal["person", "organisation", "place", "work", "thing", "value"]
"""``value``: dates, numbers, amounts; they join no community and no path."""


class Node(Record):
    """One end of a triple as its document names it, with coreference resolved."""

    text: str
    """For display: without article, possessive and quotes."""
    key: str
    """Normal form (``evidence.graph.entity_resolution``); equal keys are one entity."""
    kind: NodeKind = "thing"
    external_id: str | None = None
    """Id in the imported graph (``"Q42"``, an IRI)."""
    description: str = ""


class Triple(Record):
    """Subject, relation, object and their sentence, at ``document.text[start:end]``."""

    doc_id: str
    span_id: str
    start: int
    end: int
    subject: Node
    relation: str
    """Words with the verb's base form: ``"cost"``, ``"be designed by"``, ``"reopen on"``."""
    object: Node
    negated: bool = False
    hedged: bool = False
    """Possible or planned, not stated as done."""
    said_by: str | None = None
    """The speaker, where the sentence reports a saying."""


class Entity(Record):
    """A node of the merged graph."""

    entity_id: str
    """The imported id, or ``"e:"`` and 16 hex digits over the smallest key."""
    name: str
    """Its most frequent form."""
    kind: NodeKind
    keys: tuple[str, ...]
    """Normal forms of all its names, sorted."""
    aliases: tuple[str, ...] = ()
    """Its other written forms, sorted."""
    description: str = ""
    mentions: int = 1


class Edge(Record):
    """A triple between entity ids."""

    subject: str
    object: str
    triple: Triple


class DocumentTriples(Record):
    """All triples of a document, and the versions they were made with."""

    doc_id: str
    row_sha256: str
    """The store's hash of the document (text and metadata)."""
    extractor: str
    """Fingerprint of the extractor: name, version and weights."""
    triples: tuple[Triple, ...]


class BuildResult(Record):
    """What a build did."""

    corpus: str
    documents: int
    parsed: int
    """New or changed documents."""
    removed: int
    triples: int
    entities: int
    merged: int
    """Names that were joined with an entity of another name."""


class Explanation(Record):
    """One path between entities, in order."""

    entities: tuple[Entity, ...]
    edges: tuple[Edge, ...]
    text: str
    """The path in words, one sentence a step."""


class GraphStore(Protocol):
    """Port of the store of graphs."""

    def graph_documents(self, corpus: str) -> dict[str, tuple[str, str]]:
        """``doc_id -> (row_sha256, extractor)`` of the stored graph."""

    def put_triples(self, corpus: str, documents: Sequence[DocumentTriples], removed: Sequence[str] = ()) -> None:
        """Replace these documents' triples and drop those of others, in one transaction."""

    def triples(self, corpus: str) -> tuple[Triple, ...]:
        """All triples, ordered by document and place."""

    def put_entities(self, corpus: str, entities: Sequence[Entity]) -> None:
        """Replace the merged entities of a corpus."""

    def entities(self, corpus: str) -> tuple[Entity, ...]:
        """All entities by id."""
