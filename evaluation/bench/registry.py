"""The benchmarks by name, and the one function that runs them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module

from evaluation.bench.machine import describe
from evaluation.bench.types import BenchRecord, BenchReport, Effort
from factdesk.kernel import BackendUnavailable, ConfigError

BENCHMARKS = {
    "verifier": "evaluation.bench.nli",
    "retrieval": "evaluation.bench.retrieval",
    "growth": "evaluation.bench.growth",
    "cold_start": "evaluation.bench.cold_start",
    "checks": "evaluation.bench.checks",
    "graph": "evaluation.bench.graph",
    "trust": "evaluation.bench.ranking",
}
"""Name -> module with ``run(effort: Effort) -> Sequence[BenchRecord]``."""


def run_benchmarks(
    names: Sequence[str] = (), *, quick: bool = False, starting: Callable[[str], None] | None = None
) -> BenchReport:
    """Run the named benchmarks, all of them when none is named, in the order of the registry.

    A benchmark whose backend is missing stands in ``skipped``; the others run.

    Raises:
        ConfigError: a name is unknown.
    """
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        raise ConfigError(f"benchmark {unknown[0]!r} is unknown; known: {', '.join(BENCHMARKS)}")
    machine, records, skipped = describe(), list[BenchRecord](), dict[str, str]()
    for name, module in BENCHMARKS.items():
        if names and name not in names:
            continue
        if starting is not None:
            starting(name)
        run: Callable[[Effort], Sequence[BenchRecord]] = import_module(module).run
        try:
            records += run(Effort(quick))
        except BackendUnavailable as error:
            skipped[name] = str(error)
    return BenchReport(quick=quick, machine=machine, records=tuple(records), skipped=skipped)
