"""A claim's records sorted by what they may do: the ground on which the policy's rules decide."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from datetime import timedelta
from urllib.parse import urlsplit

from agent.types import LEFT_OUT, SETTLED_BY
from evidence.types import READINGS, Place, Span
from factdesk.kernel import Failure
from language.capitals import same_words
from report.policy.subjects import heard, on_other_pages
from report.types import ClaimRecord, JointRecord, SpanRecord
from verifier import pair_decision
from verifier.pair_decision import LEANS, LEAST_TOLD
from verifier.types import QUANTITIES, Assessment, GuardReport, Thresholds

CALENDARS = timedelta(days=2)
"""Days by which a day of publication may differ around the world, rounded up."""
FAR_KM = 100.0
"""Distance from which on two towns are different places, their surroundings included."""
UNRELATED = 0.2
"""Raw probability of "neutral" below which the model takes two sentences to be about one fact."""
LEAST_JOINT = 0.95
"""Least entailment of two sentences together: each alone lacks something, and they may not belong."""
LINES_APART = 1.5
"""Heights of the taller text from which on two texts of a picture are not read together."""
STATED = 0.5
"""Share of the claim's telling words from which on a sentence with its numbers and names states it."""


class Case:
    """A claim's records sorted by what they may do; built once, read by all rules."""

    def __init__(self, record: ClaimRecord, thresholds: Thresholds, failures: Sequence[Failure]) -> None:
        self.record, self.thresholds = record, thresholds
        own = [f for f in failures if f.deciding and f.claim_id in {None, record.claim.claim_id}]
        self.failures = [f for f in own if f.kind != LEFT_OUT]
        self.left_out = [f for f in own if f.kind == LEFT_OUT]
        """Caps that left out what may tell more: no certificate, but what is open for another reason is told so."""
        admitted = [heard(s, record) for s in record.spans if admissible(s, record)]
        gone = superseded(admitted, thresholds)
        inside = [s for s in admitted if trusted(s, thresholds)]
        standing = [s for s in inside if s.span.span_id not in gone]
        self.support = tuple(s for s in standing if pair_decision.supports(s.assessment, thresholds))
        """Trusted, admissible, entailing at ``tau_entail``, near the claim, guard agreeing."""
        sure = thresholds.model_copy(update={"tau_entail": max(thresholds.tau_entail, LEAST_JOINT)})
        valid = {s.span.span_id for s in standing}
        self.joint = tuple(
            j for j in record.joint if set(j.span_ids) <= valid and pair_decision.supports(j.assessment, sure)
        )
        """The same for joint premises, at ``LEAST_JOINT``; trust is that of the least trusted member."""
        past = overtaken(admitted, self.support)
        past |= on_other_pages(record)
        against = [s for s in admitted if contradicts(s.assessment, thresholds) and s.span.span_id not in past]
        debunked = [s for s in record.spans if debunks(s, thresholds)]
        alone = outweighed(self.support, (*against, *debunked)) | other_words(admitted, record)
        against, debunked = ([s for s in spans if s.span.span_id not in alone] for spans in (against, debunked))
        self.contradict = tuple(s for s in (*against, *debunked) if trusted(s, thresholds))
        """Trusted, admissible, contradicting at ``tau_contradict``; or debunking it."""
        low = (s for s in (*against, *debunked) if not trusted(s, thresholds))
        self.untrusted_against = sorted({voice_of(s) for s in low if not _own_earlier_word(s, self.support)})
        """Independence clusters of untrusted spans that contradict at ``tau_contradict``, or debunk; what a publisher
        has since put otherwise in a supporting span does not count."""
        self.later_against = _later(against, self.support, self.joint, record)
        """Contradicting at ``tau_contradict``, whatever their trust, and published after all support."""
        refuting = (s for s in inside if pair_decision.refutes(s.assessment, thresholds))
        self.refute = tuple(s for s in refuting if s.span.span_id not in past | alone)
        """Trusted, admissible, contradicting at ``tau_refute``, same subject, guard agreeing."""
        self.lean = tuple(s for s in standing if leans(s.assessment))
        """Trusted and admissible spans that lean towards the claim (``leans``)."""
        self.earlier = tuple(s for s in inside if _earlier(s, record))
        """Records by which the picture was published before the time that the claim gives it."""
        self.elsewhere = _elsewhere(inside, record)
        """Records that place the picture far from where the claim does; empty where one places it there."""
        apart = (s for s in admitted if not trusted(s, thresholds) and s.span.span_id not in gone)
        self.untrusted_for = tuple(s for s in apart if leans(s.assessment))
        """Below the trust gate, but leaning towards the claim (``leans``), and not superseded."""
        self.contested = _contested(inside, record, thresholds, alone)
        """Ids of trusted spans that a trusted sentence of another source refutes (``_contested``)."""

    @property
    def joined(self) -> tuple[SpanRecord, ...]:
        """The spans of its joint premises."""
        return tuple(s for s in self.record.spans if any(s.span.span_id in j.span_ids for j in self.joint))

    @property
    def outspoken(self) -> bool:
        """Sources below the trust gate stand against it: two, or one where no rated source supports it."""
        least = 2 if rated_sources((*self.support, *self.joined)) else 1
        return len(self.untrusted_against) >= least


