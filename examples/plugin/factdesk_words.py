"""A verifier that takes a sentence to entail a claim when it has most of the claim's words.

It shows what a back end must give, and is no good one: it knows nothing of meaning. Whatever it says, the
rules of the slot guard and the policy stand behind it; without a calibration the default thresholds hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from factdesk.kernel import ConfigError, Fingerprint, sha256_bytes
from language.names import content_stems
from verifier.backends.calibrated import CalibratedVerifier
from verifier.backends.score_cache import ScoreCache, model_key
from verifier.types import NLIScores

VERSION = "1"


class WordsVerifier(CalibratedVerifier):
    """Scores by the share of the claim's words; ``least`` (0 to 1) is where entailment becomes likely."""

    can_contradict = False

    def __init__(self, least: float, cache: ScoreCache | None = None) -> None:
        self._least = least
        source = Path(__file__)
        digest = sha256_bytes(source.read_bytes())
        own = Fingerprint(name=f"verifier:words:{least:g}", version=VERSION, sha256=digest)
        key = model_key("words", digest, f"{least:g}")
        super().__init__(source.parent / "factdesk_words", own, self._score_all, cache=cache, key=key)

    def _score_all(self, pairs: Sequence[tuple[str, str]]) -> list[NLIScores]:
        """One score a pair of premise and claim, in order, whatever stands beside it."""
        return [self._score(set(content_stems(premise)), set(content_stems(claim))) for premise, claim in pairs]

    def _score(self, premise: set[str], claim: set[str]) -> NLIScores:
        share = len(claim & premise) / len(claim) if claim else 0.0
        entailment = 0.95 if share >= self._least else 0.5 * share
        return NLIScores(entailment=entailment, neutral=1.0 - entailment, contradiction=0.0)


def make_verifier(rest: str, cache: ScoreCache | None) -> WordsVerifier:
    """The verifier of the spec ``words:LEAST``. Raises ``ConfigError`` for a share that is none."""
    try:
        least = float(rest)
    except ValueError as error:
        raise ConfigError(f"words:{rest!r} needs a share from 0 to 1, as in words:0.9") from error
    if not 0.0 < least <= 1.0:
        raise ConfigError(f"words:{rest} needs a share from 0 to 1, as in words:0.9")
    return WordsVerifier(least, cache)
