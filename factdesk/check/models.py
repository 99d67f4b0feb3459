"""Verifier and reasoner of a check by their specs, with the calibration that this desk made for them."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from agent.types import Investigation
from factdesk.kernel import ConfigError, Fingerprint, InputError
from factdesk.recording.recorder import LIVE, Recorder
from factdesk.registry import Registry
from factdesk.score_cache import open_score_cache
from factdesk.settings import Settings
from verifier.backends.factory import calibration_folder, make_verifier, refuse_uncalibrated

if TYPE_CHECKING:
    from agent.ports import Reasoner
    from agent.reasoners.chat_model import ChatModel, Transport
    from verifier.types import Verifier


@dataclass(frozen=True)
class ReasonerInputs:
    """What a reasoner may be made of."""

    spec: str
    settings: Settings
    """``llm`` and ``caps`` bound what a language model may take."""
    images: Sequence[bytes] = ()
    """The submitted pictures' files as bytes; a model is shown them only with ``llm.images``."""
    recorder: Recorder = LIVE
    """Stands between the model and the check; clock readings of its budget go through it too."""
    claim_date: date | None = None
    """Day on which the claim was made."""


MakeReasoner = Callable[[ReasonerInputs], "Reasoner"]
REASONERS = Registry[MakeReasoner]("reasoner")


def make_reasoner(given: ReasonerInputs) -> Reasoner:
    """Make the reasoner a spec names. One for each check: its budget starts now. Raises ``ConfigError``: the spec or
    the provider is unknown; ``InputError``: a file is missing; ``BackendUnavailable``: a package or a key is missing.
    """
    make, _ = REASONERS.find(given.spec)
    return make(given)


@REASONERS.register("extractive")
def _extractive(given: ReasonerInputs) -> Reasoner:
    from agent.reasoners.extractive import ExtractiveReasoner

    return ExtractiveReasoner(graph=given.settings.graph, claim_date=given.claim_date)


@REASONERS.register("gguf:PATH")
@REASONERS.register("llm:PROVIDER:MODEL", "e.g. llm:openai:gpt-5-mini")
def _language_model(given: ReasonerInputs) -> Reasoner:
    from agent.reasoners.llm import LLMReasoner

    llm = given.settings.llm
    shown: tuple[str, ...] = ()
    if llm.images and given.images:
        from agent.tools.image import image_data_url

        shown = tuple(image_data_url(data) for data in given.images)
    chat = make_chat(given.spec, given.settings, given.recorder)
    return LLMReasoner(chat, fallback=llm.fallback, images=shown, claim_date=given.claim_date)


def make_chat(spec: str, settings: Settings, recorder: Recorder = LIVE) -> ChatModel:
    """The language model a spec names, within the bounds of ``llm`` and ``caps``, which count from now. Raises
    ``ConfigError``: the spec names no language model; ``InputError``: a file is missing; ``BackendUnavailable``: a
    package or a key is missing.
    """
    make, _ = REASONERS.find(spec)
    if make is not _language_model:
        raise ConfigError(f"{spec!r} is no language model; known: llm:PROVIDER:MODEL, gguf:PATH")
    from agent.reasoners.chat_model import Budget, ChatModel

    llm, caps = settings.llm, settings.caps
    transport = _transport(spec, settings, recorder)
    budget = Budget(
        max_tokens=caps.max_tokens,
        max_calls=llm.max_calls,
        max_seconds=min(llm.max_seconds, caps.max_seconds or llm.max_seconds),
        timeout=llm.timeout,
        max_output_tokens=llm.max_output_tokens,
        clock=lambda: float(str(recorder.call("clock", "model", time.monotonic))),
    )
    return ChatModel(transport, budget)


def _transport(spec: str, settings: Settings, recorder: Recorder = LIVE) -> Transport:
    if recorder is not LIVE:
        from factdesk.recording.model import RecordedTransport

        return RecordedTransport(lambda: _transport(spec, settings), recorder)
    kind, _, rest = spec.partition(":")
    if kind == "gguf":
        from agent.adapters.gguf import GGUFTransport, find_gguf

        path = find_gguf(rest)
        try:
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise InputError(f"{str(path)!r} cannot be read: {error.strerror or error}") from error
        return GGUFTransport(path, digest)
    from agent.adapters.langchain_chat import Endpoint, LangChainTransport

    provider, _, model = rest.partition(":")
    llm = settings.llm
    return LangChainTransport(
        Endpoint(
            provider=provider,
            model=model,
            base_url=llm.base_url,
            api_key=llm.api_key.get_secret_value() if llm.api_key else None,
            structured=llm.structured,
            timeout=llm.timeout,
            temperature=None if llm.temperature == "unset" else llm.temperature,
        )
    )


def fingerprints_of(reasoner: Reasoner) -> tuple[Fingerprint, ...]:
    """All that stands behind a reasoner: the model and every prompt too."""
    from agent.reasoners.llm import LLMReasoner

    return reasoner.fingerprints if isinstance(reasoner, LLMReasoner) else (reasoner.fingerprint,)


def with_report(found: Investigation, reasoner: Reasoner) -> Investigation:
    """The investigation with what the reasoner's model failed at and took."""
    from agent.reasoners.llm import LLMReasoner

    if not isinstance(reasoner, LLMReasoner):
        return found
    failures = (*found.failures, *reasoner.failures())
    return found.model_copy(update={"failures": failures, "usage": reasoner.usage})


def is_chat(spec: str) -> bool:
    """Whether a spec names a language model: made for each check, which records and bounds its calls."""
    return spec.startswith(("llm:", "gguf:"))


def open_verifier(settings: Settings, recorder: Recorder = LIVE, *, strict: bool | None = None) -> Verifier:
    """The verifier of the settings. ``strict``: refuse one that strict mode cannot use; ``None``: in strict mode.
    Raises ``ConfigError``: the spec is unknown, or refused in strict mode; ``InputError``: a file is missing;
    ``BackendUnavailable``: files, a package or a key are missing.
    """
    refuse = settings.mode == "strict" if strict is None else strict
    if is_chat(settings.verifier):
        made = _chat_verifier(settings, recorder)
        return refuse_uncalibrated(made, settings.verifier) if refuse else made
    return make_verifier(
        settings.verifier,
        strict=refuse,
        cache=open_score_cache(settings),
        calibrations=settings.paths.calibrations,
    )


def _chat_verifier(settings: Settings, recorder: Recorder) -> Verifier:
    from agent.adapters.pair_labels import PairLabels
    from verifier.backends.factory import MODELS, SMALL
    from verifier.backends.onnx import OnnxVerifier
    from verifier.backends.screening import VotingVerifier

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
