"""A certificate as ClaimReview (schema.org) in JSON-LD: what strict mode shows, and nothing else."""

from __future__ import annotations

import json
from typing import Any

from evidence.types import of_document
from factdesk.kernel import InputError
from report.render.view import StatementView, report_view
from report.sanitize import link, page_text
from report.types import Certificate, SpanRecord, Verdict

_RATINGS: dict[Verdict, int] = {"supported": 5, "refuted": 1}
"""Of 1 to 5. What is open gets no number: a middle rating would say "half true"."""


def claimreview(certificate: Certificate, *, author: str, url: str | None = None) -> dict[str, Any]:
    """JSON-LD data of one ClaimReview about the whole claim by the desk ``author``, on the page ``url`` (search engines
    ask for it). Raises ``InputError`` for an empty author or an address that is not http or https.
    """
    body, envelope = certificate.body, certificate.envelope
    if body.asked is not None:
        raise InputError("the answer to a question is no review of a claim; check a claim, and export that")
    if not author.strip():
        raise InputError("the author of a ClaimReview is empty; give the desk's name with --author")
    if url is not None and not _plain(url):
        raise InputError(f"the address {url!r} is no plain http or https address; give that of your page")
    claim: dict[str, Any] = {"@type": "Claim", "text": page_text(body.claim_text)}
    if body.claim_date:
        claim["datePublished"] = body.claim_date
    view = report_view(certificate, "strict")
    rating: dict[str, Any] = {"@type": "Rating", "alternateName": view.verdict.word}
    if body.verdict in _RATINGS:
        rating |= {"ratingValue": _RATINGS[body.verdict], "bestRating": 5, "worstRating": 1}
    data: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "ClaimReview",
        "claimReviewed": page_text(body.claim_text),
        "datePublished": envelope.created[:10],
        "author": {"@type": "Organization", "name": page_text(author)},
        "itemReviewed": claim,
        "reviewRating": rating,
        "reviewBody": " ".join(map(_sentence, view.shown)) or view.verdict.sentence,
        "identifier": [
            _property("factdesk certificate", envelope.certificate_id),
            _property("sha256 of the certificate's body", envelope.body_sha256),
        ],
    }
    if url is not None:
        data["url"] = url
    cited: dict[str, dict[str, Any]] = {}
    for record in (e.record for s in view.shown for e in s.deciding if of_document(e.span.kind)):
        cited.setdefault(record.span.doc_id, _citation(record))
    if cited:
        data["citation"] = list(cited.values())
    return data


def claimreview_text(data: dict[str, Any]) -> str:
    """The JSON-LD as text that may stand inside a ``script`` element of a page, with a final line end."""
    text = json.dumps(data, ensure_ascii=False, indent=2)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e") + "\n"


def _sentence(statement: StatementView) -> str:
    word = "Verified" if statement.decision.state == "VERIFIED" else "Refuted"
    return f"{word}: {page_text(statement.claim.text)}"


def _citation(record: SpanRecord) -> dict[str, Any]:
    span = record.span
    found: dict[str, Any] = {"@type": "CreativeWork", "name": page_text(span.title or span.doc_id)}
    address = link(span.url)
    if address is not None and address.href:
        found["url"] = address.href
    if span.publisher:
        found["publisher"] = {"@type": "Organization", "name": page_text(span.publisher)}
    if span.published:
        found["datePublished"] = span.published.isoformat()
    return found


def _property(name: str, value: str) -> dict[str, str]:
    return {"@type": "PropertyValue", "name": name, "value": page_text(value)}


def _plain(url: str) -> bool:
    found = link(url)
    return found is not None and found.href is not None
