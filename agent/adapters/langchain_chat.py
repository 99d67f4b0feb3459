"""A language model through LangChain's ``init_chat_model``, for ``llm:PROVIDER:MODEL``."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, Literal

from agent.reasoners.chat_model import ChatError, ChatMessage, RawReply, attempt
from factdesk.kernel import BackendUnavailable, ConfigError, Fingerprint, install_line

if TYPE_CHECKING:
    import httpx2
    from langchain_core.language_models import BaseChatModel

Structured = Literal["json_schema", "function_calling", "json_mode"]

MAX_RESPONSE = 2_000_000
"""Bytes of a response that are read (OpenAI-compatible endpoints)."""
MAX_COUNT = 100_000_000
"""Larger reported token counts are ignored."""
OUTPUT_LIMIT = {"ollama": "num_predict", "google_genai": "max_output_tokens"}
"""The parameter that bounds output tokens, by provider; ``max_tokens`` for all others."""
_HINTS = {
    **dict.fromkeys((401, 403), ": the key was not accepted"),
    404: ": it does not know the model or the address",
    **dict.fromkeys((400, 422), ": it does not take such a request; llm.structured = 'json_mode' may help"),
    429: ": too many requests",
}
PLACEHOLDER_KEY = "none"
"""Sent to a user's endpoint when no key is set, so that no provider's key leaks to it."""


@dataclass(frozen=True)
class Endpoint:
    """Which model, where, and how it is asked. The key never shows in ``repr``."""

    provider: str
    model: str
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    structured: Structured = "json_schema"
    temperature: float | None = 0.0
    timeout: float = 60.0


class LangChainTransport:
    """One model of one provider; calls are not retried.

    Raises ``ConfigError`` for an unknown provider, ``BackendUnavailable`` where its package or key is
    missing.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._models: dict[int, BaseChatModel] = {}
        self._http = _bounded_client(endpoint.timeout) if endpoint.provider == "openai" else None
        self._model(1024)

    @property
    def fingerprint(self) -> Fingerprint:
        """Provider and model as they were named, and the version of LangChain's package for it."""
        point = self._endpoint
        where = " at an endpoint of the user's own" if point.base_url else ""
        package = f"langchain-{point.provider.replace('_', '-')}"
        return Fingerprint(
            name=f"chat:llm:{point.provider}:{point.model}{where}", version=f"{package} {_version(package)}"
        )

    def send(
        self, messages: Sequence[ChatMessage], schema: Mapping[str, Any], *, max_tokens: int, seconds: float
    ) -> RawReply:
        """Ask once. See ``agent.reasoners.chat_model.Transport``."""
        asked: Any = self._model(max_tokens).with_structured_output(
            dict(schema), method=self._endpoint.structured, include_raw=True
        )
        lines = [_message(m) for m in messages]
        found = attempt(lambda: asked.invoke(lines), seconds)
        if isinstance(found, Exception):
            raise _as_chat_error(found, seconds) from None
        return _reply(found["raw"])

    def _model(self, max_tokens: int) -> BaseChatModel:
        if max_tokens not in self._models:
            self._models[max_tokens] = _make_model(self._endpoint, max_tokens, self._http)
        return self._models[max_tokens]


def _make_model(point: Endpoint, max_tokens: int, http: httpx2.Client | None) -> BaseChatModel:
    from langchain.chat_models import init_chat_model

    options: dict[str, Any] = {"timeout": point.timeout, "max_retries": 0}
    if point.provider == "ollama":
        options = {"client_kwargs": {"timeout": point.timeout}}
    options[OUTPUT_LIMIT.get(point.provider, "max_tokens")] = max_tokens
    if point.temperature is not None:
        options["temperature"] = point.temperature
    if point.base_url:
        options["base_url"] = point.base_url
    if point.api_key or (point.base_url and point.provider == "openai"):
        options["api_key"] = point.api_key or PLACEHOLDER_KEY
    if http is not None:
        options |= {"http_client": http, "use_responses_api": False}
        if point.base_url:  # LangChain says max_completion_tokens, which not every local server knows
            options["extra_body"] = {"max_tokens": max_tokens}
    made = attempt(lambda: init_chat_model(point.model, model_provider=point.provider, **options), 60.0)
    if isinstance(made, ImportError | AttributeError):  # the latter where LangChain looks for an older home of it
        raise BackendUnavailable(
            f"the package for language models of {point.provider!r} is missing; "
            f"{install_line('llm')} for OpenAI-compatible ones, "
            f"pip install langchain-{point.provider.replace('_', '-')} for others"
        ) from None
    if isinstance(made, ValueError) and "provider" in str(made):
        raise ConfigError(
            f"unknown provider {point.provider!r} in the reasoner; known: openai, ollama, anthropic, ..."
        ) from None
    if isinstance(made, Exception):
        raise BackendUnavailable(
            f"the language model {point.provider}:{point.model} cannot be set up ({type(made).__name__}); "
            "set FACTDESK_LLM__API_KEY if the key is missing, FACTDESK_LLM__BASE_URL for your own server"
        ) from None
    return made  # type: ignore[no-any-return]


