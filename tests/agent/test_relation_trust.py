"""Relations between the documents of a check: who may vouch for whom."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from agent.assessment.document_relations import RelationTrust
from agent.assessment.nli_pairs import assess_relations, relation_weight
from agent.types import AtomicClaim, ScoredSpan
from evidence.types import Hit, RetrievalScores, Span
from factdesk.kernel import Fingerprint
from verifier.backends.factory import make_verifier
from verifier.types import Assessment, GuardReport, NLIScores, PairText, Thresholds

SAID = "The Lund tower is 70 metres tall."
CLAIM = AtomicClaim(claim_id="c1", text=SAID, start=0, end=len(SAID), source=SAID)
SURE = Assessment(
    raw=NLIScores(entailment=0.95, neutral=0.05, contradiction=0.0),
    calibrated=NLIScores(entailment=0.95, neutral=0.05, contradiction=0.0),
    guard=GuardReport(),
)


class Agreeing:
    """Says of every pair that the one entails the other."""

    fingerprint = Fingerprint(name="agreeing", version="1")
    thresholds = Thresholds()

    def assess(self, pairs: Sequence[PairText], *, contested_from: float = 0.0) -> tuple[Assessment, ...]:
        return tuple(SURE for _ in pairs)


def scored(doc_id: str, text: str) -> ScoredSpan:
    span = Span(
        span_id=f"{doc_id}#1.1",
        chunk_id=f"{doc_id}#1",
        doc_id=doc_id,
        doc_sha256="0" * 64,
        start=0,
        end=len(text),
        text=text,
    )
    hit = Hit(span=span, scores=RetrievalScores(), rank=1)
    return ScoredSpan(claim_id="c1", question_id="q1", hit=hit, assessment=SURE)


ASIDES = {"a": "Ola Berg drew it in 1998.", "b": "Its lift was made by Kone of Espoo."}


class Counting(Agreeing):
    """Says of every pair that the one entails the other, and keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    def assess(self, pairs: Sequence[PairText], *, contested_from: float = 0.0) -> tuple[Assessment, ...]:
        self.asked += [(pair.premise, pair.claim) for pair in pairs]
        return super().assess(pairs, contested_from=contested_from)


def test_copies_of_one_text_are_not_read_for_what_they_say_of_each_other() -> None:
    """They count as one source, whatever a model would find."""
    other = "At 70 metres, the tower of Lund is the tallest there."
    article = " ".join(f"{SAID} It has {n} windows on floor {n}, says the guide." for n in range(3, 9))
    model = Counting()
    tool = RelationTrust(model, {"a": article, "b": article, "c": other}.get, lambda doc_id: ())
    outcome = tool.update(CLAIM, [scored("a", SAID), scored("b", SAID), scored("c", other)], budget=100)
    assert (SAID, SAID) not in model.asked
    assert (other, SAID) in model.asked
    assert outcome.report.of("b").cluster == "a"


@pytest.mark.parametrize(
    ("here", "there", "related"),
    [
        ("Orm has a new library.", "Lund has a new library.", False),
        ("Orm has a new library.", "The library of Orm was opened.", True),
        ("First came the readers of Orm.", "In the first week Lund counted its readers.", False),
        ("Orm has a new library.", "There is a new library.", True),
    ],
)
def test_pages_that_share_no_name_say_nothing_of_each_other(here: str, there: str, related: bool) -> None:
    """ "The building cost ..." is said of the building of its own page, whatever another page's building cost."""
    sentences = ("The building cost £3.4 million.", "The building cost £2.7 million.")
    found = [scored(d, text) for d, text in zip("ab", sentences, strict=True)]
    leads = [
        s.model_copy(update={"hit": s.hit.model_copy(update={"span": s.hit.span.model_copy(update={"lead": lead})})})
        for s, lead in zip(found, (here, there), strict=True)
    ]
    model = Counting()
    tool = RelationTrust(model, {"a": f"{here} {sentences[0]}", "b": f"{there} {sentences[1]}"}.get, lambda doc_id: ())
    tool.update(CLAIM, leads, budget=100)
    assert bool(model.asked) == related


def trust_of(
    texts: dict[str, str], strangers: frozenset[str] = frozenset(), asides: dict[str, str] = ASIDES
) -> dict[str, float]:
    """Trust of documents that tell these sentences, and ``asides`` of their own."""
    tool = RelationTrust(
        Agreeing(),
        lambda doc_id: f"{texts[doc_id]} {asides.get(doc_id, '')}",
        lambda doc_id: (),
        standing=lambda doc_id, claim: doc_id not in strangers,
    )
    outcome = tool.update(CLAIM, [scored(d, t) for d, t in texts.items()], budget=100)
    return {d.doc_id: d.score for d in outcome.report.documents}


