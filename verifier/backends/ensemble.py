"""Several models as one verifier, each able to object.

Entailment is the least of all members, contradiction the greatest of those that can see one, neutral the
rest: no member can be outvoted. Members are calibrated by the curves of their model alone; the slot guard is
asked once, beside them. A refutation still needs the thresholds of
the strictest member, the guard, and mended claims that **all** members take as entailed.
"""

from __future__ import annotations

from collections.abc import Sequence

from factdesk.kernel import ConfigError, Fingerprint, sha256_text
from verifier.backends.calibrated import Reader, joined_fingerprint
from verifier.calibration.probabilities import Calibration
from verifier.premise.builder import model_claim, model_premise
from verifier.scoring import assess
from verifier.types import Assessment, NLIScores, PairText, Thresholds


class EnsembleVerifier:
    """Two or more members as one (implements ``verifier.types.Verifier``).

    Raises:
        ConfigError: fewer than two members, the same one twice, or none that can contradict.
    """

    can_contradict = True

    def __init__(self, members: Sequence[Reader]) -> None:
        self._members = tuple(members)
        if len(self._members) < 2:
            raise ConfigError(f"an ensemble needs two or more members, not {len(self._members)}; write ensemble:A+B")
        prints = [m.fingerprint for m in self._members]
        if len({p.sha256 for p in prints}) < len(prints):
            raise ConfigError(f"the ensemble has a member twice: {', '.join(p.name for p in prints)}; name each once")
        if not any(m.can_contradict for m in self._members):
            raise ConfigError(
                f"no member of the ensemble can contradict ({', '.join(p.name for p in prints)}); add one "
                "with a contradiction class, e.g. onnx:minilm-fact"
            )
        self._thresholds = _strictest(self._members)

    @property
    def fingerprint(self) -> Fingerprint:
        """Names, versions and hashes of all members in one; their order does not matter."""
        prints = sorted((m.fingerprint for m in self._members), key=lambda p: (p.name, p.sha256 or ""))
        return joined_fingerprint("ensemble:", prints)

    @property
    def thresholds(self) -> Thresholds:
        """Of each threshold the strictest; for contradictions, of the members that can see one."""
        return self._thresholds

    def assess(self, pairs: Sequence[PairText], *, contested_from: float = 0.0) -> tuple[Assessment, ...]:
        """Assess premises against claims; see ``verifier.types.Verifier``."""
        raw: dict[tuple[str, str], NLIScores] = {}

        def score(texts: Sequence[tuple[str, str]]) -> list[NLIScores]:
            """Members are calibrated before they are joined, each by its own curve."""
            if not texts:
                return []
            found = [member.raw(texts) for member in self._members]
            for text, scores in zip(texts, zip(*found, strict=True), strict=True):
                raw[text] = self._join(scores)
            calibrated = [
                [member.calibration.apply(s) for s in scores]
                for member, scores in zip(self._members, found, strict=True)
            ]
            return [self._join(scores) for scores in zip(*calibrated, strict=True)]

        level = self._thresholds.tau_contradict
        found = assess(pairs, score, Calibration(), mend_from=level, contested_from=contested_from)
        return tuple(
            one.model_copy(update={"raw": raw[model_premise(pair), model_claim(pair.claim)]})
            for one, pair in zip(found, pairs, strict=True)
        )

    def _join(self, scores: Sequence[NLIScores]) -> NLIScores:
        entailment = min(s.entailment for s in scores)
        seen = [s.contradiction for s, m in zip(scores, self._members, strict=True) if m.can_contradict]
        contradiction = max(seen)
        neutral = round(max(0.0, 1 - entailment - contradiction), 6)
        return NLIScores(entailment=entailment, neutral=neutral, contradiction=contradiction)


def _strictest(members: Sequence[Reader]) -> Thresholds:
    everyone = [m.calibration.thresholds for m in members]
    seeing = [m.calibration.thresholds for m in members if m.can_contradict]
    hashes = [t.calibration_sha256 for t in everyone]
    known = sorted(h for h in hashes if h is not None)
    return Thresholds(
        tau_entail=max(t.tau_entail for t in everyone),
        tau_contradict=min(t.tau_contradict for t in seeing),
        tau_refute=max(t.tau_refute for t in seeing),
        tau_trust=max(t.tau_trust for t in everyone),
        min_independent=max(t.min_independent for t in everyone),
        calibration_sha256=sha256_text("\n".join(known)) if len(known) == len(hashes) else None,
    )