def _as_chat_error(error: Exception, seconds: float) -> ChatError:
    """The error by kind; the provider's words are left out, since they may hold a key."""
    names = " ".join(kind.__name__ for kind in type(error).__mro__)
    status = getattr(error, "status_code", None)
    if isinstance(status, int):
        return ChatError("unavailable", f"the language model's server answered HTTP {status}{_HINTS.get(status, '')}")
    if isinstance(error, TimeoutError) or "Timeout" in names:
        return ChatError("timeout", f"the language model did not answer within {seconds:g} s")
    if isinstance(error, OSError) or "Connect" in names:
        return ChatError("unavailable", "the language model's server could not be reached")
    if "ContentFilter" in names or "Refusal" in names:
        return ChatError("refused", "the language model refused to answer")
    return ChatError(
        "bad_output", f"the language model's server sent what its client cannot read ({type(error).__name__})"
    )


def _message(message: ChatMessage) -> dict[str, Any]:
    """A message as LangChain takes it."""
    content: str | list[dict[str, Any]] = message.text
    if message.images:
        shown = [{"type": "image_url", "image_url": {"url": url}} for url in message.images]
        content = [{"type": "text", "text": message.text}, *shown]
    return {"role": message.role, "content": content}


def _reply(raw: Any) -> RawReply:
    """Text of LangChain's message: its content, or the arguments of the tool call that stands for it."""
    calls = getattr(raw, "tool_calls", None) or []
    text = json.dumps(calls[0].get("args")) if calls else str(getattr(raw, "text", "") or "")
    extra = getattr(raw, "additional_kwargs", None) or {}
    about = getattr(raw, "response_metadata", None) or {}
    usage = getattr(raw, "usage_metadata", None) or {}
    stopped = about.get("finish_reason") or about.get("stop_reason")
    return RawReply(
        text=text,
        input_tokens=_count(usage.get("input_tokens")),
        output_tokens=_count(usage.get("output_tokens")),
        refused=bool(extra.get("refusal")) or stopped in ("content_filter", "refusal"),
    )


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and 0 < value <= MAX_COUNT else None


def _bounded_client(timeout: float) -> httpx2.Client | None:
    """An HTTP client that bounds the size and duration of a response and keeps no connection.

    ``None`` where the package is missing.
    """
    try:
        import httpx2
        import openai
    except ImportError:
        return None

    class Bounded(httpx2.SyncByteStream):
        def __init__(self, stream: httpx2.SyncByteStream) -> None:
            self._stream, self._end = stream, time.monotonic() + timeout

        def __iter__(self) -> Any:
            taken = 0
            for part in self._stream:
                taken += len(part)
                if taken > MAX_RESPONSE:
                    raise httpx2.DecodingError(f"the response is longer than {MAX_RESPONSE} bytes")
                if time.monotonic() > self._end:
                    raise httpx2.ReadTimeout(f"the response took longer than {timeout:g} s")
                yield part

        def close(self) -> None:
            self._stream.close()

    def bound(response: httpx2.Response) -> None:
        if isinstance(response.stream, httpx2.SyncByteStream):
            response.stream = Bounded(response.stream)

    return openai.DefaultHttpxClient(
        timeout=timeout,
        follow_redirects=False,
        limits=httpx2.Limits(max_keepalive_connections=0),
        event_hooks={"response": [bound]},
    )


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"
