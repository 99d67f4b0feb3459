"""The only place where a badge is written: from a decision of the policy, carrying the certificate's id."""

from __future__ import annotations

from typing import Literal, final

from report.sanitize import foreign
from report.types import Decision, State

Tone = Literal["good", "open", "bad", "warn"]

_WORDS: dict[State, str] = {"VERIFIED": "VERIFIED", "UNVERIFIED": "NOT VERIFIED", "BLOCKED": "BLOCKED"}
_MARKS: dict[str, tuple[str, Tone]] = {"V": ("✓", "good"), "N": ("?", "open"), "B": ("✗", "bad")}
"""Symbol and tone, by the first letter of the words."""


def standing(decision: Decision) -> str:
    """On how many independent sources a certified decision stands, and whether the desk has rated them."""
    number, rated = decision.independent, decision.rated
    if decision.state == "UNVERIFIED" or not number:
        return ""
    sources = "one source" if number == 1 else f"{number} independent sources"
    return f" by {sources}, {'not rated' if not rated else 'rated' if rated == number else f'{rated} rated'},"


@final
class Badge(str):
    """Text of a badge and its parts. It is made of a decision and nothing else: there is no way to give it words.

    Raises ``TypeError`` for what is no :class:`report.types.Decision`; only ``report/policy/rules.py``
    makes those.
    """

    __slots__ = ()

    def __new__(cls, decision: Decision, certificate_id: str) -> Badge:
        if type(decision) is not Decision:
            raise TypeError(f"a badge is made of a decision of the policy, not of {type(decision).__name__}")
        ref = f"{foreign(certificate_id, 64)}/{foreign(decision.claim_id, 40)}"
        return super().__new__(cls, f"[{_WORDS[decision.state]}{standing(decision)} {ref}]")

    def __init_subclass__(cls) -> None:
        raise TypeError("a badge has no other kinds")

    @property
    def word(self) -> str:
        """State, and on what it stands."""
        return self[1:-1].rpartition(" ")[0]

    @property
    def ref(self) -> str:
        """``"<certificate id>/<claim id>"``."""
        return self[1:-1].rpartition(" ")[2]

    @property
    def symbol(self) -> str:
        """A sign for the state."""
        return _MARKS[self[1]][0]

    @property
    def tone(self) -> Tone:
        """How a page is to colour it."""
        return _MARKS[self[1]][1]


def badge(decision: Decision, certificate_id: str) -> Badge:
    """``[VERIFIED by one source, not rated, 3f2a91c0de124b77/c1]`` and the like, for one atomic claim."""
    return Badge(decision, certificate_id)
