"""The answer in running text: written from verified statements only, and verified again sentence by sentence.

No model writes here. Statements of one sentence of the input that are all verified become that sentence again. What
the verifier does not read in the minimal sufficient evidence, at the certificate's own limit at least, is left out.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.assessment.nli_pairs import pair_of
from factdesk.kernel import Fingerprint, Record
from report.certificate.canonical import rounded
from report.render.view import ClaimView, shown_claims
from report.types import Certificate
from verifier import pair_decision
from verifier.joint_evidence import joint_pair
from verifier.types import Thresholds, Verifier


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
    mine, theirs = certificate.body.thresholds, verifier.thresholds
    # The certificate's limits, and never below those of the verifier that reads now.
    limits = mine.model_copy(update={"tau_entail": max(mine.tau_entail, theirs.tau_entail)})
    views = [v for v in shown_claims(certificate, "strict") if v.decision.state == "VERIFIED"]
    sentences, left_out = list[ProseSentence](), list[str]()
    for group in _groups(certificate, views):
        whole = _read(_source(certificate, group), group, verifier, limits) if len(group) > 1 else None
        alone = [_read(v.record.claim.text, [v], verifier, limits) for v in group] if whole is None else [whole]
        sentences += [s for s in alone if s is not None]
        left_out += [v.decision.claim_id for v, s in zip(group, alone, strict=False) if s is None]
    return Prose(
        certificate_id=certificate.envelope.certificate_id,
        sentences=tuple(sentences),
        left_out=tuple(left_out),
        verifier=verifier.fingerprint,
    )


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


def _source(certificate: Certificate, group: Sequence[ClaimView]) -> str:
    """The part of the input that the statements were taken from."""
    claims = [v.record.claim for v in group]
    part = certificate.body.claim_text[min(c.start for c in claims) : max(c.end for c in claims)]
    return " ".join(part.split())


def _read(text: str, group: Sequence[ClaimView], verifier: Verifier, limits: Thresholds) -> ProseSentence | None:
    """The text as a sentence with its sources, where what its statements rest on bears it out."""
    sentence = text if text.endswith((".", "!", "?")) else f"{text}."
    spans = list({s.span.span_id: s.span for v in group for s in v.deciding}.values())
    if len(group) == len(spans) == 1:
        pair = pair_of(group[0].record.claim, spans[0])
    else:
        pair = joint_pair(sentence, premises=[s.text for s in spans], contexts=[s.context for s in spans])
    fresh = rounded(verifier.assess([pair])[0])
    if not pair_decision.supports(fresh, limits):
        return None
    return ProseSentence(
        text=sentence,
        claim_ids=tuple(v.decision.claim_id for v in group),
        score=fresh.calibrated.entailment,
        sources=tuple(
            dict.fromkeys(f"{s.publisher or s.title or s.doc_id}, {s.published or 'undated'}" for s in spans)
        ),
    )
