"""The machine a benchmark ran on, in a few facts and without its name."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from evaluation.bench.types import Machine
from language.onnx_model import usable_cores

LIBRARIES = ("onnxruntime", "tokenizers", "numpy", "torch", "transformers", "sentence-transformers")


def describe() -> Machine:
    """Processor, cores, load, Python and library versions."""
    facts = _cpuinfo()
    return Machine(
        cpu=facts.get("model name") or platform.processor() or platform.machine(),
        cores=os.cpu_count() or 1,
        usable_cores=usable_cores(),
        vnni="vnni" in facts.get("flags", ""),
        load=round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
        system=f"{platform.system()} {platform.machine()}",
        python=platform.python_version(),
        libraries={name: found for name in LIBRARIES if (found := _version(name)) is not None},
    )


def _cpuinfo() -> dict[str, str]:
    """Facts of the first processor, where the system tells them (Linux)."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return {}
    rows = (line.partition(":") for line in text.split("\n\n")[0].splitlines())
    return {key.strip(): value.strip() for key, _, value in rows}


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
