"""What a mode shows of a certificate, for text, Markdown, HTML, JSON and exports. Nothing is decided here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import urlsplit

from evidence.types import ImageReport
from factdesk.kernel import CertificateError, Record
from report.policy.answers import answer_of
from report.policy.badge import Tone, badge
from report.policy.evidence_sides import sources_of
from report.policy.rules import withheld
from report.render.templates import WORDS
from report.render.trail import EvidenceView, pair_views
from report.types import Certificate, CertificateBody, ClaimRecord, Decision, Mode, SpanRecord

NEAREST = 2
"""So many passages stand open with a claim that is not verified."""
MAX_OTHERS = 20
"""So many passages besides the deciding ones are shown in debug mode."""
BOTH_SIDES = ("both_ways", "disputed")
"""Rules whose decision names one passage for the claim and then one against it."""
_EFFECTS = ("not on the deciding path", "nothing it concerns can be verified")


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


def _least_telling(record: SpanRecord) -> tuple[float, str]:
    scores = record.assessment.calibrated
    return (-max(scores.entailment, scores.contradiction), record.span.span_id)


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
    body, views = certificate.body, claim_views(certificate.body)
    states = {"VERIFIED"} | (set() if mode == "strict" else {"UNVERIFIED"})
    if mode == "debug" or (body.asked is None and body.verdict == "refuted"):
        states |= {"BLOCKED"}
    if body.asked is None:
        return tuple(v for v in views if v.decision.state in states)
    by_id = {v.decision.claim_id: v for v in views}
    answer = answer_of(body).claim_ids
    rest = [v for i, v in by_id.items() if i not in answer and v.decision.state in states]
    return (*(by_id[i] for i in answer), *(() if mode == "strict" else rest))


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
    if body.asked is None:
        words = WORDS["verdicts"][body.verdict]
        sentence = words["sentence"]
        headline = f"{words['word'].upper()}: {sentence[0].lower()}{sentence[1:].removesuffix('.')}"
    else:
        found = answer_of(body)
        words = WORDS["verdicts"]["answered" if found.claim_ids else "no_answer"]
        sentence = found.why_not or words["sentence"]
        headline = "the verified statements below" if found.claim_ids else f"NONE: {found.why_not}"
    if not body.trust_enabled:
        sentence = untrusting(sentence) + " Trust was switched off for this check."
        headline = headline.replace("trusted evidence", "evidence") + " (trust was off)"
    return VerdictView(**{**words, "sentence": sentence, "headline": headline})


def untrusting(sentence: str) -> str:
    """A sentence about trusted evidence for a check that looked at no trust."""
    words = sentence.replace("no trusted ", "no ").replace("A trusted ", "A ").replace("Trusted s", "S")
    return words.replace("Trusted e", "E").replace("trusted ", "")


class StatementView:
    """An atomic claim with badge, reason and evidence."""

    def __init__(self, view: ClaimView, number: int, shown: bool, certificate: Certificate, mode: Mode) -> None:
        body, decision, record = certificate.body, view.decision, view.record
        checked, debug = body.asked is None, mode == "debug"
        conflict = decision.rule in BOTH_SIDES and len(view.deciding) == 2
        sides = view.deciding if decision.state == "UNVERIFIED" and checked and conflict else ()
        deciding, others = view.deciding, view.others(MAX_OTHERS)
        nearest: tuple[SpanRecord, ...] = ()
        if decision.state == "UNVERIFIED":  # what stands with an open claim must not read as support
            near = (*deciding, *others)[:MAX_OTHERS]
            deciding, nearest, others = (), near[:NEAREST], near[NEAREST:]
        if not shown:
            deciding, nearest, others = (), nearest[:1] if checked and not sides else (), ()

        def evidence(records: Iterable[SpanRecord]) -> tuple[EvidenceView, ...]:
            return tuple(EvidenceView(r, record, self.anchor, body) for r in records)

        self.claim, self.decision, self.claim_view = record.claim, decision, view
        self.shown = shown
        """Whether the mode shows it as part of the answer."""
        self.text_shown = shown or checked or mode != "strict"
        """Whether the mode gives its text anywhere; a drafted statement that strict hides has none."""
        self.badge = badge(decision, certificate.envelope.certificate_id)
        self.note = WORDS["notes"][decision.state]
        """What is said before a statement that is not verified."""
        self.according_to = "" if checked else _source_of(view)
        """The one source that a statement of an answer rests on; ``""`` where there are several."""
        self.rule_words = _rule_words(view, body)
        self.reason = decision.reason if shown else WORDS["hidden"].get(decision.state, decision.reason)
        """The policy's words; of a statement that is not shown, words that do not quote it."""
        self.anchor = f"claim-{number}"
        """An id for a page that no foreign text has a part in."""
        self.deciding = evidence(deciding)
        self.nearest = evidence(r for r in nearest if r not in sides)
        """Nearest to an open claim, but the decision does not rest on it; in strict mode one alone."""
        self.sides = evidence(sides)
        """Of a conflict: what speaks for the claim, and what against it."""
        self.others = evidence(others if debug else ())
        self.joint = record.joint if debug else ()
        together = any(set(j.span_ids) == set(decision.span_ids) for j in record.joint)
        self.together = decision.state == "VERIFIED" and len(deciding) > 1 and together
        """A joint premise of several passages certifies the claim."""
        self.findings = decision.state != "VERIFIED" or debug
        """Whether the slot guard's findings stand with the passages."""

    @property
    def quoted(self) -> tuple[EvidenceView, ...]:
        """Everything that is quoted."""
        return (*self.deciding, *self.sides, *self.nearest, *self.others)


