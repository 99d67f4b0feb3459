"""Intake in a process of its own, while this one imports everything else.

Same code, same result; where the process does not answer, the caller reads the claims itself. The two
speak in lines of JSON, and the process ends with its input.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import asdict
from types import ModuleType
from typing import IO, TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agent.types import ClaimIR
    from factdesk.kernel import Fingerprint
    from language.nlp.delegation import Plain

PATIENCE = 30.0
"""Seconds after which a silent process is given up."""
_HERE = os.path.realpath(__file__)
_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(_HERE)))
COMMAND = (
    sys.executable,
    "-P",
    "-c",
    f"import sys; root = {_ROOT!r}; root in sys.path or sys.path.insert(0, root); "
    "from agent.intake.worker_process import main; main()",
)
"""Starts this module, installed or from sources."""


class ParsingProcess:
    """The worker; every method returns ``None`` when it did not answer."""

    def __init__(self, command: Sequence[str] | None = None) -> None:
        """Start loading. Without a command, nothing starts where spaCy is loaded or the interpreter is unknown."""
        self._process: subprocess.Popen[bytes] | None = None
        self._turn = threading.Lock()
        if command is None and ("spacy" in sys.modules or not sys.executable):
            return
        with suppress(OSError):
            self._process = subprocess.Popen(
                command or COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )

    def compile_claims(self, text: str, max_claims: int, *, has_image: bool) -> ClaimIR | None:
        """As ``agent.intake.compile_claims``; descriptions are remembered too."""
        found = self.ask(f"{__name__}:read_claims", [text, max_claims, has_image])
        if found is None:
            return None
        from agent.intake.descriptions import Description, remember
        from agent.types import ClaimIR

        claims, described = json.loads(str(found[0]))
        for claim, told in described.items():
            remember(claim, Description(**told) if told else None)
        return ClaimIR.model_validate(claims)

    def fingerprint(self) -> Fingerprint | None:
        """The pipeline's, as ``language.nlp.pipeline.nlp_fingerprint`` gives it."""
        found = self.ask(f"{__name__}:read_fingerprint", [])
        if found is None:
            return None
        from factdesk.kernel import Fingerprint

        return Fingerprint.model_validate_json(str(found[0]))

    def ask(self, function: str, arguments: list[Plain]) -> tuple[Plain] | None:
        """As ``language.nlp.delegation.answer``, in a tuple; the first failure ends the process."""
        with self._turn:
            if (process := self._process) is None or process.stdin is None or process.stdout is None:
                return None
            limit = threading.Timer(PATIENCE, process.kill)
            limit.start()
            try:
                process.stdin.write(json.dumps([function, arguments]).encode() + b"\n")
                process.stdin.flush()
                answer = json.loads(process.stdout.readline())
            except (OSError, ValueError):
                answer = None
            finally:
                limit.cancel()
            if isinstance(answer, dict) and answer.get("code") == _HERE:
                return (answer["result"],)
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

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def read_claims(text: str, max_claims: int, has_image: bool) -> str:
    """Claim IR of a text, and the descriptions in its claims, as JSON."""
    from agent.intake import compile_claims
    from agent.intake.descriptions import find_description
    from language.nlp.pipeline import load_nlp

    found = compile_claims(text, nlp=load_nlp(), max_claims=max_claims, has_image=has_image)
    described = {claim.text: find_description(claim.text) for claim in found.claims}
    told = {claim: asdict(one) if one else None for claim, one in described.items()}
    return json.dumps([found.model_dump(mode="json"), told])


def read_fingerprint() -> str:
    """Fingerprint of the pipeline, as JSON."""
    from language.nlp.pipeline import nlp_fingerprint

    return nlp_fingerprint().model_dump_json()


def serve(questions: IO[bytes], answers: IO[bytes]) -> None:
    """Answer line by line until the input ends or an error occurs."""
    from language.nlp.delegation import answer
    from language.nlp.pipeline import load_nlp

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
    """Serve over standard input and output."""
    leave_out_commands()
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as out:
        sys.stdout = sys.stderr  # what a library prints is no answer
        serve(sys.stdin.buffer, out)
