"""The ``ChatModel`` port, and the way from a model's raw text to a validated record.

A ``Transport`` sends messages and hands back text; it is what a recording wraps. Everything that
must hold stands above it, in ``StructuredChat``: budgets, the size of an answer, validation, exactly one
repair, and leaving a model alone that is down.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from pydantic import BaseModel, ValidationError

from agent.prompts import load_prompt
from agent.reasoners.chat_messages import ChatError, ChatMessage, FailureKind, RawReply
from factdesk.kernel import Fingerprint

if TYPE_CHECKING:
    from agent.reasoners.budget import Budget
    from agent.types import Usage

Schema = TypeVar("Schema", bound=BaseModel)

MAX_REPLY = 20_000
"""Characters of an answer that are looked at; a longer one is no answer."""
SHOWN_TO_REPAIR = 2_000
"""Characters of a broken answer that go back to the model."""
STRIKES = 2
"""After so many calls in a row that did not come through, a model is not asked again in this check."""


class Transport(Protocol):
    """Sends messages to one model."""

    @property
    def fingerprint(self) -> Fingerprint: ...

    def send(
        self, messages: Sequence[ChatMessage], schema: Mapping[str, Any], *, max_tokens: int, seconds: float
    ) -> RawReply:
        """The model's answer to the messages, meant to fit the JSON Schema; that is not checked here.

        Args:
            messages: system text first.
            schema: JSON Schema of the answer, with a ``title``.
            max_tokens: output tokens at most.
            seconds: time at most; a model that is slower raises ``ChatError``.

        Raises:
            ChatError: nothing came, or not in time.
        """
        ...


class ChatModel(Protocol):
    """A language model that answers with validated records."""

    @property
    def fingerprint(self) -> Fingerprint: ...

    @property
    def usage(self) -> Usage:
        """What it took since it was made."""
        ...

    def complete(self, system: str, user: str, schema: type[Schema], images: Sequence[str] = ()) -> Schema:
        """The model's answer as a record of ``schema``.

        Args:
            system: instructions.
            user: data as JSON.
            schema: model of the answer.
            images: data URLs.

        Raises:
            ChatError: with the kind of failure.
        """
        ...


class StructuredChat:
    """A ``ChatModel`` over any transport. Safe between threads."""

    def __init__(self, transport: Transport, budget: Budget) -> None:
        self._transport, self._budget = transport, budget
        self._lock = threading.Lock()
        self._strikes = 0
        self._last: FailureKind = "unavailable"

    @property
    def fingerprint(self) -> Fingerprint:
        """The transport's."""
        return self._transport.fingerprint

    @property
    def usage(self) -> Usage:
        """Calls and tokens so far."""
        return self._budget.usage

    def complete(self, system: str, user: str, schema: type[Schema], images: Sequence[str] = ()) -> Schema:
        """Ask, validate, repair once. See ``ChatModel.complete``."""
        shape = schema.model_json_schema()
        wanted = f"{system}\n\nJSON Schema of your answer:\n{json.dumps(shape, sort_keys=True)}"
        messages = [
            ChatMessage(role="system", text=wanted),
            ChatMessage(role="user", text=user, images=tuple(images)),
        ]
        text = self._send(messages, shape, repair=False)
        record, problem = _read(text, schema)
        if record is not None:
            return record
        messages += [
            ChatMessage(role="assistant", text=text[:SHOWN_TO_REPAIR] or "(nothing)"),
            ChatMessage(role="user", text=f"{load_prompt('repair')}\n{problem}"),
        ]
        record, problem = _read(self._send(messages, shape, repair=True), schema)
        if record is None:
            raise ChatError(
                "bad_output", f"the language model's answer was unusable, also after one repair ({problem})"
            )
        return record

    def _send(self, messages: Sequence[ChatMessage], shape: Mapping[str, Any], *, repair: bool) -> str:
        self._refuse_when_down()
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

    def _refuse_when_down(self) -> None:
        with self._lock:
            if self._strikes >= STRIKES:
                raise ChatError(
                    self._last,
                    f"the language model failed {STRIKES} times in a row and was not asked again",
                )

    def _strike(self, kind: FailureKind | None) -> None:
        with self._lock:
            if kind is None:
                self._strikes = 0
            elif kind in ("unavailable", "timeout"):
                self._strikes, self._last = self._strikes + 1, kind


def _read(text: str, schema: type[Schema]) -> tuple[Schema | None, str]:
    """The record in an answer, or ``None`` and what is wrong with it, in words of ours."""
    if len(text) > MAX_REPLY:
        return None, f"it is longer than {MAX_REPLY} characters"
    start, end = text.find("{"), text.rfind("}")
    if start < 0 or end < start:
        return None, "it holds no JSON object"
    try:
        return schema.model_validate_json(text[start : end + 1]), ""
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False, include_context=False)
        known = set(schema.model_fields)
        return None, "; ".join(_problem(item["loc"], item["type"], known) for item in found[:5])


def _problem(where: tuple[int | str, ...], kind: str, known: set[str]) -> str:
    """One finding without the model's own words: it may not even name a field of its own."""
    name = str(where[0]) if where and where[0] in known else "the object"
    return f"{name}: {kind.replace('_', ' ')}"
