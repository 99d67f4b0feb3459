"""What a benchmark hands back."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from factdesk.kernel import Record

BENCH_SCHEMA = "factdesk.bench/1"


class BenchRecord(Record):
    """One measured figure, and how it stands beside its peer's."""

    name: str
    """Dotted: benchmark, what was measured, and against what: ``"verifier.shipped.vs_torch_fp32"``."""
    value: float
    """Ours, in ``unit``."""
    unit: str
    peer: str = ""
    """What the peer is, in words; ``""``: measured alone."""
    peer_value: float | None = None
    """The peer's figure in the same unit."""
    ratio: float | None = None
    """How many times better ours is: above 1 we are ahead, whether more or less of the unit is better."""


class Machine(Record):
    """Where it was measured."""

    cpu: str
    cores: int
    usable_cores: int
    """Cores this process may use."""
    vnni: bool
    """Whether the processor has instructions for int8 products."""
    load: float | None
    """Load average of the last minute at the start; near 0 on a quiet machine. ``None``: not known."""
    system: str
    python: str
    libraries: dict[str, str]
    """Versions of those that are measured or measure."""


class BenchReport(Record):
    """All records of one run. ``skipped`` names benchmarks that could not run, with the reason."""

    schema_version: str = BENCH_SCHEMA
    quick: bool
    machine: Machine
    records: tuple[BenchRecord, ...]
    skipped: dict[str, str]


@dataclass(frozen=True)
class Effort:
    """How much to measure."""

    quick: bool = False

    def of(self, quick: int, full: int) -> int:
        """The first for ``--quick``, else the second."""
        return quick if self.quick else full


def more_is_better(name: str, value: float, unit: str, peer: str, peer_value: float) -> BenchRecord:
    """A record of rates: the ratio is ours over the peer's."""
    return _record(name, value, unit, peer, peer_value, value / peer_value)


def less_is_better(name: str, value: float, unit: str, peer: str, peer_value: float) -> BenchRecord:
    """A record of times: the ratio is the peer's over ours."""
    return _record(name, value, unit, peer, peer_value, peer_value / value)


def alone(name: str, value: float, unit: str) -> BenchRecord:
    """A record without a peer."""
    return BenchRecord(name=name, value=_short(value), unit=unit)


def take_turns(works: Sequence[Callable[[], object]], rounds: int) -> list[float]:
    """Median seconds of each work: one call each to warm up, then ``rounds`` times one after the other."""
    for work in works:
        work()
    seconds: list[list[float]] = [[] for _ in works]
    for _ in range(rounds):
        for work, taken in zip(works, seconds, strict=True):
            start = time.perf_counter()
            work()
            taken.append(time.perf_counter() - start)
    return [statistics.median(taken) for taken in seconds]


def _record(name: str, value: float, unit: str, peer: str, peer_value: float, ratio: float) -> BenchRecord:
    return BenchRecord(
        name=name,
        value=_short(value),
        unit=unit,
        peer=peer,
        peer_value=_short(peer_value),
        ratio=_short(ratio),
    )


def _short(value: float) -> float:
    """Four significant digits: more would only be noise."""
    return float(f"{value:.4g}")
