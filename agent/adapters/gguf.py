"""A local GGUF file through transformers, for ``gguf:PATH``, without server or network.

Guided decoding: the JSON frame is written for the model, and it fills in the fields, greedily.
"""

from __future__ import annotations

import io
import json
import re
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import redirect_stderr
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent.reasoners.chat_model import ChatError, ChatMessage, RawReply, attempt
from factdesk.kernel import BackendUnavailable, Fingerprint, InputError, install_line

if TYPE_CHECKING:
    from torch import Tensor

STRING_TOKENS = 64
"""Output tokens of one string at most."""
LIST_ITEMS = 4
"""Items of one list at most."""


def find_gguf(place: str) -> Path:
    """The file a spec names: a ``.gguf`` file, or the only one in a folder or installed package.

    Raises ``InputError`` where there is none, or more than one.
    """
    path = Path(place).expanduser()
    if path.is_file():
        return path
    folders = [path] if path.is_dir() else []
    if not folders and place.isidentifier() and (spec := find_spec(place)) is not None:
        folders = [Path(p) for p in spec.submodule_search_locations or ()]
    found = sorted(file for folder in folders for file in folder.glob("*.gguf"))
    if len(found) == 1:
        return found[0]
    what = "holds several GGUF files" if found else "is no GGUF file, no folder and no package with one"
    raise InputError(f"{place!r} {what}; name the file, as in gguf:models/model.Q4_1.gguf")


class GGUFTransport:
    """One GGUF file, loaded at construction.

    Raises ``BackendUnavailable`` where a package is missing or transformers cannot load the file.
    """

    def __init__(self, path: Path, sha256: str) -> None:
        needed = ("accelerate", "gguf", "torch", "transformers")
        if lacking := [name for name in needed if find_spec(name) is None]:
            raise BackendUnavailable(
                f"for GGUF files {' and '.join(lacking)} must be installed; {install_line('local-llm')}"
            )
        self._path, self._sha256 = path, sha256
        self._lock = threading.Lock()
        self._model, self._tokenizer = _load(path, sha256)

    @property
    def fingerprint(self) -> Fingerprint:
        """File name without its folder, and the hash of the file."""
        return Fingerprint(name=f"chat:gguf:{self._path.name}", version="greedy-1", sha256=self._sha256)

    def send(
        self, messages: Sequence[ChatMessage], schema: Mapping[str, Any], *, max_tokens: int, seconds: float
    ) -> RawReply:
        """Fill in the schema. See ``agent.reasoners.chat_model.Transport``; one call at a time."""
        found = attempt(lambda: self._fill_in(messages, schema, max_tokens, seconds), seconds)
        if isinstance(found, RawReply):
            return found
        if isinstance(found, ChatError):
            raise found
        if isinstance(found, TimeoutError):
            raise ChatError("timeout", f"the language model did not answer within {seconds:g} s") from None
        raise ChatError("unavailable", f"the local model broke off ({type(found).__name__})") from None

    def _fill_in(
        self, messages: Sequence[ChatMessage], schema: Mapping[str, Any], max_tokens: int, seconds: float
    ) -> RawReply:
        end = time.monotonic() + seconds
        with self._lock:
            model, tokenizer = self._model, self._tokenizer
            lines = [{"role": m.role, "content": m.text} for m in messages]
            prompt = tokenizer.apply_chat_template(lines, add_generation_prompt=True, tokenize=False)
            ids = tokenizer(prompt, add_special_tokens=False)["input_ids"]
            longest = int(getattr(model.config, "max_position_embeddings", 0) or 2048)
            if len(ids) + max_tokens > longest:
                raise ChatError("bad_output", f"the text is too long for a model of {longest} tokens")
            writer = _Writer(model, tokenizer, ids, limit=max_tokens, end=end, seconds=seconds)
            text = _fill(writer, schema, schema.get("$defs", {}))
        return RawReply(text=text, input_tokens=len(ids), output_tokens=max(1, writer.taken))


