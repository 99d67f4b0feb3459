"""Hard bounds on a language model in one check: tokens, calls and seconds."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from agent.reasoners.chat_messages import ChatError, ChatMessage, RawReply
from agent.types import Usage

LEAST_OUTPUT = 16
"""Output tokens below which a call is not worth making."""
BYTES_PER_TOKEN = 3
"""For estimates, which are rather too high."""
TOKENS_PER_IMAGE = 1500


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


class Budget:
    """Counts calls and tokens, and refuses calls past a bound. Thread-safe.

    ``max_tokens`` (input and output; ``None``: no bound), ``max_calls`` (repairs included) and
    ``max_seconds`` are per check, ``timeout`` and ``max_output_tokens`` per call; ``clock`` is monotonic,
    in seconds.
    """

    def __init__(
        self,
        *,
        max_tokens: int | None,
        max_calls: int,
        max_seconds: float,
        timeout: float,
        max_output_tokens: int,
        clock: Callable[[], float],
    ) -> None:
        self._max_tokens, self._max_calls, self._max_seconds = max_tokens, max_calls, max_seconds
        self._timeout, self._max_output = timeout, max_output_tokens
        self._clock, self._end = clock, clock() + max_seconds
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
            left = self._end - self._clock()
            if used.calls >= self._max_calls:
                raise ChatError("budget", f"the {self._max_calls} calls to the language model are used up")
            if left <= 0:
                raise ChatError("budget", f"the {self._max_seconds:g} s for the language model are used up")
            output = self._max_output
            if self._max_tokens is not None:
                taken = used.input_tokens + used.output_tokens + self._reserved + prompt
                output = min(output, self._max_tokens - taken)
                if output < LEAST_OUTPUT:
                    raise ChatError("budget", f"the {self._max_tokens} tokens for the language model are used up")
            self._reserved += prompt + output
            self._usage = used.model_copy(update={"calls": used.calls + 1})
        return Grant(prompt_tokens=prompt, max_tokens=output, seconds=min(self._timeout, left))

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
