"""Whether the parts of a certificate's body follow from each other: ids, sentences, documents, decisions, answers.

No model and no key is needed. What fails is told in words; nothing is told where all holds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from agent.assessment.attribution_scores import claim_score, kas_mean, kas_sum, tms
from agent.attribution.types import ClaimSpan
from agent.types import Bridge, ReadSpan, resolved_name
from evidence.types import Span, of_document
from factdesk.kernel import CERTIFICATE_SCHEMA, sha256_text
from report.certificate.derived import (
    OF_THE_SPAN,
    behind,
    documents_of,
    independent_sources,
    is_rated,
    least_trust,
    retrieval_sha256,
    settings_sha256,
    trust_graphs,
)
from report.policy.reasons import verdict_of
from report.types import LABELS, AnswerRecord, CertificateBody, ClaimRecord, Decision, TrustGraph, Witness
from trust.types import TrustSentence

_DIGITS = 0.0011
"""An annotation's scores are kept at four decimals, and are worked out from others that are."""


def body_problems(body: CertificateBody) -> Iterator[str]:
    """What does not follow although it should. Raises ``CertificateError`` for settings that cannot be hashed."""
    parts = (
        _id_problems,
        _sentence_problems,
        _decision_problems,
        _settings_problems,
        _document_problems,
        _asked_problems,
        _reading_problems,
        _answer_problems,
        _annotation_problems,
    )
    for part in parts:
        yield from part(body)
    for graph in trust_graphs(body):
        yield from _graph_problems(body, graph)
    if (expected := verdict_of(body.decisions)) != body.verdict:
        yield f"verdict is {body.verdict!r}, but the decisions give {expected!r}"


def _twice(what: str, ids: Iterable[str]) -> Iterator[str]:
    return (f"{what} id {value!r} occurs {count} times" for value, count in Counter(ids).items() if count > 1)


def _id_problems(body: CertificateBody) -> Iterator[str]:
    """Ids that occur twice, or are of nothing."""
    claims, questions = [c.claim.claim_id for c in body.claims], [q.question_id for q in body.questions]
    decisions = [d.claim_id for d in body.decisions]
    yield from _twice("claim", claims)
    yield from _twice("question", questions)
    yield from _twice("decision for claim", decisions)
    yield from _twice("reading for question", (b.question_id for b in body.bridges))
    for what, used, known in (
        ("a question is about the unknown claim", [q.claim_id for q in body.questions], claims),
        ("an answer refers to the unknown question", [a.question_id for a in body.answers], questions),
        ("a decision refers to the unknown claim", decisions, claims),
    ):
        yield from (f"{what} {i!r}" for i in used if i not in known)
    yield from (f"claim {i!r} has no decision" for i in claims if i not in decisions)


def _text(mapping: Any, key: str) -> str:
    """A text of free-form JSON, or ``""``: a missing field never matches anything."""
    value = mapping.get(key) if isinstance(mapping, dict) else None
    return value if isinstance(value, str) else ""


def _sha256_of(text: str) -> str:
    try:
        return sha256_text(text)
    except UnicodeEncodeError:
        return ""


def _sentence_problems(body: CertificateBody) -> Iterator[str]:
    """Scored spans: place, picture, source and rating."""
    images: dict[str, str] = {}
    for image in body.images:
        text, sha256 = (_text(image.get("document"), name) for name in ("text", "sha256"))
        images[sha256] = text
        if _sha256_of(text) != sha256:
            yield f"text read from image {_text(image, 'name')!r} does not have the recorded hash {sha256!r}"
    sources = body.settings.get("sources")
    sites = [str(site) for site in sources] if isinstance(sources, list | tuple) else []
    seeds = {d.doc_id for graph in trust_graphs(body) for d in graph.documents if d.seed}
    seen: dict[str, Span] = {}
    for claim in body.claims:
        yield from _twice(f"in claim {claim.claim.claim_id!r}, span", (s.span.span_id for s in claim.spans))
        expected = independent_sources(claim.spans)
        for record in claim.spans:
            span, name = record.span, f"span {record.span.span_id!r}"
            yield from _place_problems(span, name, images)
            if seen.setdefault(span.span_id, span) != span:
                yield f"{name} differs between claims"
            if record.source not in ("", expected[span.span_id]):
                yield f"{name} is not of the source that it names"
            if record.rated != is_rated(span, sites, seed=span.doc_id in seeds):
                yield f"{name} is not rated as settings and seeds say"


