"""A certificate as a report for the terminal: plain lines, everything foreign made harmless."""

from __future__ import annotations

from collections.abc import Iterator

from report.policy.answers import answer_of
from report.policy.badge import badge
from report.render.html.wording import agrees, clip_words, named_sites, proposal_words
from report.render.lines import Line, Role, line, wrapped
from report.render.sources import evidence_lines
from report.render.trail import PairView, pair_views
from report.render.visibility import ClaimView, hidden_claims, hidden_reason, shown_claims
from report.sanitize import foreign
from report.types import Certificate, CertificateBody, Mode, State, Verdict

_VERDICTS: dict[Verdict, tuple[Role, str]] = {
    "supported": ("good", "SUPPORTED: every statement is backed by trusted evidence"),
    "refuted": ("bad", "REFUTED: trusted evidence contradicts at least one statement"),
    "conflicting": ("warn", "CONFLICTING: trusted evidence stands on both sides"),
    "not_enough_evidence": ("warn", "NOT ENOUGH EVIDENCE: not every statement could be verified"),
}
_STATES: dict[State, tuple[Role, str]] = {
    "VERIFIED": ("good", ""),
    "UNVERIFIED": ("warn", "not verified: "),
    "BLOCKED": ("bad", "refuted: "),
}


def render_text(certificate: Certificate, mode: Mode) -> str:
    """The report as plain text with a final line end.

    It shows what :func:`report.render.visibility.shown_claims` gives; the whole certificate is in the JSON.
    Raises ``CertificateError`` when a claim has no decision.
    """
    return "".join(item.text + "\n" for item in report_lines(certificate, mode))


def report_lines(certificate: Certificate, mode: Mode) -> tuple[Line, ...]:
    """The report line by line with roles, for colouring (:func:`report.render.terminal_colours.to_rich`)."""
    shown = shown_claims(certificate, mode)
    lines = list(_head(certificate))
    for view in shown:
        lines += _claim(view, certificate, mode)
    lines += _proposal(certificate.body, mode)
    if mode == "debug":
        lines += _trail(certificate.body)
    lines += _limits(certificate.body)
    lines += _rest(hidden_claims(certificate, mode), asked=certificate.body.asked is not None)
    return tuple(lines)


def _head(certificate: Certificate) -> Iterator[Line]:
    body, envelope = certificate.body, certificate.envelope
    if body.asked is not None:
        yield from wrapped("plain", f'"{foreign(body.asked.question)}"', first="Question     ", rest=" " * 13)
    else:
        yield from wrapped("plain", f'"{foreign(body.claim_text)}"', first="Claim        ", rest=" " * 13)
    if body.claim_date is not None:
        yield line("plain", f"Claim date   {foreign(body.claim_date)}")
    if body.as_of is not None:
        yield line("plain", f"As of        {foreign(body.as_of)}; evidence published later was left out")
    for image in body.images:
        size = f"{image.get('width', '?')} x {image.get('height', '?')}"
        yield line(
            "plain", f'Image        "{foreign(str(image.get("name", "")), 200)}", {foreign(size)} pixels'
        )
    for seen in body.image_report.findings if body.image_report else ():
        if seen.kind in ("earlier_use", "altered", "contradiction") and not seen.text.startswith(
            "The picture "
        ):
            yield from wrapped("plain", foreign(seen.text), first="In the image ", rest=" " * 13)
    if body.image_report is not None:
        yield from wrapped("dim", foreign(clip_words(body.image_report)), first=" " * 13, rest=" " * 13)
    role, words = _VERDICTS[body.verdict]
    if body.asked is not None:
        found = answer_of(body)
        role = "good" if found.claim_ids else "warn"
        words = "the verified statements below" if found.claim_ids else f"NONE: {foreign(found.why_not)}"
    if not body.trust_enabled:
        words = words.replace("trusted evidence", "evidence") + " (trust was off)"
    yield line(role, f"{'Answer ' if body.asked else 'Verdict'}      {words}")
    if named := named_sites(body):
        yield line("dim", f"Own word     accepted from {named} site(s) that whoever asked has named")
    place = f", number {envelope.sequence} of the history" if envelope.sequence else ""
    yield line(
        "dim", f"Certificate  {foreign(envelope.certificate_id)}, made {foreign(envelope.created)}{place}"
    )
    yield line("dim", f"Body sha256  {foreign(envelope.body_sha256)}")
    t = body.thresholds
    calibrated = "calibrated" if t.calibration_sha256 else "not calibrated"
    yield line(
        "dim",
        f"Thresholds   support {t.tau_entail:.2f}, contradiction {t.tau_contradict:.2f}, refutation "
        f"{t.tau_refute:.2f}, trust {t.tau_trust:.2f}; {calibrated}",
    )


