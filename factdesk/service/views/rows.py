"""Lines of the history, and words of verdicts, for the pages."""

from __future__ import annotations

from typing import Any

from factdesk.service.types import CheckState
from report.types import LedgerEntry

VERDICTS: dict[str, tuple[str, str, str]] = {
    "supported": ("good", "✓", "Supported"),
    "refuted": ("bad", "✗", "Refuted"),
    "conflicting": ("warn", "⇄", "Conflicting"),
    "not_enough_evidence": ("open", "?", "Not enough evidence"),
}
"""Style, symbol and words of a verdict."""


def entry_row(entry: LedgerEntry) -> dict[str, Any]:
    """One certificate of the history."""
    tone, symbol, words = VERDICTS[entry.verdict]
    if entry.doubt:
        tone, symbol, words = "warn", "!", f"Not verified: {entry.doubt}"
    counts = (
        ("good", "✓", entry.verified, "verified"),
        ("bad", "✗", entry.blocked, "refuted"),
        ("open", "?", entry.unverified, "not verified"),
    )
    return {
        "id": entry.certificate_id,
        "claim": entry.claim_text,
        "tone": tone,
        "symbol": symbol,
        "words": words,
        "created": moment(entry.created),
        "number": entry.sequence,
        "counts": [count for count in counts if count[2]],
        "superseded_by": entry.superseded_by,
        "supersedes": entry.supersedes,
    }


def moment(created: str) -> str:
    """A time of ISO 8601 for a reader."""
    return created.replace("T", " ").replace("Z", " UTC")


def report_address(state: CheckState) -> str:
    """Where the report of a check stands, in the mode it was asked for."""
    return f"/reports/{state.id}.html" + (f"?mode={state.mode}" if state.mode else "")
