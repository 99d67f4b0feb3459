"""A language model as a reader of pairs: one label for a passage and a claim."""

from __future__ import annotations

import json

from agent.prompts import load_prompt
from agent.reasoners.chat_model import ChatError, ChatModel
from factdesk.kernel import BackendUnavailable, Fingerprint, Record, sha256_text
from verifier.types import Label

PROMPT = "read_pair"


class PairLabel(Record):
    """What a passage says of a claim."""

    label: Label


class PairLabels:
    """Asks a language model for labels (``verifier.backends.screening.Ask``)."""

    def __init__(self, chat: ChatModel) -> None:
        self._chat = chat

    @property
    def fingerprint(self) -> Fingerprint:
        """The model's name and version, and the hash of the prompt."""
        model = self._chat.fingerprint
        digest = sha256_text(f"{model.sha256}\n{sha256_text(load_prompt(PROMPT))}")
        return Fingerprint(name=model.name.removeprefix("chat:"), version=model.version, sha256=digest)

    def __call__(self, premise: str, claim: str) -> Label:
        """The label of one pair. Raises ``BackendUnavailable`` where the model gives none."""
        pair = json.dumps({"passage": premise, "claim": claim}, ensure_ascii=False)
        try:
            return self._chat.complete(load_prompt(PROMPT), pair, PairLabel).label
        except ChatError as error:
            raise BackendUnavailable(f"the language model that verifies gave no label: {error}") from error
