"""What several triplets say together, and the instance by which they refute a universal claim.

Sets come from the graph: single triplets, and the paths that a search from all of the claim's entities at
once finds. Every entity of the claim must stand in the set, so that no part of it is left to the model.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from agent.attribution.claim_entities import held
from agent.attribution.quantified import filled_in
from evidence.graph.entity_graph import KnowledgeGraph
from evidence.graph.paths import find_paths
from evidence.graph.types import Edge, Entity
from verifier.joint_evidence import joint_pair
from verifier.types import Assessment, Thresholds, Verifier

MAX_SETS = 8
"""Sets of triplets that are read for one claim."""
MAX_EDGES = 3
_ABBREVIATED = re.compile(r"\s*\((?:[A-Z][A-Z.&-]{1,7})\)")

Names = Sequence[tuple[str, ...]]


@dataclass(frozen=True)
class TripletSet:
    """Triplets that were read together, and what the verifier says of a statement by them."""

    edges: tuple[Edge, ...]
    statement: str
    assessment: Assessment
    instance: bool = False
    """The statement is an instance that refutes the claim."""

    @property
    def span_ids(self) -> tuple[str, ...]:
        """Ids of the triplets' sentences, each once."""
        return spans_behind(self.edges)

    def decides(self, thresholds: Thresholds) -> bool:
        """Entailed at ``tau_entail`` with the guard agreeing, no rare word left over."""
        found = self.assessment
        return found.calibrated.entailment >= thresholds.tau_entail and found.guard.agrees and not found.guard.uncovered


def triplet_sets(
    names: Names, entities: Sequence[Entity], near: Sequence[Edge], graph: KnowledgeGraph
) -> tuple[tuple[Edge, ...], ...]:
    """Sets of connected triplets that name every entity of a claim, smallest first; ``entities``: those linked."""
    around = [edge for e in entities for edge in graph.edges_of.get(e.entity_id, ())[:MAX_SETS]]
    usable = [e for e in dict.fromkeys((*near, *around)) if not e.triple.hedged]
    single = [(edge,) for edge in usable]
    paths = [path.edges for path in find_paths(graph, entities) if len(path.edges) > 1]
    joined = [(a, b) for a, b in combinations(usable[:MAX_SETS], 2) if {a.subject, a.object} & {b.subject, b.object}]
    found: dict[tuple[str, ...], tuple[Edge, ...]] = {}
    for edges in (*single, *paths, *joined):
        plain = all(not e.triple.negated and e.triple.said_by is None for e in edges)
        if len(edges) <= MAX_EDGES and plain and names and all(held(names, edges, graph)):
            found.setdefault(tuple(sorted({e.triple.span_id for e in edges})), tuple(edges))
    return tuple(found.values())[:MAX_SETS]


def spans_behind(edges: Sequence[Edge]) -> tuple[str, ...]:
    """Ids of the sentences of some triplets, each once."""
    return tuple(dict.fromkeys(e.triple.span_id for e in edges))


def read_sets(
    claim: str,
    sets: Sequence[tuple[Edge, ...]],
    sentences: Mapping[str, str],
    verifier: Verifier,
    graph: KnowledgeGraph,
) -> list[TripletSet]:
    """The claim by each set, and, where it is universal, the instance that each set would give; ``sentences``: the
    texts that may be read, by span id.
    """
    wanted: list[tuple[tuple[Edge, ...], str, bool]] = []
    for edges in sets:
        if sentences.keys() >= set(spans_behind(edges)):
            ends = dict.fromkeys(i for e in edges for i in (e.subject, e.object))
            instances = filled_in(claim, [graph.entity(i).name for i in ends])
            wanted += [(edges, _ABBREVIATED.sub("", claim), False), *((edges, one, True) for one in instances)]
    pairs = [
        joint_pair(statement, premises=[sentences[i] for i in spans_behind(edges)], contexts=[""])
        for edges, statement, _ in wanted
    ]
    assessed = verifier.assess(pairs) if pairs else ()
    return [
        TripletSet(edges, statement, found, instance)
        for (edges, statement, instance), found in zip(wanted, assessed, strict=True)
    ]
