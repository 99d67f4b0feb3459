"""What other rooms may know of the knowledge graph: triples, entities, statistics and the store's port."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

from factdesk.kernel import Record

NodeKind = Literal["person", "organisation", "place", "work", "thing", "value"]
"""``value``: dates, numbers, amounts. Values join no community and no path: "12" here is not "12" there."""


class Node(Record):
    """One end of a triple as a document names it, pronouns and short names filled in."""

    text: str
    """As shown: without article, possessive and quotes."""
    key: str
    """Normal form (``evidence.graph.name_forms``): equal keys are the same entity."""
    kind: NodeKind = "thing"
    external_id: str | None = None
    """Id in the graph it was imported from (``"Q42"``, an IRI)."""
    description: str = ""


class Triple(Record):
    """Subject, relation, object, and the sentence that says so.

    ``document.text[start:end]`` is the sentence; for imported triples the document is the verbalised triples.
    """

    doc_id: str
    span_id: str
    start: int
    end: int
    subject: Node
    relation: str
    """In words, the verb in its base form: ``"cost"``, ``"be designed by"``, ``"reopen on"``."""
    object: Node
    negated: bool = False
    hedged: bool = False
    """May, might, could, would, plans: not said to be so."""
    said_by: str | None = None
    """Whose saying it is, where the sentence reports one."""


class Entity(Record):
    """A node of the merged graph."""

    entity_id: str
    """The imported graph's id, or ``"e:"`` and 16 hex digits over the smallest key."""
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
    """A triple of the merged graph: its ends are entity ids."""

    subject: str
    object: str
    triple: Triple


class DocumentTriples(Record):
    """All triples of one document, and what they were made of."""

    doc_id: str
    row_sha256: str
    """The document's hash as the store gives it (text and metadata)."""
    extractor: str
    """Fingerprint of the extractor: name, version and weights."""
    triples: tuple[Triple, ...]


class BuildResult(Record):
    """What a build did."""

    corpus: str
    documents: int
    parsed: int
    """Documents that were new or had changed."""
    removed: int
    triples: int
    entities: int
    merged: int
    """Names that went into an entity of another name."""


class Explanation(Record):
    """How entities are connected: one path, in order."""

    entities: tuple[Entity, ...]
    edges: tuple[Edge, ...]
    text: str
    """The path in words, one sentence a step."""


class GraphStore(Protocol):
    """Where graphs live. Implemented by ``store``, wired by ``factdesk``."""

    def graph_documents(self, corpus: str) -> dict[str, tuple[str, str]]:
        """``doc_id -> (row_sha256, extractor)`` of what the stored graph holds."""
        ...

    def put_triples(
        self, corpus: str, documents: Sequence[DocumentTriples], removed: Sequence[str] = ()
    ) -> None:
        """Replace the triples of these documents and drop those of others, in one transaction."""
        ...

    def triples(self, corpus: str) -> tuple[Triple, ...]:
        """All triples in the order of documents and of their places in them."""
        ...

    def put_entities(self, corpus: str, entities: Sequence[Entity]) -> None:
        """Replace the merged entities of a corpus."""
        ...

    def entities(self, corpus: str) -> tuple[Entity, ...]:
        """All entities by id."""
        ...

    def drop_graph(self, corpus: str) -> bool: ...
