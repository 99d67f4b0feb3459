"""A language model behind a recording: its answers are written down, or come from where they were."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, get_args

from pydantic import JsonValue, ValidationError

from agent.reasoners.chat_model import ChatError, ChatMessage, FailureKind, RawReply, Transport
from factdesk.kernel import Fingerprint, InputError, sha256_text
from factdesk.recording.recorder import Recorder


class RecordedTransport:
    """An ``agent.reasoners.chat_model.Transport``. In a replay the model is neither made nor asked."""

    def __init__(self, make: Callable[[], Transport], recorder: Recorder) -> None:
        """``make`` is called at once where there is a model to ask, so that its errors come at once."""
        self._recorder = recorder
        self._inner = None if recorder.replaying else make()
        found = recorder.call("fingerprint", "model", lambda: self._model.fingerprint.model_dump(mode="json"))
        self.fingerprint = Fingerprint.model_validate(found)

    @property
    def _model(self) -> Transport:
        if self._inner is None:
            raise InputError("a replay asked for the language model itself; the recording does not fit")
        return self._inner

    def send(
        self, messages: Sequence[ChatMessage], schema: Mapping[str, Any], *, max_tokens: int, seconds: float
    ) -> RawReply:
        """The model's answer, or what stands in the recording for the same messages and schema. Raises ``ChatError``
        where the model gave nothing, also when that is what was recorded.
        """
        asked = [[m.model_dump(mode="json") for m in messages], dict(schema), max_tokens]
        key = sha256_text(json.dumps(asked, sort_keys=True, ensure_ascii=True))

        def ask() -> JsonValue:
            try:
                reply = self._model.send(messages, schema, max_tokens=max_tokens, seconds=seconds)
            except ChatError as error:
                return {"kind": error.kind, "message": str(error)}
            return {"reply": reply.model_dump(mode="json")}

        found = self._recorder.call("model", key, ask)
        if not isinstance(found, dict):
            raise InputError("a model's answer in the recording is damaged")
        if "reply" not in found:
            kind = found.get("kind")
            known: tuple[FailureKind, ...] = get_args(FailureKind)
            raise ChatError(next((k for k in known if k == kind), "unavailable"), str(found.get("message")))
        try:
            return RawReply.model_validate(found["reply"])
        except ValidationError as error:
            raise InputError("a model's answer in the recording is damaged") from error