def _claim(view: ClaimView, certificate: Certificate, mode: Mode) -> Iterator[Line]:
    decision = view.decision
    role, note = _STATES[decision.state]
    yield line("plain", "")
    yield line(role, badge(decision, certificate.envelope.certificate_id))
    # No quotation marks: a statement is the intake's own sentence, which no source may contain.
    yield from wrapped("plain", f"{note}{foreign(view.record.claim.text)}", first="    ", rest="    ")
    why = f"{decision.label} {decision.score:.3f}, rule {foreign(decision.rule)}: {foreign(decision.reason)}"
    yield from wrapped("dim", why, first="    ", rest="    ")
    if decision.state == "UNVERIFIED":
        # What stands with an open claim is nearest, never deciding: it must not read as support.
        nearest = (*view.deciding, *view.others(20))[: 2 if mode == "mixed" else 20]
        if nearest:
            yield line("dim", "    closest evidence, which does not decide:")
    else:
        nearest = (*view.deciding, *(view.others(20) if mode == "debug" else ()))
    for record in nearest:
        yield from evidence_lines(record, certificate.body, debug=mode == "debug")


def _proposal(body: CertificateBody, mode: Mode) -> Iterator[Line]:
    proposal = body.proposal
    if proposal is None:
        return
    yield line("plain", "")
    role: Role = "plain" if agrees(body) else "warn"
    yield from wrapped(role, proposal_words(body), first="Proposal     ", rest=" " * 13)
    if mode != "strict" and proposal.explanation:
        text = f"In its own words, not verified and no quotation: {foreign(proposal.explanation)}"
        yield from wrapped("dim", text, first=" " * 13, rest=" " * 13)


def _trail(body: CertificateBody) -> Iterator[Line]:
    if not body.questions:
        return
    yield line("plain", "")
    yield line("heading", "Questions")
    for pair in pair_views(body, "debug"):
        question = pair.question
        indent = "    " + "  " * min(question.depth, 10)
        text = f"{foreign(question.claim_id)}, {question.route}: {foreign(pair.asked)}"
        yield from wrapped("plain", text, first=indent, rest=indent + "  ")
        yield from _answer(pair, indent)


def _answer(pair: PairView, indent: str) -> Iterator[Line]:
    """What an answer cites, word for word, and beside it what the reasoner made of that."""
    deeper = {"first": indent + "  ", "rest": indent + "     "}
    if pair.found and pair.told is not None:
        yield from wrapped("dim", f"-> in the reasoner's own words: {foreign(pair.told)}", **deeper)
    for quote in pair.quotes if pair.found else ():
        said = f"{quote.label} {quote.score:.3f}" if quote.label is not None else "not scored"
        trust = "" if quote.trust is None else f", trust {quote.trust:.2f}"
        text = f'-> "{foreign(quote.text)}" ({foreign(quote.doc_id)}: {said}{trust})'
        yield from wrapped("dim", text, **deeper)
    yield from wrapped("dim", f"-> {pair.results}", **deeper)
    if not pair.kept:
        yield from wrapped("dim", f"[not kept] {foreign(pair.reason) or 'discarded'}", **deeper)


def _limits(body: CertificateBody) -> Iterator[Line]:
    if body.failures:
        yield line("plain", "")
        yield line("warn", "What did not work")
        for failure in body.failures:
            effect = "nothing it concerns can be verified" if failure.deciding else "not on the deciding path"
            which = f"claim {foreign(failure.claim_id)}" if failure.claim_id is not None else "all claims"
            where = f"{foreign(failure.where)} ({foreign(failure.kind)})"
            text = f"{where}, {which}, {effect}: {foreign(failure.message)}"
            yield from wrapped("plain", text, first="  - ", rest="    ")
    trimmed = list(body.trimmed)
    if body.trimmed_claims and not trimmed:
        trimmed.append(
            f"{body.trimmed_claims} statements past the cap of {body.caps.max_claims} were not checked"
        )
    if trimmed:
        yield line("plain", "")
        yield line("warn", "Caps that were reached")
        for text in trimmed:
            yield from wrapped("plain", foreign(text), first="  - ", rest="    ")


def _rest(hidden: tuple[ClaimView, ...], *, asked: bool) -> Iterator[Line]:
    if not hidden:
        return
    noun = "statement" if len(hidden) == 1 else "statements"
    yield line("plain", "")
    words = "of the draft not shown" if asked else "could not be verified"
    yield line("warn", f"{len(hidden)} further {noun} {words}; see --mode mixed")
    for view in hidden:
        yield line("dim", f"  - {foreign(view.decision.claim_id)}: {foreign(hidden_reason(view))}")
