"""Random verification records, thresholds and failures, for properties of the policy."""

from __future__ import annotations

from datetime import date

from hypothesis import strategies as st

from factdesk.kernel import Failure
from report.types import ClaimRecord, JointRecord, SpanRecord
from tests.report.records import (
    CONFLICT,
    MISSING,
    make_assessment,
    make_claim,
    make_record,
)
from trust.types import Dispute
from verifier.types import Thresholds

PROBABILITIES = (0.0, 0.1, 0.39, 0.4, 0.55, 0.69, 0.7, 0.84, 0.85, 0.89, 0.9, 0.97, 1.0)
day = st.sampled_from([None, date(2020, 1, 1), date(2022, 6, 1), date(2024, 1, 1)])
ASSESSMENTS = [
    make_assessment(pro, con, *findings, same_subject=same, mended=mended, refutation=refutation)
    for pro, con in [(p, 0.0) for p in PROBABILITIES]
    + [(0.0, p) for p in PROBABILITIES]
    + [(0.3, 0.7), (0.7, 0.3), (0.5, 0.5), (0.85, 0.15), (0.1, 0.9)]
    for findings in ((), (CONFLICT,), (MISSING,))
    for same in (True, False)
    for mended, refutation in (
        (None, None),
        (0.84, None),
        (0.97, None),
        (0.49, 0.97),
        (0.6, 0.89),
        (0.6, 0.97),
    )
]
CERTIFYING = [
    make_assessment(0.97, 0.0),
    make_assessment(0.85, 0.0),
    make_assessment(0.0, 0.97, CONFLICT, mended=0.97),
    make_assessment(0.0, 0.4, CONFLICT, mended=0.6, refutation=0.97),
    make_assessment(0.0, 0.8),
]
MATTERS = [
    {"premise_overlap": 0.1},
    {"premise_overlap": 0.4},
    {"premise_future": True},
    {"count_differs": True},
    {"premise_overlap": 0.1, "premise_future": True},
]
ON_OTHER_MATTERS = [
    a.model_copy(update={"guard": a.guard.model_copy(update=matter)})
    for a in (*CERTIFYING, *ASSESSMENTS[::7])
    for matter in MATTERS
]
assessments = st.one_of(st.sampled_from(CERTIFYING), st.sampled_from([*ASSESSMENTS, *ON_OTHER_MATTERS]))
surroundings = st.tuples(
    st.sampled_from([None, 0.1, 0.39, 0.4, 0.6, 0.9]),
    st.sampled_from(["", "k1", "k2"]),
    st.sampled_from(["text", "text", "text", "ocr", "exif"]),
    day,
)


disputes = st.lists(
    st.builds(
        Dispute,
        doc_id=st.just("d0"),
        span_id=st.sampled_from(["d0#0.0", "d1#0.0", "elsewhere#0.0"]),
        trust=st.sampled_from([0.1, 0.5]),
    ),
    max_size=1,
)


def span_records(name: str) -> st.SearchStrategy[SpanRecord]:
    return st.builds(
        lambda assessment, around, refuted_by: make_record(
            name, assessment, trust=around[0], cluster=around[1], kind=around[2], published=around[3]
        ).model_copy(update={"disputes": tuple(refuted_by)}),
        assessments,
        surroundings,
        disputes,
    )


@st.composite
def claim_records(draw: st.DrawFn, *, by_design: bool = False) -> ClaimRecord:
    spans = tuple(draw(span_records(f"d{i}")) for i in range(draw(st.integers(0, 4))))
    ids = [s.span.span_id for s in spans]
    joint: tuple[JointRecord, ...] = ()
    if len(ids) >= 2 and draw(st.booleans()):
        pair = draw(st.lists(st.sampled_from(ids), min_size=2, max_size=2, unique=True))
        joint = (JointRecord(span_ids=tuple(pair), assessment=draw(assessments)),)
    why = draw(st.sampled_from([None, None, "an opinion"])) if by_design else None
    claim = make_claim(about_image=draw(st.booleans()), by_design=why)
    return ClaimRecord(claim=claim, spans=spans, joint=joint)


limits = st.builds(
    Thresholds,
    tau_entail=st.sampled_from([0.7, 0.85, 0.95]),
    tau_contradict=st.sampled_from([0.5, 0.7]),
    tau_refute=st.sampled_from([0.7, 0.9]),
    tau_trust=st.sampled_from([0.0, 0.4, 0.6]),
    min_independent=st.sampled_from([1, 1, 2]),
)
failures = st.lists(
    st.builds(
        Failure,
        where=st.just("verifier.assess"),
        kind=st.just("budget"),
        message=st.just("it stopped"),
        deciding=st.booleans(),
        claim_id=st.sampled_from([None, "c1", "c2"]),
    ),
    max_size=2,
)


# The conditions, written out anew from the design and not taken from the module under test.
