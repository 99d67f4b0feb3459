"""Choosing a verifier by a spec.

``onnx:NAME_OR_DIR``, ``crossencoder:PATH_OR_ID``, ``minicheck:FOLDER``, ``duet:NAME+NAME`` (two shipped models as one),
``ensemble:A+B`` (all must agree), ``cascade:A+B`` (A screens, B decides), ``llm:PROVIDER:MODEL`` (in checks),
or one of an installed package.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from factdesk.kernel import DEFAULT_VERIFIER, BackendUnavailable, ConfigError
from factdesk.registry import Registry, did_you_mean
from verifier.backends.calibrated import CalibratedVerifier, Reader
from verifier.backends.score_cache import ScoreCache
from verifier.types import Verifier

if TYPE_CHECKING:
    from verifier.backends.screening import DuetVerifier

MODELS = Path(__file__).parents[1] / "models"
DEFAULT = DEFAULT_VERIFIER
SMALL = "onnx:minilm-fact"
"""One shipped reader alone: what a member of an ensemble or cascade may be."""
DUET = "duet:minilm-fact+mpnet-fact"
"""Both shipped readers as one; no other pair has a calibration."""
MakeVerifier = Callable[[str, ScoreCache | None], Verifier]
"""From the part of a spec behind its first colon, and where raw scores are kept between checks."""
VERIFIERS = Registry[MakeVerifier]("verifier")


def refuse_unknown(spec: str) -> None:
    """Raise ``ConfigError`` for a spec that names no verifier and no model. Loads nothing."""
    VERIFIERS.refuse_unknown(spec)
    kind, _, rest = spec.partition(":")
    if kind == "onnx" and not (MODELS / rest).is_dir() and not Path(rest).expanduser().exists():
        shipped = sorted(folder.name for folder in MODELS.iterdir() if (folder / "manifest.json").is_file())
        raise ConfigError(
            f"there is no model {rest!r};{did_you_mean(rest, shipped)} shipped are {', '.join(shipped)}; "
            "others are given by their folder"
        )


def make_verifier(
    spec: str = DEFAULT,
    *,
    strict: bool = True,
    cache: ScoreCache | None = None,
    calibrations: Path | None = None,
) -> Verifier:
    """Make the verifier a spec names, e.g. ``"ensemble:onnx:minilm-fact+crossencoder:models/minicheck"``.

    Args:
        spec: what to make.
        strict: refuse a model that cannot see a contradiction or has no calibration; only strict mode
            needs both.
        cache: where raw scores are kept between checks; ``None``: nowhere.
        calibrations: where ``factdesk calibrate`` wrote; what lies there for the spec comes before what lies
            beside the weights. ``None``: nowhere.

    Raises:
        ConfigError: the spec is unknown (the message names the known ones), or refused in strict mode.
        BackendUnavailable: its files are missing or broken.
    """
    made = _made(spec, cache, calibrations)
    if strict and not made.can_contradict:
        raise ConfigError(
            f"verifier {spec!r} has no contradiction class, so in strict mode nothing would keep a "
            f"contradicted claim from being Verified; use 'ensemble:{spec}+{SMALL}', or mixed or debug mode"
        )
    return refuse_uncalibrated(made, spec) if strict else made


def _made(spec: str, cache: ScoreCache | None, calibrations: Path | None) -> Verifier:
    make, rest = VERIFIERS.find(spec)
    if make in (_ensemble, _cascade):
        members = _members(rest, cache, calibrations)
        return _joined(members) if make is _ensemble else _in_turn(members)
    made = make(rest, cache)
    if calibrations is not None and isinstance(made, CalibratedVerifier):
        made.calibrate_by(calibration_folder(calibrations, spec))
    return made


def calibration_folder(calibrations: Path, spec: str) -> Path:
    """Where the calibration of a desk's own verifier lies, below the folder of all."""
    return calibrations / re.sub(r"[^A-Za-z0-9.-]+", "_", spec)


def refuse_uncalibrated(verifier: Verifier, spec: str) -> Verifier:
    """The verifier; raises ``ConfigError`` where nothing is known of what its scores mean."""
    if verifier.thresholds.calibration_sha256 is None:
        raise ConfigError(
            f"verifier {spec!r} has no calibration, so nobody knows how often its 0.9 is right; run "
            f"factdesk calibrate {spec!r} --claims FILE --corpus FOLDER, or use mixed or debug mode"
        )
    return verifier


