"""A quick reader before a careful one: what it finds worth a look the second one judges too, or alone.

Most sentences that a search brings up have nothing to do with the claim, and a small model is sure of that. Each
pair goes its way by itself, so scores depend on nothing but the pair.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from factdesk.kernel import ConfigError, Fingerprint, sha256_text
from verifier.backends.calibrated import CalibratedVerifier, Reader, joined_fingerprint
from verifier.types import Assessment, Label, NLIScores, PairText, Thresholds, Verifier

SCREEN = 0.05
"""Least raw probability of entailment or contradiction with which a pair goes to the second reader.

With 0.2 fewer do, but two true example claims less were certified."""
CALIBRATED_SCREEN = 0.1
"""The same of a cascade, which goes by calibrated probabilities."""
SHARE = 0.7
"""Weight of the second model of a duet; the first has the rest (``design/notebook/verifier.md``)."""
FLOOR = 1e-6
"""Probabilities are taken to be no smaller: raw scores are rounded to six digits."""
UNSEEN = 0.5
"""Added to the count of each label, so that no label is impossible (Krichevsky and Trofimov 1981)."""
AT_ONCE = 8
"""Calls at a time."""
Ask = Callable[[str, str], Label]
"""One answer on a premise and a claim; raises ``BackendUnavailable`` where there is none."""
Pairs = Sequence[tuple[str, str]]


def _worth_a_look(scores: NLIScores, least: float) -> bool:
    return max(scores.entailment, scores.contradiction) >= least


class DuetVerifier(CalibratedVerifier):
    """Two calibrated verifiers as one (implements ``verifier.types.Verifier``).

    Raw scores of a pair that both read are the weighted geometric mean of what they say, scaled to sum to 1 (a
    logarithmic opinion pool; Genest and Zidek 1986): they err on different pairs, and what one finds hardly
    possible does not become likely. ``folder`` holds the ``calibration.json`` of both together.

    Raises:
        ConfigError: both are the same model.
    """

    can_contradict = True

    def __init__(self, first: CalibratedVerifier, second: CalibratedVerifier, folder: Path) -> None:
        self._first, self._second = first, second
        prints = (first.fingerprint, second.fingerprint)
        if prints[0].sha256 == prints[1].sha256:
            raise ConfigError(f"both models of the duet are {prints[0].name}; the second must be another")
        both = joined_fingerprint("duet:", prints, f"screen {SCREEN}, share {SHARE}")
        super().__init__(folder, both, self._score, cache=None, key="")

    def _score(self, pairs: Pairs) -> list[NLIScores]:
        found = self._first.raw(pairs)
        wanted = [i for i, one in enumerate(found) if _worth_a_look(one, SCREEN)]
        for i, other in zip(wanted, self._second.raw([pairs[i] for i in wanted]), strict=True):
            found[i] = together(found[i], other)
        return found


def together(one: NLIScores, other: NLIScores, share: float = SHARE) -> NLIScores:
    """Geometric mean of two distributions, the second with weight ``share`` in 0 to 1, scaled to sum to 1."""
    means = [
        math.exp((1 - share) * math.log(max(a, FLOOR)) + share * math.log(max(b, FLOOR)))
        for a, b in zip(one.shares, other.shares, strict=True)
    ]
    total = sum(means)
    entailment, neutral, contradiction = (round(m / total, 6) for m in means)
    return NLIScores(entailment=entailment, neutral=neutral, contradiction=contradiction)


class VotingVerifier(CalibratedVerifier):
    """A screen, and a reader that is asked ``samples`` times (1 upwards) about what it lets through.

    The shares of its answers are probabilities. ``about`` says what the reader is; ``folder`` may hold its
    ``calibration.json``. Scores are kept nowhere: each answer goes through ``ask``, which a recording may stand
    behind.

    Raises:
        ConfigError: ``samples`` is below 1.
    """

    can_contradict = True

    def __init__(self, ask: Ask, about: Fingerprint, screen: Reader, folder: Path, *, samples: int) -> None:
        if samples < 1:
            raise ConfigError(f"samples={samples!r} is below 1; give how often a pair is asked about, e.g. 3")
        self._ask, self._screen, self._samples = ask, screen, samples
        own = joined_fingerprint("", (about, screen.fingerprint), f"screen {SCREEN}, samples {samples}")
        super().__init__(folder, own, self._score, cache=None, key="")

    def _score(self, pairs: Pairs) -> list[NLIScores]:
        found = self._screen.raw(pairs)
        wanted = [i for i, one in enumerate(found) if _worth_a_look(one, SCREEN)]
        with ThreadPoolExecutor(max_workers=AT_ONCE) as pool:
            votes = list(pool.map(lambda i: self._votes(pairs[i]), wanted))
        for i, counted in zip(wanted, votes, strict=True):
            found[i] = shares(counted)
        return found

    def _votes(self, pair: tuple[str, str]) -> Counter[Label]:
        return Counter(self._ask(*pair) for _ in range(self._samples))


def shares(votes: Counter[Label]) -> NLIScores:
    """Probabilities from counted answers, to six places."""
    total = votes.total() + 3 * UNSEEN
    entailed, contradicted = (round((votes[label] + UNSEEN) / total, 6) for label in ("entailed", "contradicted"))
    return NLIScores(entailment=entailed, neutral=round(1 - entailed - contradicted, 6), contradiction=contradicted)


class CascadeVerifier:
    """Two verifiers, one behind the other (implements ``verifier.types.Verifier``).

    Where the first one's calibrated entailment and contradiction both stay below ``CALIBRATED_SCREEN`` a pair
    keeps its scores, with which nothing can be Verified, contradicted or refuted: the thresholds are those of the
    second.

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
        if least <= CALIBRATED_SCREEN:
            raise ConfigError(f"a threshold of {names[1]} is {least}; a cascade needs more than {CALIBRATED_SCREEN}")

    @property
    def fingerprint(self) -> Fingerprint:
        """Names, versions and hashes of both, in their order."""
        prints = (self._first.fingerprint, self._second.fingerprint)
        return joined_fingerprint("cascade:", prints, f"screen {CALIBRATED_SCREEN}")

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
        wanted = [i for i, one in enumerate(found) if _worth_a_look(one.calibrated, CALIBRATED_SCREEN)]
        again = self._second.assess([pairs[i] for i in wanted], contested_from=contested_from)
        for i, careful in zip(wanted, again, strict=True):
            found[i] = careful.model_copy(update={"passes": found[i].passes + careful.passes})
        return tuple(found)
