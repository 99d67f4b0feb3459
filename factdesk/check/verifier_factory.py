"""The verifier of a check: by a spec, with the calibration that this desk made for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from factdesk.recording.recorder import LIVE, Recorder
from factdesk.score_cache import open_score_cache
from factdesk.settings import Settings
from verifier.backends.factory import calibration_folder, make_verifier, refuse_uncalibrated

if TYPE_CHECKING:
    from verifier.types import Verifier

CHAT = ("llm:", "gguf:")
"""Beginnings of the specs that name a language model."""


def is_chat(spec: str) -> bool:
    """Whether a spec names a language model: made for each check, which records and bounds its calls."""
    return spec.startswith(CHAT)


def open_verifier(settings: Settings, recorder: Recorder = LIVE, *, strict: bool | None = None) -> Verifier:
    """The verifier of the settings.

    ``strict``: refuse one that strict mode cannot use; ``None``: in strict mode.

    Raises:
        ConfigError: the spec is unknown, or refused in strict mode.
        InputError: a file is missing.
        BackendUnavailable: files, a package or a key are missing.
    """
    refuse = settings.mode == "strict" if strict is None else strict
    if is_chat(settings.verifier):
        made = _language_model(settings, recorder)
        return refuse_uncalibrated(made, settings.verifier) if refuse else made
    return make_verifier(
        settings.verifier,
        strict=refuse,
        cache=open_score_cache(settings),
        calibrations=settings.paths.calibrations,
    )


def _language_model(settings: Settings, recorder: Recorder) -> Verifier:
    from agent.adapters.pair_labels import PairLabels
    from factdesk.check.reasoner_factory import make_chat
    from verifier.backends.factory import MODELS, SMALL
    from verifier.backends.onnx import OnnxVerifier
    from verifier.backends.voting import VotingVerifier

    llm = settings.llm
    warmer = llm.temperature if llm.temperature == "unset" else max(llm.temperature, llm.sample_temperature)
    sampled = settings.model_copy(update={"llm": llm.model_copy(update={"temperature": warmer})})
    labels = PairLabels(make_chat(settings.verifier, sampled, recorder))
    return VotingVerifier(
        labels,
        labels.fingerprint,
        OnnxVerifier(MODELS / SMALL.partition(":")[2]),
        calibration_folder(settings.paths.calibrations, settings.verifier),
        samples=llm.samples,
    )
