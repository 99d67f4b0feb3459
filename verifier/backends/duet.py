"""Two models read as one: the small one screens, and what it finds worth a look both of them judge.

Most sentences that a search brings up have nothing to do with the claim, and the small model is sure of that.
Where its raw entailment or contradiction reaches ``SCREEN``, the raw scores of a pair are the weighted
geometric mean of what the two models say, scaled to sum to 1 (a logarithmic opinion pool; Genest and Zidek
1986): they err on different pairs, and what one finds hardly possible does not become likely. The calibration
is fitted on these scores.
Each pair goes its way by itself, so scores depend on nothing but the pair.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from factdesk.kernel import ConfigError, Fingerprint, sha256_text
from verifier.backends.calibrated import CalibratedVerifier
from verifier.types import NLIScores

SCREEN = 0.05
"""Least raw probability of entailment or contradiction with which a pair goes to the second model too.

With 0.2 fewer do, but two true example claims less were certified."""
SHARE = 0.7
"""Weight of the second model; the first has the rest (``design/notebook/verifier.md``)."""
FLOOR = 1e-6
"""Probabilities are taken to be no smaller: raw scores are rounded to six digits."""


class DuetVerifier(CalibratedVerifier):
    """Two calibrated verifiers as one (implements ``verifier.types.Verifier``).

    ``folder`` holds the ``calibration.json`` of both together; without it scores are not calibrated.

    Raises:
        ConfigError: both are the same model.
    """

    can_contradict = True

    def __init__(self, first: CalibratedVerifier, second: CalibratedVerifier, folder: Path) -> None:
        self._first, self._second = first, second
        prints = (first.fingerprint, second.fingerprint)
        if prints[0].sha256 == prints[1].sha256:
            raise ConfigError(f"both models of the duet are {prints[0].name}; the second must be another")
        joined = "\n".join([*(f"{p.name} {p.version} {p.sha256}" for p in prints), f"screen {SCREEN}, share {SHARE}"])
        both = Fingerprint(
            name=f"verifier:duet:{'+'.join(p.name.removeprefix('verifier:') for p in prints)}",
            version="+".join(p.version for p in prints),
            sha256=sha256_text(joined),
        )
        super().__init__(folder, both, self._score, cache=None, key="")

    def _score(self, pairs: Sequence[tuple[str, str]]) -> list[NLIScores]:
        found = self._first.raw(pairs)
        wanted = [i for i, one in enumerate(found) if max(one.entailment, one.contradiction) >= SCREEN]
        for i, other in zip(wanted, self._second.raw([pairs[i] for i in wanted]), strict=True):
            found[i] = together(found[i], other)
        return found


def together(one: NLIScores, other: NLIScores, share: float = SHARE) -> NLIScores:
    """Geometric mean of two distributions, the second with weight ``share`` in 0 to 1, scaled to sum to 1."""
    means = [
        math.exp((1 - share) * math.log(max(a, FLOOR)) + share * math.log(max(b, FLOOR)))
        for a, b in (
            (one.entailment, other.entailment),
            (one.neutral, other.neutral),
            (one.contradiction, other.contradiction),
        )
    ]
    total = sum(means)
    entailment, neutral, contradiction = (round(m / total, 6) for m in means)
    return NLIScores(entailment=entailment, neutral=neutral, contradiction=contradiction)
