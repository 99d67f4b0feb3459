"""spaCy in a process of its own, while this one imports everything else.

Same code, same result; what the process does not answer, the caller works out itself. The two speak in lines of
JSON, and the process ends with its input.
"""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from types import ModuleType
from typing import IO

from language.nlp.delegation import answer, answered_by
from language.nlp.pipeline import load_nlp

PATIENCE = 30.0
"""Seconds after which a silent process is given up."""
_HERE = os.path.realpath(__file__)
_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(_HERE)))
COMMAND = (
    sys.executable,
    "-P",
    "-c",
    f"import sys; root = {_ROOT!r}; root in sys.path or sys.path.insert(0, root); "
    "from agent.intake.parsing_process import main; main()",
)
"""Starts this module, installed or from sources."""


@contextmanager
def parsing_beside(command: Sequence[str] | None = None) -> Iterator[ParsingProcess]:
    """Within it, questions about parses are answered by a process of its own."""
    with closing(ParsingProcess(command)) as process, answered_by(process.ask):
        yield process


class ParsingProcess:
    """The process, where it runs."""

    def __init__(self, command: Sequence[str] | None = None) -> None:
        """Start loading. Without a command, nothing starts where spaCy is loaded or the interpreter is unknown."""
        self._process: subprocess.Popen[bytes] | None = None
        self._turn = threading.Lock()
        if command or ("spacy" not in sys.modules and sys.executable):
            with suppress(OSError):
                self._process = subprocess.Popen(
                    command or COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
                )

    def ask(self, function: str, args: tuple[object, ...], named: dict[str, object]) -> str | None:
        """As ``language.nlp.delegation.answer``; ``None``: no answer. The first failure ends the process."""
        with self._turn:
            if (process := self._process) is None or process.stdin is None or process.stdout is None:
                return None
            limit = threading.Timer(PATIENCE, process.kill)
            limit.start()
            try:
                process.stdin.write(json.dumps([function, args, named]).encode() + b"\n")
                process.stdin.flush()
                told = json.loads(process.stdout.readline())
            except (OSError, ValueError):
                told = None
            finally:
                limit.cancel()
            if isinstance(told, dict) and told.get("code") == _HERE:
                return str(told["result"])
            self.close()
            return None

    def close(self) -> None:
        """End the process."""
        if (process := self._process) is None:
            return
        self._process = None
        process.kill()
        with suppress(OSError):  # what was still to be written has nobody to read it
            process.communicate()


def serve(questions: IO[bytes], answers: IO[bytes]) -> None:
    """Answer line by line until the input ends or an error occurs."""
    load_nlp()
    for line in questions:
        result = answer(*json.loads(line))
        answers.write(json.dumps({"code": _HERE, "result": result}).encode() + b"\n")
        answers.flush()


def leave_out_commands() -> None:
    """Replace spaCy's command line by an empty module, to import faster."""
    commands, info = ModuleType("spacy.cli"), ModuleType("spacy.cli.info")
    commands.__path__ = []
    vars(info)["info"] = None  # all that spaCy itself takes from there
    sys.modules.update({commands.__name__: commands, info.__name__: info})


def main() -> None:
    """Serve over standard input and output, for one check: cycles of garbage are not searched for."""
    gc.disable()
    leave_out_commands()
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as out:
        sys.stdout = sys.stderr  # what a library prints is no answer
        serve(sys.stdin.buffer, out)
