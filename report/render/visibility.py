"""What each mode shows of a certificate, which evidence stands with it, and in which words; nothing is decided here."""

from __future__ import annotations

from evidence.types import ImageFinding, ImageReport
from factdesk.kernel import CertificateError, Record
from report.policy.answers import answer_of
from report.render.safe import Tone
from report.types import Certificate, CertificateBody, ClaimRecord, Decision, Mode, SpanRecord, Verdict
from verifier.types import Label, NLIScores


class ClaimView(Record):
    """An atomic claim together with the policy's decision on it."""

    record: ClaimRecord
    decision: Decision

    @property
    def deciding(self) -> tuple[SpanRecord, ...]:
        """The spans the decision rests on, in the decision's order."""
        by_id = {s.span.span_id: s for s in self._quotable}
        return tuple(by_id[i] for i in self.decision.span_ids if i in by_id)

    def others(self, limit: int) -> tuple[SpanRecord, ...]:
        """At most ``limit`` spans besides the deciding ones, those that say most first."""
        rest = (s for s in self._quotable if s.span.span_id not in self.decision.span_ids)
        return tuple(sorted(rest, key=_least_telling)[:limit])

    @property
    def _quotable(self) -> tuple[SpanRecord, ...]:
        """All but what a language model saw in a picture: its words are no quotation of anything."""
        return tuple(s for s in self.record.spans if s.span.kind != "caption")


class LabelScore(Record):
    """The likeliest label of one premise with its calibrated probability, 0 to 1."""

    label: Label
    score: float


def label_score(scores: NLIScores) -> LabelScore:
    """Likeliest of the three; ties go to ``not_enough_info``."""
    if scores.entailment > max(scores.neutral, scores.contradiction):
        return LabelScore(label="entailed", score=scores.entailment)
    if scores.contradiction > max(scores.neutral, scores.entailment):
        return LabelScore(label="contradicted", score=scores.contradiction)
    return LabelScore(label="not_enough_info", score=scores.neutral)


def claim_views(body: CertificateBody) -> tuple[ClaimView, ...]:
    """Every atomic claim with its decision, in the order of the input.

    Raises ``CertificateError`` when a claim has no decision, or two: then nothing may be shown.
    """
    decisions = {d.claim_id: d for d in body.decisions}
    claim_ids = [c.claim.claim_id for c in body.claims]
    if sorted(claim_ids) != sorted(d.claim_id for d in body.decisions) or len(decisions) != len(claim_ids):
        raise CertificateError(f"the claims {claim_ids!r} do not have exactly one decision each; nothing can be shown")
    return tuple(ClaimView(record=c, decision=decisions[c.claim.claim_id]) for c in body.claims)


def shown_claims(certificate: Certificate, mode: Mode) -> tuple[ClaimView, ...]:
    """The claims a reader sees.

    ``strict``: VERIFIED only; ``mixed``: VERIFIED and UNVERIFIED; ``debug``: all. In every mode a
    ``refuted`` verdict names its BLOCKED claims. Of a draft answer, ``strict`` shows what answers the
    question (:func:`report.policy.answers.answer_of`), and a refuted statement is shown in ``debug`` only.
    Raises ``CertificateError`` like :func:`claim_views`.
    """
    states = {"strict": {"VERIFIED"}, "mixed": {"VERIFIED", "UNVERIFIED"}}.get(
        mode, {"VERIFIED", "UNVERIFIED", "BLOCKED"}
    )
    if certificate.body.asked is not None:
        views = {v.decision.claim_id: v for v in claim_views(certificate.body)}
        answer = answer_of(certificate.body).claim_ids
        rest = [v for i, v in views.items() if i not in answer and v.decision.state in states]
        return (*(views[i] for i in answer), *(() if mode == "strict" else rest))
    if certificate.body.verdict == "refuted":
        states = states | {"BLOCKED"}
    return tuple(v for v in claim_views(certificate.body) if v.decision.state in states)


def hidden_claims(certificate: Certificate, mode: Mode) -> tuple[ClaimView, ...]:
    """The claims :func:`shown_claims` leaves out."""
    shown = {v.decision.claim_id for v in shown_claims(certificate, mode)}
    return tuple(v for v in claim_views(certificate.body) if v.decision.claim_id not in shown)


def findings_shown(body: CertificateBody, mode: Mode) -> tuple[ImageFinding, ...]:
    """What was found in and about the pictures; in strict mode without a language model's view of them."""
    found = body.image_report.findings if body.image_report else ()
    return tuple(f for f in found if mode != "strict" or f.kind != "caption")


def hidden_reason(view: ClaimView) -> str:
    """Why a statement is not shown, without its words: a refutation's own reason quotes it mended."""
    if view.decision.state == "BLOCKED":
        return "Trusted evidence contradicts it."
    if view.decision.state == "VERIFIED":
        return "It is verified, but does not stand as an answer."
    return view.decision.reason


def _least_telling(record: SpanRecord) -> tuple[float, str]:
    scores = record.assessment.calibrated
    return (-max(scores.entailment, scores.contradiction), record.span.span_id)


_VERDICTS: dict[Verdict, tuple[str, Tone, str, str]] = {
    "supported": (
        "✓",
        "good",
        "Supported",
        "Every statement is backed by evidence that passed the trust gate.",
    ),
    "refuted": ("✗", "bad", "Refuted", "Trusted evidence contradicts at least one statement."),
    "conflicting": ("⇄", "warn", "Conflicting", "Trusted evidence stands on both sides."),
    "not_enough_evidence": ("?", "open", "Not enough evidence", "Not every statement could be verified."),
}

