"""Validated records from a language model's raw text.

A ``Transport`` sends messages and returns text, and is what a recording wraps; ``ChatModel`` adds
budgets, bounds, validation and one repair.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeVar

from pydantic import BaseModel, ValidationError

from agent.prompts import load_prompt
from agent.types import Usage
from factdesk.kernel import BackendUnavailable, Fingerprint, Record

Schema = TypeVar("Schema", bound=BaseModel)

MAX_REPLY = 20_000
"""Characters of the longest answer that is read."""
SHOWN_TO_REPAIR = 2_000
"""Characters of an invalid answer that are sent back."""
STRIKES = 2
"""Failed calls in a row after which a model is not asked again in this check."""
LEAST_OUTPUT = 16
"""Output tokens below which a call is not worth making."""
BYTES_PER_TOKEN = 3
"""For estimates, which are rather too high."""
TOKENS_PER_IMAGE = 1500


FailureKind = Literal["unavailable", "timeout", "refused", "bad_output", "budget"]


class ChatError(BackendUnavailable):
    """A language model gave nothing usable. The message holds no words of the model or server."""

    def __init__(self, kind: FailureKind, message: str) -> None:
        super().__init__(message)
        self.kind: FailureKind = kind


class ChatMessage(Record):
    """One message; ``images`` are data URLs."""

    role: Literal["system", "user", "assistant"]
    text: str
    images: tuple[str, ...] = ()


class RawReply(Record):
    """What a model sent, not validated; token counts are ``None`` if not reported."""

    text: str
    input_tokens: int | None = None
    output_tokens: int | None = None
    refused: bool = False
    """The provider marked it as a refusal."""


@dataclass(frozen=True)
class Grant:
    """Permission for one call."""

    prompt_tokens: int
    """Estimate, until the model reports a count."""
    max_tokens: int
    """Output tokens at most."""
    seconds: float


def estimate_tokens(text: str) -> int:
    """An upper estimate of a text's tokens, from its UTF-8 bytes."""
    return -(-len(text.encode("utf-8", "replace")) // BYTES_PER_TOKEN)


@dataclass(kw_only=True)
class Budget:
    """Counts calls and tokens, and refuses calls past a bound. Thread-safe.

    ``max_tokens`` (input and output; ``None``: no bound), ``max_calls`` (repairs included) and
    ``max_seconds`` are per check, ``timeout`` and ``max_output_tokens`` per call; ``clock`` is monotonic,
    in seconds.
    """

    max_tokens: int | None
    max_calls: int
    max_seconds: float
    timeout: float
    max_output_tokens: int
    clock: Callable[[], float]

    def __post_init__(self) -> None:
        self._end = self.clock() + self.max_seconds
        self._lock = threading.Lock()
        self._reserved = 0
        self._usage = Usage()

    @property
    def usage(self) -> Usage:
        """What was used so far."""
        with self._lock:
            return self._usage

    def admit(self, messages: Sequence[ChatMessage]) -> Grant:
        """Reserve the most that a call may use.

        Raises ``ChatError`` of kind ``budget`` where a bound would be passed.
        """
        prompt = sum(estimate_tokens(m.text) + TOKENS_PER_IMAGE * len(m.images) + 4 for m in messages)
        with self._lock:
            used = self._usage
            left = self._end - self.clock()
            if used.calls >= self.max_calls:
                raise ChatError("budget", f"the {self.max_calls} calls to the language model are used up")
            if left <= 0:
                raise ChatError("budget", f"the {self.max_seconds:g} s for the language model are used up")
            output = self.max_output_tokens
            if self.max_tokens is not None:
                taken = used.input_tokens + used.output_tokens + self._reserved + prompt
                output = min(output, self.max_tokens - taken)
                if output < LEAST_OUTPUT:
                    raise ChatError("budget", f"the {self.max_tokens} tokens for the language model are used up")
            self._reserved += prompt + output
            self._usage = used.model_copy(update={"calls": used.calls + 1})
        return Grant(prompt_tokens=prompt, max_tokens=output, seconds=min(self.timeout, left))

    def settle(self, grant: Grant, reply: RawReply | None, *, repair: bool) -> None:
        """Book what a call used; without a reply (``None``) all that was granted."""
        if reply is None:
            spent_in, spent_out, guessed = grant.prompt_tokens, grant.max_tokens, True
        else:
            spent_in = reply.input_tokens or grant.prompt_tokens
            spent_out = reply.output_tokens or estimate_tokens(reply.text)
            guessed = not (reply.input_tokens and reply.output_tokens)
        with self._lock:
            used = self._usage
            self._reserved -= grant.prompt_tokens + grant.max_tokens
            self._usage = Usage(
                calls=used.calls,
                repairs=used.repairs + repair,
                input_tokens=used.input_tokens + spent_in,
                output_tokens=used.output_tokens + spent_out,
                estimated=used.estimated or guessed,
            )


class Transport(Protocol):
    """Sends messages to one model."""

    @property
    def fingerprint(self) -> Fingerprint: ...

    def send(
        self, messages: Sequence[ChatMessage], schema: Mapping[str, Any], *, max_tokens: int, seconds: float
    ) -> RawReply:
        """The model's raw answer, meant to fit the JSON Schema ``schema`` (with a ``title``).

        ``messages``: system text first. ``max_tokens``, ``seconds``: bounds. Raises ``ChatError`` where
        nothing came in time.
        """
        ...


class ChatModel:
    """A language model that answers with validated records, over any transport. Thread-safe."""

    def __init__(self, transport: Transport, budget: Budget) -> None:
        self._transport, self._budget = transport, budget
        self._lock = threading.Lock()
        self._strikes = 0
        self._last: FailureKind = "unavailable"

    @property
    def fingerprint(self) -> Fingerprint:
        """The transport's fingerprint."""
        return self._transport.fingerprint

    @property
    def usage(self) -> Usage:
        """Calls and tokens so far."""
        return self._budget.usage

    def complete(self, system: str, user: str, schema: type[Schema], images: Sequence[str] = ()) -> Schema:
        """The model's answer as a record of ``schema``: ask, validate, repair once.

        ``system``: instructions; ``user``: data as JSON; ``images``: data URLs. Raises ``ChatError``.
        """
        shape = schema.model_json_schema()
        wanted = f"{system}\n\nJSON Schema of your answer:\n{json.dumps(shape, sort_keys=True)}"
        messages = [ChatMessage(role="system", text=wanted), ChatMessage(role="user", text=user, images=tuple(images))]
        problem = ""
        for repair in (False, True):
            text = self._send(messages, shape, repair=repair)
            record, problem = _read(text, schema)
            if record is not None:
                return record
            messages += [
                ChatMessage(role="assistant", text=text[:SHOWN_TO_REPAIR] or "(nothing)"),
                ChatMessage(role="user", text=f"{load_prompt('repair')}\n{problem}"),
            ]
        raise ChatError("bad_output", f"the language model's answer was unusable, also after one repair ({problem})")

    def _send(self, messages: Sequence[ChatMessage], shape: Mapping[str, Any], *, repair: bool) -> str:
        with self._lock:
            if self._strikes >= STRIKES:
                message = f"the language model failed {STRIKES} times in a row and was not asked again"
                raise ChatError(self._last, message)
        grant = self._budget.admit(messages)
        reply: RawReply | None = None
        try:
            reply = self._transport.send(messages, shape, max_tokens=grant.max_tokens, seconds=grant.seconds)
        except ChatError as error:
            self._strike(error.kind)
            raise
        finally:
            self._budget.settle(grant, reply, repair=repair)
        self._strike(None)
        if reply.refused:
            raise ChatError("refused", "the language model refused to answer")
        return reply.text

    def _strike(self, kind: FailureKind | None) -> None:
        with self._lock:
            if kind is None:
                self._strikes = 0
            elif kind in ("unavailable", "timeout"):
                self._strikes, self._last = self._strikes + 1, kind


def _read(text: str, schema: type[Schema]) -> tuple[Schema | None, str]:
    """The record in an answer, or ``None`` with the problem in our own words."""
    if len(text) > MAX_REPLY:
        return None, f"it is longer than {MAX_REPLY} characters"
    start, end = text.find("{"), text.rfind("}")
    if start < 0 or end < start:
        return None, "it holds no JSON object"
    try:
        return schema.model_validate_json(text[start : end + 1]), ""
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False, include_context=False)
        names = (next((str(n) for n in item["loc"][:1] if n in schema.model_fields), "the object") for item in found)
        told = [f"{name}: {item['type'].replace('_', ' ')}" for name, item in zip(names, found, strict=True)]
        return None, "; ".join(told[:5])  # without the model's words


Value = TypeVar("Value")

GRACE = 0.5
"""Seconds beyond the limit, so that a client with the same limit can end first."""


def attempt(call: Callable[[], Value], seconds: float) -> Value | Exception:
    """The outcome of a call, or its ``Exception`` as a value; ``TimeoutError`` after ``seconds``.

    A late call is left to end by itself.
    """
    pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="factdesk-llm")
    try:
        future = pool.submit(call)
        try:
            error = future.exception(timeout=seconds + GRACE)
        except TimeoutError as late:
            return late
        if error is None:
            return future.result()
        if isinstance(error, Exception):
            return error
        raise error
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
