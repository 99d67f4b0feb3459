"""Run ``factdesk batch``, kill it on the way, start it again, and measure: time, memory, what was lost.

    python examples/measure_batch.py claims.jsonl OUT --seconds 600 --kills 150 330 -- --corpus generated

Everything after ``--`` goes to ``factdesk batch``. At each of ``--kills`` (seconds since the beginning) the
process and all its workers get a kill -9, and the same command is started again. Memory is the resident set
of the process and its workers together, looked at every two seconds (Linux).
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import time
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


def watch(
    process: subprocess.Popen[bytes], begun: float, end: float, memory: list[tuple[int, float]]
) -> None:
    """Look at the memory until the process ends or the time has come."""
    while process.poll() is None and time.monotonic() < end:
        time.sleep(2)
        memory.append((round(time.monotonic() - begun), round(resident_mb(process.pid), 1)))


def kill(process: subprocess.Popen[bytes]) -> None:
    """kill -9 for all of it at once."""
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


def main() -> None:
    """Measure, and print one JSON document."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("claims", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--kills", type=float, nargs="*", default=[150.0, 330.0])
    at = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    options = parser.parse_args(sys.argv[1:at])
    begun, memory, killed = time.monotonic(), list[tuple[int, float]](), list[int]()
    command = [sys.executable, "-m", "factdesk", "batch", str(options.claims), "--out", str(options.out)]
    stops = [*options.kills, options.seconds]
    for number, stop in enumerate(stops):
        left = options.seconds - (time.monotonic() - begun)
        process = subprocess.Popen(
            [*command, "--stop-after", str(max(1.0, left)), "--json", "--quiet", *sys.argv[at + 1 :]],
            stdout=subprocess.PIPE,
        )
        watch(process, begun, begun + stop if number < len(options.kills) else float("inf"), memory)
        if process.poll() is None:
            killed.append(len(list(options.out.glob("certificates/*/*.json"))))
            kill(process)
    out, _ = process.communicate()
    rows = [json.loads(line) for line in (options.out / "results.jsonl").open(encoding="utf-8")]
    certified = [row["certificate_id"] for row in rows if row["status"] in ("completed", "resumed")]
    quarter = max(1, len(memory) // 4)
    found = {
        "summary": json.loads(out),
        "certificates_at_each_kill": killed,
        "certified": len(certified),
        "doubled": len(certified) - len(set(certified)),
        "seconds": round(time.monotonic() - begun, 1),
        "claims_per_minute": round(len(certified) * 60 / (time.monotonic() - begun), 2),
        "memory_mb": {
            "first_quarter": spread([mb for _, mb in memory[:quarter]]),
            "last_quarter": spread([mb for _, mb in memory[-quarter:]]),
            "over_time": memory[:: max(1, len(memory) // 30)],
        },
    }
    sys.stdout.write(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
