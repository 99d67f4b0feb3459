"""``cold_start``: seconds of whole processes, as a user waits for them."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from evaluation.bench.types import BenchRecord, Effort, alone, less_is_better
from factdesk.kernel import BackendUnavailable, ConfigError

LIMIT = 300.0
"""Seconds after which a process counts as failed."""


def run(effort: Effort) -> list[BenchRecord]:
    """``--help``; the first check of a folder (which indexes it); later ones without and with kept scores, and by a
    running service.

    Raises:
        BackendUnavailable: the examples are missing, or a process failed.
    """
    from factdesk.import_guard import examples_dir

    try:
        examples = examples_dir()
    except ConfigError as error:
        raise BackendUnavailable(str(error)) from error
    check = ("check", _first_claim(examples), "--corpus", str(examples / "corpus"), "--json")
    times = effort.of(2, 5)
    with tempfile.TemporaryDirectory(prefix="factdesk-bench-") as temporary:
        home = Path(temporary)
        shown = _median(["--help"], home, times)
        first = _seconds(check, home, score_cache=False)
        plain = _median(check, home, times, score_cache=False)
        _seconds(check, home)
        kept = _median(check, home, times)
        with _service(home):
            _seconds(check, home, score_cache=False)
            served = _median(check, home, times, score_cache=False)
    return [
        alone("cold_start.help", shown, "s"),
        alone("cold_start.first_check", first, "s"),
        alone("cold_start.check", plain, "s"),
        less_is_better("cold_start.check_again.vs_no_score_cache", kept, "s", "the same check, no scores kept", plain),
        less_is_better("cold_start.check_by_service.vs_alone", served, "s", "the same check without a service", plain),
    ]


@contextmanager
def _service(home: Path) -> Iterator[None]:
    """``factdesk serve --commands``, which answers the checks of the block."""
    command = [sys.executable, "-m", "factdesk", "serve", "--commands", "--port", "0"]
    with subprocess.Popen(command, env=_environment(home, score_cache=False), stdout=subprocess.PIPE) as service:
        try:
            if service.stdout is None or not service.stdout.readline().startswith(b"http"):
                raise BackendUnavailable("factdesk serve did not start")
            yield
        finally:
            service.terminate()


def _first_claim(examples: Path) -> str:
    try:
        with (examples / "claims.jsonl").open(encoding="utf-8") as lines:
            return str(next(row["claim"] for row in map(json.loads, lines) if not row.get("image")))
    except (OSError, ValueError, KeyError, StopIteration) as error:
        raise BackendUnavailable(f"the example claims cannot be read ({error!r}); reinstall factdesk") from error


def _median(arguments: Sequence[str], home: Path, times: int, *, score_cache: bool = True) -> float:
    return statistics.median(_seconds(arguments, home, score_cache=score_cache) for _ in range(times))


def _seconds(arguments: Sequence[str], home: Path, *, score_cache: bool = True) -> float:
    """Wall time of one process with a home of its own and default settings."""
    environment = _environment(home, score_cache=score_cache)
    command = [sys.executable, "-m", "factdesk", *arguments]
    start = time.perf_counter()
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=LIMIT, check=False)
    except subprocess.TimeoutExpired as error:
        raise BackendUnavailable(f"factdesk {arguments[0]} took longer than {LIMIT:.0f} s") from error
    if done.returncode != 0:
        raise BackendUnavailable(f"factdesk {arguments[0]} failed ({done.returncode}): {done.stderr.strip()[-300:]}")
    return time.perf_counter() - start


def _environment(home: Path, *, score_cache: bool) -> dict[str, str]:
    """The variables of a process with default settings and a home of its own."""
    kept = {key: value for key, value in os.environ.items() if not key.upper().startswith("FACTDESK_")}
    return {**kept, "FACTDESK_HOME": str(home), "FACTDESK_SCORE_CACHE": str(score_cache).lower()}