class ImageView(Record):
    """A submitted image: its name and size as the certificate has them."""

    name: str
    size: str
    text: str
    """All that was read from it, line by line."""


class ProposalView(Record):
    """What the reasoner proposed; ``explanation`` is empty in strict mode."""

    agrees: bool
    words: str
    explanation: str


class ReportView:
    """All that a mode shows of a certificate."""

    def __init__(self, certificate: Certificate, mode: Mode, doubt: str) -> None:
        body, report = certificate.body, certificate.body.image_report
        found = answer_of(body)
        self.mode = mode
        self.doubt = doubt
        """Why the certificate does not count (``report.verification.rerun``); empty: it does."""
        self.envelope, self.body = certificate.envelope, body
        self.question = body.asked.question if body.asked is not None else None
        self.images = tuple(_image(image) for image in body.images)
        self.verdict = verdict_view(body)
        self.answer, self.why_not = found.claim_ids, found.why_not
        """Ids of the statements that answer the question, best first."""
        self.own_word = len({site for record in body.claims if record.witness for site in record.witness.sources})
        """How many sites were named whose own word counts."""
        self.order = tuple(v.decision.claim_id for v in shown_claims(certificate, mode))
        """Ids of the statements that are shown, in the order in which they are."""
        self.statements = tuple(
            StatementView(view, number, view.decision.claim_id in self.order, certificate, mode)
            for number, view in enumerate(claim_views(body), 1)
        )
        """All, in the order of the input."""
        self.proposal = _proposal(body, mode)
        self.findings = tuple(f for f in (report.findings if report else ()) if mode != "strict" or f.kind != "caption")
        self.clip = _clip_words(report) if report else ""
        self.trail = pair_views(body, mode)
        self.failures = tuple((f, _EFFECTS[f.deciding]) for f in body.failures)
        """What did not work, and what follows from it."""
        past = (f"{body.trimmed_claims} statements past the cap of {body.caps.max_claims} were not checked",)
        self.caps = body.trimmed or past * bool(body.trimmed_claims)

    @property
    def shown(self) -> tuple[StatementView, ...]:
        """The statements that the mode shows."""
        found = {s.decision.claim_id: s for s in self.statements}
        return tuple(found[i] for i in self.order)

    @property
    def hidden(self) -> tuple[StatementView, ...]:
        """The statements that the mode leaves out; their words must not be shown."""
        return tuple(s for s in self.statements if not s.shown)

    @property
    def threshold_words(self) -> str:
        """The thresholds, and whether they are calibrated."""
        t = self.body.thresholds
        calibrated = "calibrated" if t.calibration_sha256 else "not calibrated"
        return (
            f"support {t.tau_entail:.2f}, contradiction {t.tau_contradict:.2f}, "
            f"refutation {t.tau_refute:.2f}, trust {t.tau_trust:.2f}; {calibrated}"
        )


