"""The slot guard: a deterministic check beside the model.

It compares numbers, dates, amounts, names, negation, quantifiers, direction and hedges
of a claim with a piece of evidence. A conflict or a missing slot prevents Verified; it
never refutes by itself. It explains itself in words and needs no model.
"""

from verifier.guard.check import check
from verifier.guard.negation import denies

__all__ = ["check", "denies"]
