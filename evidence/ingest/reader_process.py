"""Files are read in a process of their own, which a document that takes too much ends, and nothing else. It gets the
path of a file (or a page that was fetched) as a line of JSON and gives back a page. Its memory is bounded, and its time
by the size of the file; what breaks in it is the reason why that file was left out.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import IO, Any, Self

from pydantic import TypeAdapter

from evidence.ingest.page import Page
from factdesk.kernel import InputError

MEMORY = 1 << 30
"""Bytes of address space of the process, where the system can bound it."""
SECONDS = 20.0
"""Time for a file, whatever its size."""
SECONDS_PER_MB = 20.0
"""Further time for each megabyte of it."""
_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
COMMAND = (
    sys.executable,
    "-P",
    "-c",
    f"import sys; root = {_ROOT!r}; root in sys.path or sys.path.insert(0, root); "
    "from evidence.ingest.reader_process import main; main()",
)
"""Starts this module, installed or from sources."""
_FORM = TypeAdapter(Page)
"""How a page is written as JSON and read back."""


class ReaderProcess:
    """Reads one file after the other; started at the first, and again after one that ended it."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._turn = threading.Lock()

    def read(self, path: Path, suffix: str) -> Page:
        """As ``evidence.ingest.read_file``. Raises ``InputError`` with the reason."""
        try:
            size = path.stat().st_size
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}") from error
        return self._ask({"path": str(path), "suffix": suffix}, size)

    def read_page(self, source: str, url: str) -> Page:
        """As ``evidence.ingest.html.read_html``. Raises ``InputError`` with the reason."""
        return self._ask({"page": source, "url": url}, len(source.encode("utf-8", "replace")))

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            with suppress(OSError):
                process.communicate()
            self._said.close()

    @classmethod
    @cache
    def shared(cls) -> ReaderProcess:
        """One for all threads, ended with this process."""
        reader = cls()
        atexit.register(reader.close)
        return reader

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _ask(self, order: dict[str, str], size: int) -> Page:
        limit = self._seconds + SECONDS_PER_MB * size / 1e6
        with self._turn:
            process, start = self._started(), time.monotonic()
            timer = threading.Timer(limit, process.kill)
            timer.start()
            try:
                found = _answer(process, order)
            finally:
                timer.cancel()
            if found is None:
                late = time.monotonic() - start >= limit
                why = f"took longer than {limit:.0f} s to read" if late else self._last_words()
                self.close()
                raise InputError(why)
        if "reason" in found:
            raise InputError(str(found["reason"]))
        return _FORM.validate_python(found, strict=False)

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            said = tempfile.TemporaryFile()  # noqa: SIM115 - as long as the process
            try:
                self._process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said)
            except OSError as error:
                said.close()
                raise InputError(f"no process to read it could be started ({error})") from error
            self._said: IO[bytes] = said
        return self._process

    def _last_words(self) -> str:
        """Why the process ended, in a sentence."""
        self._said.seek(0)
        lines = self._said.read()[-2000:].decode("utf-8", "replace").strip().splitlines()
        kind = lines[-1].partition(":")[0].rpartition(".")[2] if lines else ""
        if kind == "MemoryError" or not kind.isidentifier():
            return f"needs more than {MEMORY >> 20} MB to read"
        return f"its reader broke off ({kind}); it may be damaged"


def _answer(process: subprocess.Popen[bytes], order: dict[str, str]) -> dict[str, Any] | None:
    if process.stdin is None or process.stdout is None:
        return None
    try:
        process.stdin.write(json.dumps(order).encode() + b"\n")
        process.stdin.flush()
        found = json.loads(process.stdout.readline())
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def _read(order: dict[str, str]) -> dict[str, Any]:
    from evidence.ingest import read_file
    from evidence.ingest.html import read_html

    try:
        if "page" in order:
            page = read_html(order["page"].encode("utf-8", "replace"), order["url"])
        else:
            page = read_file(Path(order["path"]), order["suffix"])
    except InputError as error:
        return {"reason": str(error)}
    except OSError as error:
        return {"reason": f"cannot be read: {error.strerror}"}
    return dict(_FORM.dump_python(page, mode="json"))


def main() -> None:
    """Answer line by line over standard input and output, in bounded memory, until the input ends."""
    with suppress(ImportError):
        import resource

        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as out:
        sys.stdout = sys.stderr  # what a library prints is no answer
        for line in sys.stdin.buffer:
            out.write(json.dumps(_read(json.loads(line))).encode() + b"\n")
            out.flush()
