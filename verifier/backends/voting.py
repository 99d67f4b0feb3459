"""A reader that answers with labels alone, asked several times: the shares of its answers are probabilities.

A language model costs too much to be asked about every sentence that a search brings up, so a shipped reader
screens: a pair of which it expects neither entailment nor contradiction keeps its scores.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Protocol

from factdesk.kernel import ConfigError, Fingerprint, sha256_text
from verifier.backends.calibrated import CalibratedVerifier
from verifier.types import Label, NLIScores

SCREEN = 0.05
"""Least raw probability of entailment or contradiction with which a pair goes to the reader."""
UNSEEN = 0.5
"""Added to the count of each label, so that no label is impossible (Krichevsky and Trofimov 1981)."""
AT_ONCE = 8
"""Calls at a time."""
Ask = Callable[[str, str], Label]
"""One answer on a premise and a claim; raises ``BackendUnavailable`` where there is none."""


class Screen(Protocol):
    """What sorts out the sentences that have nothing to do with a claim."""

    @property
    def fingerprint(self) -> Fingerprint: ...

    def raw(self, pairs: Sequence[tuple[str, str]]) -> list[NLIScores]: ...


class VotingVerifier(CalibratedVerifier):
    """A screen, and a reader that is asked ``samples`` times (1 upwards) about what it lets through.

    ``about`` says what the reader is; ``folder`` may hold its ``calibration.json``. Scores are kept nowhere:
    each answer goes through ``ask``, which a recording may stand behind.

    Raises:
        ConfigError: ``samples`` is below 1.
    """

    can_contradict = True

    def __init__(self, ask: Ask, about: Fingerprint, screen: Screen, folder: Path, *, samples: int) -> None:
        if samples < 1:
            raise ConfigError(f"samples={samples!r} is below 1; give how often a pair is asked about, e.g. 3")
        self._ask, self._screen, self._samples = ask, screen, samples
        first = screen.fingerprint
        parts = (f"{p.name} {p.version} {p.sha256}" for p in (about, first))
        own = Fingerprint(
            name=f"verifier:{about.name}+{first.name.removeprefix('verifier:')}",
            version=f"{about.version}+{first.version}",
            sha256=sha256_text("\n".join([*parts, f"screen {SCREEN}, samples {samples}"])),
        )
        super().__init__(folder, own, self._score, cache=None, key="")

    def _score(self, pairs: Sequence[tuple[str, str]]) -> list[NLIScores]:
        found = self._screen.raw(pairs)
        wanted = [i for i, one in enumerate(found) if max(one.entailment, one.contradiction) >= SCREEN]
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
