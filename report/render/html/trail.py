"""The input with its claims marked, and the trail of questions as a tree."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

from report.render.html.claims import anchor
from report.render.html.safe import page_text
from report.render.trail import PairView, pair_views
from report.types import Certificate, CertificateBody, Mode


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


def input_parts(body: CertificateBody, shown: frozenset[str]) -> tuple[Part, ...]:
    """The claim as given, cut where its atomic claims begin and end. One part where they do not fit."""
    text = body.claim_text
    whole = (Part(text),)

    def reference(claim_id: str) -> tuple[str, str, str]:
        own = anchor(claim_id, body)
        return claim_id, own, own if claim_id in shown else "unverified"

    sources = [c.claim for c in body.claims if 0 <= c.claim.start < c.claim.end <= len(text)]
    sources = [c for c in sources if text[c.start : c.end] == c.source]
    cuts = sorted({0, len(text), *(c.start for c in sources), *(c.end for c in sources)})
    parts = [
        Part(
            text=text[start:end],
            marked=any(c.start <= start < c.end for c in sources),
            space=text[start : start + 1].isspace() or text[start - 1 : start].isspace(),
            claims=tuple(reference(c.claim_id) for c in sources if c.end == end),
        )
        for start, end in pairwise(cuts)
    ]
    parts = [p for p in parts if p.text.strip()]
    joined = "".join((" " if p.space else "") + page_text(p.text) for p in parts).strip()
    return tuple(parts) if joined == page_text(text) else whole


def trail(certificate: Certificate, mode: Mode, shown: frozenset[str]) -> tuple[tuple[str, list[Node]], ...]:
    """Claim id and its tree of questions, for the claims that are shown.

    In strict mode what an answer cites is quoted only where a shown decision rests on all of it.
    """
    body = certificate.body
    deciding = {i for d in body.decisions if d.claim_id in shown for i in d.span_ids}
    trees: dict[str, list[Node]] = {}
    last: dict[tuple[str, int], list[Node]] = {}
    for pair in pair_views(body, mode):
        question = pair.question
        if mode != "debug" and question.claim_id not in shown:
            continue
        ids = {q.span_id for q in pair.quotes}
        node = Node(pair, held=pair.found and mode == "strict" and not (ids and ids <= deciding))
        path = last.setdefault((question.claim_id, question.branch), [])
        while path and path[-1].pair.question.depth >= question.depth:
            path.pop()
        (path[-1].children if path else trees.setdefault(question.claim_id, [])).append(node)
        path.append(node)
    return tuple(trees.items())
