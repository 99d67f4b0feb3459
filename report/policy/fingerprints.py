"""What decides a badge besides the models, by content: source files, data files and constants.

Files are named by folders and patterns, so that a new one counts at once. The small ``factdesk-verify`` ships those of
``RERUN`` and ``POLICY``, and computes the same sums of them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from factdesk.kernel import ConfigError, Fingerprint
from report.types import Constant, PolicyRecord
from verifier.guard.rule import left_out

ROOT = Path(__file__).resolve().parents[2]
"""The folder that holds all rooms."""
SUFFIXES = frozenset({".py", ".txt", ".json", ".toml"})

GUARD = ("verifier/guard/**/*", "language/**/*")
"""The slot guard, the rules of structure, and the English that both read."""
READING = (
    "verifier/*",
    "verifier/backends/*",
    "verifier/calibration/*",
    "verifier/premise/*",
    "language/**/*",
)
"""What the model is given, how scores are made of what it says, and the language rules of both."""
TRUST = (
    "trust/*",
    "agent/assessment/*",
)
"""Relations of sentences, of answers and what they cite, which documents are strangers, and trust."""
POLICY = ("report/policy/**/*",)
"""The rules that decide on the records."""
INTAKE = ("language/**/*", "agent/intake/**/*")
"""How a text is cut into claims."""
STEERING = ("agent/graphs/**/*", "agent/reasoners/**/*", "agent/*.py")
"""What is asked, looked for and scored."""
PAGES = (
    "evidence/ingest/**/*",
    "evidence/segmentation/*",
)
"""How a page is read: what of it is text, and what of that it asserts."""
RERUN = {"verifier.guard": GUARD, "verifier.reading": READING, "trust": TRUST}
"""What a re-run needs to be the same, by the name of its fingerprint; ``POLICY`` besides."""
RECORDED = {"agent.intake": INTAKE, "evidence.pages": PAGES, "agent.steering": STEERING}
"""What a re-run takes as recorded."""

_CONSTANT = re.compile(
    r"^(?P<name>_?[A-Z][A-Z0-9_]*)(?::[^=\n]+)? = (?P<value>-?\d[\d_]*(?:\.\d+)?(?:e-?\d+)?)(?:\s+#.*)?$",
    re.M,
)


def rerun_fingerprints(root: Path = ROOT) -> tuple[Fingerprint, ...]:
    """Of the rules that a re-run needs to be the same.

    Raises ``ConfigError`` while rules are left out for a measurement: nothing may be certified then.
    """
    if left_out():
        raise ConfigError(f"rules are left out ({', '.join(sorted(left_out()))}); nothing is certified so")
    return tuple(_fingerprint(name, patterns, root) for name, patterns in RERUN.items())


def rule_fingerprints(root: Path = ROOT) -> tuple[Fingerprint, ...]:
    """Of all rules that took part in a check; the policy has a record of its own."""
    recorded = (_fingerprint(name, patterns, root) for name, patterns in RECORDED.items())
    return (*rerun_fingerprints(root), *recorded)


@lru_cache(maxsize=8)
def policy_record(root: Path = ROOT) -> PolicyRecord:
    """The policy's files by their sum, and every numeric constant of them and of ``RERUN``."""
    everything = (*RERUN.values(), POLICY)
    constants = {
        f"{module_of(path)}.{name}": value
        for path in sorted({path for patterns in everything for path in _files(patterns, root)})
        if path.suffix == ".py"
        for name, value in _constants((root / path).read_text(encoding="utf-8"))
    }
    found = tuple(Constant(name=name, value=constants[name]) for name in sorted(constants))
    return PolicyRecord(sha256=_sum(POLICY, root), constants=found)


def module_of(path: Path) -> str:
    """The dotted name of a source file, relative to the folder of all rooms."""
    return path.with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__")


@lru_cache(maxsize=64)
def _fingerprint(name: str, patterns: tuple[str, ...], root: Path) -> Fingerprint:
    digest = _sum(patterns, root)
    return Fingerprint(name=name, version=digest[:12], sha256=digest)


def _sum(patterns: Iterable[str], root: Path) -> str:
    """Hex SHA-256 over names and contents of all files; a checkout's line ends do not matter."""
    digest = hashlib.sha256()
    for path in _files(patterns, root):
        content = (root / path).read_bytes().replace(b"\r\n", b"\n")
        digest.update(f"{path.as_posix()}\t{len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


def _files(patterns: Iterable[str], root: Path) -> list[Path]:
    """Paths below ``root``, relative to it, in order."""
    found = {path for pattern in patterns for path in root.glob(pattern) if path.suffix in SUFFIXES}
    return sorted(path.relative_to(root) for path in found if path.is_file())


def _constants(source: str) -> Iterable[tuple[str, float]]:
    for found in _CONSTANT.finditer(source):
        yield found["name"], float(found["value"].replace("_", ""))