def _place_problems(span: Span, name: str, images: dict[str, str]) -> Iterator[str]:
    place = f"{span.start}:{span.end}"
    if not _in_its_form(span):
        yield f"{name} says {place}, but its text has {len(span.text)} characters, or it has the id of another place"
    if not of_document(span.kind):
        if span.doc_sha256 not in images:
            yield f"{name} was read from an image that is not in the certificate"
        elif images[span.doc_sha256][span.start : span.end] != span.text:
            yield f"{name} is not what the image's text says at {place}"


def _in_its_form(span: Span) -> bool:
    """Whether a sentence is as long as its place says, and has the id of its place."""
    named = span.span_id.startswith(f"{span.chunk_id}.") and span.chunk_id.startswith(f"{span.doc_id}#")
    return named and span.start >= 0 and span.end - span.start == len(span.text) > 0


def _document_problems(body: CertificateBody) -> Iterator[str]:
    """Every span says of its document what the list of documents says; nothing else is in the list."""
    expected = documents_of(body.claims, body.as_of, body.claim_date)
    if tuple({k: v for k, v in d.items() if k != "archived"} for d in body.documents) != expected:
        yield "the list of documents is not that of the spans"
    documents = {d["doc_id"]: d for d in expected}
    for span in (item.span for item in body.scored if of_document(item.span.kind)):
        fields, told = span.model_dump(mode="json"), documents[span.doc_id]
        if span.doc_sha256 != told["sha256"] or any(fields[name] != told[name] for name in OF_THE_SPAN):
            yield f"the spans of {span.doc_id!r} say different things of their document"


def _decision_problems(body: CertificateBody) -> Iterator[str]:
    """Decisions and joint premises rest on spans of their claim; what is certified, on evidence of one mind."""
    spans = {c.claim.claim_id: {s.span.span_id for s in c.spans} for c in body.claims}
    resting = [("a joint premise of", c.claim.claim_id, j.span_ids) for c in body.claims for j in c.joint]
    resting += [("decision on", d.claim_id, d.span_ids) for d in body.decisions]
    for name, claim_id, span_ids in resting:
        if unknown := sorted(set(span_ids) - spans.get(claim_id, set())):
            yield f"{name} claim {claim_id!r} refers to unknown spans {unknown!r}"
    for decision in (d for d in body.decisions if d.state != "UNVERIFIED"):
        name = f"decision on claim {decision.claim_id!r} is {decision.state}"
        if decision.label != LABELS[decision.state]:
            yield f"{name} with the label {decision.label!r}"
        if not decision.span_ids:
            yield f"{name} without a span"
        if decision.conflicting:
            yield f"{name} although its evidence conflicts"


def _settings_problems(body: CertificateBody) -> Iterator[str]:
    """What the settings, and what stands beside them, say otherwise."""
    if body.schema_version != CERTIFICATE_SCHEMA:
        yield f"schema version is {body.schema_version!r}, known is {CERTIFICATE_SCHEMA!r}"
    if settings_sha256(body.settings) != body.settings_sha256:
        yield "the settings do not have the recorded hash"
    if retrieval_sha256(body.retrieval) != body.retrieval_sha256:
        yield "the retrieval configuration does not have the recorded hash"
    if body.retrieval.retriever not in body.fingerprints:
        yield "the retriever of the retrieval configuration is not among the fingerprints"
    if body.settings.get("caps") not in (None, body.caps.model_dump(mode="json")):
        yield "the caps are not those of the settings"


