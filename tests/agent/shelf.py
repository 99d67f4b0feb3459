"""Toy evidence and a toy model for tests of the graphs: a shelf of spans, overlap of words as verifier."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from agent.assessment.document_relations import RelationTrust
from agent.graphs.methods import build_method
from agent.graphs.nodes import recursion_limit
from agent.graphs.state import Deps, InvestigationState
from agent.intake import compile_claims
from agent.ports import TrustOutcome
from agent.reasoners.extractive import ExtractiveReasoner
from agent.tools.image import ImageReader
from agent.types import AtomicClaim, ClaimIR, Investigation, QAPair, ScoredSpan, VeracityMethod
from evidence.types import Document, Hit, ImageRecord, Query, RetrievalScores, Span
from factdesk.kernel import BackendUnavailable, Caps, Fingerprint, sha256_text
from verifier.types import Assessment, GuardReport, NLIScores, PairText, Thresholds

LIBRARY = {
    "opening": "The Tollgate Library reopened on 15 March 2025. Mayor Ada Quill cut the ribbon.",
    "costs": "The refurbishment of the Tollgate Library cost 6.2 million pounds. Harrowmere paid most of it.",
    "plans": "The council of Harrowmere approved the plans for the Tollgate Library in June 2023.",
    "books": "Readers borrowed 9,400 books in the first month. The library is open on Sundays.",
}
COST = "The refurbishment of the Tollgate Library cost 6.2 million pounds."


def words(text: str) -> set[str]:
    return {w for w in re.findall(r"[a-z0-9.]*[a-z0-9]", text.lower()) if len(w) > 2}


def numbers(text: str) -> set[str]:
    return set(re.findall(r"\d[\d.,]*\d|\d", text))


def spans_of(doc_id: str, text: str, kind: str = "text") -> list[Span]:
    found = []
    for number, match in enumerate(re.finditer(r"\S.*?\.(?=\s|$)", text)):
        found.append(
            Span(
                span_id=f"{doc_id}#0.{number}",
                chunk_id=f"{doc_id}#0",
                doc_id=doc_id,
                doc_sha256=sha256_text(text),
                start=match.start(),
                end=match.end(),
                text=match[0],
                kind=kind,  # type: ignore[arg-type]
            )
        )
    return found


class Shelf:
    """A retriever over sentences in memory: by the share of the query's words."""

    def __init__(self, texts: dict[str, str]) -> None:
        self.spans = [span for doc_id, text in sorted(texts.items()) for span in spans_of(doc_id, text)]
        self.queries: list[Query] = []

    @property
    def fingerprint(self) -> Fingerprint:
        return Fingerprint(name="retriever:shelf", version="1")

    def retrieve(self, query: Query) -> tuple[Hit, ...]:
        self.queries.append(query)
        wanted = words(query.text)
        ranked = sorted(self.spans, key=lambda s: (-len(wanted & words(s.text)), s.span_id))[: query.limit]
        return tuple(Hit(span=s, scores=RetrievalScores(), rank=i) for i, s in enumerate(ranked, 1))


class Overlap:
    """A verifier: the share of the claim's words is entailment; with other numbers it is contradiction."""

    can_contradict = True
    thresholds = Thresholds()

    def __init__(self) -> None:
        self.pairs: list[PairText] = []

    @property
    def fingerprint(self) -> Fingerprint:
        return Fingerprint(name="verifier:overlap", version="1")

    def assess(self, pairs: Sequence[PairText], *, contested_from: float = 0.0) -> tuple[Assessment, ...]:
        self.pairs += pairs
        return tuple(self._one(p) for p in pairs)

    def _one(self, pair: PairText) -> Assessment:
        mine = words(pair.claim)
        share = round(len(mine & words(pair.premise)) / max(1, len(mine)), 4)
        other = numbers(pair.premise) and numbers(pair.claim) - numbers(pair.premise)
        pro, con = (0.0, share) if other else (share, 0.0)
        scores = NLIScores(entailment=pro, neutral=round(1 - pro - con, 4), contradiction=con)
        return Assessment(raw=scores, calibrated=scores, guard=GuardReport(same_subject=share > 0.3))


class Gone(Shelf):
    def retrieve(self, query: Query) -> tuple[Hit, ...]:
        raise BackendUnavailable("the index is not there")


class Broken(Overlap):
    def assess(self, pairs: Sequence[PairText], *, contested_from: float = 0.0) -> tuple[Assessment, ...]:
        raise BackendUnavailable("the model cannot run")


class NoTrust:
    def update(self, claim: AtomicClaim, scored: Sequence[ScoredSpan], *, budget: int) -> TrustOutcome:
        raise BackendUnavailable("the store is gone")


@cache
def claims_of(text: str, most: int, has_image: bool) -> ClaimIR:
    """The claims of a text, compiled once in a process."""
    return compile_claims(text, max_claims=most, has_image=has_image)


@cache
def graph_of(method: str = "chain", veracity: VeracityMethod = "standard") -> Any:
    """The compiled graph of a method, built once in a process."""
    return build_method(method, veracity).compile()


def make_deps(text: str, **changes: Any) -> Deps:
    verifier = changes.get("verifier", Overlap())
    caps: Caps = changes.get("caps", Caps())
    pictures: tuple[ImageRecord, ...] = changes.pop("pictures", ())
    texts = LIBRARY
    values: dict[str, Any] = {
        "compile_claims": lambda given: claims_of(given, caps.max_claims, bool(pictures)),
        "retriever": Shelf(texts),
        "verifier": verifier,
        "reasoner": ExtractiveReasoner(),
        "images": ImageReader(pictures),
        "trust": RelationTrust(verifier, texts.get, lambda doc_id: ()),
        "thresholds": Thresholds(),
        "caps": caps,
        "clock": lambda: 0.0,
    }
    return Deps(**{**values, **changes})


def run(text: str, deps: Deps) -> tuple[Investigation, list[dict[str, Any]]]:
    """The whole chain without a checkpointer; the end state and the progress events."""
    graph = graph_of()
    config: Any = {"recursion_limit": recursion_limit(deps.caps.max_claims, deps.caps.max_questions)}
    events: list[dict[str, Any]] = []
    state: dict[str, Any] = {}
    start: InvestigationState = {"text": text}
    for mode, data in graph.stream(start, config, context=deps, stream_mode=["custom", "values"]):
        if mode == "custom":
            events.append(data)  # type: ignore[arg-type]
        else:
            state = data  # type: ignore[assignment]
    fields = {name: state[name] for name in Investigation.model_fields if name in state}
    empty = {"image_context": None, "qa_pairs": (), "scored": (), "joints": (), "trust": None}
    rest = {"passes": 0, "proposal": None, "failures": (), "trimmed": ()}
    return Investigation.model_validate({**empty, **rest, **fields}), events


def asked(found: Investigation, claim_id: str = "c1") -> list[QAPair]:
    return [p for p in found.qa_pairs if p.question.claim_id == claim_id]


def make_picture(text: str) -> ImageRecord:
    document = Document(doc_id="image-1", title="sign.png", text=text, sha256=sha256_text(text))
    return ImageRecord(
        sha256="0" * 64,
        name="sign.png",
        format="PNG",
        width=10,
        height=10,
        document=document,
        spans=tuple(spans_of("image-1", text, kind="ocr")),
    )
