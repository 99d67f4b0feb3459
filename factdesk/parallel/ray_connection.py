"""Joining or starting a Ray cluster (extra ``ray``)."""

from __future__ import annotations

import logging
import os
from typing import Any

from factdesk.kernel import BackendUnavailable


def connect() -> Any:
    """Ray, joined to a cluster or to one that is started here. Raises ``BackendUnavailable``."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"  # nothing about a desk's work is sent anywhere
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    os.environ.setdefault("RAY_worker_niceness", "0")  # not 15: a busy machine would starve the actors
    try:
        import ray
    except ImportError as error:
        raise BackendUnavailable(
            "the engine 'ray' needs the extra: pip install 'factdesk[ray]' (or use --engine local)"
        ) from error
    if not ray.is_initialized():
        local: dict[str, Any] = {} if os.environ.get("RAY_ADDRESS") else {"_node_ip_address": "127.0.0.1"}
        try:
            ray.init(log_to_driver=False, logging_level=logging.ERROR, include_dashboard=False, **local)
        except (ConnectionError, RuntimeError, ValueError) as error:
            raise BackendUnavailable(f"no Ray cluster could be had: {error}") from error
    return ray
