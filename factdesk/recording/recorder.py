"""Recording all that comes from outside a run, and replaying it without the outside.

A recording is JSON Lines, compressed with Zstandard::

    {"schema": "factdesk.recording/1", "factdesk_version": ..., "inputs": {...}}
    {"kind": "search", "key": "...", "value": ...}        or "error": {"type": ..., "message": ...}
    ...
    {"kind": "certificate", "key": "", "value": {...}}    the last line of a run that came to its end

Kinds: ``search``, ``fetch``, ``robots``, ``model`` (calls of a language model), ``clock``, ``corpus``,
``retrieve`` and ``document`` (what the corpora answered), ``trust`` (where a corpus's ranking says to look),
``fingerprint``, ``known`` (earlier uses of a picture), ``clip``.
"""

from __future__ import annotations

import io
import json
import threading
from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path
from typing import IO, Any, Protocol

from pydantic import JsonValue

from agent.web_ports import Direct, Outside
from factdesk import kernel
from factdesk.kernel import BackendUnavailable, ConfigError, InputError, TransientError

RECORDING_SCHEMA = "factdesk.recording/1"
MAX_BYTES = 2_000_000_000
"""Of a recording when unpacked."""
MAX_LINE = 200_000_000
_ERRORS: dict[str, type[BackendUnavailable | TransientError]] = {
    "BackendUnavailable": BackendUnavailable,
    "TransientError": TransientError,
}


class Recorder(Outside, Protocol):
    """``Outside`` with the knowledge whether there is an outside at all."""

    @property
    def replaying(self) -> bool:
        """Answers come from a recording; nothing may be opened that only serves to make them."""
        ...


class Live(Direct):
    """No recording: every call goes to the outside."""

    replaying = False


LIVE = Live()


class RecordWriter:
    """Calls the outside and writes down each answer. Safe under several threads."""

    replaying = False

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._lock = threading.Lock()

    def call(self, kind: str, key: str, fn: Callable[[], JsonValue]) -> JsonValue:
        """The answer of ``fn`` as it will be replayed (through JSON), or its error, recorded."""
        try:
            value = fn()
        except (BackendUnavailable, TransientError) as error:
            name = "TransientError" if isinstance(error, TransientError) else "BackendUnavailable"
            self.write({"kind": kind, "key": key, "error": {"type": name, "message": str(error)}})
            raise
        return self.write({"kind": kind, "key": key, "value": value}).get("value")

    def write(self, line: dict[str, Any]) -> dict[str, Any]:
        """Append one line; returns it as a reader will see it."""
        text = json.dumps(line, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
        with self._lock:
            try:
                self._stream.write(text + "\n")
            except OSError as error:
                raise InputError(f"the recording cannot be written ({error.strerror}); free space") from error
        data: dict[str, Any] = json.loads(text)
        return data


class Replayer:
    """Gives the recorded answers and calls nothing. Safe under several threads. Answers to the same question come in
    the order in which they were recorded.
    """

    replaying = True

    def __init__(self, path: Path) -> None:
        """Raises ``InputError`` for a file that is no recording, cut short or damaged."""
        self._path = path
        self._lock = threading.Lock()
        self._answers: dict[tuple[str, str], deque[dict[str, Any]]] = defaultdict(deque)
        self.certificate: JsonValue = None
        """The certificate of the recorded run; ``None`` when it did not come to its end."""
        lines = read_lines(path)
        head = next(lines, {})
        if head.get("schema") != RECORDING_SCHEMA or not isinstance(head.get("inputs"), dict):
            raise InputError(f"{str(path)!r} is no recording of the form {RECORDING_SCHEMA!r}")
        self.inputs: dict[str, Any] = head["inputs"]
        self.factdesk_version = str(head.get("factdesk_version"))
        for line in lines:
            kind, key = line.get("kind"), line.get("key")
            if not isinstance(kind, str) or not isinstance(key, str):
                raise InputError(f"the recording {str(path)!r} has a line without kind and key")
            if kind == "certificate":
                self.certificate = line.get("value")
            else:
                self._answers[kind, key].append(line)

    def call(self, kind: str, key: str, fn: Callable[[], JsonValue]) -> JsonValue:
        """The recorded answer; recorded errors are raised again. Raises ``InputError`` without one."""
        del fn
        with self._lock:
            waiting = self._answers.get((kind, key))
            line = waiting.popleft() if waiting else None
        if line is None:
            shown = key if len(key) <= 160 else key[:159] + "…"
            raise InputError(
                f"the recording {str(self._path)!r} has no (further) answer to {kind} {shown!r}; it was made "
                f"by factdesk {self.factdesk_version}, this is {kernel.__version__}, or a model is another"
            )
        if (error := line.get("error")) is not None:
            raise _ERRORS.get(str(error.get("type")), BackendUnavailable)(str(error.get("message")))
        value: JsonValue = line.get("value")
        return value

    def left(self) -> int:
        """How many recorded answers were not asked for."""
        return sum(len(waiting) for waiting in self._answers.values())


@contextmanager
def writing(path: Path, inputs: dict[str, Any]) -> Iterator[RecordWriter]:
    """A recorder into a new file. What was written stays when the run fails, for looking into; not where the run could
    not begin by its input, and the next attempt wants the name. Raises ``ConfigError`` when the file exists or cannot
    be made.
    """
    import zstandard

    try:
        raw = path.open("xb")
    except FileExistsError as error:
        raise ConfigError(f"the recording {str(path)!r} exists; give another name or remove it") from error
    except OSError as error:
        raise ConfigError(f"the recording {str(path)!r} cannot be made ({error.strerror})") from error
    try:
        with (
            raw,
            zstandard.ZstdCompressor(level=9, write_checksum=True).stream_writer(raw, closefd=False) as packed,
            io.TextIOWrapper(packed, encoding="utf-8", newline="\n", write_through=True) as stream,
        ):
            writer = RecordWriter(stream)
            writer.write({"schema": RECORDING_SCHEMA, "factdesk_version": kernel.__version__, "inputs": inputs})
            yield writer
    except (InputError, ConfigError):
        path.unlink(missing_ok=True)
        raise


def today(recorder: Recorder) -> date:
    """The day in UTC, as a recorded reading of the clock."""
    found = recorder.call("clock", "today", lambda: datetime.now(UTC).date().isoformat())
    return date.fromisoformat(str(found))


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The lines of a recording as objects, within the bounds. Raises ``InputError``."""
    import zstandard

    left = MAX_BYTES
    try:
        with path.open("rb") as raw, zstandard.ZstdDecompressor().stream_reader(raw) as unpacked:
            buffered = io.BufferedReader(unpacked)
            while line := buffered.readline(MAX_LINE):
                left -= len(line)
                if left < 0 or len(line) == MAX_LINE:
                    raise InputError(f"the recording {str(path)!r} is larger than allowed when unpacked")
                if not line.endswith(b"\n"):
                    raise InputError(f"the recording {str(path)!r} is cut short; the run it is of was broken off")
                yield _object(line, path)
    except zstandard.ZstdError as error:
        raise InputError(f"{str(path)!r} is no recording, or damaged ({error})") from error
    except OSError as error:
        raise InputError(f"the recording {str(path)!r} cannot be read ({error.strerror})") from error


def _object(line: bytes, path: Path) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"the recording {str(path)!r} has a line that is not JSON") from error
    if not isinstance(data, dict):
        raise InputError(f"the recording {str(path)!r} has a line that is no object")
    return data
