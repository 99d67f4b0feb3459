"""How large certificates are, and how long it takes to verify them with and without a re-run.

Usage::

    python -m evaluation.programs.measure_certificates HISTORY...

Each HISTORY is a file of ``factdesk history export FILE`` whose key this home knows. Prints one JSON object
a file: sizes of the certificates in bytes as they stand and as gzip packs each alone, the same for those with
two-hop statements (``bridges``), and the processor's seconds of ``factdesk verify`` over all, start included.
"""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import click


def sizes(lines: Sequence[bytes]) -> dict[str, int]:
    """Median, 95th percentile and largest in bytes. ``lines``: at least one."""
    plain = sorted(map(len, lines))
    packed = sorted(len(gzip.compress(line, mtime=0)) for line in lines)
    return {"certificates": len(lines)} | {
        f"{name}{kind}": found[min(len(found) - 1, int(len(found) * share))]
        for kind, found in (("", plain), ("_gzip", packed))
        for name, share in (("median", 0.5), ("p95", 0.95), ("largest", 1.0))
    }


def seconds(path: Path, *options: str) -> float:
    """Processor time of one ``factdesk verify``, start included. Ends the script when it does not hold."""
    before = os.times()
    subprocess.run(
        [sys.executable, "-m", "factdesk", "verify", str(path), *options],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    after = os.times()
    return round(after.children_user + after.children_system - before.children_user - before.children_system, 2)


def main(paths: Sequence[str]) -> None:
    for path in map(Path, paths):
        lines = path.read_bytes().splitlines()[1:]
        two_hop = [line for line in lines if json.loads(line)["body"].get("bridges")]
        found: dict[str, object] = {"file": path.name, "all": sizes(lines)}
        if two_hop:
            found["with_bridges"] = sizes(two_hop)
        found["verify_seconds"] = seconds(path)
        found["verify_rerun_seconds"] = seconds(path, "--rerun")
        click.echo(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1:])
