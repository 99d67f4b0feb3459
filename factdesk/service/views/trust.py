"""The trust of a corpus for its page: the ranking, what is drawn, and what moved one document."""

from __future__ import annotations

from typing import Any

from factdesk.corpus_trust.ranking import TrustDesk
from factdesk.service.views.documents import corpus_address, text_address
from report.sanitize import foreign
from trust.claim_graph import Ranking, TrustGraph
from trust.plot import relations
from trust.types import Voice

RANKED = 50
"""Documents that are listed."""
DRAWN = 60
"""Documents of the drawing: those with most relations."""
LONGEST = 32


def ranked(found: Ranking, corpus: str) -> list[dict[str, Any]]:
    """The most trusted documents."""
    return [
        {
            "rank": rank,
            "title": facts.title or facts.doc_id,
            "address": corpus_address(corpus, "trust", document=facts.doc_id),
            "id": facts.doc_id,
            "score": f"{score:.2f}",
            "seed": facts.doc_id in found.seeds,
            "copy": facts.cluster if facts.cluster not in ("", facts.doc_id) else "",
            "alone": facts.doc_id not in found.connected,
        }
        for rank, facts, score in found.order()[:RANKED]
    ]


def trust_elements(graph: TrustGraph, found: Ranking, corpus: str) -> list[dict[str, Any]]:
    """Documents as nodes, and who supports and refutes whom."""
    shown, pairs = relations(graph.links, graph.claims, DRAWN)
    facts, scores = {f.doc_id: f for f in found.documents}, found.scores
    nodes = [
        {
            "data": {
                "id": doc_id,
                "label": _short(facts[doc_id].title or doc_id),
                "href": corpus_address(corpus, "trust", document=doc_id),
                "kind": "seed" if doc_id in found.seeds else "document",
                "score": round(scores[doc_id], 3),
            }
        }
        for doc_id in shown
    ]
    edges = [
        {
            "data": {
                "id": f"r{number}",
                "source": a,
                "target": b,
                "label": f"{abs(net)}×" if abs(net) > 1 else "",
                "side": "for" if net > 0 else "against",
            }
        }
        for number, (a, b, net) in enumerate(pairs)
    ]
    return [*nodes, *edges]


def document_trust(desk: TrustDesk, found: Ranking, doc_id: str) -> dict[str, Any]:
    """One document: its score and what raised and lowered it. Raises ``InputError`` for an unknown one."""
    raised, lowered = desk.graph.explain(doc_id, found)
    facts = next(f for f in found.documents if f.doc_id == doc_id)
    named = {name for kind, name in desk.named_seeds() if kind == "document"}
    return {
        "id": doc_id,
        "title": facts.title or doc_id,
        "score": f"{found.scores[doc_id]:.2f}",
        "text": text_address(desk.corpus, doc_id),
        "named": doc_id in named,
        "seed": doc_id in found.seeds,
        "copy": facts.cluster if facts.cluster not in ("", doc_id) else "",
        "voices": [
            *(_voice(voice, desk, "good", "raised") for voice in raised),
            *(_voice(voice, desk, "bad", "lowered") for voice in lowered),
        ],
    }


def _voice(voice: Voice, desk: TrustDesk, tone: str, word: str) -> dict[str, Any]:
    claims = desk.graph.claims
    says, about = claims[voice.source_claim], claims[voice.target_claim]
    return {
        "tone": tone,
        "effect": f"{word} by {abs(voice.effect):.2f}",
        "source": voice.source,
        "address": corpus_address(desk.corpus, "trust", document=voice.source),
        "trust": f"{voice.trust:.2f}",
        "says": says.text,
        "says_at": text_address(desk.corpus, says.doc_id, says.start, says.end),
        "about": about.text,
    }


def _short(text: str) -> str:
    plain = foreign(text, 200)
    return plain if len(plain) <= LONGEST else f"{plain[: LONGEST - 1]}…"
