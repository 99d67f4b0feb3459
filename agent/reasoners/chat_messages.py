"""Messages to a language model, its raw reply, and the error when nothing usable came."""

from __future__ import annotations

from typing import Literal

from factdesk.kernel import BackendUnavailable, Record

FailureKind = Literal["unavailable", "timeout", "refused", "bad_output", "budget"]


class ChatError(BackendUnavailable):
    """A language model gave nothing usable. The message holds no word of the model or its server."""

    def __init__(self, kind: FailureKind, message: str) -> None:
        super().__init__(message)
        self.kind: FailureKind = kind


class ChatMessage(Record):
    """One message; ``images`` are data URLs that go with it."""

    role: Literal["system", "user", "assistant"]
    text: str
    images: tuple[str, ...] = ()


class RawReply(Record):
    """What a model sent, not looked at yet; token counts are ``None`` where it did not report them."""

    text: str
    input_tokens: int | None = None
    output_tokens: int | None = None
    refused: bool = False
    """The provider marked it as a refusal."""
