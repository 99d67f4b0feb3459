"""Running a graph: compiled with its checkpointer, progress streamed, the end state revalidated."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import agent.types
import evidence.types
import factdesk.kernel
import language.quantities.types
import trust.types
import verifier.types
from agent.graphs.chain import build_chain, recursion_limit
from agent.graphs.state import Deps, InvestigationState
from agent.types import ClaimIR, Investigation, Progress
from factdesk.kernel import InputError
from store.runs import Run


def choose_method(claims: ClaimIR) -> str:
    """What ``--method auto`` stands for: the chain for a single claim, the tree for several."""
    return "chain" if len(claims.claims) == 1 else "tree"


def run_graph(
    text: str, deps: Deps, run: Run, progress: Callable[[Progress], None], method: str = "chain"
) -> Investigation:
    """Investigate ``text`` by a method and hand over what was found, validated.

    Every step is written to the run's file before the next one begins. A run that an earlier process
    began goes on from its last step; its trust tool and its clock go on from there too.
    """
    from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
    from langgraph.checkpoint.sqlite import SqliteSaver

    try:
        saver = SqliteSaver(run.connection, serde=JsonPlusSerializer(allowed_msgpack_modules=_state_types()))
        graph = _build(method, deps).compile(checkpointer=saver)
        config: Any = {
            "configurable": {"thread_id": run.run_id},
            "recursion_limit": recursion_limit(deps.caps.max_claims, deps.caps.max_questions),
        }
        start: InvestigationState | None = {"text": text}
        if run.stored is not None and (before := _before(graph, saver, config, run)) is not None:
            start, deps = None, _taken_up(deps, before)
        if start is not None or graph.get_state(config).tasks:  # not ``next``: it leaves out what is done
            for event in graph.stream(
                start, config, context=deps, stream_mode="custom", version="v2", durability="sync"
            ):
                progress(Progress.model_validate(event["data"]))
        state = graph.get_state(config).values
    except sqlite3.Error as error:
        raise run.unusable(error) from error
    return _investigation(state)


def _before(graph: Any, saver: Any, config: Any, run: Run) -> dict[str, Any] | None:
    """The state that an earlier process left; ``None`` where it had not come to its first step."""
    try:
        if saver.get_tuple(config) is None:
            return None
        state: dict[str, Any] = graph.get_state(config).values
    except (ValueError, KeyError, TypeError, EOFError) as error:
        raise InputError(
            f"the checkpoint of run {run.run_id!r} is damaged ({error}); give it up with factdesk resume "
            f"{run.run_id} --forget, and check its claim anew"
        ) from error
    return state


def _build(method: str, deps: Deps) -> Any:
    if method == "tree":
        from agent.graphs.tree import build_tree

        return build_tree(deps.veracity)
    if method == "subq":
        from agent.graphs.subq import build_subq

        return build_subq(deps.veracity)
    if method == "answer":
        from agent.graphs.answer import build_answer

        return build_answer()
    return build_chain(deps.veracity)


def _taken_up(deps: Deps, state: dict[str, Any]) -> Deps:
    """The trust tool knows again what it knew, and the clock counts on."""
    memory, spent, clock = state.get("trust_memory"), float(state.get("seconds", 0.0)), deps.clock
    if deps.trust is not None and memory is not None:
        deps.trust.recall(memory)
    return replace(deps, clock=lambda: spent + clock())


def _state_types() -> list[tuple[str, str]]:
    """The records that may come out of a checkpoint; anything else in it is refused."""
    rooms = (
        agent.types,
        evidence.types,
        language.quantities.types,
        trust.types,
        verifier.types,
        factdesk.kernel,
    )
    return [
        (module.__name__, name)
        for module in rooms
        for name, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, factdesk.kernel.Record) and value.__module__ == module.__name__
    ]


def _investigation(state: dict[str, Any]) -> Investigation:
    """Revalidate the end state: node output is not checked on the way."""
    return Investigation.model_validate(
        {
            "claim_ir": state["claim_ir"],
            "image_context": state.get("image_context"),
            "qa_pairs": state.get("qa_pairs", ()),
            "scored": state.get("scored", ()),
            "joints": state.get("joints", ()),
            "trust": state.get("trust"),
            "passes": state.get("passes", 0),
            "proposal": state.get("proposal"),
            "failures": state.get("failures", ()),
            "trimmed": state.get("trimmed", ()),
        }
    )
