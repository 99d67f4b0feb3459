"""Relations between the documents of a check, and their rank by ClaimRank.

The best scored sentences of each claim are compared pairwise, both ways; documents that lean towards a
side are probed. Entailment supports; a contradiction whose mended sentence is entailed refutes. Copies
form one cluster.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from urllib.parse import urlsplit

from agent.assessment.nli_pairs import assess_relations, may_bear, relation_weight
from agent.ports import TrustOutcome
from agent.types import AtomicClaim, ScoredSpan, SpanRelation, TrustMemory
from evidence.domains import on_site
from evidence.segmentation.spans import sentence_ranges
from evidence.types import Span
from factdesk.kernel import BackendUnavailable, Failure
from language.names import share_a_name
from trust.document_trust import assess_trust
from trust.independence import REPEATED, TEMPLATE, clusters, same_words, with_retellings
from trust.matters import outgrown
from trust.types import TrustEdge, TrustReport, TrustSentence
from verifier.guard import check
from verifier.scoring import MOST_PASSES
from verifier.types import PairText, Verifier

MAX_DOCUMENTS = 6
"""Documents compared per claim."""
LEANING = 0.5
"""Least calibrated probability of either side for a document to be probed."""
MAX_PROBED = 3
"""Documents probed per claim."""

Probe = Callable[[str], Sequence[tuple[Span, Sequence[Span]]]]
"""Maps a document's id to its most checkable sentences, each with the nearest of other documents."""


Known = Callable[[str], Sequence[tuple[Span, Span]]]
"""Maps a document's id to pairs (sentence of another, sentence of its own) of which the ranking of the whole
corpus says that the one supports or refutes the other; refutations first.
"""
MAX_KNOWN = 6
"""Known pairs looked at per probed document."""


def none_known(doc_id: str) -> Sequence[tuple[Span, Span]]:
    """Of a corpus without a ranking."""
    del doc_id
    return ()


Standing = Callable[[str, str], bool]
"""Maps a document's id and a claim to whether another document reports something else it says."""


