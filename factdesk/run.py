"""Running a graph: compiled with its checkpointer, progress streamed, the end state revalidated."""

from __future__ import annotations

import sqlite3
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import agent.types
import evidence.types
import factdesk.kernel
import trust.types
import verifier.types
from agent.graphs.chain import build_chain, recursion_limit
from agent.graphs.state import ChainState, Deps
from agent.types import Investigation, Progress
from factdesk.kernel import InputError


def run_chain(
    text: str, deps: Deps, checkpoints: Path, progress: Callable[[Progress], None]
) -> Investigation:
    """Run Chain of RAG over ``text`` and hand over what it found, validated.

    The trail of states goes into the SQLite file ``checkpoints`` while the check runs; a finished
    run removes its own.
    """
    from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
    from langgraph.checkpoint.sqlite import SqliteSaver

    connection = _open(checkpoints)
    thread = uuid.uuid4().hex
    try:
        saver = SqliteSaver(connection, serde=JsonPlusSerializer(allowed_msgpack_modules=_state_types()))
        graph = build_chain().compile(checkpointer=saver)
        config: Any = {
            "configurable": {"thread_id": thread},
            "recursion_limit": recursion_limit(deps.caps.max_claims, deps.caps.max_questions),
        }
        start: ChainState = {"text": text}
        for event in graph.stream(start, config, context=deps, stream_mode="custom", version="v2"):
            progress(Progress.model_validate(event["data"]))
        state = graph.get_state(config).values
        saver.delete_thread(thread)
    except sqlite3.Error as error:
        raise _unusable(checkpoints, error) from error
    finally:
        connection.close()
    return _investigation(state)


def _state_types() -> list[tuple[str, str]]:
    """The records that may come out of a checkpoint; anything else in it is refused."""
    rooms = (agent.types, evidence.types, trust.types, verifier.types, factdesk.kernel)
    return [
        (module.__name__, name)
        for module in rooms
        for name, value in vars(module).items()
        if isinstance(value, type)
        and issubclass(value, factdesk.kernel.Record)
        and value.__module__ == module.__name__
    ]


def _open(path: Path) -> sqlite3.Connection:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, check_same_thread=False, timeout=10.0)
        connection.execute("PRAGMA busy_timeout = 10000")
        connection.execute("PRAGMA user_version")
    except (OSError, sqlite3.Error) as error:
        raise _unusable(path, error) from error
    return connection


def _unusable(path: Path, error: Exception) -> InputError:
    return InputError(
        f"the file for running checks, {str(path)!r}, cannot be used ({error}); "
        "mend it, move it away or free space"
    )


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
