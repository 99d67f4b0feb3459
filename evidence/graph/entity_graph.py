"""The merged graph in memory: entities, edges, neighbours, and entity linking."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from evidence.graph.entity_resolution import grouped, key_of, words_of
from evidence.graph.types import Edge, Entity, NodeKind, Triple
from factdesk.kernel import sha256_text
from language.wordlists import read_table, word_classes

_WORDS = word_classes("evidence.graph")

IMPORTED_DOCUMENT = "graph/"
"""How ids of documents made of imported triples begin."""
LONGEST_NAME = 8
"""Words of the longest name that is linked."""


class KnowledgeGraph:
    """An immutable graph; entities ordered by id, edges by place in the documents."""

    def __init__(self, entities: Iterable[Entity], triples: Iterable[Triple]) -> None:
        self.entities = tuple(sorted(entities, key=lambda e: e.entity_id))
        self.vectors: dict[tuple[str, str], NDArray[np.float32]] = {}
        """Vectors of triples by embedder and words, a cache outside of the hash."""
        self._of_key = {key: e.entity_id for e in self.entities for key in e.keys}
        self._by_id = {e.entity_id: e for e in self.entities}
        self.edges = tuple(
            Edge(subject=self._of_key[t.subject.key], object=self._of_key[t.object.key], triple=t)
            for t in triples
            if t.subject.key in self._of_key and t.object.key in self._of_key
        )

    def __len__(self) -> int:
        """Number of entities."""
        return len(self.entities)

    def entity(self, entity_id: str) -> Entity:
        """An entity by its id; ``KeyError`` for an unknown one."""
        return self._by_id[entity_id]

    @cached_property
    def sha256(self) -> str:
        """Hash over all entities and edges, the key of what is derived from the graph."""
        rows = [f"{e.entity_id}\t{e.name}\t{'|'.join(e.keys)}\n" for e in self.entities]
        for edge in self.edges:
            told = edge.triple
            rows.append(f"{edge.subject}\t{told.relation}\t{edge.object}\t{told.span_id}\t{told.negated}\n")
        return sha256_text("".join(rows))

    @cached_property
    def edges_of(self) -> dict[str, tuple[Edge, ...]]:
        """The edges of each entity, in order."""
        return grouped((end, e) for e in self.edges for end in dict.fromkeys((e.subject, e.object)))

    @cached_property
    def edges_by_sentence(self) -> dict[str, tuple[Edge, ...]]:
        """The edges of each sentence, by span id."""
        return grouped((e.triple.span_id, e) for e in self.edges)

    @cached_property
    def holders(self) -> dict[str, tuple[str, ...]]:
        """For each name, the longer names that contain it: "Dunmarrow" is in "closure of the Dunmarrow plant"."""
        longer = [(e.entity_id, e.keys[0].split()) for e in self.entities if e.kind != "value"]
        return grouped(
            (part, holder)
            for holder, words in longer
            if 2 <= len(words) <= 2 * LONGEST_NAME
            for part in self._parts(words) - {holder}
        )

    @cached_property
    def held(self) -> dict[str, tuple[str, ...]]:
        """For each longer name, the names that it contains."""
        return grouped((holder, part) for part in sorted(self.holders) for holder in self.holders[part])

    def _parts(self, words: Sequence[str]) -> set[str]:
        ends = [(a, b) for a in range(len(words)) for b in range(a + 1, min(len(words), a + LONGEST_NAME) + 1)]
        found = (self._of_key.get(" ".join(words[start:end])) for start, end in ends)
        return {i for i in found if i is not None and is_name(self._by_id[i])}

    @cached_property
    def _last_names(self) -> dict[str, tuple[str, ...]]:
        people = [(e.keys[0].split(), e.entity_id) for e in self.entities if e.kind == "person"]
        return grouped((words[-1], entity_id) for words, entity_id in people if len(words) > 1)

    @cached_property
    def _by_first_word(self) -> dict[str, tuple[tuple[tuple[str, ...], str], ...]]:
        named = [(words_of(e.keys[0]), e.entity_id) for e in self.entities if e.kind != "value"]
        return grouped((words[0], (words, entity_id)) for words, entity_id in named if words)

    def named_from(self, words: Sequence[str]) -> tuple[Entity, ...]:
        """Entities whose name goes on from these words: "United States of America" from "United States"."""
        ends = self._by_first_word.get(words[0], ()) if words else ()
        return tuple(self._by_id[i] for own, i in ends if own[: len(words)] == tuple(words))

    def find(self, name: str) -> Entity | None:
        """The entity of a name: by id, by any form, or by the unique last name of a person."""
        kinds: tuple[NodeKind, ...] = ("thing", "person", "organisation", "value")
        ids = [name, *(self._of_key.get(key_of(name, kind), "") for kind in kinds)]
        return next((self._by_id[i] for i in ids if i in self._by_id), None) or self._bearer(key_of(name))

    def _bearer(self, last_name: str) -> Entity | None:
        """The only person of a last name."""
        bearers = self._last_names.get(last_name, ())
        return self._by_id[bearers[0]] if len(bearers) == 1 else None

    def link(self, text: str) -> tuple[Entity, ...]:
        """Entities named in a text, in order, longest names first and not nested; without values."""
        words = words_of(text)
        found: dict[str, None] = {}
        at = 0
        while at < len(words):
            for length in range(min(LONGEST_NAME, len(words) - at), 0, -1):
                entity = self._named(words[at : at + length])
                if entity is not None:
                    found[entity.entity_id] = None
                    at += length
                    break
            else:
                at += 1
        return tuple(self._by_id[entity_id] for entity_id in found)

    def _named(self, words: tuple[str, ...]) -> Entity | None:
        key = " ".join(words)
        if len(words) == 1 and (len(key) < 3 or key in _WORDS["plain_nouns"]):
            return None
        if (entity_id := self._of_key.get(key)) is None:
            return self._bearer(key) if len(words) == 1 else None
        entity = self._by_id[entity_id]
        return entity if entity.kind != "value" else None


def is_name(entity: Entity) -> bool:
    """Whether an entity has a proper name; not plain nouns or values."""
    if entity.kind in {"thing", "value"}:
        return entity.kind == "thing" and all(w[:1].isupper() for w in entity.name.split())
    return True


def verbalised(edge: Edge, graph: KnowledgeGraph) -> str:
    """A triple in words, with a full stop; ends by their names in the graph."""
    subject, target, triple = graph.entity(edge.subject).name, graph.entity(edge.object).name, edge.triple
    if triple.doc_id.startswith(IMPORTED_DOCUMENT) and not triple.negated:
        return sentence_of(subject, triple.relation, target)
    return f"{subject} {'not ' if triple.negated else ''}{triple.relation} {target}."


_WORDINGS: dict[str, str] = read_table("evidence.graph", "wordings.toml")


def sentence_of(subject: str, relation: str, target: str) -> str:
    """A triple in words, with a capital and a full stop."""
    words = wording(relation.casefold().strip()).format(s=_named(subject), o=_named(target))
    return f"{words[:1].upper() + words[1:] if words.startswith(('the ', 'a ')) else words}."


def _named(name: str) -> str:
    """A name with braces and a final full stop kept from doubling."""
    return re.sub(r"(?<=\w{2})\.$", "", name)


@lru_cache(maxsize=4096)
def wording(relation: str) -> str:
    """The pattern of a relation, with ``{s}`` and ``{o}``."""
    if relation in _WORDINGS:
        return _WORDINGS[relation]
    plain = relation.replace("{", "(").replace("}", ")")
    words = plain.split()
    if not words or words[0] in _WORDS["finite"]:
        return f"{{s}} {plain} {{o}}"
    first, last = _tags(plain)
    if first in {"VBN", "VBD"} and words[-1] in _WORDS["linking_prepositions"]:
        return f"{{s}} {'was' if words[-1] == 'by' else 'is'} {plain} {{o}}"
    if first in {"VBZ", "VBP", "VB", "VBD", "VBN", "MD"}:
        return f"{{s}} {plain} {{o}}"
    if words[-1] == "of":
        return f"{{s}} is the {plain} {{o}}"
    if words[-1] in _WORDS["linking_prepositions"]:
        return f"{{s}} is {plain} {{o}}"
    return f"the {plain} of {{s}} include {{o}}" if last == "NNS" else f"the {plain} of {{s}} is {{o}}"


def _tags(relation: str) -> tuple[str, str]:
    """Tags of a relation's first and last word between two names."""
    from language.nlp.pipeline import load_nlp

    doc = load_nlp()(f"Oslo {relation} Norway.")
    inner = [t for t in doc if not t.is_punct][1:-1]
    return (inner[0].tag_, inner[-1].tag_) if inner else ("", "")
