"""Messages to a language model, its raw reply, and its error."""

from __future__ import annotations

from typing import Literal

from factdesk.kernel import BackendUnavailable, Record

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
