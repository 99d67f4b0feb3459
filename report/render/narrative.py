"""The answer in running text: written from verified statements only, and verified again sentence by sentence.

No model writes here. Statements that were one sentence of the input and are all verified become that sentence
again; the others stand as they are. Each sentence is then read by the verifier against the minimal sufficient
evidence of its statements, with the certificate's own limit at least, and left out where it does not hold.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.assessment.nli_pairs import pair_of
from evidence.types import Span
from factdesk.kernel import Fingerprint, Record
from report.certificate.canonical import rounded
from report.render.visibility import ClaimView, shown_claims
from report.types import Certificate
from verifier import pair_decision
from verifier.joint_evidence import joint_pair
from verifier.types import Assessment, Thresholds, Verifier


class ProseSentence(Record):
    """One sentence, the statements it says, and where that is known from."""

    text: str
    claim_ids: tuple[str, ...]
    score: float
    """Calibrated probability that its evidence entails it, 0 to 1."""
    sources: tuple[str, ...]
    """Publisher and day, of each document it rests on."""


class Prose(Record):
    """Sentences that hold, and how many verified statements found no place in one."""

    certificate_id: str
    sentences: tuple[ProseSentence, ...]
    left_out: tuple[str, ...]
    """Ids of verified statements whose sentence did not hold when it was read again."""
    verifier: Fingerprint

    @property
    def text(self) -> str:
        """All sentences, each with its statements and sources."""
        return " ".join(f"{s.text} ({', '.join(s.claim_ids)}: {'; '.join(s.sources)})" for s in self.sentences)


def write_prose(certificate: Certificate, verifier: Verifier) -> Prose:
    """Write and verify again. Raises ``BackendUnavailable`` when the verifier cannot run."""
    limits = _limits(certificate, verifier)
    views = [v for v in shown_claims(certificate, "strict") if v.decision.state == "VERIFIED"]
    sentences, left_out = list[ProseSentence](), list[str]()
    for group in _groups(certificate, views):
        whole = _whole(certificate, group)
        tries = [(whole, group)] if whole is not None else []
        found = _first(tries, verifier, limits)
        if found is not None:
            sentences.append(found)
            continue
        for view in group:
            alone = _alone(view, verifier, limits)
            if alone is None:
                left_out.append(view.decision.claim_id)
            else:
                sentences.append(alone)
    return Prose(
        certificate_id=certificate.envelope.certificate_id,
        sentences=tuple(sentences),
        left_out=tuple(left_out),
        verifier=verifier.fingerprint,
    )


def _limits(certificate: Certificate, verifier: Verifier) -> Thresholds:
    """The certificate's limits, and never below those of the verifier that reads now."""
    mine, theirs = certificate.body.thresholds, verifier.thresholds
    return mine.model_copy(update={"tau_entail": max(mine.tau_entail, theirs.tau_entail)})


def _groups(certificate: Certificate, views: Sequence[ClaimView]) -> list[list[ClaimView]]:
    """Statements of one sentence of the input together, where all of that sentence is verified."""
    if certificate.body.asked is not None:
        return [[v] for v in views]
    shown = {v.decision.claim_id for v in views}
    text, groups = certificate.body.claim_text, list[list[ClaimView]]()
    ends: list[int] = []
    for record in certificate.body.claims:
        claim = record.claim
        if ends and _one_sentence(text[ends[-1] : claim.start]):
            ends[-1] = max(ends[-1], claim.end)
        else:
            groups.append([])
            ends.append(claim.end)
        groups[-1] += [v for v in views if v.decision.claim_id == claim.claim_id]
        if claim.claim_id not in shown:
            groups.append([])  # what is not verified parts the rest
            ends.append(claim.end)
    return [g for g in groups if g]


def _one_sentence(between: str) -> bool:
    """Whether nothing ends a sentence in what stands between two statements."""
    return not any(mark in between for mark in ".!?\n") and len(between) <= 40


def _whole(certificate: Certificate, group: Sequence[ClaimView]) -> str | None:
    if len(group) < 2:
        return None
    claims = [v.record.claim for v in group]
    part = certificate.body.claim_text[min(c.start for c in claims) : max(c.end for c in claims)]
    return _sentence(" ".join(part.split()))


def _first(
    tries: Sequence[tuple[str, Sequence[ClaimView]]], verifier: Verifier, limits: Thresholds
) -> ProseSentence | None:
    for text, group in tries:
        spans = _evidence(group)
        pair = joint_pair(text, premises=[s.text for s in spans], contexts=[s.context for s in spans])
        found = _holding(verifier.assess([pair])[0], limits)
        if found is not None:
            return _made(text, group, spans, found)
    return None


def _alone(view: ClaimView, verifier: Verifier, limits: Thresholds) -> ProseSentence | None:
    spans, text = _evidence([view]), _sentence(view.record.claim.text)
    if len(spans) == 1:
        found = _holding(verifier.assess([pair_of(view.record.claim, spans[0])])[0], limits)
        return _made(text, [view], spans, found) if found is not None else None
    return _first([(text, [view])], verifier, limits)


def _holding(assessment: Assessment, limits: Thresholds) -> float | None:
    fresh = rounded(assessment)
    return fresh.calibrated.entailment if pair_decision.supports(fresh, limits) else None


def _evidence(group: Sequence[ClaimView]) -> list[Span]:
    return list({s.span.span_id: s.span for v in group for s in v.deciding}.values())


def _made(text: str, group: Sequence[ClaimView], spans: Sequence[Span], score: float) -> ProseSentence:
    sources = dict.fromkeys(f"{s.publisher or s.title or s.doc_id}, {s.published or 'undated'}" for s in spans)
    ids = tuple(v.decision.claim_id for v in group)
    return ProseSentence(text=text, claim_ids=ids, score=score, sources=tuple(sources))


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."
