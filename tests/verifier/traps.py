"""Claims made of the evidence's own words: what follows from it, and what only looks as if it did.

The files in ``tests/data/traps`` have the form of ``verifier.training.items.Item``; training never sees them.
``python -m tests.verifier.traps`` counts what is falsely Verified in each file (goal: none), and what
follows and is Verified; ``-v`` shows the former.
"""

from __future__ import annotations

import sys
from pathlib import Path

from verifier import pair_decision
from verifier.training.contrast_sets import Trap, read_traps
from verifier.types import PairText, Verifier

FOLDER = Path(__file__).parents[1] / "data" / "traps"


def verified(traps: list[Trap], verifier: Verifier) -> list[Trap]:
    """Those that the verifier alone would let through as Verified."""
    assessed = verifier.assess([PairText(claim=t.claim, premise=t.premise) for t in traps])
    return [t for t, a in zip(traps, assessed, strict=True) if pair_decision.supports(a, verifier.thresholds)]


def main() -> None:
    """Count for each file; with ``-v``, show what is falsely Verified."""
    from factdesk.kernel import DEFAULT_VERIFIER
    from verifier.backends.factory import make_verifier

    verifier = make_verifier(DEFAULT_VERIFIER)
    for path in sorted(FOLDER.glob("*.jsonl")):
        traps = read_traps(path)
        found = verified(traps, verifier)
        follow, false = sum(t.follows for t in traps), [t for t in found if not t.follows]
        sys.stdout.write(
            f"{path.stem}: {len(false)} of {len(traps) - follow} falsely Verified; "
            f"{len(found) - len(false)} of {follow} that follow Verified\n"
        )
        if "-v" in sys.argv:
            sys.stdout.writelines(f"   {t.claim} | {t.premise}\n" for t in false)


if __name__ == "__main__":
    main()
