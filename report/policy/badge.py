"""The only place where a badge is written: from a decision of the policy, carrying the certificate's id."""

from __future__ import annotations

from typing import final

from report.sanitize import foreign
from report.types import Decision, State

_WORDS: dict[State, str] = {"VERIFIED": "VERIFIED", "UNVERIFIED": "NOT VERIFIED", "BLOCKED": "BLOCKED"}


@final
class Badge(str):
    """Text of a badge. It is made of a decision and nothing else: there is no way to give it words.

    Raises ``TypeError`` for what is no :class:`report.types.Decision`; only ``report/policy/rules.py``
    makes those.
    """

    __slots__ = ()

    def __new__(cls, decision: Decision, certificate_id: str) -> Badge:
        if type(decision) is not Decision:
            raise TypeError(f"a badge is made of a decision of the policy, not of {type(decision).__name__}")
        text = f"[{_WORDS[decision.state]} {certificate_id}/{foreign(decision.claim_id, 40)}]"
        return super().__new__(cls, text)

    def __init_subclass__(cls) -> None:
        raise TypeError("a badge has no other kinds")


def badge(decision: Decision, certificate_id: str) -> Badge:
    """``[VERIFIED 3f2a91c0de124b77/c1]`` and the like, for one atomic claim of one certificate."""
    return Badge(decision, certificate_id)
