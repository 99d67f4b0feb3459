"""Relating the documents of a check by their sentences, and ranking them by ClaimRank.

For each claim, the best scored sentence of each document is compared with that of every
other, both ways, by the verifier. Documents that lean clearly towards or against the claim
are probed further: their most checkable sentences are compared with the nearest sentences of
other documents, so that a document that is wrong about other things loses trust here too.
What entails supports; what contradicts about the same subject, and states the same fact
otherwise (the mended sentence is entailed), refutes. Copies form one
cluster and lend each other nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from urllib.parse import urlsplit

from agent.assessment.nli_pairs import assess_relations, may_bear, relation_weight
from agent.ports import TrustOutcome
from agent.types import AtomicClaim, ScoredSpan, SpanRelation, TrustMemory
from evidence.segmentation.spans import sentence_ranges
from evidence.types import Span
from factdesk.kernel import BackendUnavailable, Failure
from trust.cumulative_counts import outgrown
from trust.document_trust import assess_trust
from trust.independence import REPEATED, TEMPLATE, clusters, same_words
from trust.types import TrustEdge, TrustReport, TrustSentence
from verifier.guard import check
from verifier.scoring import MOST_PASSES
from verifier.types import PairText, Verifier

MAX_DOCUMENTS = 6
"""Documents compared per claim: at most 15 pairs, scored both ways."""
LEANING = 0.5
"""Calibrated probability of either side from which on a document is probed."""
MAX_PROBED = 3
"""Documents probed per claim."""

Probe = Callable[[str], Sequence[tuple[Span, Sequence[Span]]]]
"""Takes a document's id, gives its most checkable sentences, each with the nearest of other documents."""


Standing = Callable[[str, str], bool]
"""Takes a document's id and a claim: whether others report anything else that the document says."""