RULES: dict[str, str] = {
    "verified": "Evidence that passed the trust gate says so, and none of it says otherwise.",
    "refuted": "A trusted source about the same subject says otherwise.",
    "unsupported_by_design": "This is no statement of fact that a document could settle.",
    "failure": "A part of the check did not work, so nothing is decided.",
    "no_evidence": "Nothing was found that speaks about it.",
    "published_earlier": "A record shows that the picture is older than the time the statement gives it.",
    "placed_elsewhere": "A record places the picture in another town than the statement does.",
    "both_ways": "Trusted sources stand on both sides.",
    "contested": "What it rests on is itself disputed by another source.",
    "disputed": "A trusted source contradicts it, but a source of low trust states it.",
    "two_untrusted_against": "Several independent sources of low trust contradict it.",
    "outdated": "A later source contradicts what supports it.",
    "own_word": "Only the source it was taken from says so.",
    "other_amount": "Another trusted sentence gives another amount.",
    "certificate": "Nothing vouches for the certificate that records it.",
    "not_enough": "The nearest evidence does not go far enough.",
}
"""What each rule of the policy means, in one sentence."""

_AGREES: dict[str, frozenset[Verdict]] = {
    "supported": frozenset({"supported"}),
    "refuted": frozenset({"refuted"}),
    "failed": frozenset({"not_enough_evidence", "conflicting"}),
}

PICTURE_RULES = {
    "verified": "The submitted picture says so. That says what the picture shows, not that it is so.",
    "refuted": "The submitted picture says otherwise. That says what the picture shows, not that it is so.",
}
"""The same for statements about the submitted picture, where trust has no part."""

RECORD_RULES = {
    "verified": "A record of the picture's earlier use says so.",
    "refuted": "A record of the picture's earlier use says otherwise.",
}
"""The same for what a picture depicts, when and where: the record is the witness, not the picture."""

MODES: dict[Mode, str] = {
    "strict": "Strict: only what is verified is shown as an answer.",
    "mixed": "Mixed: verified statements, and open ones marked as such.",
    "debug": "Debug: everything, refuted statements and all scores included.",
}


class VerdictView(Record):
    """The verdict as symbol, word and sentence."""

    symbol: str
    tone: Tone
    word: str
    sentence: str
    headline: str
    """Both in one line, for the terminal."""


def verdict_view(body: CertificateBody) -> VerdictView:
    """The verdict of a body; says so when trust was switched off."""
    symbol, tone, word, sentence = _VERDICTS[body.verdict]
    headline = f"{word.upper()}: {sentence[0].lower()}{sentence[1:].removesuffix('.')}"
    if body.asked is not None:
        found = answer_of(body)
        symbol, tone, word = ("✓", "good", "Answered") if found.claim_ids else ("?", "open", "No answer")
        sentence = found.why_not or "Each statement below answers the question and is backed by trusted evidence."
        headline = "the verified statements below" if found.claim_ids else f"NONE: {found.why_not}"
    if not body.trust_enabled:
        sentence = untrusting(sentence) + " Trust was switched off for this check."
        headline = headline.replace("trusted evidence", "evidence") + " (trust was off)"
    return VerdictView(symbol=symbol, tone=tone, word=word, sentence=sentence, headline=headline)


def named_sites(body: CertificateBody) -> int:
    """How many sites whoever asked has named for their own word; 0 for a check."""
    return len({site for record in body.claims if record.witness for site in record.witness.sources})


def rule_sentence(view: ClaimView, body: CertificateBody) -> str:
    """What the rule that decided means; empty for a rule this version does not know."""
    rule = view.decision.rule
    if view.record.claim.image_aspect == "scene" and rule in RECORD_RULES:
        return RECORD_RULES[rule]
    if view.record.claim.about_image and rule in PICTURE_RULES:
        return PICTURE_RULES[rule]
    sentence = RULES.get(rule, "")
    return sentence if body.trust_enabled else untrusting(sentence)


def untrusting(sentence: str) -> str:
    """A sentence about trusted evidence for a check that looked at no trust."""
    words = sentence.replace("no trusted ", "no ").replace("A trusted ", "A ").replace("Trusted s", "S")
    return words.replace("Trusted e", "E").replace("trusted ", "")


def agrees(body: CertificateBody) -> bool:
    """Whether the reasoner's proposal says what the verdict says; true without a proposal."""
    return body.proposal is None or body.verdict in _AGREES[body.proposal.label]


def proposal_words(body: CertificateBody) -> str:
    """What the reasoner proposed, and whether the verdict says the same; empty without a proposal."""
    proposal = body.proposal
    if proposal is None:
        return ""
    who = f"The reasoner ({proposal.method})"
    if proposal.label == "failed":
        end = "The verdict leaves it open too." if agrees(body) else "The rules came to a verdict without it."
        return f"{who} found too little to propose anything. {end}"
    end = "The verdict is the same." if agrees(body) else "The verdict DIFFERS."
    return f"{who} proposes: {proposal.label}. {end}"


def clip_words(report: ImageReport | None) -> str:
    """What CLIP found in a sentence that says that it decides nothing; empty without a report."""
    if report is None:
        return ""
    clip = report.clip
    if not clip.available or clip.similarity is None:
        return f"{clip.reason or 'CLIP not available'}. Nothing was decided by it."
    scenes = ", ".join(f"{name} ({share:.2f})" for name, share in clip.scenes)
    captions = "".join(f"; with the caption “{text}” {cosine:.2f}" for text, cosine in clip.captions)
    return (
        f"CLIP, which decides nothing: likeness of picture and claim {clip.similarity:.2f}{captions}; "
        f"likeliest scenes: {scenes}."
    )