class RelationTrust:
    """Trust over the documents of one check."""

    def __init__(
        self,
        verifier: Verifier,
        document_text: Callable[[str], str | None],
        probe: Probe,
        seeds: Sequence[str] = (),
        standing: Standing | None = None,
        sites: Sequence[str] = (),
        known: Known = none_known,
    ) -> None:
        """``seeds``: ids of trusted documents; ``sites``: whose documents are trusted as well."""
        self._verifier = verifier
        self._document_text = document_text
        self._probe = probe
        self._known = known
        self._by_corpus: set[tuple[str, str]] = set()
        self._probed: set[str] = set()
        self._standing = standing
        self._established: dict[str, bool] = {}
        self._seeds, self._sites = frozenset(seeds), tuple(sites)
        self._sides: dict[str, set[str]] = {}
        self._spans: dict[str, Span] = {}
        self._relations: dict[tuple[str, str], float] = {}
        self._lengths: dict[str, int] = {}
        self._order: list[str] = []
        self._texts: dict[str, str] = {}
        self._copied: dict[str, str] = {}

    def update(self, claim: AtomicClaim, scored: Sequence[ScoredSpan], *, budget: int) -> TrustOutcome:
        """Relate the documents of ``scored``, and rank all documents seen so far.

        At most ``budget`` forward passes of the verifier; equal calls give equal outcomes.
        """
        for item in scored:
            self._spans.setdefault(item.hit.span.span_id, item.hit.span)
        self._take_sides(claim, scored)
        self._look_around(claim, scored)
        best = _best_spans(scored)
        both_ways = [pair for a, b in combinations(best, 2) for pair in ((a, b), (b, a))]
        try:
            passes, left = self._relate(self._new(both_ways), budget)
            if left:
                message = f"the cap on verifier pairs left no room to relate {len(best)} documents"
                return self._outcome(passes, _failure("budget", message, claim))
            passes += self._probe_leaning(scored, budget - passes)
        except BackendUnavailable as error:
            return self._outcome(0, _failure("unavailable", str(error), claim))
        return self._outcome(passes, None)

    def _probe_leaning(self, scored: Sequence[ScoredSpan], budget: int) -> int:
        """Probe the leaning documents within the budget; returns the passes used."""
        clearly = _best_spans([s for s in scored if _is_leaning(s)])
        leaning = [s.doc_id for s in clearly if s.doc_id not in self._probed][:MAX_PROBED]
        near = [(other, own) for doc_id in leaning for own, others in self._probe(doc_id) for other in others]
        passes, _ = self._relate(self._new(near), budget)
        known = self._new(self._known_about(leaning))
        more, _ = self._relate(known, budget - passes)
        self._by_corpus |= {(a.span_id, b.span_id) for a, b in known}
        self._probed.update(leaning)
        return passes + more

    def _known_about(self, doc_ids: Sequence[str]) -> list[tuple[Span, Span]]:
        """Known pairs of some documents, and those behind the sentences that bear on them."""
        direct = [pair for doc_id in doc_ids for pair in self._known(doc_id)[:MAX_KNOWN]]
        voices = dict.fromkeys(voice for voice, _ in direct)
        behind = [[(a, b) for a, b in self._known(v.doc_id) if b.span_id == v.span_id] for v in voices]
        return [*direct, *(pair for pairs in behind for pair in pairs[:MAX_KNOWN])]

    def _new(self, pairs: Sequence[tuple[Span, Span]]) -> list[tuple[Span, Span]]:
        """Pairs that are not related yet, each once."""
        return [(a, b) for a, b in dict.fromkeys(pairs) if (a.span_id, b.span_id) not in self._relations]

    def _relate(self, wanted: Sequence[tuple[Span, Span]], budget: int) -> tuple[int, int]:
        """Compare pairs within the budget; returns passes used and pairs left over.

        Pairs are scored in groups that fit even at ``MOST_PASSES`` each; copies of one text say nothing of each other.
        """
        for a, b in wanted:
            self._spans.setdefault(a.span_id, a)
            self._spans.setdefault(b.span_id, b)
            if not _one_matter(a, b) or not may_bear(_relation(a, b)):
                self._relations[a.span_id, b.span_id] = 0.0
        copies = self._copies()
        apart = [(a, b) for a, b in wanted if copies[a.doc_id] != copies[b.doc_id]]
        bearing = [(a, b) for a, b in apart if (a.span_id, b.span_id) not in self._relations]
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
        """All it knows so far, in the order of ids, kept in the state for a resumed run."""
        relations = sorted(self._relations.items())
        return TrustMemory(
            spans=tuple(self._spans[key] for key in sorted(self._spans)),
            relations=tuple(
                SpanRelation(source=a, target=b, weight=w, known=(a, b) in self._by_corpus) for (a, b), w in relations
            ),
            probed=tuple(sorted(self._probed)),
            established=tuple(sorted(d for d, good in self._established.items() if good)),
            strangers=self._strangers(),
            sides=tuple((side, d) for side in sorted(self._sides) for d in sorted(self._sides[side])),
        )

    def recall(self, memory: TrustMemory) -> None:
        """Restore what ``memory`` of an earlier process gave."""
        self._spans = {s.span_id: s for s in memory.spans}
        self._relations = {(r.source, r.target): r.weight for r in memory.relations}
        self._by_corpus = {(r.source, r.target) for r in memory.relations if r.known}
        self._probed = set(memory.probed)
        self._established = dict.fromkeys(memory.established, True) | dict.fromkeys(memory.strangers, False)
        for side, doc_id in memory.sides:
            self._sides.setdefault(side, set()).add(doc_id)

    def _strangers(self) -> tuple[str, ...]:
        return tuple(sorted(d for d, good in self._established.items() if not good))

    def _take_sides(self, claim: AtomicClaim, scored: Sequence[ScoredSpan]) -> None:
        """Note which documents say the same of a claim."""
        for span, scores in ((s.hit.span, s.assessment.calibrated) for s in scored if _is_leaning(s)):
            side = "for" if scores.entailment >= LEANING else "against"
            self._sides.setdefault(f"{side} {claim.claim_id}", set()).add(span.doc_id)

    def _trusted(self) -> frozenset[str]:
        """Documents that the desk trusts: by name, or by their site."""
        listed = {s.doc_id for s in self._spans.values() if on_site(s.url, self._sites)} if self._sites else set()
        return self._seeds | listed

    def _look_around(self, claim: AtomicClaim, scored: Sequence[ScoredSpan]) -> None:
        """Find out which leaning documents are isolated."""
        if self._standing is None:
            return
        for doc_id in sorted({s.hit.span.doc_id for s in scored if _is_leaning(s)}):
            if doc_id not in self._established:
                self._established[doc_id] = self._standing(doc_id, claim.text)

    def _outcome(self, passes: int, failure: Failure | None) -> TrustOutcome:
        documents = sorted({s.doc_id for s in self._spans.values() if s.kind == "text"})
        groups = self._clusters()
        edges = tuple(
            e.model_copy(update={"corrects": self._outdated(e.weight, e.target_span, e.source_span, groups)})
            for e in self._edges()
            if not self._outdated(e.weight, e.source_span, e.target_span, groups) and not self._vouched_by_its_like(e)
        )
        report = assess_trust(
            documents,
            edges,
            clusters=groups,
            seeds=self._trusted(),
            strangers=self._strangers(),
            sentences={d: self._length(d) for d in documents},
        )
        report = report.model_copy(update={"sentences": self._sentences(report)})
        return TrustOutcome(report=report, passes=passes, failure=failure)

    def _length(self, doc_id: str) -> int:
        """Number of sentences of a document."""
        if doc_id not in self._lengths:
            text = self._document_text(doc_id) or ""
            found = sentence_ranges(text, 0, len(text)) if text.strip() else ()
            self._lengths[doc_id] = max(1, sum(1 for _ in found))
        return self._lengths[doc_id]

    def _sentences(self, report: TrustReport) -> tuple[TrustSentence, ...]:
        """The sentences that the edges rest on, so that a re-run can score them."""
        spans = [self._spans[i] for i in sorted({i for e in report.edges for i in (e.source_span, e.target_span)})]
        return tuple(TrustSentence.taken_from(s, published=_day(s)) for s in spans)

    def _edges(self) -> tuple[TrustEdge, ...]:
        """One edge per document and sentence of another: the strongest relation between them."""
        strongest: dict[tuple[str, str], tuple[float, str]] = {}
        for (first, second), weight in sorted(self._relations.items()):
            source, target = self._spans[first].doc_id, self._spans[second].doc_id
            known = strongest.get((source, second))
            if weight and source != target and (known is None or abs(weight) > abs(known[0])):
                strongest[source, second] = weight, first
        return tuple(
            TrustEdge(
                source=source,
                target=self._spans[second].doc_id,
                weight=weight,
                source_span=first,
                target_span=second,
                known=(first, second) in self._by_corpus,
            )
            for (source, second), (weight, first) in sorted(strongest.items())
        )

    def _vouched_by_its_like(self, edge: TrustEdge) -> bool:
        """Whether a support does not count: of its own publisher, an isolated document, or a repetition.

        An isolated document is supported only at ``tau_entail``, with the names, in other words.
        """
        if edge.weight <= 0:
            return False
        strangers = self._strangers()
        if edge.source in strangers:
            return True
        source, target = self._spans[edge.source_span], self._spans[edge.target_span]
        if source.publisher and _outlet(source) == _outlet(target):
            return True
        if edge.target not in strangers:
            return same_words(source.text, target.text, REPEATED)
        weak = edge.weight < self._verifier.thresholds.tau_entail
        unnamed = any(f.slot == "entity" for f in check(target.text, source.text, source.context).findings)
        return weak or unnamed or same_words(source.text, target.text, TEMPLATE)

    def _outdated(self, weight: float, source_span: str, target_span: str, groups: Mapping[str, str]) -> bool:
        """Whether a refutation does not count: a publisher's earlier word, or an outgrown count."""
        if weight >= 0:
            return False
        source, target = self._spans[source_span], self._spans[target_span]
        if outgrown(source.published, target.published, target.text):
            return True
        if not (source.published and target.published and target.published > source.published and target.publisher):
            return False
        circle = {d for d, g in groups.items() if g == groups[source.doc_id]}
        return _outlet(target) in {_outlet(s) for s in self._spans.values() if s.doc_id in circle and s.publisher}

    def _clusters(self) -> dict[str, str]:
        """The independence cluster of each document."""
        return with_retellings(self._copies(), self._sides.values(), self._texts, self._order)

    def _copies(self) -> dict[str, str]:
        """Of each document the earliest one whose text it repeats, or itself."""
        dates = {s.doc_id: _day(s, "9999") for s in self._spans.values() if s.kind == "text"}
        order = sorted(dates, key=lambda d: (dates[d], d))
        if order != self._order:
            self._order = order
            self._texts = {d: self._texts.get(d) or self._document_text(d) or "" for d in order}
            self._copied = clusters(self._texts, order)
        return self._copied