def admissible(record: SpanRecord, claim: ClaimRecord) -> bool:
    """What was read from an image decides what is said of the image, and nothing else does; what a picture
    depicts, when and where, records of its earlier use alone. A language model's view of a picture, and a web
    page's caption of it (``caption``), settle nothing.
    """
    kind, about = record.span.kind, claim.claim
    if record.span.frame:
        return False
    if not about.about_image:
        return kind == "text"
    return kind in (READINGS if about.image_aspect is None else SETTLED_BY[about.image_aspect])


def voice_of(record: SpanRecord) -> str:
    """Its independence cluster."""
    return record.cluster or record.span.doc_id


def sources_of(spans: Iterable[SpanRecord]) -> frozenset[str]:
    """The independent sources of some spans."""
    return frozenset(s.source or voice_of(s) for s in spans)


def rated_sources(spans: Iterable[SpanRecord]) -> int:
    """How many independent sources that the desk has rated."""
    return len(sources_of(s for s in spans if s.rated))


def debunks(record: SpanRecord, thresholds: Thresholds) -> bool:
    """Its page rates as false, or calls made up, what says the claim: a witness against it, no refutation."""
    rated = record.span.frame in ("rated_false", "made_up")
    return rated and record.assessment.calibrated.entailment >= thresholds.tau_contradict


def trusted(record: SpanRecord, thresholds: Thresholds) -> bool:
    """Trust at the gate or above; with trust switched off (``None``) the gate stands open."""
    return record.trust is None or record.trust >= thresholds.tau_trust


def contradicts(assessment: Assessment, thresholds: Thresholds) -> bool:
    """Enough to prevent Verified: contradicting at ``tau_contradict``, refuting, contesting a detail, giving
    another number of what the claim counts, or naming the claim's own value only to reject it. In a sentence about
    another matter (``elsewhere``) neither a high score nor a contested detail counts.
    """
    guard = assessment.guard
    if guard.rejected:
        return True
    if guard.apart:
        return False
    if (
        (guard.value_rejected and guard.same_subject)
        or guard.count_differs
        or pair_decision.opposes(assessment, thresholds)
    ):
        return True
    high = assessment.calibrated.contradiction >= thresholds.tau_contradict and not another_time(guard)
    return (high or contests(assessment)) and not pair_decision.elsewhere(assessment, thresholds)


def another_time(guard: GuardReport) -> bool:
    """Whether it gives another amount for another date: another fact, not a contradiction."""
    conflicts = {f.slot for f in guard.findings if f.kind == "conflict"}
    return "date" in conflicts and bool(conflicts & (QUANTITIES - {"date"}))


