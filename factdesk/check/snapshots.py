"""Keeping the pages that a certificate cites."""

from __future__ import annotations

from typing import TYPE_CHECKING

from factdesk.corpora.snapshots import open_snapshots
from report.types import CertificateBody

if TYPE_CHECKING:
    from factdesk.check.evidence_source import Evidence
    from factdesk.settings import Settings


def keep_snapshots(settings: Settings, evidence: Evidence, body: CertificateBody) -> int:
    """Put the web pages among a certificate's documents into the store; how many there are."""
    cited = {(str(d.get("doc_id")), str(d.get("sha256"))) for d in body.documents}
    pages = [p for p in evidence.pages() if (p.document.doc_id, p.document.sha256) in cited]
    if pages:
        from store.snapshots import Snapshot

        open_snapshots(settings).keep(
            [Snapshot(document=p.document, body=p.page.body, charset=p.page.charset) for p in pages]
        )
    return len(pages)