def _failure(kind: str, message: str, claim: AtomicClaim) -> Failure:
    return Failure(where="trust.relations", kind=kind, message=message, claim_id=claim.claim_id)


def _strength(item: ScoredSpan) -> float:
    """Calibrated probability of the side that is likelier."""
    return max(item.assessment.calibrated.entailment, item.assessment.calibrated.contradiction)


def _is_leaning(item: ScoredSpan) -> bool:
    return item.hit.span.kind == "text" and _strength(item) >= LEANING


def _outlet(span: Span) -> tuple[str | None, str | None]:
    return span.publisher, urlsplit(span.url or "").hostname


def _best_spans(scored: Sequence[ScoredSpan]) -> list[Span]:
    """Per document its strongest sentence on the claim; the strongest documents first."""
    best: dict[str, ScoredSpan] = {}
    for item in sorted(scored, key=lambda item: (-_strength(item), item.hit.span.span_id)):
        if item.hit.span.kind == "text":
            best.setdefault(item.hit.span.doc_id, item)
    return [item.hit.span for item in list(best.values())[:MAX_DOCUMENTS]]


def _day(span: Span, missing: str = "") -> str:
    return span.published.isoformat() if span.published else missing


def _one_matter(a: Span, b: Span) -> bool:
    """Whether two sentences may speak of the same thing: where they and what stands before them have names, they share
    one. "The building cost £3 million" says nothing of the building on another page.
    """
    around_a, around_b = (" | ".join(part for part in (s.lead, s.context, s.text) if part) for s in (a, b))
    return share_a_name(around_b, around_a)


def _relation(a: Span, b: Span) -> PairText:
    """The pair for whether ``a`` supports or refutes ``b``, with the context of ``a``."""
    return PairText(claim=b.text, premise=a.text, context=a.context, published=_day(a))
