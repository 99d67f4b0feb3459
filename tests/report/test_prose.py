"""Prose from verified statements, verified again sentence by sentence."""

from __future__ import annotations

from collections.abc import Sequence

from factdesk.kernel import Fingerprint
from report.render.narrative import write_prose
from report.types import Certificate, ClaimRecord
from tests.report.builders import REPORT, make_certificate, make_claim, make_decision, make_record, make_span
from verifier.types import Assessment, GuardReport, NLIScores, PairText, Thresholds

TEXT = "The Tollgate library reopened on 4 May 2024 and lends 12,000 books. It is red."
PARTS = (
    ("c1", "The Tollgate library reopened on 4 May 2024", 0),
    ("c2", "lends 12,000 books.", 48),
    ("c3", "It is red.", 68),
)
OPENED, LENDS = "The Tollgate library reopened on 4 May 2024.", "It now lends 12,000 books a month."


class Knows:
    """Entails exactly the claims it was given; a stand-in for the model, not for the rules around it."""

    can_contradict = True
    thresholds = Thresholds(tau_entail=0.9)
    fingerprint = Fingerprint(name="verifier:knows", version="1")

    def __init__(self, *claims: str) -> None:
        self.claims = claims
        self.asked: list[PairText] = []

    def assess(self, pairs: Sequence[PairText], *, contested_from: float = 0.0) -> tuple[Assessment, ...]:
        self.asked += pairs
        return tuple(self._one(p.claim in self.claims) for p in pairs)

    @staticmethod
    def _one(known: bool) -> Assessment:
        pro = 0.97 if known else 0.89
        scores = NLIScores(entailment=pro, neutral=round(1 - pro, 6), contradiction=0.0)
        return Assessment(raw=scores, calibrated=scores, guard=GuardReport())


def certificate(*states: str) -> Certificate:
    spans = (make_span("post-1", REPORT, OPENED, 0), make_span("post-1", REPORT, LENDS, 1))
    claims = tuple(
        ClaimRecord(
            claim=make_claim(claim_id, source, start).model_copy(
                update={"text": f"The library {source}" if claim_id == "c2" else source}
            ),
            spans=(make_record(spans[min(n, 1)], 0.97, 0.01, sufficient=True),),
        )
        for n, (claim_id, source, start) in enumerate(PARTS)
    )
    decisions = tuple(
        make_decision(c.claim.claim_id, state, 0.97, c.spans[0].span.span_id)
        for c, state in zip(claims, states, strict=True)
    )
    assert [TEXT[s : s + len(p)] for _, p, s in PARTS] == [p for _, p, _ in PARTS]
    return make_certificate("cert-1", claim_text=TEXT, claims=claims, decisions=decisions)


def test_statements_of_one_sentence_become_it_again_and_are_read_against_all_their_evidence() -> None:
    whole = "The Tollgate library reopened on 4 May 2024 and lends 12,000 books."
    model = Knows(whole)
    found = write_prose(certificate("VERIFIED", "VERIFIED", "UNVERIFIED"), model)
    assert [(s.text, s.claim_ids) for s in found.sentences] == [(whole, ("c1", "c2"))]
    assert found.sentences[0].sources == ("Tollgate Post, undated",)
    assert [p.premise for p in model.asked] == [f"{OPENED} {LENDS}"]
    assert found.text == f"{whole} (c1, c2: Tollgate Post, undated)"
    assert found.left_out == ()


def test_where_the_sentence_does_not_hold_its_statements_stand_alone_or_are_left_out() -> None:
    model = Knows("The Tollgate library reopened on 4 May 2024")
    found = write_prose(certificate("VERIFIED", "VERIFIED", "UNVERIFIED"), model)
    assert [s.text for s in found.sentences] == ["The Tollgate library reopened on 4 May 2024."]
    assert found.left_out == ("c2",)


def test_what_is_not_verified_is_neither_written_nor_read() -> None:
    model = Knows(*(text for _, text, _ in PARTS), "The library lends 12,000 books.", TEXT)
    found = write_prose(certificate("UNVERIFIED", "VERIFIED", "BLOCKED"), model)
    assert [s.text for s in found.sentences] == ["The library lends 12,000 books."]
    assert all("red" not in p.claim and "reopened" not in p.claim for p in model.asked)
    empty = write_prose(certificate("UNVERIFIED", "UNVERIFIED", "BLOCKED"), model)
    assert (empty.sentences, empty.left_out, empty.text) == ((), (), "")


def test_the_limit_is_never_below_the_certificates_own() -> None:
    sealed = certificate("VERIFIED", "UNVERIFIED", "UNVERIFIED")
    strict = sealed.model_copy(
        update={"body": sealed.body.model_copy(update={"thresholds": Thresholds(tau_entail=0.98)})}
    )
    model = Knows("The Tollgate library reopened on 4 May 2024")
    assert write_prose(strict, model).left_out == ("c1",)
    assert write_prose(sealed, model).left_out == ()
