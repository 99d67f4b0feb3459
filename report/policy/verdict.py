"""The verdict of a report, from the policy's decisions alone."""

from __future__ import annotations

from collections.abc import Sequence

from report.types import Decision, Verdict


def verdict_of(decisions: Sequence[Decision]) -> Verdict:
    """Any BLOCKED claim: ``refuted``. Else any conflicting: ``conflicting``. Else all VERIFIED (and at
    least one claim): ``supported``. Else ``not_enough_evidence``.
    """
    if any(d.state == "BLOCKED" for d in decisions):
        return "refuted"
    if any(d.conflicting for d in decisions):
        return "conflicting"
    if decisions and all(d.state == "VERIFIED" for d in decisions):
        return "supported"
    return "not_enough_evidence"
