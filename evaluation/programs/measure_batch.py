"""Run ``factdesk batch``, kill it on the way, start it again, and measure: time, memory, what was lost.

    python -m evaluation.programs.measure_batch claims.jsonl OUT --seconds 600 --kills 150 330 -- --corpus gen

Everything after ``--`` goes to ``factdesk batch``. At each of ``--kills`` (seconds since the beginning) the
process and all its workers get a kill -9, and the same command is started again. ``--seconds`` bounds the
whole: no claim is begun after them. Memory is the resident set of the process and its workers together,
looked at every two seconds (Linux); so is the processor time. The load average says what else was going on.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path


def tree(pid: int) -> list[int]:
    """A process and all below it."""
    found = [pid]
    for place in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found += [p for child in place.read_text().split() for p in tree(int(child))]
        except OSError:
            continue  # it ended between the two looks
    return found


def resident_mb(pid: int) -> float:
    """Resident memory of a process and all below it, in MB (10^6 bytes)."""
    total = 0
    for process in tree(pid):
        try:
            total += int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        except (OSError, IndexError):
            continue
    return total / 1e6


def processor_seconds(pid: int) -> dict[int, float]:
    """Processor time of a process and of each below it, so far."""
    found = {}
    for process in tree(pid):
        try:
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        found[process] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return found


@dataclass
class Seen:
    """What was seen on the way; times are seconds since the beginning."""

    begun: float = field(default_factory=time.monotonic)
    memory: list[tuple[int, float]] = field(default_factory=list)
    finished: list[tuple[int, int, float]] = field(default_factory=list)
    """Once a minute: certificates in the folder, and the load average of the last minute."""
    processor: dict[int, float] = field(default_factory=dict)
    """Seconds by process."""
    killed: list[int] = field(default_factory=list)
    """Certificates that were there at each kill."""

    @property
    def seconds(self) -> float:
        """Since the beginning."""
        return time.monotonic() - self.begun


def certificates(out: Path) -> int:
    """How many there are in the folder of a batch."""
    return len(list(out.glob("certificates/*/*.json")))


def watch(process: subprocess.Popen[bytes], out: Path, seen: Seen, end: float) -> None:
    """Look at the memory until the process ends, or ``end`` seconds have gone by since the beginning."""
    while process.poll() is None and seen.seconds < end:
        time.sleep(2)
        seen.memory.append((round(seen.seconds), round(resident_mb(process.pid), 1)))
        seen.processor.update(processor_seconds(process.pid))
        if not seen.finished or seen.seconds >= seen.finished[-1][0] + 60:
            load = round(os.getloadavg()[0], 2)
            seen.finished.append((round(seen.seconds), certificates(out), load))


def spent(out: Path) -> list[float]:
    """Seconds that each certified claim took in its worker, in whatever run."""
    with closing(sqlite3.connect(out / "batch.sqlite")) as journal:
        ended = [json.loads(row[0]) for row in journal.execute("SELECT result FROM jobs WHERE result IS NOT NULL")]
    return [float(outcome["seconds"]) for outcome in ended if outcome["certificate_id"]]


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kill -9 for all of it at once."""
    for pid in tree(process.pid):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue
    process.communicate()


def spread(values: list[float]) -> dict[str, float]:
    """Middle and both ends of a list."""
    ordered = sorted(values)
    return {
        "n": len(ordered),
        "p50": round(ordered[len(ordered) // 2], 3),
        "p95": round(ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))], 3),
        "max": round(ordered[-1], 3),
    }


def account(summary: dict[str, object], out: Path, seen: Seen) -> dict[str, object]:
    """All that was measured. ``summary`` is what the last run printed itself."""
    rows = [json.loads(line) for line in (out / "results.jsonl").open(encoding="utf-8")]
    certified = [row["certificate_id"] for row in rows if row["status"] in ("completed", "resumed")]
    quarter = max(1, len(seen.memory) // 4)
    return {
        "summary": summary,
        "certificates_at_each_kill": seen.killed,
        "certified": len(certified),
        "doubled": len(certified) - len(set(certified)),
        "seconds": round(seen.seconds, 1),
        "claims_per_minute": round(len(certified) * 60 / seen.seconds, 2),
        "processor_seconds_a_claim": round(sum(seen.processor.values()) / max(1, len(certified)), 3),
        "seconds_a_claim": spread(spent(out) or [0.0]),
        "memory_mb": {
            "first_quarter": spread([mb for _, mb in seen.memory[:quarter]]),
            "last_quarter": spread([mb for _, mb in seen.memory[-quarter:]]),
            "over_time": seen.memory[:: max(1, len(seen.memory) // 30)],
        },
        "certificates_and_load": seen.finished[:: max(1, len(seen.finished) // 30)],
    }


def main() -> None:
    """Measure, and print one JSON document."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("claims", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--kills", type=float, nargs="*", default=[150.0, 330.0])
    at = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    options = parser.parse_args(sys.argv[1:at])
    seen, out = Seen(), options.out
    command = [sys.executable, "-m", "factdesk", "batch", str(options.claims), "--out", str(out)]
    for stop in (*options.kills, float("inf")):
        left = max(1.0, options.seconds - seen.seconds)
        process = subprocess.Popen(
            [*command, "--stop-after", str(left), "--json", "--quiet", *sys.argv[at + 1 :]],
            stdout=subprocess.PIPE,
        )
        watch(process, out, seen, stop)
        if process.poll() is not None:
            break  # it is through with all claims, or the time is over
        seen.killed.append(certificates(out))
        kill(process)
    printed, _ = process.communicate()
    found = account(json.loads(printed), out, seen)
    sys.stdout.write(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
