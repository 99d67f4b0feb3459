"""The input with its claims marked, and the trail of questions as a tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from report.render.safe import page_text
from report.render.trail import PairView
from report.render.view import ReportView, StatementView


@dataclass(frozen=True)
class Part:
    """A stretch of the input; ``claims`` end here: id, anchor, and where the page speaks of it."""

    text: str
    marked: bool = False
    space: bool = False
    claims: tuple[tuple[str, str, str], ...] = ()


@dataclass
class Node:
    """A question with what was found and the questions that followed from it."""

    pair: PairView
    held: bool = False
    """Something was found, but the mode does not show it."""
    children: list[Node] = field(default_factory=list)


def input_parts(view: ReportView) -> tuple[Part, ...]:
    """The claim as given, cut where its atomic claims begin and end. One part where they do not fit."""
    text = view.claim_text
    sources = [s for s in view.statements if 0 <= s.claim.start < s.claim.end <= len(text)]
    sources = [s for s in sources if text[s.claim.start : s.claim.end] == s.claim.source]
    cuts = sorted({0, len(text), *(s.claim.start for s in sources), *(s.claim.end for s in sources)})
    parts = [
        Part(
            text=text[start:end],
            marked=any(s.claim.start <= start < s.claim.end for s in sources),
            space=text[start : start + 1].isspace() or text[start - 1 : start].isspace(),
            claims=tuple(_reference(s) for s in sources if s.claim.end == end),
        )
        for start, end in pairwise(cuts)
    ]
    parts = [p for p in parts if p.text.strip()]
    joined = "".join((" " if p.space else "") + page_text(p.text) for p in parts).strip()
    return tuple(parts) if joined == page_text(text) else (Part(text),)


def trail(view: ReportView) -> tuple[tuple[str, list[Node]], ...]:
    """Claim id and its tree of questions, for the claims that are shown.

    In strict mode what an answer cites is quoted only where a shown decision rests on all of it.
    """
    deciding = {i for s in view.shown for i in s.decision.span_ids}
    trees: dict[str, list[Node]] = {}
    last: dict[tuple[str, int], list[Node]] = {}
    for pair in view.trail:
        question = pair.question
        if view.mode != "debug" and question.claim_id not in view.order:
            continue
        ids = {q.span_id for q in pair.quotes}
        node = Node(pair, held=pair.found and view.mode == "strict" and not (ids and ids <= deciding))
        path = last.setdefault((question.claim_id, question.branch), [])
        while path and path[-1].pair.question.depth >= question.depth:
            path.pop()
        (path[-1].children if path else trees.setdefault(question.claim_id, [])).append(node)
        path.append(node)
    return tuple(trees.items())


def size(nodes: Sequence[Node]) -> int:
    """How many questions a tree has."""
    return sum(1 + size(node.children) for node in nodes)


def _reference(statement: StatementView) -> tuple[str, str, str]:
    own = statement.anchor
    return statement.decision.claim_id, own, own if statement.shown else "unverified"