def _asked_problems(body: CertificateBody) -> Iterator[str]:
    """A question has a fit for each claim, and each claim what a drafted one needs; a check has neither."""
    rules = [record.witness for record in body.claims]
    if body.asked is None:
        if any(rule is not None for rule in rules):
            yield "a claim was drafted from the evidence, but no question was asked"
        return
    if [f.claim_id for f in body.asked.fits] != [record.claim.claim_id for record in body.claims]:
        yield "the fits are not those of the claims"
    sources, wanted = body.settings.get("sources"), body.settings.get("answer_sources")
    named = [str(site) for site in sources] if isinstance(sources, list) else []
    needed = Witness.asked_for(wanted if isinstance(wanted, int) else None, named)
    if not isinstance(sources, list) or any(rule != needed for rule in rules):
        yield "what a drafted claim needs is not what the settings say"


def _answer_problems(body: CertificateBody) -> Iterator[str]:
    """An answer cites sentences that are here, scored for its claim or in full, and has a grounding."""
    for answer in body.answers:
        name, record = f"the answer to {answer.question_id!r}", body.record_for(answer.question_id)
        scored = {s.span.span_id for s in record.spans} if record else set()
        rest = [s.span_id for s in answer.unscored]
        if set(answer.span_ids) - scored != set(rest) or len(set(rest)) < len(rest):
            yield f"{name} cites unknown sentences, or one twice"
        if not all(map(_in_its_form, answer.unscored)):
            yield f"{name} cites a sentence that is not in its form"
        if answer.found is (answer.grounding is None):
            yield f"{name} and its grounding do not go together"
        if record is None or answer.trust != _trust_of(answer, record, body):
            yield f"{name} has another trust than what it cites"


def _trust_of(answer: AnswerRecord, record: ClaimRecord, body: CertificateBody) -> float | None:
    """The least trust of what it cites, and of what a reading with a name in it rests on besides."""
    bridge = next((b for b in body.bridges if b.question_id == answer.question_id), None)
    return least_trust(record, behind(answer.span_ids, bridge))


def _reading_problems(body: CertificateBody) -> Iterator[str]:
    """A reading belongs to a question that takes its name, and to sentences scored for the claim."""
    names = {q.question_id: resolved_name(q.purpose) for q in body.questions}
    for bridge in body.bridges:
        record, name = body.record_for(bridge.question_id), f"the reading for {bridge.question_id!r}"
        if record is None or names[bridge.question_id] != bridge.name:
            yield f"{name} belongs to no question that takes its name"
            continue
        known = {s.span.span_id for s in record.spans}
        for part in (bridge.first_hop, bridge.second_hop):
            spans = part.spans if part is not None else ()
            if not all(_read_from(s, known) for s in spans) or len({s.span_id for s in spans}) < len(spans):
                yield f"{name} rests on unknown sentences, or on one twice"
        if not _named_in(bridge, record.claim.text):
            yield f"{name} is not the claim with the name in it"


def _read_from(read: ReadSpan, known: set[str]) -> bool:
    """Whether its sentence is one of the claim's, or is given here in its proper form, never both."""
    span = read.span
    if span is None or read.span_id in known:
        return span is None and read.span_id in known
    return span.span_id == read.span_id and span.kind == "text" and _in_its_form(span)


def _named_in(bridge: Bridge, claim: str) -> bool:
    """Whether the first statement has the name, and, of two, one is the claim with it for some of its words."""
    if bridge.name not in bridge.first_hop.text or bridge.second_hop is None:
        return bridge.name in bridge.first_hop.text
    told = (part.text.partition(bridge.name) for part in (bridge.first_hop, bridge.second_hop))
    return any(
        claim.startswith(before) and claim.endswith(after) and len(before) + len(after) < len(claim)
        for before, _, after in told
    )