def contests(assessment: Assessment) -> bool:
    """The model takes it for the claim's own fact, and the guard sees a detail stated otherwise, to whichever side it
    leans. Where it leans to neither, nor is the mended claim likelier than not by it, it states another fact. What is
    said under a condition, or as likely, is no detail stated otherwise.
    """
    guard, scores, mended = assessment.guard, assessment.calibrated, assessment.counterfactual
    related = assessment.raw.neutral < UNRELATED
    split = guard.overlap >= STATED and scores.entailment + scores.contradiction >= STATED
    hedged = any(f.slot == "modality" for f in guard.findings)  # a plan differs from what came of it
    if guard.premise_future and not any(f.slot == "negation" for f in guard.findings):
        return False
    split = split and not hedged and not another_time(guard)
    split = split and (mended is None or mended.entailment >= LEANS)
    stated = any(f.kind == "conflict" and f.slot != "modality" for f in guard.findings)
    return related and (scores.entailment >= LEANS or split) and guard.same_subject and stated


def leans(assessment: Assessment) -> bool:
    """Likelier entailing than not, or stating the claim's numbers and names with most of its words, and no detail
    otherwise: enough that no refutation stands against it. Without the claim's amount or date it does not lean, nor
    with hardly any word besides them ("six of the shops" for "six countries").
    """
    guard = assessment.guard
    if any(f.slot in QUANTITIES for f in guard.findings):
        return False
    if guard.structure:
        return guard.reported and not guard.conflicts and assessment.calibrated.entailment >= LEANS
    stated = guard.agrees and guard.matched > 0 and guard.overlap >= STATED and guard.premise_overlap >= LEAST_TOLD
    unopposed = assessment.calibrated.contradiction < LEANS
    return not guard.conflicts and (assessment.calibrated.entailment >= LEANS or (stated and unopposed))


def _own_earlier_word(found: SpanRecord, support: Sequence[SpanRecord]) -> bool:
    """Whether a supporting span is a later word of the same publisher."""
    own, day = publisher_of(found), found.span.published
    later = (s.span.published for s in support if own and publisher_of(s) == own)
    return day is not None and any(published is not None and published > day for published in later)


def other_words(spans: Sequence[SpanRecord], record: ClaimRecord) -> frozenset[str]:
    """Ids of readings that are nothing against a claim about the picture's text: another place of the picture has
    the very words, and they stand apart from it. What stands next to those words may change what they say.
    """
    said = record.claim.statement
    if record.claim.image_aspect != "text" or said is None:
        return frozenset()
    read = [s.span for s in spans if s.span.kind == "ocr"]
    exact = [span for span in read if same_words(span.text, said)]
    others = [span for span in read if exact and span not in exact]
    return frozenset(span.span_id for span in others if all(_apart(span, words) for words in exact))


def _apart(a: Span, b: Span) -> bool:
    """Whether two readings of one picture have room for more than a line between them."""
    if a.doc_id != b.doc_id or a.region is None or b.region is None:
        return False
    one, two = a.region, b.region
    gap = max(one.x0 - two.x1, two.x0 - one.x1, one.y0 - two.y1, two.y0 - one.y1)
    return gap > LINES_APART * max(one.y1 - one.y0, two.y1 - two.y0)


def outweighed(support: Sequence[SpanRecord], against: Sequence[SpanRecord]) -> frozenset[str]:
    """Ids of spans against a claim that do not count: one unrated source against two rated ones."""
    if rated_sources(support) < 2 or any(s.rated for s in against) or len(set(map(voice_of, against))) != 1:
        return frozenset()
    return frozenset(s.span.span_id for s in against)


def _contested(
    spans: Sequence[SpanRecord], record: ClaimRecord, thresholds: Thresholds, alone: frozenset[str]
) -> frozenset[str]:
    """What refutes the claim is contested by whatever trusted sentence refutes it in turn; what supports it,
    by one that leans against the claim.
    """
    opposed = {s.span.span_id for s in record.spans if s.assessment.calibrated.contradiction >= LEANS}
    found = set()
    for s in spans:
        voices = {d.span_id for d in s.disputes if d.trust >= thresholds.tau_trust} - alone
        if voices if pair_decision.refutes(s.assessment, thresholds) else voices & opposed:
            found.add(s.span.span_id)
    return frozenset(found)


def _earlier(found: SpanRecord, record: ClaimRecord) -> bool:
    """The day of a record lies clearly before the time that the claim gives the picture."""
    first, day = record.claim.pictured_from, found.span.published
    if found.span.kind != "record" or first is None or day is None:
        return False
    return day + CALENDARS < first


