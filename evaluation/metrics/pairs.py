"""``factdesk eval pairs``: labelled pairs through the verifier."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from factdesk.kernel import InputError, Record
from factdesk.settings import Settings
from verifier.backends.factory import make_verifier
from verifier.calibration import metrics
from verifier.calibration.labelled_pairs import Pair, read_pairs
from verifier.types import PairText, Thresholds, Verifier


class PairsFile(Record):
    """Figures of one file."""

    file: str
    n: int
    accuracy: float
    """Restricted to the labels present."""
    macro_f1: float
    auroc_entail: float | None
    ece: float
    verified_precision: float | None
    """Share of Verified pairs that are entailed; ``None`` when none was Verified."""
    verified_recall: float | None
    """Share of entailed pairs that get Verified."""
    false_verified: int
    refuted_precision: float | None
    refuted: int
    pairs_per_second: float


class PairsReport(Record):
    """Figures of all files, and what they were made with."""

    files: tuple[PairsFile, ...]
    tau_entail: float
    tau_contradict: float
    tau_refute: float
    model_sha256: str | None


def evaluate_pairs(files: Sequence[Path], settings: Settings, *, limit: int | None = None) -> PairsReport:
    """Score every file; a Verified pair passes ``tau_entail`` and the slot guard."""
    verifier = make_verifier(settings.verifier, strict=False, calibrations=settings.paths.calibrations)
    thresholds = settings.thresholds.apply(verifier.thresholds)
    rows = tuple(_one(path, verifier, thresholds, limit) for path in files)
    return PairsReport(
        files=rows,
        tau_entail=thresholds.tau_entail,
        tau_contradict=thresholds.tau_contradict,
        tau_refute=thresholds.tau_refute,
        model_sha256=verifier.fingerprint.sha256,
    )


def _one(path: Path, verifier: Verifier, thresholds: Thresholds, limit: int | None) -> PairsFile:
    try:
        pairs: list[Pair] = list(read_pairs(path, limit=limit))
    except OSError as error:
        raise InputError(f"{str(path)!r} cannot be read ({error})") from error
    if not pairs:
        raise InputError(f"{path.name} holds no pairs")
    start = time.perf_counter()
    assessed = verifier.assess([PairText(claim=p.hypothesis, premise=p.premise) for p in pairs])
    seconds = time.perf_counter() - start
    scored = metrics.scored_from(assessed, [p.label for p in pairs], thresholds)
    entailed, contradicted = scored.gold == 0, scored.gold == 2
    guess = metrics.predictions(scored)
    confidence = scored.probabilities[range(len(pairs)), guess]
    verified = int(scored.verified.sum())
    refuted = int(scored.refuted.sum())
    auroc = metrics.auroc(scored.probabilities[:, 0], entailed)
    return PairsFile(
        file=path.name,
        n=len(pairs),
        accuracy=round(metrics.accuracy(scored), 4),
        macro_f1=round(metrics.macro_f1(scored), 4),
        auroc_entail=None if auroc is None else round(auroc, 4),
        ece=round(metrics.ece(confidence, guess == scored.gold), 4),
        verified_precision=round(float((scored.verified & entailed).sum()) / verified, 4) if verified else None,
        verified_recall=round(float((scored.verified & entailed).sum()) / int(entailed.sum()), 4)
        if entailed.any()
        else None,
        false_verified=int((scored.verified & ~entailed).sum()),
        refuted_precision=round(float((scored.refuted & contradicted).sum()) / refuted, 4) if refuted else None,
        refuted=refuted,
        pairs_per_second=round(sum(a.passes for a in assessed) / seconds, 1),
    )
