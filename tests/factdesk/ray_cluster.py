"""Run as a program by ``test_batch_ray``: a Ray cluster of two nodes on loopback, one of which is killed.

It starts the nodes, runs ``factdesk batch`` on them in a process of its own, kills the second node as soon as
so many certificates are there, and hands on what the batch printed.
"""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any


def two_nodes() -> tuple[Any, Any]:
    """A cluster and its second node. Ray gives a node 30 s to start, which a busy machine may not keep."""
    from ray.cluster_utils import Cluster

    options = {"num_cpus": 1, "object_store_memory": 80_000_000, "include_dashboard": False}
    for last in (False, False, False, True):
        cluster = Cluster()
        try:
            cluster.add_node(node_ip_address="127.0.0.2", **options)
            return cluster, cluster.add_node(node_ip_address="127.0.0.3", **options)
        except Exception:
            if last:
                raise
    raise AssertionError


def main(folder: Path, after: int, arguments: list[str]) -> None:
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112 - Ray spells it so; 15 starves beside other work
    logging.disable(logging.INFO)
    cluster, second = two_nodes()
    process = subprocess.Popen(
        [sys.executable, "-m", "factdesk", "batch", *arguments, "--json"],
        stdout=subprocess.PIPE,
        env={**os.environ, "RAY_ADDRESS": cluster.address},
    )
    deadline = time.monotonic() + 700
    while len(list(folder.glob("certificates/*/*.json"))) < after and time.monotonic() < deadline:
        if process.poll() is not None:
            break
        time.sleep(0.02)
    at = len(list(folder.glob("certificates/*/*.json")))
    cluster.remove_node(second, allow_graceful=False)
    try:
        out, _ = process.communicate(timeout=700)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        out, _ = process.communicate()
    cluster.shutdown()
    found = {"code": process.returncode, "killed_at": at, "summary": json.loads(out) if out else None}
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
