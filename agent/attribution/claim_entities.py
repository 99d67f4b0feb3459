"""The entities of a claim, ``E(claim_span)`` of the paper: those the graph knows and further names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from evidence.graph.entity_graph import KnowledgeGraph
from evidence.graph.entity_resolution import key_of, words_of
from evidence.graph.types import Edge, Entity
from evidence.types import Span
from language.names import find_names, name_in
from language.nlp.pipeline import parse

if TYPE_CHECKING:
    from spacy.tokens import Doc
    from spacy.tokens import Span as SpacySpan

MOST_LONGER = 4
"""Entities that one name may stand for by its first words."""
_KINDS = frozenset({"PERSON", "ORG", "GPE", "LOC", "FAC", "PRODUCT", "EVENT", "WORK_OF_ART"})


def entity_names(claim: str, graph: KnowledgeGraph) -> tuple[tuple[str, ...], ...]:
    """The words of each entity that a claim names, in normal form, each once, none inside another."""
    linked = [words_of(_written(e, claim)) for e in graph.link(claim)]
    found = list(dict.fromkeys((*linked, *_recognised(parse(claim)))))
    initials = {"".join(w[0] for w in one) for one in found if len(one) > 1}
    return tuple(
        one
        for one in found
        if one
        and not any(other != one and _inside(one, other) for other in found)
        and not (len(one) == 1 and one[0] in initials)
    )


def _written(entity: Entity, claim: str) -> str:
    """Its longest name that stands in the claim; its own where none does."""
    said = f" {' '.join(words_of(claim))} "
    names = sorted(entity.keys, key=lambda k: (-len(k), k))
    return next((k for k in names if f" {k} " in said), names[0])


def _recognised(doc: Doc) -> list[tuple[str, ...]]:
    """Names by the tagger; neighbours that together are one ("Boeing", "737") joined."""
    ends: list[tuple[int, int]] = []
    for entity in doc.ents:
        if entity.label_ not in _KINDS:
            continue
        if ends and ends[-1][1] == entity.start:
            ends[-1] = (ends[-1][0], entity.end)
        else:
            ends.append((entity.start, entity.end))
    return [words_of(key_of(_capitalised(doc[start:end]))) for start, end in ends]


def _capitalised(name: SpacySpan) -> str:
    """A recognised name without plain words at its edges, which the tagger took along."""
    places = [t.i for t in name if t.text[:1].isupper() or t.text[:1].isdigit()]
    return name.doc[places[0] : places[-1] + 1].text if places else name.text


def _inside(words: Sequence[str], longer: Sequence[str]) -> bool:
    most = len(longer) - len(words)
    return any(tuple(longer[at : at + len(words)]) == tuple(words) for at in range(most + 1))


def linked_entities(claim: str, names: Sequence[tuple[str, ...]], graph: KnowledgeGraph) -> tuple[Entity, ...]:
    """Entities of the graph that a claim names, whole or by the first words of their name."""
    found = {e.entity_id: e for e in graph.link(claim)}
    known = {words_of(key) for e in found.values() for key in e.keys}
    for name in (n for n in names if n not in known):
        longer = [e for e in graph.named_from(name) if e.entity_id not in found]
        found |= {e.entity_id: e for e in longer[:MOST_LONGER]}
    return tuple(found.values())


def held(names: Sequence[tuple[str, ...]], edges: Sequence[Edge], graph: KnowledgeGraph) -> list[bool]:
    """Whether each name stands among the triplets' entities, by any of their names or as part of one."""
    ends = {i: graph.entity(i) for e in edges for i in (e.subject, e.object)}
    forms = [words_of(form) for e in ends.values() for form in (*e.keys, *e.aliases, e.name)]
    return [any(_inside(name, form) for form in forms) for name in names]


def presence(names: Sequence[tuple[str, ...]], edges: Sequence[Edge], graph: KnowledgeGraph) -> float:
    """``EPR``: the share of the claim's entities that the triplets contain; 0 without entities."""
    return sum(held(names, edges, graph)) / len(names) if names and edges else 0.0


def unnamed(names: Sequence[tuple[str, ...]], spans: Sequence[Span], graph: KnowledgeGraph) -> tuple[str, ...]:
    """Names of the claim that sentences do not have, title and sentence before included, nor an alias."""
    text = " ".join(part for s in spans for part in (s.text, s.title, s.context, s.lead))
    said, known = words_of(text), {e.entity_id for e in graph.link(text)}
    lacking = []
    for name in names:
        entity = graph.find(" ".join(name))
        here = _inside(name, said) or (entity is not None and entity.entity_id in known)
        if not here and not all(name_in(n, text) for n in find_names(" ".join(name).title())):
            lacking.append(" ".join(name).title())
    return tuple(lacking)
