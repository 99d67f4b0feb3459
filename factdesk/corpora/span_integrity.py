"""What an index hands out is compared with the documents: it is a copy, and can be damaged or altered.

So no sentence is cited that its document does not have.
"""

from __future__ import annotations

from evidence.segmentation.spans import CONTEXT_JOIN
from evidence.types import Document, Span
from factdesk.kernel import BackendUnavailable, TransientError


def refuse_altered(span: Span, document: Document | None) -> None:
    """Compare a span from an index with its document.

    Raises:
        TransientError: the document was changed or removed since the index was opened.
        BackendUnavailable: the index says what the document does not.
    """
    if document is None or document.sha256 != span.doc_sha256:
        raise TransientError(f"document {span.doc_id!r} was changed while the index was in use; check the claim again")
    same = (
        document.text[span.start : span.end] == span.text
        and (document.title, document.url, document.publisher, document.published)
        == (span.title, span.url, span.publisher, span.published)
        and all(part in document.text or part in document.title for part in span.context.split(CONTEXT_JOIN))
    )
    if not same:
        raise BackendUnavailable(
            f"the index does not have document {span.doc_id!r} as it is stored (damaged, or altered); "
            "run factdesk doctor --fix"
        )