class RelationTrust:
    """Trust over the documents of one check (``agent.ports.TrustTool``)."""

    def __init__(
        self,
        verifier: Verifier,
        document_text: Callable[[str], str | None],
        probe: Probe,
        seeds: Sequence[str] = (),
        standing: Standing | None = None,
    ) -> None:
        self._verifier = verifier
        self._document_text = document_text
        self._probe = probe
        self._probed: set[str] = set()
        self._standing = standing
        self._established: dict[str, bool] = {}
        self._seeds = tuple(seeds)
        self._spans: dict[str, Span] = {}
        self._relations: dict[tuple[str, str], float] = {}
        self._lengths: dict[str, int] = {}

    def update(self, claim: AtomicClaim, scored: Sequence[ScoredSpan], *, budget: int) -> TrustOutcome:
        """Relate the documents of ``scored``, and rank all documents seen so far."""
        for item in scored:
            self._spans.setdefault(item.hit.span.span_id, item.hit.span)
        self._look_around(claim, scored)
        best = _best_spans(scored)
        wanted = [
            (a, b)
            for first, second in combinations(best, 2)
            for a, b in ((first, second), (second, first))
            if (a.span_id, b.span_id) not in self._relations
        ]
        try:
            passes, left = self._relate(wanted, budget)
            if left:
                message = f"the cap on verifier pairs left no room to relate {len(best)} documents"
                return self._outcome(passes, _failure("budget", message, claim))
            passes += self._probe_leaning(scored, budget - passes)
        except BackendUnavailable as error:
            return self._outcome(0, _failure("unavailable", str(error), claim))
        return self._outcome(passes, None)

    def _probe_leaning(self, scored: Sequence[ScoredSpan], budget: int) -> int:
        """Look at what else the leaning documents say, as far as the budget goes; the passes that took."""
        leaning = [s.doc_id for s in _leaning(scored) if s.doc_id not in self._probed][:MAX_PROBED]
        wanted = [
            (other, own)
            for doc_id in leaning
            for own, others in self._probe(doc_id)
            for other in others
            if (other.span_id, own.span_id) not in self._relations
        ]
        passes, _ = self._relate(list(dict.fromkeys(wanted)), budget)
        self._probed.update(leaning)
        return passes

    def _relate(self, wanted: Sequence[tuple[Span, Span]], budget: int) -> tuple[int, int]:
        """Compare pairs while the budget surely holds the next ones; passes taken, and pairs left over.

        Most pairs take no pass (``may_bear``). Another may take ``MOST_PASSES``, and mostly takes one or two:
        so many are scored at a time as fit in any case.
        """
        bearing = []
        for a, b in wanted:
            self._spans.setdefault(a.span_id, a)
            self._spans.setdefault(b.span_id, b)
            if may_bear(_relation(a, b)):
                bearing.append((a, b))
            else:
                self._relations[a.span_id, b.span_id] = 0.0
        passes = done = 0
        while done < len(bearing) and (room := (budget - passes) // MOST_PASSES) > 0:
            batch = bearing[done : done + room]
            found = assess_relations(self._verifier, [_relation(a, b) for a, b in batch])
            for (a, b), assessment in zip(batch, found, strict=True):
                self._relations[a.span_id, b.span_id] = relation_weight(assessment)
            passes += sum(x.passes for x in found)
            done += len(batch)
        return passes, len(bearing) - done

    def memory(self) -> TrustMemory:
        """Spans, relations and probed documents so far, in the order of their ids."""
        relations = sorted(self._relations.items())
        return TrustMemory(
            spans=tuple(self._spans[key] for key in sorted(self._spans)),
            relations=tuple(SpanRelation(source=a, target=b, weight=w) for (a, b), w in relations),
            probed=tuple(sorted(self._probed)),
            established=tuple(sorted(d for d, good in self._established.items() if good)),
            strangers=self._strangers(),
        )

    def recall(self, memory: TrustMemory) -> None:
        """Take up what an earlier process knew of the same check."""
        self._spans = {s.span_id: s for s in memory.spans}
        self._relations = {(r.source, r.target): r.weight for r in memory.relations}
        self._probed = set(memory.probed)
        self._established = dict.fromkeys(memory.established, True) | dict.fromkeys(memory.strangers, False)

    def _strangers(self) -> tuple[str, ...]:
        return tuple(sorted(d for d, good in self._established.items() if not good))

    def _look_around(self, claim: AtomicClaim, scored: Sequence[ScoredSpan]) -> None:
        """Learn of every document that leans clearly whether it is a stranger."""
        if self._standing is None:
            return
        for doc_id in sorted({s.hit.span.doc_id for s in scored if _is_leaning(s)}):
            if doc_id not in self._established:
                self._established[doc_id] = self._standing(doc_id, claim.text)

    def _outcome(self, passes: int, failure: Failure | None) -> TrustOutcome:
        documents = sorted({s.doc_id for s in self._spans.values() if s.kind == "text"})
        groups = self._clusters(documents)
        edges = tuple(
            e.model_copy(update={"corrects": self._outdated(_turned(e), groups)})
            for e in self._edges()
            if not self._outdated(e, groups) and not self._vouched_by_its_like(e)
        )
        report = assess_trust(
            documents,
            edges,
            clusters=groups,
            seeds=self._seeds,
            strangers=self._strangers(),
            sentences={d: self._length(d) for d in documents},
        )
        report = report.model_copy(update={"sentences": self._sentences(report)})
        return TrustOutcome(report=report, edges=edges, passes=passes, failure=failure)

    def _length(self, doc_id: str) -> int:
        """How many sentences a document has."""
        if doc_id not in self._lengths:
            text = self._document_text(doc_id) or ""
            found = sentence_ranges(text, 0, len(text)) if text.strip() else ()
            self._lengths[doc_id] = max(1, sum(1 for _ in found))
        return self._lengths[doc_id]

    def _sentences(self, report: TrustReport) -> tuple[TrustSentence, ...]:
        """What the edges rest on, so that a stranger can score them again."""
        ids = sorted({i for e in report.edges for i in (e.source_span, e.target_span)})
        return tuple(_sentence(self._spans[i]) for i in ids)

    def _edges(self) -> tuple[TrustEdge, ...]:
        """One edge per document and sentence of another: the strongest relation between them."""
        strongest: dict[tuple[str, str], TrustEdge] = {}
        for (first, second), weight in sorted(self._relations.items()):
            a, b = self._spans[first], self._spans[second]
            key = (a.doc_id, second)
            if not weight or a.doc_id == b.doc_id:
                continue
            if key not in strongest or abs(weight) > abs(strongest[key].weight):
                strongest[key] = TrustEdge(
                    source=a.doc_id, target=b.doc_id, weight=weight, source_span=first, target_span=second
                )
        return tuple(strongest[key] for key in sorted(strongest))

    def _vouched_by_its_like(self, edge: TrustEdge) -> bool:
        """Strangers vouch for nobody, and nobody for them in the same words: planted texts share these.

        For a stranger vouches only what would verify its sentence: as surely as a certificate asks for, with
        its names. Nor does anybody vouch for another's sentence by only repeating it.
        """
        if edge.weight <= 0:
            return False
        strangers = self._strangers()
        if edge.source in strangers:
            return True
        source, target = self._spans[edge.source_span], self._spans[edge.target_span]
        if edge.target not in strangers:
            return same_words(source.text, target.text, REPEATED)
        weak = edge.weight < self._verifier.thresholds.tau_entail
        unnamed = any(f.slot == "entity" for f in check(target.text, source.text, source.context).findings)
        return weak or unnamed or same_words(source.text, target.text, TEMPLATE)

    def _outdated(self, edge: TrustEdge, groups: Mapping[str, str]) -> bool:
        """An outlet's earlier word, or a copy of it, does not refute the outlet's own later word; nor does
        anybody's earlier count refute a later one that goes on.
        """
        if edge.weight >= 0:
            return False
        source, target = self._spans[edge.source_span], self._spans[edge.target_span]
        if outgrown(source.published, target.published, target.text):
            return True
        if not (
            source.published and target.published and target.published > source.published and target.publisher
        ):
            return False
        circle = {d for d, g in groups.items() if g == groups[edge.source]}
        outlets = {_outlet(s) for s in self._spans.values() if s.doc_id in circle and s.publisher}
        return _outlet(target) in outlets

    def _clusters(self, documents: Sequence[str]) -> dict[str, str]:
        texts = {d: self._document_text(d) or "" for d in documents}
        dates = {s.doc_id: s.published.isoformat() if s.published else "9999" for s in self._spans.values()}
        return clusters(texts, sorted(documents, key=lambda d: (dates[d], d)))


def _turned(edge: TrustEdge) -> TrustEdge:
    """The same relation the other way round."""
    return TrustEdge(
        source=edge.target, target=edge.source, weight=edge.weight, source_span=edge.target_span,
        target_span=edge.source_span,
    )  # fmt: skip


def _failure(kind: str, message: str, claim: AtomicClaim) -> Failure:
    return Failure(where="trust.relations", kind=kind, message=message, claim_id=claim.claim_id)


def _leaning(scored: Sequence[ScoredSpan]) -> list[Span]:
    """Spans that lean clearly to one side, strongest first, one a document."""
    return _best_spans([s for s in scored if _is_leaning(s)])


def _is_leaning(item: ScoredSpan) -> bool:
    scores = item.assessment.calibrated
    return item.hit.span.kind == "text" and max(scores.entailment, scores.contradiction) >= LEANING


def _outlet(span: Span) -> tuple[str | None, str | None]:
    return span.publisher, urlsplit(span.url or "").hostname


def _best_spans(scored: Sequence[ScoredSpan]) -> list[Span]:
    """Per document the sentence that says most about the claim; the strongest documents first."""

    def strength(item: ScoredSpan) -> tuple[float, str]:
        scores = item.assessment.calibrated
        return -max(scores.entailment, scores.contradiction), item.hit.span.span_id

    best: dict[str, ScoredSpan] = {}
    for item in sorted(scored, key=strength):
        if item.hit.span.kind == "text":
            best.setdefault(item.hit.span.doc_id, item)
    return [item.hit.span for item in list(best.values())[:MAX_DOCUMENTS]]


def _sentence(span: Span) -> TrustSentence:
    published = span.published.isoformat() if span.published else ""
    return TrustSentence(
        span_id=span.span_id, doc_id=span.doc_id, text=span.text, context=span.context, published=published
    )


def _relation(a: Span, b: Span) -> PairText:
    """Does ``a`` speak for or against ``b``? Each is read with its context where it opens with a pronoun."""
    published = a.published.isoformat() if a.published else ""
    return PairText(claim=b.text, premise=a.text, context=a.context, published=published)
