"""A fast reader before a careful one: the second decides about every pair that the first finds worth a look.

Most sentences that a search brings up have nothing to do with the claim, and a small model sees that.
Where its calibrated entailment and contradiction both stay below ``SCREEN`` a pair keeps the first reader's
scores, with which nothing can be Verified, contradicted or refuted: the thresholds are those of the second.
Each pair goes its way by itself, so scores depend on nothing but the pair.
"""

from __future__ import annotations

from collections.abc import Sequence

from factdesk.kernel import ConfigError, Fingerprint, sha256_text
from verifier.types import Assessment, PairText, Thresholds, Verifier

SCREEN = 0.1
"""Least calibrated probability of entailment or contradiction with which a pair goes to the second reader."""


class CascadeVerifier:
    """Two verifiers, one behind the other (implements ``verifier.types.Verifier``).

    Raises:
        ConfigError: a reader cannot contradict, both are the same, or the second is content with so little
            that the first alone could reach it.
    """

    can_contradict = True

    def __init__(self, first: Verifier, second: Verifier) -> None:
        self._first, self._second = first, second
        names = [v.fingerprint.name for v in (first, second)]
        if first.fingerprint.sha256 == second.fingerprint.sha256:
            raise ConfigError(f"both readers of the cascade are {names[0]}; the second must be another model")
        blind = [v.fingerprint.name for v in (first, second) if not v.can_contradict]
        if blind:
            raise ConfigError(f"{blind[0]} has no contradiction class, so it cannot be a reader of a cascade")
        limits = second.thresholds
        least = min(limits.tau_entail, limits.tau_contradict, limits.tau_refute)
        if least <= SCREEN:
            raise ConfigError(f"a threshold of {names[1]} is {least}; a cascade needs more than {SCREEN}")

    @property
    def fingerprint(self) -> Fingerprint:
        """Names, versions and hashes of both, in their order."""
        prints = (self._first.fingerprint, self._second.fingerprint)
        joined = "\n".join([*(f"{p.name} {p.version} {p.sha256}" for p in prints), f"screen {SCREEN}"])
        return Fingerprint(
            name=f"verifier:cascade:{'+'.join(p.name.removeprefix('verifier:') for p in prints)}",
            version="+".join(p.version for p in prints),
            sha256=sha256_text(joined),
        )

    @property
    def thresholds(self) -> Thresholds:
        """Those of the second reader; their calibration is that of both."""
        hashes = [v.thresholds.calibration_sha256 for v in (self._first, self._second)]
        known = [h for h in hashes if h is not None]
        both = sha256_text("\n".join(known)) if len(known) == len(hashes) else None
        return self._second.thresholds.model_copy(update={"calibration_sha256": both})

    def assess(self, pairs: Sequence[PairText], *, contested_from: float = 0.0) -> tuple[Assessment, ...]:
        """Assess premises against claims; see ``verifier.types.Verifier``."""
        found = list(self._first.assess(pairs, contested_from=contested_from))
        wanted = [i for i, one in enumerate(found) if _worth_a_look(one)]
        again = self._second.assess([pairs[i] for i in wanted], contested_from=contested_from)
        for i, careful in zip(wanted, again, strict=True):
            found[i] = careful.model_copy(update={"passes": found[i].passes + careful.passes})
        return tuple(found)


def _worth_a_look(found: Assessment) -> bool:
    return max(found.calibrated.entailment, found.calibrated.contradiction) >= SCREEN