def _elsewhere(spans: Sequence[SpanRecord], record: ClaimRecord) -> tuple[SpanRecord, ...]:
    claimed = record.claim.pictured_place
    placed = [s for s in spans if s.span.kind == "record" and s.span.place is not None]
    if claimed is None or not all(_kilometres(claimed, s.span.place) >= FAR_KM for s in placed):
        return ()
    return tuple(placed)


def _kilometres(a: Place, b: Place | None) -> float:
    """Least distance between any two places of the two names; 0 where one is not known."""
    pairs = [(p, q) for p in a.points for q in (b.points if b else ())]
    return min((_great_circle(p, q) for p, q in pairs), default=0.0)


def _great_circle(a: tuple[float, float], b: tuple[float, float]) -> float:
    (lat_a, lon_a), (lat_b, lon_b) = (tuple(map(math.radians, p)) for p in (a, b))
    half = math.sin((lat_a - lat_b) / 2) ** 2
    half += math.cos(lat_a) * math.cos(lat_b) * math.sin((lon_a - lon_b) / 2) ** 2
    return 2 * 6371.0 * math.asin(math.sqrt(min(1.0, half)))


def superseded(spans: Sequence[SpanRecord], thresholds: Thresholds) -> set[str]:
    """Ids of spans that lean towards the claim, but whose own publisher later contradicts it: a trusted correction
    takes the place of the earlier report and its copies. Contradictions are never set aside this way.
    """
    publishers: dict[str, set[str]] = {}
    for s in spans:
        publishers.setdefault(voice_of(s), set()).add(publisher_of(s))
    on_subject = (s for s in spans if s.assessment.guard.same_subject and s.assessment.guard.conflicts)
    corrections = [s for s in on_subject if trusted(s, thresholds) and contradicts(s.assessment, thresholds)]
    return {
        s.span.span_id
        for s in spans
        for word in corrections
        if s.assessment.calibrated.entailment > s.assessment.calibrated.contradiction
        and publisher_of(word) in publishers[voice_of(s)] - {""}
        and s.span.published is not None
        and word.span.published is not None
        and word.span.published > s.span.published
    }


def overtaken(spans: Sequence[SpanRecord], support: Sequence[SpanRecord]) -> set[str]:
    """Ids of spans that say what is to come, or how things stood before the time of the claim, published before a
    support that says what came of it: neither contradicts it, unless by another amount. Undated documents overtake
    nothing, and are not overtaken.
    """
    newest = max((s.span.published for s in support if s.span.published), default=None)
    told_later = any(s.span.published and not s.assessment.guard.predates_claim for s in support)
    return {
        s.span.span_id
        for s in spans
        if (s.assessment.guard.premise_future or (told_later and _was_so_before(s.assessment.guard)))
        and newest
        and s.span.published
        and s.span.published < newest
    }


def _was_so_before(guard: GuardReport) -> bool:
    """From before the time of the claim, and at odds with no amount of it."""
    amounts = {f.slot for f in guard.findings if f.kind == "conflict"} & (QUANTITIES - {"date"})
    return guard.predates_claim and not amounts


def publisher_of(record: SpanRecord) -> str:
    """Publisher and host, so that a name alone cannot speak for another site; ``""`` when unknown."""
    host = urlsplit(record.span.url or "").hostname or ""
    return f"{record.span.publisher}|{host}" if record.span.publisher and host else ""


def _later(
    against: Sequence[SpanRecord],
    support: Sequence[SpanRecord],
    joint: Sequence[JointRecord],
    record: ClaimRecord,
) -> tuple[SpanRecord, ...]:
    """Contradicting spans about the same subject that are newer than every supporting one; a joint premise is as
    new as its latest member, and undated support is older than any dated contradiction.
    """
    joined = {i for j in joint for i in j.span_ids}
    days = [
        s.span.published for s in (*support, *(s for s in record.spans if s.span.span_id in joined)) if s.span.published
    ]
    newest = max(days, default=None)
    return tuple(
        s
        for s in against
        if s.assessment.guard.same_subject and s.span.published and (newest is None or s.span.published > newest)
    )