@lru_cache(maxsize=1)
def _load(path: Path, sha256: str) -> tuple[Any, Any]:
    """Model and tokenizer; kept for the next check as long as the file is the same."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer
    from transformers.utils import logging

    del sha256
    logging.disable_progress_bar()
    logging.set_verbosity_error()
    folder, where = str(path.parent), {"gguf_file": path.name, "local_files_only": True}
    try:
        with redirect_stderr(io.StringIO()):  # progress bars that nothing else turns off
            tokenizer: Any = AutoTokenizer.from_pretrained(folder, **where)
            model: Any = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, **where)
    except (OSError, ValueError, LookupError, ImportError, RuntimeError, TypeError) as error:
        raise BackendUnavailable(f"{path.name!r} cannot be loaded as a GGUF model: {error}") from error
    if not tokenizer.chat_template:
        raise BackendUnavailable(f"{path.name!r} has no chat template; take an instruct model")
    return model.eval(), tokenizer


class _Writer:
    """Continues a prompt token by token, with a key-value cache."""

    def __init__(
        self, model: Any, tokenizer: Any, prompt: Sequence[int], *, limit: int, end: float, seconds: float
    ) -> None:
        from transformers import DynamicCache

        self._model, self._tokenizer = model, tokenizer
        self._limit, self._end, self._seconds = limit, end, seconds
        self._cache = DynamicCache()
        self.taken = 0
        self._logits = self._read(prompt)

    def force(self, text: str) -> None:
        """Append ``text`` without asking the model."""
        self._step(self._encode(text))

    def quoted(self, options: Sequence[str] = ()) -> str:
        """JSON text of the likeliest option, or of the model's own words."""
        self.force('"')
        text = self.choose(options) if options else self._words()
        self.force('"')
        return json.dumps(text)

    def _words(self) -> str:
        """The model's words up to a closing quote, a line end or the bound."""
        ids: list[int] = []
        while len(ids) < STRING_TOKENS:
            token = int(self._logits.argmax())
            piece = self._tokenizer.decode([*ids, token], skip_special_tokens=True)
            if token in self._tokenizer.all_special_ids or re.search(r'"|\n', piece):
                break
            ids.append(token)
            self._step([token])
        return str(self._tokenizer.decode(ids, skip_special_tokens=True)).strip()

    def choose(self, options: Sequence[str]) -> str:
        """The likeliest option, by the first token that differs."""
        scores = self._logits.log_softmax(-1)
        best = max(options, key=lambda o: float(scores[self._encode(o)[0]]))
        self.force(best)
        return best

    def _encode(self, text: str) -> list[int]:
        return list(self._tokenizer(text, add_special_tokens=False)["input_ids"])

    def _step(self, ids: Sequence[int]) -> None:
        self.taken += len(ids)
        if self.taken > self._limit:
            raise ChatError("bad_output", f"the answer did not fit into {self._limit} tokens")
        self._logits = self._read(ids)

    def _read(self, ids: Sequence[int]) -> Tensor:
        import torch

        if time.monotonic() > self._end:
            raise ChatError("timeout", f"the language model did not answer within {self._seconds:g} s")
        with torch.inference_mode():
            out = self._model(torch.tensor([list(ids)]), past_key_values=self._cache, use_cache=True, logits_to_keep=1)
        logits: Tensor = out.logits[0, -1]
        return logits


def _fill(writer: _Writer, schema: Mapping[str, Any], known: Mapping[str, Any]) -> str:
    """JSON text of an object that fits ``schema``, with values from the model."""
    parts: list[str] = []
    for name, part in schema["properties"].items():
        writer.force(f"{'{' if not parts else ', '}{json.dumps(name)}: ")
        parts.append(f"{json.dumps(name)}: {_value(writer, part, known)}")
    writer.force("}")
    return "{" + ", ".join(parts) + "}"


def _value(writer: _Writer, part: Mapping[str, Any], known: Mapping[str, Any]) -> str:
    if "$ref" in part:
        return _fill(writer, known[part["$ref"].rsplit("/", 1)[-1]], known)
    if "enum" in part:
        return writer.quoted([str(option) for option in part["enum"]])
    kind = part.get("type")
    if kind == "boolean":
        return writer.choose(["true", "false"])
    if kind == "integer":
        return writer.choose([str(n) for n in range(10)])
    if kind == "array":
        return _list(writer, part, known)
    return writer.quoted()


def _list(writer: _Writer, part: Mapping[str, Any], known: Mapping[str, Any]) -> str:
    """Items until the model finds "]" likelier than another item."""
    items: list[str] = []
    writer.force("[")
    while len(items) < LIST_ITEMS:
        if items and writer.choose([", ", "]"]) == "]":
            return f"[{', '.join(items)}]"
        items.append(_value(writer, part["items"], known))
    writer.force("]")
    return f"[{', '.join(items)}]"
