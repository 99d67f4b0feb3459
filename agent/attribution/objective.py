"""ClaimVer's objective function by a language model (Fig. 3): spans, predictions, triplets, rationales.

All of it is a proposal. A span must be words of the text, a triplet must be one of those the model was given,
and no label is taken from it: it is shown beside the label that the verifier gives.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from agent.attribution.spans import Located
from agent.attribution.types import NamedTriplet, Proposed
from agent.prompts import load_prompt
from agent.reasoners.chat_model import ChatError
from agent.reasoners.llm_schemas import MAX_ANSWER, as_data, clean
from evidence.graph.entity_graph import KnowledgeGraph
from evidence.graph.types import Edge
from factdesk.kernel import Record

if TYPE_CHECKING:
    from agent.reasoners.chat_model import ChatModel

MAX_TRIPLETS = 40
"""Triplets a model is given for one text."""
LEAST_SHARED = 0.6
"""Share of the longer one's words that a proposed span and one of ours must have in common."""
_WORD = re.compile(r"\w+")


class ClaimPrediction(Record):
    """One claim as a model gives it."""

    text_span: str
    prediction: Literal["attributable", "extrapolatory", "contradictory"]
    triplets: tuple[NamedTriplet, ...]
    rationale: str


class ClaimPredictions(Record):
    """All claims of a text, in order."""

    claims: tuple[ClaimPrediction, ...]


def propose(
    text: str, located: Sequence[Located], edges: Sequence[Edge], graph: KnowledgeGraph, chat: ChatModel
) -> tuple[dict[int, tuple[Proposed, tuple[Edge, ...]]], str]:
    """A model's proposal for each of our claims that it names, by index; and why there is none, or ``""``."""
    given = {_named(edge, graph): edge for edge in reversed(edges[:MAX_TRIPLETS])}
    data = as_data(text=text, triplets=[named.model_dump() for named in reversed(given)])
    system = f"{load_prompt('rules')}\n\n{load_prompt('attribution')}"
    try:
        found = chat.complete(system, data, ClaimPredictions)
    except ChatError as error:
        return {}, f"the language model gave no predictions: {error}"
    made: dict[int, tuple[Proposed, tuple[Edge, ...]]] = {}
    at = 0
    for claim in found.claims:
        start = text.find(claim.text_span, at)
        if not claim.text_span.strip() or start < 0:
            continue
        at = start + len(claim.text_span)
        index = _ours(start, at, located, text)
        if index is not None:
            made.setdefault(index, _checked(claim, given))
    return made, ""


def _named(edge: Edge, graph: KnowledgeGraph) -> NamedTriplet:
    ends = graph.entity(edge.subject).name, graph.entity(edge.object).name
    relation = f"not {edge.triple.relation}" if edge.triple.negated else edge.triple.relation
    return NamedTriplet(subject=ends[0], relation=relation, object=ends[1])


def _checked(claim: ClaimPrediction, given: dict[NamedTriplet, Edge]) -> tuple[Proposed, tuple[Edge, ...]]:
    """The prediction with its triplets sorted into those that were given and those that were made up."""
    named = tuple(dict.fromkeys(claim.triplets))
    members = tuple(t for t in named if t in given)
    proposed = Proposed(
        label=claim.prediction,
        triplets=members,
        unknown=tuple(t for t in named if t not in given),
        rationale=clean(claim.rationale, MAX_ANSWER),
    )
    return proposed, tuple(given[t] for t in members)


def _ours(start: int, end: int, located: Sequence[Located], text: str) -> int | None:
    """Our claim whose span shares most words with the proposed one, if enough."""
    best, share = None, LEAST_SHARED
    for index, one in enumerate(located):
        left, right = max(start, one.start), min(end, one.end)
        shared = len(_WORD.findall(text[left:right])) if left < right else 0
        longer = max(len(_WORD.findall(text[a:b])) for a, b in ((start, end), (one.start, one.end)))
        if longer and shared / longer >= share:
            best, share = index, shared / longer
    return best