@VERIFIERS.register(DUET)
def _shipped_duet(rest: str, cache: ScoreCache | None) -> Verifier:
    if f"duet:{rest}" != DUET:
        raise ConfigError(f"unknown verifier {'duet:' + rest!r}; known: {VERIFIERS.known()}")
    duet = make_duet(cache)
    if duet.thresholds.calibration_sha256 is None:
        raise BackendUnavailable("the duet lacks its calibration.json; reinstall factdesk")
    return duet


def make_duet(cache: ScoreCache | None = None) -> DuetVerifier:
    """The two shipped models as one; where all scores are kept, neither is opened.

    Raises ``BackendUnavailable`` when files are missing or not those of their manifests.
    """
    from verifier.backends.onnx import OnnxVerifier
    from verifier.backends.screening import DuetVerifier

    quick, careful = (MODELS / name for name in DUET.partition(":")[2].split("+"))
    second = OnnxVerifier(careful, cache=cache, later=True)
    first = OnnxVerifier(quick, cache=cache, later=True, follower=second)
    return DuetVerifier(first, second, MODELS / "duet")


@VERIFIERS.register("onnx:NAME_OR_DIR", "shipped: minilm-fact, mpnet-fact")
def _onnx(rest: str, cache: ScoreCache | None) -> Verifier:
    from verifier.backends.onnx import OnnxVerifier

    shipped = MODELS / rest
    return OnnxVerifier(shipped if shipped.is_dir() and "/" not in rest else Path(rest), cache=cache)


@VERIFIERS.register("crossencoder:PATH_OR_ID")
def _crossencoder(rest: str, cache: ScoreCache | None) -> Verifier:
    from verifier.backends.torch_models import CrossEncoderVerifier

    return CrossEncoderVerifier(rest, cache=cache)


@VERIFIERS.register("minicheck:FOLDER", "Flan-T5, support alone")
def _minicheck(rest: str, cache: ScoreCache | None) -> Verifier:
    from verifier.backends.torch_models import MiniCheckVerifier

    return MiniCheckVerifier(rest, cache=cache)


@VERIFIERS.register("gguf:PATH")
@VERIFIERS.register("llm:PROVIDER:MODEL", "a language model that is asked for labels")
def _language_model(rest: str, _cache: ScoreCache | None) -> Verifier:
    """Its calls go through a check's budget and recording: ``factdesk.check.models`` makes it."""
    raise ConfigError(
        f"a language model ({rest!r}) verifies in a check alone, whose budget bounds it and whose recording "
        "keeps what it said; here, name a verifier that runs on this machine"
    )


@VERIFIERS.register("ensemble:A+B", "single models, all of which must agree")
def _ensemble(rest: str, cache: ScoreCache | None) -> Verifier:
    return _joined(_members(rest, cache, None))


def _joined(members: Sequence[Reader]) -> Verifier:
    from verifier.backends.ensemble import EnsembleVerifier

    return EnsembleVerifier(members)


@VERIFIERS.register("cascade:A+B", "single models: A screens, B decides")
def _cascade(rest: str, cache: ScoreCache | None) -> Verifier:
    return _in_turn(_members(rest, cache, None))


def _in_turn(members: Sequence[Reader]) -> Verifier:
    from verifier.backends.screening import CascadeVerifier

    if len(members) != 2:
        raise ConfigError(f"a cascade has two readers, not {len(members)}; write cascade:A+B")
    return CascadeVerifier(*members)


def _members(rest: str, cache: ScoreCache | None, calibrations: Path | None) -> list[Reader]:
    """The single models joined by plus signs; a plus sign inside a path is none between members."""
    members = []
    for spec in re.split(rf"\+(?=(?:{'|'.join(map(re.escape, VERIFIERS))}):)", rest):
        make, _ = VERIFIERS.find(spec)
        if make in (_shipped_duet, _ensemble, _cascade, _language_model):
            raise ConfigError(f"one verifier made of several cannot be part of another ({spec!r})")
        made = _made(spec, cache, calibrations)
        if not isinstance(made, Reader):
            raise ConfigError(f"verifier {spec!r} has no raw scores, so it cannot be part of another")
        members.append(made)
    return members


def shipped_for(names: Sequence[str]) -> str:
    """The shipped verifier whose fingerprint's name is among ``names``; the default when none is."""
    shipped = {f"verifier:{SMALL.partition(':')[2]}": SMALL, f"verifier:{DUET}": DUET}
    return next((spec for name, spec in shipped.items() if name in names), DEFAULT)
