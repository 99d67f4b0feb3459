"""What every verifier of one calibrated model shares: what it says of itself, and how it assesses pairs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, runtime_checkable

from factdesk.kernel import Fingerprint, sha256_text
from verifier.backends.score_cache import ScoreCache, cached
from verifier.calibration.probabilities import Calibration, read_calibration
from verifier.scoring import RawScorer, assess
from verifier.types import Assessment, NLIScores, PairText, Thresholds, Verifier


def joined_fingerprint(kind: str, prints: Sequence[Fingerprint], *constants: str) -> Fingerprint:
    """Of a verifier made of several: their names, versions and hashes in order, and what joins them."""
    told = [*(f"{p.name} {p.version} {p.sha256}" for p in prints), *constants]
    return Fingerprint(
        name=f"verifier:{kind}{'+'.join(p.name.removeprefix('verifier:') for p in prints)}",
        version="+".join(p.version for p in prints),
        sha256=sha256_text("\n".join(told)),
    )


@runtime_checkable
class Reader(Verifier, Protocol):
    """A single model: what a member of an ensemble or a cascade must be."""

    @property
    def calibration(self) -> Calibration: ...

    def raw(self, pairs: Sequence[tuple[str, str]]) -> list[NLIScores]:
        """Raw probabilities of (premise, hypothesis) pairs, in order."""
        ...


class CalibratedVerifier:
    """A scorer of raw probabilities with the calibration that lies beside its weights.

    Without ``calibration.json`` in ``folder`` scores are not calibrated and the default thresholds hold.
    ``score``: raw probabilities of (premise, hypothesis) pairs, in order. ``cache``: raw scores kept between
    checks under ``key``; ``None``: none are kept.
    """

    def __init__(
        self, folder: Path, fingerprint: Fingerprint, score: RawScorer, *, cache: ScoreCache | None, key: str
    ) -> None:
        self._calibration = Calibration()
        self.calibrate_by(folder)
        self._fingerprint = fingerprint
        self._scorer = cached(score, cache, key)

    def calibrate_by(self, folder: Path) -> None:
        """Take the ``calibration.json`` of a folder, where it has one. Raises ``BackendUnavailable``."""
        path = folder / "calibration.json"
        if path.is_file():
            self._calibration = read_calibration(path)

    @property
    def fingerprint(self) -> Fingerprint:
        """Name, version and sha256 of the weights."""
        return self._fingerprint

    @property
    def thresholds(self) -> Thresholds:
        """Thresholds derived from the calibration; the defaults when there is none."""
        return self._calibration.thresholds

    @property
    def calibration(self) -> Calibration:
        """The calibration in use."""
        return self._calibration

    def raw(self, pairs: Sequence[tuple[str, str]]) -> list[NLIScores]:
        """Raw probabilities of (premise, hypothesis) pairs, in order; equal pairs are scored once."""
        return list(self._scorer(pairs))

    def assess(self, pairs: Sequence[PairText], *, contested_from: float = 0.0) -> tuple[Assessment, ...]:
        """Assess premises against claims; see ``verifier.types.Verifier``."""
        level = self.thresholds.tau_contradict
        return assess(pairs, self.raw, self._calibration, mend_from=level, contested_from=contested_from)
