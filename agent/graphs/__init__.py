"""The state machines that investigate a claim.

LangGraph brings the clients of two services, whose packages import all records and calls of these services at
once: half of what it takes to load. A graph on this machine needs none of them.
"""

from __future__ import annotations

from importlib import import_module

from agent.graphs.deferred_packages import deferred

CLIENTS = ("langgraph_sdk", "langgraph_sdk.auth", "langsmith.types")
"""Packages that load what is asked of them alone."""

with deferred(CLIENTS):
    import_module("langgraph.graph")
