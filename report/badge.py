"""The only place where a badge is written: from a decision of the policy, carrying the certificate's id."""

from __future__ import annotations

from typing import NewType

from report.sanitize import foreign
from report.types import Decision, State

Badge = NewType("Badge", str)
"""Text of a badge. Nothing but :func:`badge` makes one."""

_WORDS: dict[State, str] = {"VERIFIED": "VERIFIED", "UNVERIFIED": "NOT VERIFIED", "BLOCKED": "BLOCKED"}


def badge(decision: Decision, certificate_id: str) -> Badge:
    """``[VERIFIED 3f2a91c0de124b77/c1]`` and the like, for one atomic claim of one certificate."""
    return Badge(f"[{_WORDS[decision.state]} {certificate_id}/{foreign(decision.claim_id, 40)}]")