def report_view(certificate: Certificate, mode: Mode, doubt: str = "") -> ReportView:
    """What ``mode`` shows; with a ``doubt`` no claim is shown as verified or refuted.

    Raises ``CertificateError`` when claims, decisions and answers do not fit.
    """
    return ReportView(withheld(certificate, doubt) if doubt else certificate, mode, doubt)


def _image(image: dict[str, Any]) -> ImageView:
    size = f"{image.get('width', '?')} x {image.get('height', '?')}"
    document = image.get("document")
    text = str(document.get("text", "")) if isinstance(document, dict) else ""
    return ImageView(name=str(image.get("name", "")), size=size, text=text)


def _rule_words(view: ClaimView, body: CertificateBody) -> str:
    """What the rule that decided means; empty for a rule this version does not know."""
    claim, rule = view.record.claim, view.decision.rule
    if claim.image_aspect == "scene" and rule in WORDS["record_rules"]:
        return str(WORDS["record_rules"][rule])
    if claim.about_image and rule in WORDS["picture_rules"]:
        return str(WORDS["picture_rules"][rule])
    sentence = str(WORDS["rules"].get(rule, ""))
    return sentence if body.trust_enabled else untrusting(sentence)


def _source_of(view: ClaimView) -> str:
    """Who says so, where all that decides comes from one source."""
    spans = view.deciding
    if view.decision.state != "VERIFIED" or len(sources_of(spans)) != 1:
        return ""
    span = spans[0].span
    return span.publisher or (urlsplit(span.url or "").hostname or "") or span.title or span.doc_id


def _proposal(body: CertificateBody, mode: Mode) -> ProposalView | None:
    """What the reasoner proposed, and whether the verdict says the same."""
    proposal = body.proposal
    if proposal is None:
        return None
    who = f"The reasoner ({proposal.method})"
    if proposal.label == "failed":
        agrees = body.verdict in ("not_enough_evidence", "conflicting")
        end = "The verdict leaves it open too." if agrees else "The rules came to a verdict without it."
        words = f"{who} found too little to propose anything. {end}"
    else:
        agrees = body.verdict == proposal.label
        words = f"{who} proposes: {proposal.label}. The verdict {'is the same' if agrees else 'DIFFERS'}."
    return ProposalView(agrees=agrees, words=words, explanation="" if mode == "strict" else proposal.explanation)


def _clip_words(report: ImageReport) -> str:
    """What CLIP found in a sentence that says that it decides nothing."""
    clip = report.clip
    if not clip.available or clip.similarity is None:
        return f"{clip.reason or 'CLIP not available'}. Nothing was decided by it."
    scenes = ", ".join(f"{name} ({share:.2f})" for name, share in clip.scenes)
    captions = "".join(f"; with the caption “{text}” {cosine:.2f}" for text, cosine in clip.captions)
    return (
        f"CLIP, which decides nothing: likeness of picture and claim {clip.similarity:.2f}{captions}; "
        f"likeliest scenes: {scenes}."
    )


def flat(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Nested settings as names with dots and their values, in order."""
    if not isinstance(value, dict) or not value:
        yield name, value
        return
    for key in sorted(value):
        yield from flat(value[key], f"{name}.{key}" if name else str(key))