def _graph_problems(body: CertificateBody, graph: TrustGraph) -> Iterator[str]:
    nodes = {n.doc_id: n for n in graph.documents}
    sentences = {s.span_id: s for s in graph.sentences}
    if len(nodes) != len(graph.documents) or len(sentences) != len(graph.sentences):
        yield "the trust graph names a document or a sentence twice"
    for edge in graph.edges:
        source, target = sentences.get(edge.source_span), sentences.get(edge.target_span)
        if source is None or target is None or (source.doc_id, target.doc_id) != (edge.source, edge.target):
            yield f"the trust edge {edge.source!r} -> {edge.target!r} rests on unknown sentences"
    if sentences.keys() != {i for e in graph.edges for i in (e.source_span, e.target_span)}:
        yield "the sentences of the trust graph are not those of its edges"
    for span in (item.span for item in body.scored):
        cited = TrustSentence.taken_from(span, published=span.published.isoformat() if span.published else "")
        if sentences.get(span.span_id, cited) != cited:
            yield f"the trust graph quotes span {span.span_id!r} otherwise than the claims do"


def _annotation_problems(body: CertificateBody) -> Iterator[str]:
    """Places, labels from decisions, and scores from labels; nothing for other certificates."""
    if body.annotation is None:
        return
    found, weights = body.annotation.annotation, body.annotation.annotation.weights
    if found.text != body.claim_text or not len(found.spans) == len(body.claims) == len(body.annotation.trust):
        yield "the annotation is not one of this text and these claims"
        return
    decisions = {d.claim_id: d for d in body.decisions}
    for span, record in zip(found.spans, body.claims, strict=True):
        claim, name = record.claim, f"the label of claim {record.claim.claim_id!r}"
        if (span.start, span.end, span.claim) != (claim.start, claim.end, claim.text):
            yield f"{name} stands at another place, or is for another statement"
        if not _follows(span, decisions.get(claim.claim_id)):
            yield f"{name} is {span.label!r} by {span.basis!r}, which the decision does not give"
        yield from _basis_problems(name, span, record)
        if span.cs != claim_score(span.label, bool(span.triplets)):
            yield f"{name} has another claim score"
        if abs(span.tms - tms(span.ss, span.epr, weights)) > _DIGITS:
            yield f"{name} has a match score that does not follow from its parts"
    scores = [(s.cs, s.tms) for s in found.spans]
    fresh = kas_mean(scores, weights.gamma), kas_sum(scores, weights.gamma)
    if any(abs(a - b) > _DIGITS for a, b in zip((found.kas_mean, found.kas_sum), fresh, strict=True)):
        yield "the attribution score of the text does not follow from its claims"


def _follows(span: ClaimSpan, decision: Decision | None) -> bool:
    """Whether a label may stand with the policy's decision."""
    if span.label == "extrapolatory":
        return span.basis == "none"
    if span.basis == "policy":
        wanted = "VERIFIED" if span.label == "attributable" else "BLOCKED"
        return decision is not None and decision.state == wanted
    given = {"verbatim": ("attributable",), "altered": ("contradictory",), "instance": ("contradictory",)}
    return span.label in given.get(span.basis, ("attributable", "contradictory") if span.basis == "triplets" else ())


def _basis_problems(name: str, span: ClaimSpan, claim: ClaimRecord) -> Iterator[str]:
    texts = {s.span.span_id: s.span.text for s in claim.spans}
    if any(texts.get(t.span_id, t.sentence) != t.sentence for t in span.triplets):
        yield f"{name} quotes a sentence otherwise than its evidence does"
    if (span.basis in ("instance", "triplets")) is (span.reading is None):
        yield f"{name} and the statement that was read for it do not go together"
    elif span.reading is not None and not (set(span.reading.span_ids) and set(span.reading.span_ids) <= texts.keys()):
        yield f"{name} rests on unknown sentences"


def place_problems(body: CertificateBody) -> Iterator[str]:
    """Claims, fields and questions that do not stand where they say."""
    asked = {(q.question_id, q.claim_id) for q in body.questions}
    for record in body.claims:
        claim = record.claim
        if body.claim_text[claim.start : claim.end] != claim.source:
            yield f"the source of claim {claim.claim_id!r} is not what the input says at its place"
        if any(claim.text[field.start : field.end] != field.text for field in claim.fields):
            yield f"a field of claim {claim.claim_id!r} is not what the claim says at its place"
        for item in record.spans:
            if (item.question_id, claim.claim_id) not in asked:
                yield f"span {item.span.span_id!r} belongs to the unknown question {item.question_id!r}"
