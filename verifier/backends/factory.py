"""Choosing a verifier by a spec.

``onnx:NAME_OR_DIR``, ``crossencoder:PATH_OR_ID``, ``duet:NAME+NAME`` (two shipped models read as one),
``ensemble:A+B`` (all must agree), ``cascade:A+B`` (A screens, B decides).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from factdesk.kernel import DEFAULT_VERIFIER, BackendUnavailable, ConfigError
from verifier.backends.score_cache import ScoreCache
from verifier.types import Verifier

if TYPE_CHECKING:
    from verifier.backends.crossencoder import CrossEncoderVerifier
    from verifier.backends.duet import DuetVerifier
    from verifier.backends.onnx import OnnxVerifier

MODELS = Path(__file__).parents[1] / "models"
DEFAULT = DEFAULT_VERIFIER
SMALL = "onnx:minilm-fact"
"""One shipped reader alone: what a member of an ensemble or cascade may be."""
DUET = "duet:minilm-fact+mpnet-fact"
"""Both shipped readers as one; no other pair has a calibration."""
KNOWN = (
    f"{DUET}, onnx:NAME_OR_DIR (shipped: minilm-fact, mpnet-fact), "
    "crossencoder:PATH_OR_ID, and of the last two ensemble:A+B (all agree) or cascade:A+B (A screens, B "
    "decides)"
)
JOINED = ("ensemble", "cascade")
_PLUS = re.compile(r"\+(?=(?:onnx|crossencoder|ensemble|cascade):)")
"""Between members; a plus sign inside a path is none of them."""


def make_verifier(spec: str = DEFAULT, *, strict: bool = True, cache: ScoreCache | None = None) -> Verifier:
    """Make the verifier a spec names, e.g. ``"ensemble:onnx:minilm-fact+crossencoder:models/minicheck"``.

    Args:
        spec: what to make.
        strict: refuse a model that cannot see a contradiction; only strict mode needs it.
        cache: where raw scores are kept between checks; ``None``: nowhere.

    Raises:
        ConfigError: the spec is unknown (the message names the known ones), or refused in strict mode.
        BackendUnavailable: its files are missing or broken.
    """
    kind, _, rest = spec.partition(":")
    if kind == "ensemble" and rest:
        from verifier.backends.ensemble import EnsembleVerifier

        return EnsembleVerifier([_make_one(part, cache) for part in _PLUS.split(rest)])
    if kind == "cascade" and rest:
        return _make_cascade(rest, cache)
    if spec == DUET:
        duet = make_duet(cache)
        if duet.thresholds.calibration_sha256 is None:
            raise BackendUnavailable("the duet lacks its calibration.json; reinstall factdesk")
        return duet
    made: Verifier = _make_one(spec, cache)
    if strict and not made.can_contradict:
        raise ConfigError(
            f"verifier {spec!r} has no contradiction class, so in strict mode nothing would keep a "
            f"contradicted claim from being Verified; use 'ensemble:{spec}+{SMALL}', or mixed or debug mode"
        )
    return made


def make_duet(cache: ScoreCache | None = None) -> DuetVerifier:
    """The two shipped models as one. Raises ``BackendUnavailable`` when files are missing or broken."""
    from verifier.backends.duet import DuetVerifier
    from verifier.backends.onnx import OnnxVerifier

    first, second = (OnnxVerifier(MODELS / name, cache=cache) for name in DUET.partition(":")[2].split("+"))
    return DuetVerifier(first, second, MODELS / "duet")


def shipped_for(names: Sequence[str]) -> str:
    """The shipped verifier whose fingerprint's name is among ``names``; the default when none is."""
    shipped = {f"verifier:{SMALL.partition(':')[2]}": SMALL, f"verifier:{DUET}": DUET}
    return next((spec for name, spec in shipped.items() if name in names), DEFAULT)


def _make_cascade(rest: str, cache: ScoreCache | None) -> Verifier:
    from verifier.backends.cascade import CascadeVerifier

    parts = _PLUS.split(rest)
    if len(parts) != 2:
        raise ConfigError(f"a cascade has two readers, not {len(parts)}; write cascade:A+B")
    return CascadeVerifier(*(_make_one(part, cache) for part in parts))


def _make_one(spec: str, cache: ScoreCache | None) -> OnnxVerifier | CrossEncoderVerifier:
    kind, _, rest = spec.partition(":")
    if kind == "onnx" and rest:
        from verifier.backends.onnx import OnnxVerifier

        shipped = MODELS / rest
        return OnnxVerifier(shipped if shipped.is_dir() and "/" not in rest else Path(rest), cache=cache)
    if kind == "crossencoder" and rest:
        from verifier.backends.crossencoder import CrossEncoderVerifier

        return CrossEncoderVerifier(rest, cache=cache)
    if kind in JOINED and rest:
        raise ConfigError(f"one verifier made of several cannot be part of another ({spec!r}); write {KNOWN}")
    raise ConfigError(f"unknown verifier {spec!r}; known: {KNOWN}")
