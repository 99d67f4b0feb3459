"""Benchmarks: how fast the parts are on this machine, each beside a named peer on the same input.

One module a benchmark, listed in ``registry.py``. A benchmark is a function ``run(effort) -> records``;
our side and the peer take turns in one process, so that a busy machine burdens both alike.
"""
