"""A certificate as Markdown: badges as code, evidence as footnotes, everything foreign made plain text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evidence.types import of_document
from report.policy.badge import badge
from report.render.html.claims import date_words, image_name
from report.render.html.safe import link, page_text
from report.render.html.wording import agrees, proposal_words, rule_sentence, verdict_view
from report.render.visibility import ClaimView, hidden_claims, hidden_reason, label_score, shown_claims
from report.sanitize import foreign
from report.types import Certificate, CertificateBody, Mode, SpanRecord, State

_SPECIAL = re.compile(r"([\\`*_\[\]<>|~#$^&])")
_AUTOLINK = re.compile(r"(?i)\b(https?|ftp|mailto|xmpp)(:)|\b(www)(\.)")
_NOTES: dict[State, str] = {"VERIFIED": "", "UNVERIFIED": "Not verified: ", "BLOCKED": "Refuted: "}


def render_markdown(certificate: Certificate, mode: Mode) -> str:
    """The report as CommonMark with footnotes, with a final line end.

    It shows what :func:`report.render.visibility.shown_claims` gives. Raises ``CertificateError`` when a
    claim has no
    decision.
    """
    notes: dict[str, SpanRecord] = {}
    lines = [*_head(certificate)]
    for view in shown_claims(certificate, mode):
        lines += _claim(view, certificate, mode, notes)
    lines += _rest(certificate, mode)
    lines += _limits(certificate.body)
    lines += _foot(certificate)
    for number, record in enumerate(notes.values(), 1):
        lines += _note(number, record, certificate.body)
    return "\n".join(lines) + "\n"


def plain(text: str) -> str:
    """Foreign text as it shall be read: no mark-up of Markdown or HTML, no address that links itself."""
    escaped = _SPECIAL.sub(r"\\\1", page_text(text))
    return _AUTOLINK.sub(lambda m: f"{m[1] or m[3]}\\{m[2] or m[4]}", escaped)


def _head(certificate: Certificate) -> Iterator[str]:
    body, envelope = certificate.body, certificate.envelope
    verdict = verdict_view(body)
    yield f"# {verdict.word}"
    yield ""
    yield f"> “{plain(body.asked.question if body.asked else body.claim_text)}”"
    yield ""
    yield f"{verdict.symbol} **{verdict.word}.** {verdict.sentence}"
    yield ""
    dated = [f"claim made on {plain(body.claim_date)}"] if body.claim_date else []
    dated += [f"evidence as of {plain(body.as_of)}"] if body.as_of else []
    dated += [f"picture “{plain(str(image.get('name', '')))}”" for image in body.images]
    yield "; ".join([f"Checked {plain(envelope.created)}", *dated]) + "."
    if not agrees(body) and body.proposal is not None:
        yield ""
        yield plain(proposal_words(body))


def _claim(
    view: ClaimView, certificate: Certificate, mode: Mode, notes: dict[str, SpanRecord]
) -> Iterator[str]:
    decision, body = view.decision, certificate.body
    mark = badge(decision, foreign(certificate.envelope.certificate_id, 64)).replace("`", "'")
    evidence = list(view.deciding)
    if decision.state == "UNVERIFIED":
        evidence = [*view.deciding, *view.others(20)][: 2 if mode == "mixed" else 20]
    elif mode == "debug":
        evidence += view.others(20)
    marks = "".join(f"[^{_number(notes, record)}]" for record in evidence)
    yield ""
    yield f"## `{mark}`"
    yield ""
    # An open claim is followed by what came nearest, in words: a bare footnote would read as support.
    near = (
        f" Closest evidence, which does not decide:{marks}"
        if decision.state == "UNVERIFIED" and marks
        else ""
    )
    yield f"{_NOTES[decision.state]}{plain(view.record.claim.text)}{'' if near else marks}{near}"
    yield ""
    rule = rule_sentence(view, body)
    why = f"{rule} {plain(decision.reason)} Rule *{plain(decision.rule)}*, score {decision.score:.3f}."
    yield why.strip()


def _number(notes: dict[str, SpanRecord], record: SpanRecord) -> int:
    # A span has other scores for another claim, so it is another footnote.
    key = f"{record.span.span_id} {record.question_id} {record.assessment.calibrated}"
    notes.setdefault(key, record)
    return list(notes).index(key) + 1


def _note(number: int, record: SpanRecord, body: CertificateBody) -> Iterator[str]:
    span, best = record.span, label_score(record.assessment.calibrated)
    if of_document(span.kind):
        names = [f"*{plain(span.title)}*"] if span.title else []
        names += [plain(span.publisher)] if span.publisher else []
        source = ", ".join([*names, date_words(span, body.claim_date)])
    else:
        name = plain(image_name(span, body))
        source = f"read from the submitted picture “{name}”: what it shows, not that it is so"
    found = link(span.url)
    address = "" if found is None else f" <{found.href}>" if found.href else f" {plain(found.text)}"
    trust = "" if record.trust is None else f"; trust {record.trust:.2f}"
    yield ""
    yield (
        f"[^{number}]: “{plain(span.text)}” {source}.{address} Alone {best.label} {best.score:.3f}{trust}; "
        f"{plain(span.span_id)} at {span.start}:{span.end}."
    )


def _rest(certificate: Certificate, mode: Mode) -> Iterator[str]:
    hidden = hidden_claims(certificate, mode)
    if not hidden:
        return
    yield ""
    yield "## What is not shown" if certificate.body.asked else "## What we could not verify"
    yield ""
    for view in hidden:
        rule = rule_sentence(view, certificate.body)
        yield f"- {plain(view.decision.claim_id)}: {rule} {plain(hidden_reason(view))}"


def _limits(body: CertificateBody) -> Iterator[str]:
    lines = []
    for f in body.failures:
        effect = "nothing it concerns can be verified" if f.deciding else "not on the deciding path"
        lines.append(f"- {plain(f.where)} ({plain(f.kind)}), {effect}: {plain(f.message)}")
    lines += [f"- {plain(text)}" for text in body.trimmed]
    if body.trimmed_claims and not body.trimmed:
        lines.append(
            f"- {body.trimmed_claims} statements past the cap of {body.caps.max_claims} were not checked"
        )
    if lines:
        yield from ("", "## Limits of this check", "", *lines)


def _foot(certificate: Certificate) -> Iterator[str]:
    envelope, t = certificate.envelope, certificate.body.thresholds
    calibrated = "calibrated" if t.calibration_sha256 else "not calibrated"
    yield from ("", "## Certificate", "")
    yield f"- id `{plain(envelope.certificate_id)}`, number {envelope.sequence or 'none'} of the history"
    yield f"- body SHA-256 `{plain(envelope.body_sha256)}`"
    yield (
        f"- thresholds: support {t.tau_entail:.2f}, contradiction {t.tau_contradict:.2f}, refutation "
        f"{t.tau_refute:.2f}, trust {t.tau_trust:.2f}; {calibrated}"
    )
    yield "- to check it: `factdesk verify certificate.json --rerun`"