def test_what_is_known_of_the_corpus_joins_in_and_is_told_apart() -> None:
    texts = {"a": SAID, "b": "At 70 metres, nothing in Lund is as tall as its tower."}
    own, other = (scored(d, t).hit.span for d, t in texts.items())
    pairs = {"a": [(other, own)], "b": [(own, other)]}
    known = {"known": lambda doc_id: pairs[doc_id]}

    def tool() -> RelationTrust:
        return RelationTrust(Agreeing(), lambda d: f"{texts[d]} {ASIDES[d]}", lambda doc_id: (), **known)

    first = tool()
    report = first.update(CLAIM, [scored("a", SAID)], budget=100).report
    assert [(e.source, e.target, e.known) for e in report.edges] == [("a", "b", True), ("b", "a", True)]
    entry = report.of("a")
    assert entry is not None
    assert entry.score > 0.8
    assert entry.alone == 0.5
    assert entry.changed
    taken_up = tool()
    taken_up.recall(first.memory())
    assert taken_up.update(CLAIM, [], budget=0).report == report
    assert first.update(CLAIM, [scored("a", SAID)], budget=0).passes == 0, "a document is looked up once"


def test_another_report_in_its_own_words_supports() -> None:
    found = trust_of({"a": SAID, "b": "At 70 metres, nothing in Lund is as tall as its tower."})
    assert found["a"] > 0.8
    assert found["b"] > 0.8


@pytest.mark.parametrize("asides", [{}, {"a": ASIDES["a"]}])
def test_a_retelling_without_a_detail_of_its_own_supports_nobody(asides: dict[str, str]) -> None:
    found = trust_of({"a": SAID, "b": "At 70 metres, nothing in Lund is as tall as its tower."}, asides=asides)
    assert found == {"a": 0.5, "b": 0.5}


@pytest.mark.parametrize("text", [SAID, "The Lund tower is 71 metres tall.", f"{SAID} Come and see."])
def test_nobody_vouches_by_repeating(text: str) -> None:
    found = trust_of({"a": SAID, "b": text})
    assert found == {"a": 0.5, "b": 0.5}


def test_strangers_vouch_for_nobody() -> None:
    found = trust_of({"a": SAID, "b": "From street to roof the tower of Lund measures 70 metres."}, frozenset({"b"}))
    assert found["a"] == 0.5
    assert found["b"] > Thresholds().tau_trust, "it is supported by one that is known"


def test_a_stranger_needs_one_who_would_verify_it(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {"a": "From street to roof the tower of Lund measures 70 metres.", "b": SAID}
    assert trust_of(texts, frozenset({"b"}))["b"] > Thresholds().tau_trust
    monkeypatch.setattr(Agreeing, "thresholds", Thresholds(tau_entail=0.97))
    assert trust_of(texts)["b"] > 0.8, "one that is known is supported by less"
    assert trust_of(texts, frozenset({"b"}))["b"] < Thresholds().tau_trust


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("From street to roof this tower measures 70 metres.", 0.5),
        ("It is a long way up to the roof of the Lund tower.", 0.5),
        ("From street to roof the tower of Lund measures 70 metres.", 0.869565),
    ],
)
def test_who_lacks_its_name_or_its_amount_does_not_bear_it_out(text: str, score: float) -> None:
    assert trust_of({"a": text, "b": SAID})["b"] == score


def test_what_cannot_bear_on_another_is_not_put_to_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[PairText] = []

    def assess(self: Agreeing, pairs: Sequence[PairText], **options: float) -> tuple[Assessment, ...]:
        asked.extend(pairs)
        return tuple(SURE for _ in pairs)

    monkeypatch.setattr(Agreeing, "assess", assess)
    trust_of({"a": "It is a long way up to the roof of the Lund tower.", "b": SAID})
    assert [pair.premise for pair in asked] == [SAID]


COST = "The refurbishment of the Tollgate Library cost {}, of which Harrowmere Town Council paid £4.1 million."
TOLD = COST.format("£6.2 million")
OTHERS = (
    "The refurbishment is expected to cost £4.5 million, according to the plan before the council.",
    COST.format("£5.1 million"),
    "Of the £6.2 million the refurbishment of the Tollgate Library cost, £4.1 million came from the town.",
)


def test_mended_claims_that_no_relation_needs_are_not_scored() -> None:
    verifier = make_verifier("onnx:minilm-fact")
    pairs = [PairText(claim=other, premise=TOLD) for other in OTHERS]
    whole, found = verifier.assess(pairs), assess_relations(verifier, pairs)
    assert [relation_weight(a) for a in found] == [relation_weight(a) for a in whole]
    assert any(relation_weight(a) for a in found)
    assert found[0].passes < whole[0].passes
    assert found[1] == whole[1]
